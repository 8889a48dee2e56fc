"""Submaps of joined robots that nothing ties to their place: the latest of them are matched blindly.

A robot that was away for long is not where its path says, so the submaps that lie near it on the map are not
those of the place it sees. Once the join of two robots is confirmed, only such submaps are matched with all
submaps of the other robot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from commonground.arrays import Ints
from commonground.geometry import inverse
from commonground.localization.places import Place
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.closures import Closure, Job, bare, match_two, moved_covariance
from commonground.mapping.fusion.growing import Growing
from commonground.mapping.fusion.robot_run import RobotRun

FEWEST = 3
"""Fewer submaps do not hold the different objects that it takes."""


def with_strays(
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    blind: Sequence[Closure],
    settings: LocalizationSettings,
    growing: Growing,
) -> list[Closure]:
    """Return blind closures with those of submaps that nothing holds; the later one of two submaps counts."""
    found = {(c.robots, c.submaps): c for c in blind}
    for a, b in permutations(range(len(runs)), 2):
        pair = min(a, b), max(a, b)
        rows = growing.strays(runs[a])
        if len(rows) < FEWEST or not growing.is_sure(*(runs[r] for r in pair)):
            continue
        spots = [places[a][k] for k in rows], places[b]
        job = Job((a, b), (bare(runs[a]), bare(runs[b])), spots, settings, growing.solved)
        for closure in _matched(job, rows):
            found[closure.robots, closure.submaps] = closure
    return list(found.values())


def _matched(job: Job, rows: Ints) -> list[Closure]:
    """Return the closures of some submaps of one robot with all of another, the robots in order."""
    answer = match_two(job)
    if not isinstance(answer, list):
        return []
    named = (replace(c, submaps=(int(rows[c.submaps[0]]), c.submaps[1])) for c in answer)
    return [c if c.robots[0] < c.robots[1] else turned(c) for c in named]


def turned(closure: Closure) -> Closure:
    """Return what a closure says, seen from its other end."""
    back = inverse(closure.T)
    return replace(
        closure,
        robots=closure.robots[::-1],
        keyframes=closure.keyframes[::-1],
        submaps=closure.submaps[::-1],
        T=back,
        covariance=moved_covariance(closure.covariance, back),
    )
