"""Object-level loop closures: submaps that show the same spot, within one robot's map and between robots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.errors import LocalizationError
from commonground.geometry import adjoint, inverse
from commonground.localization.matching import Match, match_maps
from commonground.localization.places import comparable, submap_places
from commonground.localization.retrieval import make_atlas
from commonground.localization.settings import MatchingSettings
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """One accepted match, as a constraint between two keyframes."""

    robots: tuple[int, int]
    keyframes: tuple[int, int]
    T: Floats
    """(4, 4) maps coordinates at the second keyframe to the first."""
    covariance: Floats
    confidence: float
    shared: int
    """How many objects agree."""


def find_closures(
    runs: Sequence[RobotRun], settings: MatchingSettings
) -> tuple[list[Closure], list[str]]:
    """Return the closures between every two robots, and notes about maps that cannot be compared."""
    found: list[Closure] = []
    notes: list[str] = []
    for b in range(len(runs)):
        for a in range(b):
            try:
                found += _between(a, runs[a], b, runs[b], settings)
            except LocalizationError as error:
                notes.append(f"{runs[a].name} and {runs[b].name} cannot be matched: {error}")
    return found, notes


def _between(
    a: int, run_a: RobotRun, b: int, run_b: RobotRun, settings: MatchingSettings
) -> Iterator[Closure]:
    one, two = comparable(run_a.objects, run_b.objects)
    places_a = submap_places(one, settings.places)
    places_b = submap_places(two, settings.places)
    if not places_a or not places_b:
        return
    for match in match_maps(one, places_a, make_atlas(two, places_b), settings):
        if match.accepted:
            i = _keyframe(run_a, places_a[match.place1].stamp_ns)
            j = _keyframe(run_b, places_b[match.place2].stamp_ns)
            yield _closure(
                match, (a, b), (i, j), (run_a, run_b), places_a[match.place1].T_map_place
            )


def _keyframe(run: RobotRun, stamp_ns: int) -> int:
    return int(np.abs(run.stamps_ns - stamp_ns).argmin())


def _closure(
    match: Match,
    robots: tuple[int, int],
    keyframes: tuple[int, int],
    runs: tuple[RobotRun, RobotRun],
    T_a_place: Floats,
) -> Closure:
    """Express a match as keyframe j of b seen from i of a: T_j_i = X_j⁻¹ T_b_a X_i, turned round."""
    X_i, X_j = runs[0].poses[keyframes[0]], runs[1].poses[keyframes[1]]
    T_j_i = inverse(X_j) @ match.T_map2_map1 @ X_i
    at_i = moved_covariance(match.association.covariance, inverse(T_a_place) @ X_i)
    T_i_j = inverse(T_j_i)
    return Closure(
        robots=robots,
        keyframes=keyframes,
        T=T_i_j,
        covariance=moved_covariance(at_i, T_i_j),
        confidence=match.association.confidence,
        shared=len(match.association),
    )


def moved_covariance(covariance: Floats, T_a_b: Floats) -> Floats:
    """Return the covariance of ξ_b given that of ξ_a, where exp(ξ_a) T_a_b = T_a_b exp(ξ_b)."""
    A = adjoint(inverse(T_a_b))
    return np.asarray(A @ covariance @ A.T)


def team_graph(runs: Sequence[RobotRun], closures: Sequence[Closure]) -> PoseGraph:
    """Return the pose graph of all robots: their odometry and the closures."""
    starts = np.cumsum([0, *(len(r.poses) for r in runs)])
    odometry = [
        Constraints(r.odometry.rows + s, r.odometry.T, r.odometry.covariances)
        for r, s in zip(runs, starts[:-1], strict=True)
    ]
    rows: Ints = np.array(
        [[starts[c.robots[k]] + c.keyframes[k] for k in (0, 1)] for c in closures], np.int64
    ).reshape(-1, 2)
    constraints = Constraints(
        rows,
        np.array([c.T for c in closures], float).reshape(-1, 4, 4),
        np.array([c.covariance for c in closures], float).reshape(-1, 6, 6),
    )
    return PoseGraph(
        ids=np.arange(starts[-1]),
        poses=np.concatenate([r.poses for r in runs]),
        odometry=Constraints.joined(odometry),
        closures=constraints,
        robot=np.repeat(np.arange(len(runs)), np.diff(starts)),
        names=tuple(r.name for r in runs),
    )
