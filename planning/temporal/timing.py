"""Exact start times for routes: everything as early as the routes and the precedences allow."""

from __future__ import annotations

import itertools
from graphlib import CycleError, TopologicalSorter

import numpy as np

from commonground.planning.result import Status
from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Schedule

Routes = tuple[tuple[int, ...], ...]


def timetable(problem: TeamProblem, routes: Routes) -> Schedule | None:
    """Return the schedule of the routes, or None where tasks wait for each other in a circle."""
    robot_of = {task: robot for robot, route in enumerate(routes) for task in route}
    preceding = {b: a for route in routes for a, b in itertools.pairwise(route)}
    sorter = TopologicalSorter[int](dict.fromkeys(robot_of, ()))
    for before, after in (*problem.precedences, *((a, b) for b, a in preceding.items())):
        sorter.add(after, before)
    into: dict[int, list[int]] = {}
    for before, after in problem.precedences:
        into.setdefault(after, []).append(before)
    start, end = np.zeros(len(robot_of)), np.zeros(len(robot_of))
    travel = 0.0
    try:
        for task in sorter.static_order():
            robot, last = robot_of[task], preceding.get(task)
            way = problem.approach_s[robot] if last is None else problem.travel_s[robot, last]
            arrival = float(way[task]) + (0.0 if last is None else end[last])
            if not np.isfinite(arrival):
                return None
            start[task] = max([arrival, *(end[before] for before in into.get(task, ()))])
            end[task] = start[task] + problem.duration_s[task, robot]
            travel += float(way[task])
    except CycleError:
        return None
    return Schedule(Status.SOLVED, routes, start, end, float(end.max(initial=0.0)), travel)
