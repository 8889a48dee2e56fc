"""Loop closures at predicted revisits: submaps that lie near each other in the common frame.

With the frames known, two submaps need not be told from all others any more: a few objects that agree where
the poses say they should confirm each other, and place them exactly. One robot that comes back to where
it was is found in the same way: its odometry says roughly where that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import LocalizationError
from commonground.geometry import gravity_aligned, inverse
from commonground.localization.nearby import NearbyMatch, match_nearby
from commonground.localization.places import Place, comparable, without
from commonground.localization.retrieval import AppearanceRatios, compare_appearance, make_atlas
from commonground.localization.settings import MatchingSettings
from commonground.mapping.fusion.closures import Closure, SubmapPair, closure_of, keyframe_of, tight
from commonground.mapping.fusion.growing import NEAREST, Growing
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.looked import Near
from commonground.mapping.fusion.looked import Spots as SpotNames
from commonground.mapping.fusion.marginals import RelativeUncertainty
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.robust import Optimized

NEAR_M = 20.0
"""Submaps whose spots are farther apart share too little."""
UNSURE_M = 20.0
"""So much more at most, where the poses are uncertain."""
APART_M = 30.0
"""Travel between two submaps of one robot, from which on it came back; nearer ones share observations."""
LEAST_TOTAL = 4.0
"""Log Bayes factor, given the poses, from which two submaps show the same."""
LEAST_EVIDENCE = 1.5
"""The same without the poses: less is more often chance than not."""
LEAST_LEAD = 3.0
"""Log Bayes factor by which it must lead over the next way in which they may."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """All submaps of a team, where the optimized paths put them."""

    robot: Ints
    """(s,)"""
    submap: Ints
    """(s,) number among the robot's own."""
    keyframe: Ints
    """(s,) row of the pose graph."""
    T_map_spot: Floats
    """(s, 4, 4) upright."""
    travel_m: Floats

    @staticmethod
    def of(
        runs: Sequence[RobotRun], places: Sequence[Sequence[Place]], graph: PoseGraph, poses: Floats
    ) -> Spots:
        """Return the submaps moved with their keyframes."""
        starts = np.searchsorted(graph.robot, np.arange(len(runs)))
        rows = [
            (r, k, starts[r] + keyframe_of(runs[r], place))
            for r, own in enumerate(places)
            for k, place in enumerate(own)
        ]
        robot, submap, keyframe = np.array(rows, np.int64).reshape(-1, 3).T
        before = np.concatenate([np.empty((0, 4, 4)), *(run.poses for run in runs)])[keyframe]
        spots = np.array([p.T_map_place for own in places for p in own]).reshape(-1, 4, 4)
        moved = poses[keyframe] @ inverse(before) @ spots
        upright = gravity_aligned(moved) if len(moved) else moved
        travel = np.array([p.travel_m for own in places for p in own])
        return Spots(robot, submap, keyframe, upright, travel)


def match_revisits(
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    graph: PoseGraph,
    optimized: Optimized,
    settings: MatchingSettings,
    growing: Growing | None = None,
) -> list[Closure]:
    """Return a closure for every two submaps that the optimized poses put near and that show the same.

    What a map that is ``growing`` remembers is not matched again.
    """
    if not settings.places.gravity:
        return []  # the poses of submaps are then known no better than the distances between objects
    spots = Spots.of(runs, places, graph, optimized.poses)
    uncertainty = RelativeUncertainty.of(graph, optimized.poses, optimized.accepted)
    found: list[Closure] = []
    nominated: set[SpotNames] = set()
    for a, b in combinations_with_replacement(range(len(runs)), 2):
        if optimized.component[a] == optimized.component[b]:
            near = _around(spots, a, b)
            pairs, covariances = _near(
                spots, uncertainty, near if growing is None else near[nearest(spots, near)]
            )
            two = _Two((a, b), (runs[a], runs[b]), (places[a], places[b]), settings)
            found += _closures(two, spots, pairs, covariances, growing)
            nominated |= {two.spots(spots, pair) for pair in pairs}
    if growing is not None:
        growing.only(nominated)
    return found


def _around(spots: Spots, a: int, b: int) -> Ints:
    """Return pairs (k, 2) of submaps of two robots that lie no farther apart than poses may be unsure."""
    first, second = np.flatnonzero(spots.robot == a), np.flatnonzero(spots.robot == b)
    at = spots.T_map_spot[:, :3, 3]
    gap = np.linalg.norm(at[first, None] - at[None, second], axis=2)
    near: Bools = gap < NEAR_M + UNSURE_M
    if a == b:
        near &= spots.travel_m[first, None] + APART_M <= spots.travel_m[None, second]
    i, j = np.nonzero(near)
    return np.stack([first[i], second[j]], axis=1)


