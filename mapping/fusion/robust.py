"""Robust pose graph optimization: closures that support one another first, then all that fit.

1. Find closures that others, or odometry, support through short stretches of odometry (``consistency``).
2. Bring the robots into one frame by averaging what strongly supported ones say of the frames; robots
   without any stay separate.
3. Optimize with these under a heavy-tailed kernel, from a chordal start.
4. Accept every closure that fits the result, given how uncertain the result is there, and whose fit and
   support together are more than chance among so many (``chance``, ``rarity``); optimize again with a
   redescending kernel (truncated least squares); until the set of accepted closures stays the same.
5. Take out what is used although chance explains it better than the others do (``verify``, ``doubt``).

Odometry is never rejected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.blas import one_blas_thread
from commonground.geometry import relative
from commonground.mapping.fusion.acceptance import (
    LEVELS,
    Level,
    Progress,
    accept_more,
    acceptable,
    reoptimized,
)
from commonground.mapping.fusion.chance import Chance, Odometry
from commonground.mapping.fusion.consistency import Support, closure_support
from commonground.mapping.fusion.doubt import log_odds_right
from commonground.mapping.fusion.frames import align_frames, parted
from commonground.mapping.fusion.marginals import LeaveOneOut
from commonground.mapping.fusion.posegraph import PoseGraph, mahalanobis2, residuals
from commonground.mapping.fusion.rarity import claimed
from commonground.mapping.fusion.solver import GATE, Kernel, Problem

__all__ = ["GATE", "Optimized", "optimize", "summary"]

DECIDED = "decided"
"""Of each closure it is decided whether it is used."""
DOUBTS = 20
"""So often used closures are looked at for the most doubtful ones."""
SURE = 2.0
"""Log odds above which it is not tried whether more closures agree without a used one."""
CLEAR = -20.0
"""Log odds below which not only the worst one goes."""
TWICE = 2
"""A closure doubted so often does not come back."""
STRONG, MEMBER = 4.0, 0.5
"""Log odds needed to begin with a cluster, and with one of its members."""
FEW_WRONG = 3.0
"""Log of the share of a cluster's members that may be wrong to begin with, negated."""
RESUMED = 2
"""Rounds in which closures of a graph that has grown come in; the rest waits for the next time."""
ALONE = 20.0
"""Log evidence from which a new closure of a graph that has grown needs no other one."""
MOST = 0.5
"""Share of the used closures that fit where there is a consensus."""
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
    """(m,) log likelihood ratio of what other closures and odometry say of each."""
    component: Ints
    """(robots,) robots with the same number share a frame; others are in frames of their own."""
    notes: tuple[str, ...] = ()
    """What a user should know: robots left apart, no consensus among closures."""

    @property
    def consensus(self) -> bool:
        """Whether enough closures agree to be believed; there is none without closures either.

        Where a kernel uses all of them, most have to fit what they give together.
        """
        closures, fit = len(self.accepted), int((self.accepted & (self.chi2 <= GATE)).sum())
        return closures > 0 and fit >= max(min(FEWEST, closures), MOST * int(self.accepted.sum()))


@one_blas_thread
def optimize(graph: PoseGraph, rng: np.random.Generator, outliers: str = DECIDED) -> Optimized:
    """Return the optimized poses, which closures were used, and what could not be joined.

    Where ``outliers`` names a kernel all closures are used under that, whatever speaks against them.
    """
    if outliers != DECIDED:
        return _under(Kernel(outliers), graph)
    chained = graph.chained()
    chance = Chance.of(chained, graph.robot)
    everyone = np.ones(len(graph.closures), bool)
    supports = _supports(graph, Odometry.of(graph, chained), chance, rng, everyone)
    prior = graph.prior
    crowd = np.log(max(1, len(graph.closures)))
    evidence, size = supports.clusters(everyone, prior)
    # of a large cluster a few wrong members do no harm: they are found out
    alone = np.minimum(MEMBER + crowd, FEW_WRONG + crowd - np.log(size))
    seeds = (evidence > STRONG + crowd) & (supports.link + supports.alone + prior > alone)
    start, component = align_frames(graph, chained, seeds)
    bridged = component[graph.robot[graph.closures.rows]]
    usable = bridged[:, 0] == bridged[:, 1]
    accepted = seeds & usable
    problem = Problem(graph, component)
    poses = problem.solved(start, accepted, Kernel.CAUCHY, chordal=True)
    claims = claimed(component[graph.robot], rng)
    progress = Progress(graph, problem, poses, accepted, component, usable, claims)
    accepted = usable & acceptable(progress, chance, supports, LEVELS[0])
    poses = reoptimized(progress, accepted)
    # from nothing, only what is clear
    levels = LEVELS if accepted.any() else LEVELS[:1]
    progress = accept_more(
        replace(progress, poses=poses, accepted=accepted), chance, supports, levels
    )
    progress = _without_doubtful(progress, chance, supports, levels)
    return _ended(progress, supports)


