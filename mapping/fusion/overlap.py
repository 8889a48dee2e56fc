"""Whether submaps that a join lays on one another show the same; where a place only looks alike, they do not.

A wrong join rests on a place that looks like another one, as several submaps of a drive show in turn. It also
lays other submaps on one another, which then should show the same objects and do not. Of right joins at least
0.8 of such pairs are used as closures, of wrong ones at most 0.2 (made-up campuses and offices).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import apply, inverse
from commonground.localization.places import Place
from commonground.mapping.fusion.closures import OUTSIDE, Closure
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.revisits import NEAR_M, Spots, nearest
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.fusion.robust import Optimized

SHARED = 3
"""Two submaps should show the same if so many objects of each lie among those of the other."""
LEAST_PAIRS = 6
"""Fewer pairs of submaps say nothing of a join."""
SURE_PAIRS = 30
"""With so many pairs that show the same a join needs no other proof."""
MOST_PAIRS = 200
"""Of so many pairs, evenly picked, the share hardly differs from that of all."""
LEAST_SHARE = 0.4
"""Share of these pairs that has to show the same."""
Pair: TypeAlias = tuple[int, int]


class Shown(NamedTuple):
    """How far the join of two robots shows in what it lays on one another."""

    robots: Pair
    pairs: int
    """Submaps of both that should show the same."""
    shown: int
    """Those of them that do."""

    @property
    def share(self) -> float:
        """Those that do among all."""
        return self.shown / max(self.pairs, 1)

    @property
    def contradicted(self) -> bool:
        """Whether the join cannot be right."""
        return self.pairs >= LEAST_PAIRS and self.share < LEAST_SHARE

    @property
    def confirmed(self) -> bool:
        """Whether the join shows, as far as can be said by now."""
        return self.pairs >= SURE_PAIRS and not self.contradicted

    def __str__(self) -> str:
        return (
            f"where they look alike, {self.shown} of {self.pairs} pairs of places that would show the same "
            "things do; what looks alike is another place, or one of the maps is bent"
        )


def joins_shown(
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    graph: PoseGraph,
    optimized: Optimized,
    closures: Sequence[Closure],
    joins: Sequence[Closure],
    nearest_only: bool,
) -> list[Shown]:
    """Return how far each two robots of ``joins`` show to be joined rightly.

    Joins by whole maps were proven by their surfaces, or elsewhere, and are not asked.
    """
    asked = {c.robots for c in joins} - {c.robots for c in joins if c.submaps == OUTSIDE}
    used = {
        (c.robots, submaps)
        for c, accepted in zip(closures, optimized.accepted, strict=True)
        if accepted
        for submaps in (c.submaps, *c.repeated)
    }
    laid = _Laid(Spots.of(runs, places, graph, optimized.poses), places, nearest_only)
    return [
        Shown(robots, len(pairs), sum((robots, pair) in used for pair in pairs))
        for robots in sorted(asked)
        if optimized.component[robots[0]] == optimized.component[robots[1]]
        for pairs in [laid.on_same_ground(robots)]
    ]


def most_contradicted(shown: Sequence[Shown]) -> Shown | None:
    """Return the join that is contradicted most; None where all may stand."""
    return min((s for s in shown if s.contradicted), key=lambda s: s.share, default=None)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """The submaps of a team, where the optimized paths put them."""

    spots: Spots
    places: Sequence[Sequence[Place]]
    nearest_only: bool
    """Whether only those that lie nearest were matched with each other."""
    _outlines: dict[Pair, Floats] = field(default_factory=dict)

    def on_same_ground(self, robots: Pair) -> list[Pair]:
        """Return which submaps of two robots should each see objects of the other, at most some of them."""
        pairs = self._near(robots)
        picked = pairs[:: -(-len(pairs) // MOST_PAIRS) or 1]
        names = self.spots.submap[picked].tolist()
        moved = inverse(self.spots.T_map_spot[picked[:, 1]]) @ self.spots.T_map_spot[picked[:, 0]]
        return [
            (s, t)
            for (s, t), T21 in zip(names, moved, strict=True)
            if self._seen(robots, (s, t), T21)
        ]

    def _near(self, robots: Pair) -> Ints:
        """Return pairs (k, 2) of spots of two robots that lie near each other."""
        first, second = (np.flatnonzero(self.spots.robot == r) for r in robots)
        at = self.spots.T_map_spot[:, :3, 3]
        gap = np.linalg.norm(at[first, None] - at[None, second], axis=2)
        i, j = np.nonzero(gap < NEAR_M)
        pairs = np.stack([first[i], second[j]], axis=1)
        return pairs[nearest(self.spots, pairs)] if self.nearest_only else pairs

    def _seen(self, robots: Pair, submaps: Pair, T21: Floats) -> bool:
        one, two = (self.places[r][s] for r, s in zip(robots, submaps, strict=True))
        first, second = apply(T21, one.points), apply(inverse(T21), two.points)
        among = (
            _within(self._outline(robots[1], submaps[1]), first).sum(),
            _within(self._outline(robots[0], submaps[0]), second).sum(),
        )
        return bool(min(among) >= SHARED)

    def _outline(self, robot: int, submap: int) -> Floats:
        """Return the half planes (k, 3) of normal and offset within which the objects of a submap lie."""
        key = robot, submap
        if key not in self._outlines:
            self._outlines[key] = _half_planes(self.places[robot][submap].points[:, :2])
        return self._outlines[key]


def _half_planes(points: Floats) -> Floats:
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(ConvexHull(points).equations)
    except (QhullError, ValueError):  # fewer than three, or on one line: nothing lies within
        return np.array([[0.0, 0.0, 1.0]])


def _within(outline: Floats, points: Floats) -> Bools:
    return np.asarray((points[:, :2] @ outline[:, :2].T + outline[:, 2] <= 0.0).all(axis=1))
