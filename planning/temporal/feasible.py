"""Obvious obstacles to any schedule, found before searching and named."""

from __future__ import annotations

import itertools
from graphlib import CycleError, TopologicalSorter

import numpy as np

from commonground.planning.temporal.problem import TeamProblem


def obstacle(problem: TeamProblem) -> str:
    """Return why no schedule can exist, or an empty string where nothing obvious is in the way."""
    return _nobody(problem) or _cycle(problem) or _shortage(problem) or _fixed_routes(problem)


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
    """Name tasks that wait for each other in a circle; fixed routes count as orders too."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for p in problem.precedences:
        sorter.add(p.after, p.before)
    for route in problem.routes or ():
        for earlier, later in itertools.pairwise(route):
            sorter.add(later, earlier)
    try:
        sorter.prepare()
    except CycleError as error:
        return "the order is cyclic: " + " before ".join(problem.task(t) for t in error.args[1])
    return ""


def _shortage(problem: TeamProblem) -> str:
    """Name tasks that need more of a resource than there is."""
    for resource in problem.resources:
        for task, units in resource.use:
            if units > resource.capacity:
                return (
                    f"{problem.task(task)} needs {units} units of {resource.name}, "
                    f"there are {resource.capacity}"
                )
    return ""


def _fixed_routes(problem: TeamProblem) -> str:
    """Name what a fixed route asks of a robot that cannot do it."""
    for robot, route in enumerate(problem.routes or ()):
        unable = [task for task in route if not problem.able[task, robot]]
        if unable:
            return f"{problem.robot(robot)} cannot do {_tasks(problem, unable)} on its fixed route"
        steps = [float(problem.travel_s[robot, a, b]) for a, b in itertools.pairwise(route)]
        if route and not np.isfinite([problem.approach_s[robot, route[0]], *steps]).all():
            return f"{problem.robot(robot)} has no way along its fixed route"
    return ""


def _tasks(
    problem: TeamProblem, tasks: list[int] | np.ndarray[tuple[int], np.dtype[np.int64]]
) -> str:
    names = [problem.task(int(t)) for t in tasks[:5]]
    more = f" and {len(tasks) - 5} more" if len(tasks) > 5 else ""
    return ", ".join(names) + more
