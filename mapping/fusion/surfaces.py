"""Loop closures from surfaces: patches of paths that run side by side are registered to each other.

Objects say which places are the same, and put robots into one frame to some decimeters. From there the
surfaces of both are registered to each other, which leaves centimeters, and doubled walls close.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import apply, inverse
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.external import measured_here
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.marginals import RelativeUncertainty
from commonground.mapping.fusion.patches import SurfacePatch, surface_patches
from commonground.mapping.fusion.posegraph import PoseGraph, mahalanobis2, residuals
from commonground.mapping.fusion.robust import GATE, Optimized
from commonground.mapping.fusion.solver import Kernel, solve
from commonground.mapping.fusion.surface_registration import register_patches
from commonground.mapping.fusion.team_graph import team_graph

ROUNDS = 3
"""How often this is done: the better the poses, the better it is known what lies on what."""
NEAR_M = 12.0
"""Patches whose middles are farther apart share too little."""
APART_M = 30.0
"""Travel between two patches of one robot, from which on it came back."""
NEAREST = 5
"""Each patch is registered to so many of another path, or of its own, at most."""
MOST = 3000
"""registrations at most, the nearest; more take minutes."""
UNSURE_M = 1.5
"""Where the poses are less certain, what lies nearest may be another thing."""
LOOSENESS = np.diag(np.r_[[0.05] * 3, np.radians([0.1, 0.1, 0.3])] ** 2)
"""Covariance of the expected pose beyond what the graph says; gravity holds roll and pitch."""
TILT = [3, 4]
TELLING_M = 0.3
"""A registration is of use if it is surer than this in one direction at least."""
SURE = 10.0
"""Log evidence that is put down for a registration: it lies where the objects have put it."""


def refined_on_surfaces(
    runs: Sequence[RobotRun], closures: Sequence[Closure], graph: PoseGraph, optimized: Optimized
) -> tuple[list[Closure], PoseGraph, Optimized]:
    """Return closures, pose graph and paths with all that the surfaces of the runs add to them."""
    seen = [surface_patches(run) for run in runs]
    joint = others = list(closures)
    for _ in range(ROUNDS):
        found = list(_registrations(seen, graph, optimized))
        if not found:
            break
        left = [k for k, c in enumerate(others) if not measured_here(c, found)]
        others = [others[k] for k in left]
        joint = [*others, *found]
        graph = team_graph(runs, joint)
        optimized = _refined(graph, optimized, np.array(left, np.int64))
    return joint, graph, optimized


def _refined(graph: PoseGraph, before: Optimized, others: Ints) -> Optimized:
    """Return the paths with registrations, which come after ``others`` (rows of before), proved or not."""
    registrations = len(graph.closures) - len(others)
    used = np.concatenate([before.accepted[others], np.ones(registrations, bool)])
    poses = before.poses
    for kernel in (Kernel.CAUCHY, Kernel.TRUNCATED):
        poses = solve(graph, poses, graph.closures.take(used), before.component, kernel)
    chi2 = mahalanobis2(residuals(graph.closures, poses), graph.closures.covariances)
    evidence = np.concatenate([before.evidence[others], np.full(registrations, SURE)])
    return replace(
        before, poses=poses, accepted=used & (chi2 <= GATE), chi2=chi2, evidence=evidence
    )


def _registrations(
    seen: Sequence[Sequence[SurfacePatch]], graph: PoseGraph, now: Optimized
) -> Iterator[Closure]:
    """Yield what the surfaces of patches say that lie near one another."""
    starts = np.searchsorted(graph.robot, np.arange(len(seen)))
    which = [(r, k) for r, own in enumerate(seen) for k in range(len(own))]
    if not which:
        return
    pairs = _pairs(seen, which, now, starts)
    keys = np.array([starts[r] + seen[r][k].keyframe for r, k in which])[pairs]
    covariances = RelativeUncertainty.of(graph, now.poses, now.accepted).covariances(keys)
    for (i, j), (a, b), covariance in zip(pairs.tolist(), keys, covariances, strict=True):
        if covariance[0, 0] > UNSURE_M**2:
            continue
        (one, first), (two, second) = which[i], which[j]
        patch_1, patch_2 = seen[one][first], seen[two][second]
        expected = covariance + LOOSENESS
        expected[TILT, TILT] = LOOSENESS[TILT, TILT]
        found = register_patches(patch_1, patch_2, inverse(now.poses[a]) @ now.poses[b], expected)
        if found is None or np.linalg.eigvalsh(found.covariance[:2, :2])[0] > TELLING_M**2:
            continue
        yield Closure(
            robots=(one, two),
            keyframes=(patch_1.keyframe, patch_2.keyframe),
            T=found.T,
            covariance=found.covariance,
            confidence=found.share,
            shared=0,
            evidence=SURE,
        )


def _pairs(
    seen: Sequence[Sequence[SurfacePatch]],
    which: Sequence[tuple[int, int]],
    now: Optimized,
    starts: Ints,
) -> Ints:
    """Return pairs (k, 2) of the patches ``which`` that may show the same, the nearest ones of each."""
    robot = np.array([r for r, _ in which])
    travel = np.array([seen[r][k].travel_m for r, k in which])
    at = np.array(
        [_middle(seen[r][k], now.poses[starts[r] + seen[r][k].keyframe]) for r, k in which]
    )
    chosen: list[Ints] = [np.empty((0, 2), np.int64)]
    gaps: list[Floats] = [np.empty(0)]
    for a, b in combinations_with_replacement(range(len(seen)), 2):
        if now.component[a] != now.component[b]:
            continue
        first, second = np.flatnonzero(robot == a), np.flatnonzero(robot == b)
        gap = np.linalg.norm(at[first, None] - at[None, second], axis=2)
        if a == b:
            gap[travel[first, None] + APART_M > travel[None, second]] = np.inf
        i, j = np.nonzero(_mutual(gap))
        chosen.append(np.stack([first[i], second[j]], axis=1))
        gaps.append(gap[i, j])
    pairs = np.concatenate(chosen)
    nearest = np.argsort(np.round(np.concatenate(gaps), 6), kind="stable")[:MOST]
    return pairs[np.sort(nearest)]


def _middle(patch: SurfacePatch, T: Floats) -> Floats:
    return np.asarray(apply(T, patch.middle)[:2])


def _mutual(gap: Floats) -> Bools:
    """Return which pairs are near, and among the nearest of either one."""
    near: Bools = gap < NEAR_M
    for axis in (0, 1):
        rank = np.argsort(np.argsort(gap, axis=axis, kind="stable"), axis=axis, kind="stable")
        near &= rank < NEAREST
    return near
