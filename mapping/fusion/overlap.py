"""Whether submaps that a join lays on one another show the same; where a place only looks alike, they do not.

A wrong join rests on a place that looks like another one, as several submaps of a drive show in turn. It also
lays other submaps on one another, which then should show the same objects and do not. That is asked of two
robots as a whole, and of each stretch along which they are laid on one another: they may be joined rightly
where they set out, and wrongly where odometry says too little of where they are by now. Of right stretches
at least 0.78 of such pairs are used as closures, of wrong ones at most 0.42, although all paths were bent to
make them fit (made-up campuses and offices).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import apply, inverse
from commonground.localization.places import Place
from commonground.localization.seen_again import outline, within
from commonground.mapping.fusion.closures import OUTSIDE, Closure
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.revisits import NEAR_M, Spots, nearest
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.fusion.robust import Optimized
from commonground.scene.parts import connected

SHARED = 3
"""Two submaps should show the same if so many objects of each lie among those of the other."""
LEAST_PAIRS = 6
"""Fewer pairs of submaps say nothing of a join."""
SURE_PAIRS = 30
"""With so many pairs that show the same a join needs no other proof."""
MOST_PAIRS = 500
"""Of so many pairs, evenly picked, the share hardly differs from that of all."""
LEAST_SHARE = 0.4
"""Share of these pairs that has to show the same, where nothing else ties the robots."""
LEAST_SHARE_ALONG = 0.6
"""The same along one stretch: it lies where the optimization put it to fit the closures found there."""
ALONG = 6
"""Pairs of submaps that are no more apart, in the order of both drives, are of one stretch."""
Pair: TypeAlias = tuple[int, int]


class Shown(NamedTuple):
    """How far the join of two robots, or one stretch of it, shows in what it lays on one another."""

    robots: Pair
    pairs: int
    """Submaps of both that should show the same."""
    shown: int
    """Those of them that do."""
    stretch: frozenset[Pair] | None = None
    """The submaps of the closures along it; None for the whole join."""

    @property
    def share(self) -> float:
        """Those that do among all."""
        return self.shown / max(self.pairs, 1)

    @property
    def contradicted(self) -> bool:
        """Whether it cannot be right."""
        least = LEAST_SHARE if self.stretch is None else LEAST_SHARE_ALONG
        return self.pairs >= LEAST_PAIRS and self.share < least

    @property
    def confirmed(self) -> bool:
        """Whether the join shows, as far as can be said by now."""
        return self.stretch is None and self.pairs >= SURE_PAIRS and not self.contradicted

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
    """Return how far each two robots show to be laid on one another rightly: ``joins``, and all stretches.

    Joins by whole maps were proven by their surfaces, and are not asked. A closure from elsewhere joins, and
    is asked; that its submaps show the same only a match of their objects says.
    """
    asked = {c.robots for c in joins if not c.given}
    used: dict[Pair, set[Pair]] = {}
    told: dict[Pair, set[Pair]] = {}
    for c, accepted in zip(closures, optimized.accepted, strict=True):
        if accepted and c.robots[0] != c.robots[1]:
            (told if c.given else used).setdefault(c.robots, set()).update((c.submaps, *c.repeated))
    asked |= set(told)
    proven = {c.robots for c in (*joins, *closures) if c.submaps == OUTSIDE and not c.given}
    laid = _Laid(Spots.of(runs, places, graph, optimized.poses), places, nearest_only)
    out: list[Shown] = []
    for robots in sorted((asked | set(used)) - proven):
        if optimized.component[robots[0]] == optimized.component[robots[1]]:
            pairs, tied = laid.on_same_ground(robots), used.get(robots, set())
            if robots in asked:
                out.append(Shown(robots, len(pairs), len(tied.intersection(pairs))))
            out += _along(robots, pairs, tied, told.get(robots, set()) - {OUTSIDE})
    return out


def _along(
    robots: Pair, pairs: Sequence[Pair], tied: Set[Pair], told: Set[Pair]
) -> Iterator[Shown]:
    """Yield each stretch of closures between two robots, with the pairs of submaps that lie along it.

    Submaps are ``tied`` that show the same, and others of which it is ``told`` elsewhere.
    """
    from scipy.spatial import cKDTree

    if not (tied or told) or not pairs:
        return
    ends = np.array(sorted(tied | told))
    tree = cKDTree(ends)
    part = connected(len(ends), tree.query_pairs(ALONG, p=np.inf, output_type="ndarray"))
    gap, nearest_end = tree.query(np.array(pairs), p=np.inf)
    along = np.where(gap <= ALONG, part[nearest_end], -1).tolist()
    for number in range(int(part.max()) + 1):
        stretch = frozenset((s, t) for s, t in ends[part == number].tolist())
        own = [pair for pair, at in zip(pairs, along, strict=True) if at == number]
        yield Shown(robots, len(own), len(tied & set(own)), stretch)


def most_contradicted(shown: Sequence[Shown]) -> Shown | None:
    """Return the join that is contradicted most, else the stretch of one; None where all may stand."""
    return min(
        (s for s in shown if s.contradicted),
        key=lambda s: (s.stretch is not None, s.share),
        default=None,
    )


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
            for (s, t), T_2_1 in zip(names, moved, strict=True)
            if self._seen(robots, (s, t), T_2_1)
        ]

    def _near(self, robots: Pair) -> Ints:
        """Return pairs (k, 2) of spots of two robots that lie near each other."""
        first, second = (np.flatnonzero(self.spots.robot == r) for r in robots)
        at = self.spots.T_map_spot[:, :3, 3]
        gap = np.linalg.norm(at[first, None] - at[None, second], axis=2)
        i, j = np.nonzero(gap < NEAR_M)
        pairs = np.stack([first[i], second[j]], axis=1)
        return pairs[nearest(self.spots, pairs)] if self.nearest_only else pairs

    def _seen(self, robots: Pair, submaps: Pair, T_2_1: Floats) -> bool:
        one, two = (self.places[r][s] for r, s in zip(robots, submaps, strict=True))
        first, second = apply(T_2_1, one.points), apply(inverse(T_2_1), two.points)
        among = (
            within(self._outline(robots[1], submaps[1]), first).sum(),
            within(self._outline(robots[0], submaps[0]), second).sum(),
        )
        return bool(min(among) >= SHARED)

    def _outline(self, robot: int, submap: int) -> Floats:
        """Return the half planes (k, 3) of normal and offset within which the objects of a submap lie."""
        key = robot, submap
        if key not in self._outlines:
            self._outlines[key] = outline(self.places[robot][submap].points)
        return self._outlines[key]
