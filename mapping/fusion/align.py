"""Alignment of a team: inter-robot loop closures, robust optimization, closures at predicted revisits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from commonground.blas import one_blas_thread
from commonground.geometry import inverse, log_se3
from commonground.localization.places import Place, submap_places
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.closures import OUTSIDE, Closure, Known, find_closures
from commonground.mapping.fusion.denied import Denied
from commonground.mapping.fusion.external import measured_here
from commonground.mapping.fusion.growing import Growing
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.overlap import Shown, joins_shown, most_contradicted
from commonground.mapping.fusion.posegraph import PoseGraph, mahalanobis2
from commonground.mapping.fusion.ranging import ranged
from commonground.mapping.fusion.refused import Refused, told_of
from commonground.mapping.fusion.revisits import match_revisits
from commonground.mapping.fusion.robust import DECIDED, Optimized, optimize, resumed
from commonground.mapping.fusion.strays import with_strays
from commonground.mapping.fusion.surfaces import refined_on_surfaces
from commonground.mapping.fusion.team_graph import team_graph
from commonground.mapping.fusion.together import joined_by_all, not_joined

REVISIT_ROUNDS = 2
"""How often submaps are matched where the optimized paths put them."""
REPEATED = 0.1
"""Closures of the same keyframes that differ by less, in standard deviations, rest on the same objects."""


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """The paths of a team, and what put them there."""

    closures: list[Closure]
    posegraph: PoseGraph
    optimized: Optimized
    notes: tuple[str, ...]
    blind: Sequence[Closure] = ()
    """Those between robots that were found without knowing their frames."""
    seconds: float = 0.0
    refused: Sequence[Refused] = ()
    """The best candidates for joins that do not hold."""


@one_blas_thread
def align(
    runs: Sequence[RobotRun],
    settings: LocalizationSettings,
    rng: np.random.Generator,
    given: Sequence[Closure] = (),
    known: Known | None = None,
    executor: Executor | None = None,
    growing: Growing | None = None,
) -> Aligned:
    """Return the optimized paths of robots, in one frame as far as closures join them.

    Closures between robots are first found without knowing their frames; the paths optimized with
    them say which submaps lie near one another, and these are looked at once more; then the surfaces
    that robots saw are laid over one another. ``given`` closures from elsewhere take part, and have to
    prove themselves; what is ``known`` is not matched again. Robots are matched two by two by an
    ``executor`` where there is one. Of maps that are ``growing`` only what is new is matched.
    """
    begin = time.perf_counter()
    runs = [replace(run, odometry=ranged(run)) for run in runs]
    # 1. robots whose frames are unknown: submaps that look alike, and agree on the frames
    if growing is None:
        places = [submap_places(run.objects, settings.matching.places) for run in runs]
        blind, notes = find_closures(runs, places, settings, known, executor)
    else:
        places = [growing.places(run, settings.matching.places) for run in runs]
        blind, notes = find_closures(
            runs, places, settings, growing.known, executor, growing.solved
        )
        blind = with_strays(runs, places, blind, settings, growing)
    now = _settled(runs, places, [*blind, *given], settings, rng, growing, notes)
    if growing is None and settings.outliers == DECIDED:
        # robots whom several others nearly join, by what these saw together
        more = joined_by_all(runs, places, notes, now.posegraph, now.optimized, settings)
        if more:
            blind = [*blind, *more]
            now = _settled(runs, places, [*now.first, *more], settings, rng, growing, notes)
            notes = not_joined(notes, runs, more, now.optimized)
    closures, posegraph, optimized = now.closures, now.posegraph, now.optimized
    # 5. surfaces along paths that run side by side
    closures, posegraph, optimized = refined_on_surfaces(runs, closures, posegraph, optimized)
    if growing is not None:
        growing.learn(runs, now.first, closures, optimized, now.confirmed)
    told, refused = told_of(
        _overruled(notes, runs, closures, optimized), _apart(runs, posegraph, optimized)
    )
    seconds = time.perf_counter() - begin
    return Aligned(closures, posegraph, optimized, told, blind, seconds, refused)


class _Settled(NamedTuple):
    """Paths that nothing contradicts which they lay on one another."""

    first: list[Closure]
    """What it began with."""
    closures: list[Closure]
    posegraph: PoseGraph
    optimized: Optimized
    confirmed: list[tuple[int, int]]
    """Robots whose join shows in that."""


def _settled(
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    first: list[Closure],
    settings: LocalizationSettings,
    rng: np.random.Generator,
    growing: Growing | None,
    notes: list[str | Refused],
) -> _Settled:
    """Return the team optimized without the joins that are contradicted, which are added to the notes."""
    denied = Denied(runs)
    while True:
        closures, posegraph, optimized = _on_revisits(
            runs, places, first, settings, rng, growing, denied
        )
        # 4. what a join lays on one another has to show the same
        shown = joins_shown(
            runs, places, posegraph, optimized, closures, first, nearest_only=growing is not None
        )
        wrong = most_contradicted(shown)
        if wrong is None or settings.outliers != DECIDED:
            # a kernel takes all closures, whatever they say
            sure = [s.robots for s in shown if s.confirmed]
            return _Settled(first, closures, posegraph, optimized, sure)
        notes.append(_refused(wrong, runs, closures))
        first = denied.first_without(wrong, first, closures, optimized)
        if growing is not None:
            growing.forget(runs[wrong.robots[0]].name, runs[wrong.robots[1]].name)


def _overruled(
    notes: Sequence[str | Refused],
    runs: Sequence[RobotRun],
    closures: Sequence[Closure],
    optimized: Optimized,
) -> list[str | Refused]:
    """Return notes in which refused joins know whether closures from elsewhere join their robots."""
    used = zip(closures, optimized.accepted, strict=True)
    given = {frozenset(runs[r].name for r in c.robots) for c, yes in used if yes and c.given}
    return [
        n._replace(overruled=frozenset(n.robots) in given) if isinstance(n, Refused) else n
        for n in notes
    ]


def _apart(runs: Sequence[RobotRun], graph: PoseGraph, optimized: Optimized) -> set[str]:
    """Return the names of the robots that are not in the frame of most."""
    groups, most = optimized.component.tolist(), graph.largest(optimized.component)
    return {run.name for run, group in zip(runs, groups, strict=True) if group != most}


def _on_revisits(
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    first: Sequence[Closure],
    settings: LocalizationSettings,
    rng: np.random.Generator,
    growing: Growing | None,
    denied: Denied,
) -> tuple[list[Closure], PoseGraph, Optimized]:
    """Return the team optimized with the closures given, and with those found where they put its submaps."""
    # 2. robust optimization of all paths, unless it is known about where they are
    closures = joined(first, [] if growing is None else denied.without(growing.near(runs)))
    posegraph = team_graph(runs, closures)
    expected = None if growing is None else growing.expected(runs, closures)
    optimized = expected or optimize(posegraph, rng, settings.outliers)
    # 3. submaps that now lie near each other, of different robots and of one that came back
    for _ in range(REVISIT_ROUNDS if growing is None else 1):
        revisits = match_revisits(runs, places, posegraph, optimized, settings.matching, growing)
        closures = joined(first, denied.without(revisits))
        posegraph = team_graph(runs, closures)
        decides = settings.outliers == DECIDED
        before = growing.resumable(runs, closures) if growing is not None and decides else None
        if before is None:
            optimized = optimize(posegraph, rng, settings.outliers)
        else:
            submaps = np.array([c.submaps for c in closures], np.int64).reshape(-1, 2)
            optimized = resumed(posegraph, before, submaps, rng)
    return closures, posegraph, optimized


def _refused(wrong: Shown, runs: Sequence[RobotRun], closures: Sequence[Closure]) -> Refused:
    """Return what is told of a join, or of a stretch of one, that is contradicted."""
    (a, b), stretch = wrong.robots, wrong.stretch
    own = [c for c in closures if c.robots == (a, b) and (stretch is None or c.submaps in stretch)]
    best = max(own, key=lambda c: c.evidence, default=None)
    told = Refused((runs[a].name, runs[b].name), 0, 0.0, None, str(wrong), along=bool(stretch))
    if best is None:
        return told
    T = runs[a].poses[best.keyframes[0]] @ best.T @ inverse(runs[b].poses[best.keyframes[1]])
    return told._replace(objects=best.shared, evidence=best.evidence, T_1_2=T)


def joined(blind: Sequence[Closure], seen: Sequence[Closure]) -> list[Closure]:
    """Return both kinds of closures; what was looked at again is more exact than the blind match."""
    again = {(c.robots, c.submaps) for c in seen}
    kept = [
        c for c in blind if c.given or c.submaps == OUTSIDE or (c.robots, c.submaps) not in again
    ]
    return _distinct([c for c in [*kept, *seen] if not measured_here(c, [*kept, *seen])])


def _distinct(closures: Sequence[Closure]) -> list[Closure]:
    """Return closures without those that say of two keyframes what another says already.

    In one room all submaps hold the same objects; their matches are one measurement, not many.
    """
    alike: dict[tuple[tuple[int, int], tuple[int, int]], list[int]] = {}
    for k, closure in enumerate(closures):
        alike.setdefault((closure.robots, closure.keyframes), []).append(k)
    repeats: dict[int, list[int]] = {}
    for later, earlier in _repeats(closures, [p for own in alike.values() for p in _pairs(own)]):
        repeats.setdefault(later, []).append(earlier)
    said_by: dict[int, int] = {}
    for k in sorted(repeats):
        before = next((other for other in repeats[k] if other not in said_by), None)
        if before is not None:
            said_by[k] = before
    again: dict[int, list[tuple[int, int]]] = {}
    for k, before in said_by.items():
        again.setdefault(before, []).append(closures[k].submaps)
    return [
        replace(closure, repeated=tuple(again[k])) if k in again else closure
        for k, closure in enumerate(closures)
        if k not in said_by
    ]


def _pairs(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each row with each one before it."""
    return ((two, one) for one, two in combinations(rows, 2))


def _repeats(
    closures: Sequence[Closure], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the pairs of closures of which the first says what the second says."""
    if not pairs:
        return []
    later, earlier = (np.array([closures[p[side]].T for p in pairs]) for side in (0, 1))
    xi = log_se3(inverse(earlier) @ later)
    covariances = np.array([closures[p[0]].covariance for p in pairs])
    same = mahalanobis2(xi, covariances) < REPEATED**2
    return [pair for pair, repeated in zip(pairs, same, strict=True) if repeated]
