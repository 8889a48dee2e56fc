"""Let what may not take long begin no sooner than what its parts wait for is done.

A tree starts everything as soon as it may. A schedule may begin an action late, so that it does not
take longer than it may while a part of it waits for somebody else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.errors import PlanningError
from commonground.planning.temporal.steps import Activity

TOLERANCE_S = 1e-6


def punctual(
    activities: Sequence[Activity],
    owners: Sequence[int | None],
    lasts_s: Floats,
    ended: Bools,
    started: Bools,
) -> tuple[Bools, Bools]:
    """Return (n, n) which leaf has to have ended, and started, before which starts.

    ``owners`` tells of which activity a leaf is a part, ``lasts_s`` how long it takes. What an activity that
    would take too long waits for comes before all of it, unless that itself waits for a part of it.
    """
    parts = {
        number: np.array([owner == number for owner in owners])
        for number, activity in enumerate(activities)
        if np.isfinite(activity.longest_s) and number in owners
    }
    for number, own in parts.items():
        if _takes_s(own, lasts_s, ended, started) > activities[number].longest_s + TOLERANCE_S:
            free = ~_after(own, ended | started)
            ended = ended | np.outer(ended[:, own].any(axis=1) & free, own)
            started = started | np.outer(started[:, own].any(axis=1) & free, own)
    for number, own in parts.items():
        takes_s, most_s = _takes_s(own, lasts_s, ended, started), activities[number].longest_s
        if takes_s > most_s + TOLERANCE_S:
            raise PlanningError(
                f"{activities[number].name} may take {most_s:g} s, and would take {takes_s:g} s in a tree, "
                "which lets nothing begin late; split it, or state a longer time"
            )
    return ended, started


def _takes_s(own: Bools, lasts_s: Floats, ended: Bools, started: Bools) -> float:
    """Return how long leaves take together if each starts as soon as it may."""
    soonest = np.zeros(len(lasts_s))
    for _ in range(len(lasts_s)):
        after_end = np.where(ended, (soonest + lasts_s)[:, None], 0.0).max(axis=0)
        after_start = np.where(started, soonest[:, None], 0.0).max(axis=0)
        later = np.maximum(after_end, after_start)
        if np.array_equal(later, soonest):
            break
        soonest = later
    return float((soonest + lasts_s)[own].max() - soonest[own].min())


def _after(own: Bools, linked: Bools) -> Bools:
    """Return which leaves are among these or come after one of them."""
    found = own
    while not np.array_equal(found, wider := found | linked[found].any(axis=0)):
        found = wider
    return found
