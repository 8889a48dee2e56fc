"""Of the things that two drives looked at where a pose lays them on one another, how many both have.

A place that only looks alike gives evidence by what agrees there; what should be there too and is not speaks
against it. Each thing is asked for that lies among those of the other side: nobody looked beyond them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.objects import ObjectMap, Submap

LEAST_THINGS = 15
"""Of fewer things nothing is said."""
LEAST_SHARE = 0.45
"""Of made-up campuses: where a pose is right 0.48 or more are seen again, elsewhere at most 0.43."""
OF_USUAL = 0.75
"""Less is asked of who sees little: so much of the share that is seen again from one submap to the next."""
WITHIN_M = 1.0
"""A thing is seen again where one that looks alike lies so near."""
NEAR_M = 15.0
"""Things of the map so near to one that the robot saw are where it looked."""

MOST_OFF_M, OTHER_M = 40.0, 3.0
"""Other ways to lay them are looked for so far away, and from so far on."""
LEAST_RIVALS = 8
"""Fewer things fit another way by chance."""
RIVAL_SHARE = 0.75
"""Another way in which such a share of the things fits leaves it open where the robot is."""


class SeenAgain(NamedTuple):
    """Things of both sides that the other one should have."""

    asked: int
    found: int

    @property
    def share(self) -> float:
        """Those found among all."""
        return self.found / max(self.asked, 1)

    def contradicts(self, usual: float) -> bool:
        """Whether the pose cannot be right; from one submap to the next this share is ``usual``."""
        return self.asked >= LEAST_THINGS and self.share < min(LEAST_SHARE, OF_USUAL * usual)


def seen_again(own: Floats, mapped: Floats, alike: Bools) -> SeenAgain:
    """Return how many of ``own`` things (k, 3) are among the ``mapped`` ones (n, 3), and of those in turn.

    Both are in the map's frame; ``alike`` (k, n) tells which look as if they were one.
    """
    if not len(own) or not len(mapped):
        return SeenAgain(0, 0)
    gap = np.linalg.norm(own[:, None, :2] - mapped[None, :, :2], axis=2)
    near = gap.min(axis=0) < NEAR_M
    met = alike & (gap < WITHIN_M)
    asked = within(outline(mapped[near]), own)
    in_turn = near & within(outline(own), mapped)
    return SeenAgain(
        int(asked.sum() + in_turn.sum()),
        int(met[asked].any(axis=1).sum() + met[:, in_turn].any(axis=0).sum()),
    )


def usually(objects: ObjectMap, submaps: Sequence[Submap]) -> float:
    """Return the share of things that is in a submap as well if the one before it, of one drive, showed them.

    It is 0 where too few lie within to tell: of who sees so little nothing is asked.
    """
    asked = found = 0
    for one, two in pairwise(sorted(submaps, key=lambda s: (s.robot, s.stamp_ns))):
        if one.robot == two.robot:
            there = within(outline(objects.centroids[two.rows]), objects.centroids[one.rows])
            asked += int(there.sum())
            found += int(np.isin(one.rows[there], two.rows).sum())
    return found / asked if asked >= LEAST_THINGS else 0.0


def repeated(own: Floats, mapped: Floats, alike: Bools) -> bool:
    """Return whether things fit another way nearly as well: moved, and turned by quarters about their middle.

    In a park where equal lamps stand in rows they do, whatever agrees of any one submap.
    """
    if len(own) < LEAST_THINGS or not len(mapped):
        return False
    middle = own[:, :2].mean(axis=0)
    reach_m = MOST_OFF_M + np.abs(own[:, :2] - middle).max()
    near = np.abs(mapped[:, :2] - middle).max(axis=1) < reach_m
    mapped, alike = mapped[near], alike[:, near]
    here, elsewhere = 0, 0
    for quarter in range(4):
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
        turned = (own[:, :2] - middle) @ np.array([[c, s], [-s, c]]) + middle
        offset = mapped[None, :, :2] - turned[:, None]
        thing, other = np.nonzero(alike & (np.abs(offset).max(axis=2) < MOST_OFF_M))
        cells = np.rint(offset[thing, other] / WITHIN_M)
        met = np.unique(np.c_[cells, thing], axis=0)
        spots, counts = np.unique(met[:, :2], axis=0, return_counts=True)
        home = (np.abs(spots).max(axis=1) * WITHIN_M <= OTHER_M) & (quarter == 0)
        here = max(here, int(counts[home].max(initial=0)))
        elsewhere = max(elsewhere, int(counts[~home].max(initial=0)))
    return elsewhere >= LEAST_RIVALS and elsewhere > RIVAL_SHARE * here


def outline(points: Floats) -> Floats:
    """Return the half planes (h, 3), normal and offset, within which points lie, seen from above."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(ConvexHull(points[:, :2]).equations)
    except (QhullError, ValueError):  # fewer than three, or on one line: nothing lies within
        return np.array([[0.0, 0.0, 1.0]])


def within(half_planes: Floats, points: Floats) -> Bools:
    """Return which points (k, 2 or 3) lie within an outline."""
    return np.asarray((points[:, :2] @ half_planes[:, :2].T + half_planes[:, 2] <= 0.0).all(axis=1))
