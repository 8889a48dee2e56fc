"""Graduated acceptance of loop closures: the clearest first, the poses optimized anew each time.

One may prove itself by how near it comes, given how uncertain the poses are there, or several that agree with
one another do so together. After each change everything is optimized anew, and what fits no more is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import relative
from commonground.mapping.fusion.chance import Chance
from commonground.mapping.fusion.consistency import Support
from commonground.mapping.fusion.marginals import MOST, Marginals, RelativeUncertainty
from commonground.mapping.fusion.posegraph import PoseGraph, mahalanobis2, residuals
from commonground.mapping.fusion.rarity import TRUST, proof
from commonground.mapping.fusion.solver import GATE, Kernel, Problem

Level: TypeAlias = tuple[float, float, float]
ROUNDS = 20
DOUBT = 4.0
"""Log odds that exact covariances may add."""
DROPS = 3
"""A closure that was dropped this many times is not tried again."""
LEVELS: tuple[Level, ...] = ((10.0, 6.0, 1.0), (6.0, 3.0, 1.0), (3.0, 0.5, 1.0), (6.0, 3.0, 6.0))
"""Levels that are gone through in turn. Each says which log odds a closure needs that fits by itself, which
one of several that agree needs, and by how much the stated covariances are widened. Clear ones are let in
first: the better the poses are known, the easier right and wrong closures are told apart. The last level
widens, because stated covariances are often too small; by then the graph is known, and a closure that still
comes closer than chance would is right."""


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """How far the optimization is."""

    graph: PoseGraph
    problem: Problem
    """The graph as it is solved."""
    poses: Floats
    accepted: Bools
    component: Ints
    usable: Bools
    """Closures whose ends are in one frame, and that may still be accepted."""
    claimed: Ints
    """(k, 2) pairs of poses whose relative poses stand for what wrong closures claim."""


def accept_more(
    progress: Progress,
    chance: Chance,
    supports: Support,
    levels: Sequence[Level],
    rounds: int = ROUNDS,
) -> Progress:
    """Return the optimization with more closures let in, level by level, until nothing changes."""
    dropped, reached = np.zeros(len(progress.accepted), np.int64), 0
    for _ in range(rounds):
        accepted = progress.usable & acceptable(progress, chance, supports, levels[reached])
        if (accepted == progress.accepted).all():
            reached += 1
            if reached == len(levels):
                break
            continue
        dropped += progress.accepted & ~accepted
        poses = reoptimized(progress, accepted)
        usable = np.asarray(progress.usable & (dropped < DROPS))
        progress = replace(progress, poses=poses, accepted=accepted, usable=usable)
    return progress


def reoptimized(progress: Progress, accepted: Bools) -> Floats:
    """Return the poses optimized with the accepted closures, those that never fit left out of account."""
    poses, closures = progress.poses, progress.graph.closures.take(accepted)
    if (mahalanobis2(residuals(closures, poses), closures.covariances) > GATE).any():
        # they fit as uncertain as the poses are, so far off that truncation would leave them there
        poses = progress.problem.solved(poses, accepted, Kernel.GAUSS)
    return progress.problem.solved(poses, accepted, Kernel.TRUNCATED)


def acceptable(progress: Progress, chance: Chance, supports: Support, level: Level) -> Bools:
    """Return which closures fit the poses: those accepted that still do, and others if that is no chance.

    One may prove itself by how near it comes; or several that agree with one another do so together.
    """
    closures, accepted = progress.graph.closures, progress.accepted
    # only closures that are not let in yet count as many, of which a few come near by chance
    (sure, part, stretch), crowd = level, np.log(max(1, int((~accepted).sum())))
    spread = RelativeUncertainty.of(progress.graph, progress.poses, accepted).covariances(
        closures.rows
    )
    twists = residuals(closures, progress.poses)
    least = part + crowd - DOUBT - supports.link - progress.graph.prior
    everyone = np.arange(len(closures))
    fits, rare = _judged(
        progress, chance, everyone, twists, stretch * (closures.covariances + spread), least
    )
    if level != LEVELS[0]:
        likely = progress.usable & ~accepted & fits & (rare > part + crowd - DOUBT)
        rows = np.flatnonzero(likely)
        rows = rows[np.argsort(-rare[rows], kind="stable")[:MOST]]
        marginals = (
            Marginals.of(progress.graph, progress.poses, accepted, chance.axes)
            if len(rows)
            else None
        )
        if marginals is not None:
            C = (closures.covariances + spread)[rows]
            free = (slice(None), chance.axes[:, None], chance.axes)
            C[free] = closures.covariances[rows][free] + marginals.between(closures.rows[rows])
            fits[rows], rare[rows] = _judged(progress, chance, rows, twists, stretch * C, least)
    new = fits & ~accepted
    together = supports.clusters(new, rare)[0] > sure + crowd
    member = supports.link + rare > part + crowd
    return np.asarray(fits & (accepted | (rare > sure + crowd) | (together & member)))


def _judged(
    progress: Progress, chance: Chance, rows: Ints, twists: Floats, C: Floats, least: Floats
) -> tuple[Bools, Floats]:
    """Return which of some closures (k,) fit poses of some uncertainty, and how little that can be chance.

    ``C`` (k, 6, 6) are covariances of their twists. The latter is that of those that may come in, and 0 for
    others; below ``least`` (m,) it is not refined.
    """
    fits, supports = mahalanobis2(twists[rows], C) <= GATE, np.zeros(len(rows))
    open_ = np.flatnonzero(fits & (progress.usable & ~progress.accepted)[rows])
    near2 = chance.distances2(twists[rows[open_]], C[open_])
    supports[open_] = np.maximum(chance.rarity(near2, C[open_]), 0.0)
    high = supports[open_] > np.maximum(least[rows[open_]], TRUST)
    open_, near2 = open_[high], near2[high]
    if len(open_):
        i, j = progress.graph.closures.rows[rows[open_]].T
        p, q = progress.claimed.T
        estimated = relative(progress.poses[i], progress.poses[j])
        claims = relative(progress.poses[p], progress.poses[q])
        supports[open_] = proof(estimated, near2, C[open_], claims, chance)
    return fits, supports + progress.graph.prior[rows]