def _near(spots: Spots, uncertainty: RelativeUncertainty, pairs: Ints) -> tuple[Ints, Floats]:
    """Return those of some pairs (k, 2) of submaps that may lie near, and how sure that is (k, 6, 6)."""
    at = spots.T_map_spot[:, :3, 3]
    gap = np.linalg.norm(at[pairs[:, 0]] - at[pairs[:, 1]], axis=1)
    # the error of place 1 as place 2 sees it
    covariances = uncertainty.covariances(spots.keyframe[pairs[:, ::-1]])
    sigma = np.sqrt(covariances[:, 0, 0])
    keep = gap < NEAR_M + np.minimum(2.0 * sigma, UNSURE_M)
    return pairs[keep], covariances[keep]


def nearest(spots: Spots, pairs: Ints) -> Bools:
    """Return which pairs (k, 2) are of the ``NEAREST`` of both their submaps."""
    at = spots.T_map_spot[:, :3, 3]
    gap = np.linalg.norm(at[pairs[:, 0]] - at[pairs[:, 1]], axis=1)
    kept = np.ones(len(pairs), bool)
    for side in (0, 1):
        order = np.lexsort((gap, pairs[:, side]))
        first = np.searchsorted(pairs[order, side], pairs[order, side])
        kept[order] &= np.arange(len(pairs)) - first < NEAREST
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class _Two:
    """Two robots, or one with itself, whose submaps are matched."""

    robots: tuple[int, int]
    runs: tuple[RobotRun, RobotRun]
    places: tuple[Sequence[Place], Sequence[Place]]
    settings: MatchingSettings

    def spots(self, spots: Spots, pair: Ints) -> SpotNames:
        """Return which submaps a pair (2,) of rows is."""
        one, two = self.runs
        i, j = pair
        return one.name, int(spots.submap[i]), two.name, int(spots.submap[j])

    def appearance(self, nears: Sequence[Near]) -> AppearanceRatios | None:
        """Return what the appearance of the objects of some submaps says; None if it cannot be compared."""
        try:
            one, two = comparable(*(run.objects for run in self.runs))
        except LocalizationError:
            return None
        rows, columns = (
            np.unique(np.concatenate([near.places[side].rows for near in nears])) for side in (0, 1)
        )
        atlas = make_atlas(two, (), self.settings.appearance)
        return compare_appearance(atlas, one, (rows, columns))


def _closures(
    two: _Two, spots: Spots, pairs: Ints, covariances: Floats, growing: Growing | None
) -> Iterator[Closure]:
    """Yield what pairs (k, 2) of submaps of two robots say that can be relied on."""
    lie = inverse(spots.T_map_spot[pairs[:, 1]]) @ spots.T_map_spot[pairs[:, 0]]
    submaps = zip(*spots.submap[pairs].T.tolist(), strict=True)
    nears = [
        Near(two.runs, (two.places[0][s], two.places[1][t]), (s, t), T_2_1, covariance)
        for (s, t), T_2_1, covariance in zip(submaps, lie, covariances, strict=True)
    ]
    before = [None if growing is None else growing.seen(near) for near in nears]
    anew = [near for near, old in zip(nears, before, strict=True) if old is None]
    appearance = two.appearance(anew) if anew else None
    for near, old in zip(nears, before, strict=True):
        closure = None if old is None else old.closure
        if old is None and appearance is not None:
            closure = _matched(near, two, appearance)
            if growing is not None:
                growing.keep(near, closure)
        if closure is not None:
            yield closure.of(two.robots)


def _matched(near: Near, two: _Two, appearance: AppearanceRatios) -> Closure | None:
    """Return what two submaps say of each other, if it can be relied on."""
    (a, b), place, seen = two.robots, two.settings.places, near.places
    if a == b:  # what is one object in both is no evidence: it was taken for one
        known, objects = np.intersect1d(seen[0].rows, seen[1].rows), near.runs[0].objects
        seen = without(objects, seen[0], known, place), without(objects, seen[1], known, place)
    if min(map(len, seen)) < 2:
        return None
    ratios = appearance.between(seen[0].rows, seen[1].rows)
    found = match_nearby(*seen, ratios, near.T_2_1, near.covariance, place.noise_m)
    return _reliable(SubmapPair(two.robots, near.submaps, near.runs, seen), found)


def _reliable(pair: SubmapPair, matches: Sequence[NearbyMatch]) -> Closure | None:
    """Return the closure of the likeliest match of two submaps, if it can be relied on."""
    if not matches:
        return None
    best = matches[0]
    lead = best.total - max([0.0, *(m.total for m in matches[1:2])])
    if best.total < LEAST_TOTAL or best.log_evidence < LEAST_EVIDENCE or lead < LEAST_LEAD:
        return None
    closure = closure_of(
        pair,
        T_2_1=best.T_2_1,
        covariance=best.covariance,
        confidence=float(1.0 / (1.0 + np.exp(-lead))),
        pairs=best.pairs,
        evidence=best.log_evidence,
    )
    return closure if tight(closure) else None
