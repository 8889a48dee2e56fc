"""Let what may not take long begin no sooner than what its parts wait for is done.

A tree starts everything as soon as it may. A schedule may begin an action late, so that it does not
take longer than it may while a part of it waits for somebody else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.errors import PlanningError
from commonground.planning.temporal.steps import Activity

TOLERANCE_S = 1e-6


def punctual(
    activities: Sequence[Activity],
    parts: Mapping[int, Bools],
    lasts_s: Floats,
    ended: Bools,
    started: Bools,
) -> tuple[Bools, Bools]:
    """Return (n, n) which leaf has to have ended, and started, before which starts.

    ``parts`` tells of which leaves an activity consists, ``lasts_s`` (n, 2) how long each takes at least
    and at most. What an activity that could take too long waits for comes before all of it, unless that
    itself waits for a part of it.
    """
    short = [n for n in parts if np.isfinite(activities[n].longest_s)]
    least_s, most_s = lasts_s.reshape(-1, 2).T
    settled = False
    while not settled:
        settled = True
        soonest, latest = (_starts_s(t, ended, started) for t in (least_s, most_s))
        for number in short:
            own, limit_s = parts[number], activities[number].longest_s + TOLERANCE_S
            if (latest + most_s)[own].max() - soonest[own].min() <= limit_s:
                continue
            after, before = _after(own, ended | started), _after(own, (ended | started).T)
            above = [np.outer(r[:, before].any(axis=1) & ~after, after) for r in (ended, started)]
            settled &= not (above[0] & ~ended).any() and not (above[1] & ~started).any()
            ended, started = ended | above[0], started | above[1]
            # all else has ended when the first part starts
            inside_s = np.where(after, most_s, 0.0)
            takes_s = float((_starts_s(inside_s, ended, started) + inside_s)[own].max())
            if takes_s > limit_s:
                most = f"{activities[number].name} may take {activities[number].longest_s:g} s"
                raise PlanningError(
                    f"{most}, and could take {takes_s:g} s in a tree, which lets nothing begin late, if all "
                    "within it takes as long as it may; split it, or state other times"
                )
    return ended, started


def _starts_s(lasts_s: Floats, ended: Bools, started: Bools) -> Floats:
    """Return when leaves start if each does as soon as it may."""
    soonest = np.zeros(len(lasts_s))
    for _ in range(len(lasts_s)):
        after_end = np.where(ended, (soonest + lasts_s)[:, None], 0.0).max(axis=0)
        after_start = np.where(started, soonest[:, None], 0.0).max(axis=0)
        later = np.maximum(after_end, after_start)
        if np.array_equal(later, soonest):
            break
        soonest = later
    return soonest


def _after(own: Bools, linked: Bools) -> Bools:
    """Return which leaves are among these or come after one of them."""
    found = own
    while not np.array_equal(found, wider := found | linked[found].any(axis=0)):
        found = wider
    return found
