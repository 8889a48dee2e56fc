"""Robust pose graph optimization: closures that support one another first, then all that fit.

1. Find clusters of closures that agree through short stretches of odometry (``consistency``).
2. Bring the robots into one frame by averaging what strong clusters say of the frames; robots without
   any stay separate.
3. Optimize with the strong clusters under a heavy-tailed kernel, from a chordal start.
4. Accept every closure that fits the result, given how uncertain the result is there, and whose fit and
   agreement together are more than chance among so many; optimize again with a redescending kernel
   (truncated least squares); until the set of accepted closures stays the same.

Odometry is never rejected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import tilt_of
from commonground.mapping.fusion.consistency import Drift, clusters
from commonground.mapping.fusion.frames import align_frames
from commonground.mapping.fusion.posegraph import PoseGraph, mahalanobis2, residuals
from commonground.mapping.fusion.slack import Slack
from commonground.mapping.fusion.solver import Kernel, solve

GATE = 16.81
"""χ² with six degrees of freedom at 99 %: a closure beyond does not fit."""
ROUNDS = 8
SURE, STRONG = 5.0, 9.0
"""Log odds needed to accept a closure that fits, and to begin with a cluster."""
PLANAR_RAD = 0.1
"""Robots that never tilt more cannot be turned just anyhow."""
FEWEST = 3
"""Fewer closures than this that fit are no consensus, unless that is all there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Optimized:
    """Poses in common frames, and what became of each closure."""

    poses: Floats
    """(n, 4, 4)"""
    accepted: Bools
    """(m,) closures that were used."""
    chi2: Floats
    """(m,) squared Mahalanobis distance of each closure from the result."""
    evidence: Floats
    """(m,) log likelihood ratio of the agreement in each closure's cluster."""
    component: Ints
    """(robots,) robots with the same number share a frame; others are in frames of their own."""
    notes: tuple[str, ...] = ()
    """What a user should know: robots left apart, no consensus among closures."""


def optimize(graph: PoseGraph, rng: np.random.Generator) -> Optimized:
    """Return the optimized poses, which closures were used, and what could not be joined."""
    drift = Drift.of(graph)
    support = _support(graph, drift, rng)
    crowd = np.log(max(1, len(graph.closures)))
    seeds = support > STRONG + crowd
    start, component = align_frames(graph, drift.poses, seeds)
    bridged = component[graph.robot[graph.closures.rows]]
    usable = bridged[:, 0] == bridged[:, 1]
    accepted = seeds & usable
    poses = solve(
        graph, start, graph.closures.take(accepted), component, Kernel.CAUCHY, chordal=True
    )
    seen: set[bytes] = set()
    for _ in range(ROUNDS):
        accepted = usable & _fitting(graph, poses, accepted, support, crowd)
        key = np.packbits(accepted).tobytes()
        if key in seen:
            break
        seen.add(key)
        poses = solve(graph, poses, graph.closures.take(accepted), component, Kernel.TRUNCATED)
    chi2 = mahalanobis2(residuals(graph.closures, poses), graph.closures.covariances)
    accepted &= chi2 <= GATE
    return Optimized(poses, accepted, chi2, support, component, _notes(graph, accepted, component))


def _support(graph: PoseGraph, drift: Drift, rng: np.random.Generator) -> Floats:
    """Return for each closure the evidence of its cluster."""
    support = np.zeros(len(graph.closures))
    for _, _, mask in graph.pairs():
        rows = np.flatnonzero(mask)
        found = clusters(graph.closures.take(rows), drift, rng)
        support[rows] = found.evidence[found.label]
    return support if graph.evidence is None else np.maximum(support, graph.evidence)


def _fitting(
    graph: PoseGraph, poses: Floats, accepted: Bools, support: Floats, crowd: float
) -> Bools:
    """Return which closures fit the poses, where fit and support together are no chance."""
    closures = graph.closures
    C = closures.covariances + Slack.of(graph, poses, accepted).covariances(closures.rows)
    fits = mahalanobis2(residuals(closures, poses), C) <= GATE
    odds = support - np.log(_chance(C, poses)) - crowd
    return fits & (odds > SURE)


def _chance(covariances: Floats, poses: Floats) -> Floats:
    """Return the probability (m,) that a random closure passes its gate: the share of what is possible."""
    gate = np.sqrt(GATE)
    sigma = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    extent = np.ptp(poses[:, :3, 3], axis=0)
    wide = extent > 0.05 * extent.max()
    share = np.minimum(1.0, gate * sigma[:, :3] / np.maximum(extent, 1e-9))
    place = np.where(wide, share, 1.0).prod(axis=1)
    turn = np.minimum(1.0, gate * sigma[:, 3:] / np.pi)
    planar = bool((tilt_of(poses) < PLANAR_RAD).all())
    return np.asarray(place * (turn[:, 2] if planar else turn.prod(axis=1)))


def _notes(graph: PoseGraph, accepted: Bools, component: Ints) -> tuple[str, ...]:
    notes = []
    groups = np.unique(component)
    for number in groups if len(groups) > 1 else ():
        members = ", ".join(graph.names[r] for r in np.flatnonzero(component == number))
        notes.append(f"{members}: in a frame of its own; no closure that can be relied on joins it")
    closures, used = len(graph.closures), int(accepted.sum())
    if closures and used < min(FEWEST, closures):
        notes.append(f"no consensus: {used} of {closures} closures fit, so odometry alone decides")
    return tuple(notes)


def summary(graph: PoseGraph, result: Optimized) -> Mapping[str, int]:
    """Return how many closures were used and rejected, within and between robots."""
    a, b = graph.robot[graph.closures.rows].T
    return {
        "closures": len(graph.closures),
        "used_within": int((result.accepted & (a == b)).sum()),
        "used_between": int((result.accepted & (a != b)).sum()),
        "rejected": int((~result.accepted).sum()),
        "components": len(np.unique(result.component)),
    }
