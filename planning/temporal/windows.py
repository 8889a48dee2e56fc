"""Improvement of a schedule window by window with the constraint model."""

from __future__ import annotations

import time

import numpy as np

from commonground.planning.temporal.model import improve
from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Schedule

SIZES = (12, 16, 20)
"""Tasks in a window; later rounds take larger ones."""
WINDOW_S = 3.0
"""Most seconds for one window."""
WINDOW_EFFORT = 0.3
"""Most work for one window in the solver's own measure, where results have to be reproducible."""


def improve_windows(
    problem: TeamProblem,
    schedule: Schedule,
    rng: np.random.Generator,
    *,
    seconds: float,
    windows: int | None = None,
    workers: int = 2,
) -> Schedule:
    """Return the schedule or a better one.

    A window frees tasks that start one after the other; everything earlier stays as it is, everything
    later keeps its robot and order. With ``windows`` equal seeds give equal schedules.
    """
    n = len(schedule.start_s)
    deadline = time.perf_counter() + seconds
    done, fruitless = 0, 0
    while windows is None or done < windows:
        remaining = deadline - time.perf_counter()
        if remaining <= 0 or fruitless >= len(SIZES) * n:
            break
        size = min(n, SIZES[done % len(SIZES)])
        begin = int(rng.integers(0, n - size + 1))
        order = np.argsort(schedule.start_s, kind="stable")
        step = improve(
            problem,
            schedule,
            [int(k) for k in order[begin : begin + size]],
            [int(k) for k in order[:begin]],
            seconds=remaining if windows is not None else min(remaining, WINDOW_S),
            effort=np.inf if windows is None else WINDOW_EFFORT,
            workers=workers,
            seed=int(rng.integers(2**31)),
        )
        fruitless = 0 if step.schedule.makespan_s < schedule.makespan_s else fruitless + 1
        schedule, done = step.schedule, done + 1
    return schedule
