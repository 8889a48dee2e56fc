"""Obvious obstacles to any schedule, found before searching and named."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import numpy as np

from commonground.planning.temporal.problem import TeamProblem


def obstacle(problem: TeamProblem) -> str:
    """Return why no schedule can exist, or an empty string where nothing obvious is in the way."""
    return _nobody(problem) or _cycle(problem)


def _nobody(problem: TeamProblem) -> str:
    """Name tasks that nobody can do, or that nobody who can do them can reach."""
    unable = np.flatnonzero(~problem.able.any(axis=1))
    if len(unable):
        return f"no robot can do {_tasks(problem, unable)}"
    n = len(problem.duration_s)
    reachable = np.zeros((n, problem.duration_s.shape[1]), bool)
    for robot in range(reachable.shape[1]):
        able = problem.able[:, robot]
        front = able & np.isfinite(problem.approach_s[robot])
        while front.any():
            reachable[:, robot] |= front
            onward = np.isfinite(problem.travel_s[robot][front]).any(axis=0)
            front = onward & able & ~reachable[:, robot]
    cut = np.flatnonzero(~reachable.any(axis=1))
    return f"no robot that can do {_tasks(problem, cut)} can get there" if len(cut) else ""


def _cycle(problem: TeamProblem) -> str:
    """Name tasks that wait for each other in a circle."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for before, after in problem.precedences:
        sorter.add(after, before)
    try:
        sorter.prepare()
    except CycleError as error:
        return "the order is cyclic: " + " before ".join(problem.task(t) for t in error.args[1])
    return ""


def _tasks(
    problem: TeamProblem, tasks: list[int] | np.ndarray[tuple[int], np.dtype[np.int64]]
) -> str:
    names = [problem.task(int(t)) for t in tasks[:5]]
    more = f" and {len(tasks) - 5} more" if len(tasks) > 5 else ""
    return ", ".join(names) + more
