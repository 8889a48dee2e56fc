"""Check of a schedule against its problem, sharing nothing with the code that found it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from commonground.planning.result import Status
from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Schedule

TOLERANCE_S = 1e-6


def check_schedule(problem: TeamProblem, schedule: Schedule) -> list[str]:
    """Return everything that is wrong with a solved schedule, in words; empty: it is valid."""
    if schedule.status is not Status.SOLVED:
        return [f"there is no schedule to check: {schedule.status.value}"]
    n, robots = problem.duration_s.shape
    done = sorted(task for route in schedule.routes for task in route)
    if len(schedule.routes) != robots or done != list(range(n)):
        return [f"the routes do not give each of {n} tasks to one of {robots} robots"]
    if schedule.start_s.shape != (n,) or schedule.end_s.shape != (n,):
        return [f"there are times for {schedule.start_s.shape} tasks instead of {n}"]
    return [*_route_faults(problem, schedule), *_summary_faults(problem, schedule)]


def _route_faults(problem: TeamProblem, schedule: Schedule) -> Iterator[str]:
    for robot, route in enumerate(schedule.routes):
        for place, task in enumerate(route):
            name = problem.task(task)
            start, end = schedule.start_s[task], schedule.end_s[task]
            duration = problem.duration_s[task, robot]
            if not np.isfinite(duration):
                yield f"{problem.robot(robot)} cannot do {name}"
            if not abs(end - start - duration) <= TOLERANCE_S:
                yield f"{name} lasts {end - start} s instead of {duration} s"
            if place == 0:
                arrival = problem.approach_s[robot, task]
            else:
                last = route[place - 1]
                arrival = schedule.end_s[last] + problem.travel_s[robot, last, task]
            if not start >= arrival - TOLERANCE_S:
                yield f"{name} starts at {start} s, {problem.robot(robot)} arrives at {arrival} s"


def _summary_faults(problem: TeamProblem, schedule: Schedule) -> list[str]:
    faults = []
    makespan = float(schedule.end_s.max(initial=0.0))
    if not abs(makespan - schedule.makespan_s) <= TOLERANCE_S:
        faults.append(f"the last task ends at {makespan} s, not {schedule.makespan_s} s")
    travel = sum(
        float(problem.approach_s[robot, route[0]])
        + sum(float(problem.travel_s[robot, a, b]) for a, b in itertools.pairwise(route))
        for robot, route in enumerate(schedule.routes)
        if route
    )
    if not abs(travel - schedule.travel_s) <= TOLERANCE_S * max(1.0, travel):
        faults.append(f"the robots travel {travel} s, not {schedule.travel_s} s")
    if not schedule.lower_bound_s <= makespan + TOLERANCE_S:
        faults.append(f"the lower bound {schedule.lower_bound_s} s is above the makespan")
    return faults