@one_blas_thread
def resumed(
    graph: PoseGraph, before: Optimized, submaps: Ints, rng: np.random.Generator
) -> Optimized:
    """Return the optimized poses of a graph that has grown, where only new closures have to be judged.

    ``before`` has all poses and closures of the graph, which of the latter were used, and on what evidence;
    robots are in the frames they were in. A new closure comes in if its own evidence will do, or if another
    one near by bears it out that is between other ``submaps`` (m, 2): otherwise it waits for one.
    """
    chained, component = graph.chained(), before.component
    chance = Chance.of(chained, graph.robot)
    supports = _supports(graph, Odometry.of(graph, chained), chance, rng, ~before.accepted)
    bridged = component[graph.robot[graph.closures.rows]]
    borne_out = before.accepted | (graph.prior > ALONE) | supports.witnessed(submaps)
    usable = (bridged[:, 0] == bridged[:, 1]) & borne_out
    claims = claimed(component[graph.robot], rng)
    accepted = before.accepted & usable
    problem = Problem(graph, component)
    progress = Progress(graph, problem, before.poses, accepted, component, usable, claims)
    ended = _ended(accept_more(progress, chance, supports, LEVELS[-2:], RESUMED), supports)
    return replace(ended, evidence=np.where(before.accepted, before.evidence, ended.evidence))


def _under(kernel: Kernel, graph: PoseGraph) -> Optimized:
    """Return what all closures give under one kernel; only truncation leaves some out."""
    everyone = np.ones(len(graph.closures), bool)
    # odometry, and for each two robots the frames that most of their closures agree on
    start, component = align_frames(graph, graph.chained(), everyone)
    problem = Problem(graph, component)
    if kernel is Kernel.TRUNCATED:
        poses = problem.graduated(start, everyone)
    else:
        # plain least squares has one optimum, which the relaxed problem comes near; others go by the start
        poses = problem.solved(start, everyone, kernel, chordal=kernel is Kernel.GAUSS)
    chi2 = mahalanobis2(residuals(graph.closures, poses), graph.closures.covariances)
    used = chi2 <= GATE if kernel is Kernel.TRUNCATED else everyone
    return _told(graph, poses, used, chi2, graph.prior, component)


def _ended(progress: Progress, supports: Support) -> Optimized:
    """Return what an optimization came to."""
    graph, component = progress.graph, progress.component

    def chi2_at(poses: Floats) -> Floats:
        return mahalanobis2(residuals(graph.closures, poses), graph.closures.covariances)

    poses, chi2 = progress.poses, chi2_at(progress.poses)
    accepted = progress.accepted & (chi2 <= GATE)
    if (progress.usable & (chi2 <= GATE)).all() and not accepted.all():
        # closures that say, one and all, what odometry says too need nobody to bear them out
        accepted = progress.usable
        poses = reoptimized(progress, accepted)
        chi2 = chi2_at(poses)
    return _told(graph, poses, accepted, chi2, supports.link + graph.prior, component)


def _told(
    graph: PoseGraph, poses: Floats, used: Bools, chi2: Floats, evidence: Floats, component: Ints
) -> Optimized:
    """Return a result in which only robots that used closures tie share a frame, with its notes."""
    poses, component = parted(graph, poses, used, component)
    result = Optimized(poses, used, chi2, evidence, component)
    return replace(result, notes=_notes(graph, result))


def _without_doubtful(
    progress: Progress, chance: Chance, supports: Support, levels: Sequence[Level]
) -> Progress:
    """Return the optimization without used closures that are rather wrong, going by the other ones.

    The most doubtful one goes first, for it makes right ones doubtful too. Where all are rather right, more
    closures may agree with one another without those that are least sure.
    """
    doubts, steady = np.zeros(len(progress.accepted), np.int64), True
    for _ in range(DOUBTS):
        right = _odds(progress, chance, supports)
        worst = float(right.min(initial=np.inf))
        if worst < 0:
            out = (right == worst) | (right < CLEAR)
            doubts[out] += 1
            progress = replace(progress, usable=progress.usable & (doubts < TWICE))
            # what came back and goes again changes nothing for others
            steady = steady and bool((doubts[out] >= TWICE).all())
            progress = _without(progress, out)
        elif not steady:
            # right ones may fit only now
            progress, steady = accept_more(progress, chance, supports, levels[-2:]), True
        else:
            less = progress
            if worst < SURE:
                less = accept_more(_without(progress, right < SURE), chance, supports, levels[-2:])
            if less.accepted.sum() <= progress.accepted.sum():
                break
            progress = less
    return progress


def _without(progress: Progress, out: Bools) -> Progress:
    """Return the optimization without some of the used closures."""
    accepted = progress.accepted & ~out
    poses = reoptimized(progress, accepted)
    return replace(progress, poses=poses, accepted=accepted)


def _odds(progress: Progress, chance: Chance, supports: Support) -> Floats:
    """Return log odds (m,) that used closures are right; infinite for others and for what nothing checks."""
    out, prior = np.full(len(progress.accepted), np.inf), progress.graph.prior
    strength = supports.link + prior
    left = LeaveOneOut.of(progress.graph, progress.poses, progress.accepted, strength, chance.axes)
    if left is not None and len(left.rows):
        claims = relative(*(progress.poses[k] for k in progress.claimed.T))
        own, rejected = prior[left.rows], int((~progress.accepted).sum())
        out[left.rows] = log_odds_right(left, claims, chance, own, rejected)
    return out


def _supports(
    graph: PoseGraph, odometry: Odometry, chance: Chance, rng: np.random.Generator, asked: Bools
) -> Support:
    """Return what other closures, and odometry, say for each closure that is ``asked`` (m,) about."""
    parts = []
    for a, b, mask in graph.pairs():
        own = graph.closures.take(mask)
        found = closure_support(own, odometry, chance, a == b, rng, asked[mask])
        parts.append((np.flatnonzero(mask), found))
    return Support.joined(parts, len(graph.closures))


def _notes(graph: PoseGraph, result: Optimized) -> tuple[str, ...]:
    notes, names = [], {}
    groups = np.unique(result.component[graph.robot])
    for number in groups:
        names[number] = ", ".join(
            graph.names[r] for r in np.flatnonzero(result.component == number)
        )
    # the largest is the map; it is the others that lie elsewhere
    largest = graph.largest(result.component) if len(groups) else -1
    for number in groups[groups != largest]:
        notes.append(
            f"{names[number]}: in a frame of its own; no closure that can be relied on joins it "
            f"to {names[largest]}"
        )
    if len(graph.closures) and not result.consensus:
        fit = int((result.chi2[result.accepted] <= GATE).sum())
        all_ = result.accepted.all()
        so = "and yet all were used" if all_ else "so odometry alone decides"
        notes.append(f"no consensus: {fit} of {len(graph.closures)} closures fit, {so}")
    return tuple(notes)


def summary(graph: PoseGraph, result: Optimized) -> Mapping[str, Any]:
    """Return how many closures were used and rejected, within and between robots, and of which."""
    a, b = graph.robot[graph.closures.rows].T
    return {
        "closures": len(graph.closures),
        "used_within": int((result.accepted & (a == b)).sum()),
        "used_between": int((result.accepted & (a != b)).sum()),
        "rejected": int((~result.accepted).sum()),
        "components": len(np.unique(result.component)),
        "pairs": [
            {
                "robots": [graph.names[a], graph.names[b]],
                "closures": int(mask.sum()),
                "used": int((result.accepted & mask).sum()),
            }
            for a, b, mask in graph.pairs()
        ],
    }
