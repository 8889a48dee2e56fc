"""Schedule of a team: who does what when."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.planning.temporal.problem import TeamProblem

Routes = tuple[tuple[int, ...], ...]
"""Per robot its tasks in order."""
TOLERANCE_S = 1e-6


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every task on one robot at one time."""

    routes: Routes
    start_s: Floats
    """(n,) when each task starts: as its robot arrives."""
    end_s: Floats

    @property
    def makespan_s(self) -> float:
        """When the last task ends."""
        return float(self.end_s.max(initial=0.0))


def timetable(problem: TeamProblem, routes: Routes) -> Schedule:
    """Return the schedule of the routes, everything as early as can be."""
    start, end = np.zeros(len(problem.duration_s)), np.zeros(len(problem.duration_s))
    for robot, route in enumerate(routes):
        now = 0.0
        for last, task in itertools.pairwise((None, *route)):
            way = problem.approach_s[robot] if last is None else problem.travel_s[robot, last]
            start[task] = now + way[task]
            now = float(start[task] + problem.duration_s[task, robot])
            end[task] = now
    return Schedule(routes, start, end)


def check_schedule(problem: TeamProblem, schedule: Schedule) -> list[str]:
    """Return everything that is wrong with a schedule, in words; empty: it is valid."""
    n, robots = problem.duration_s.shape
    done = sorted(task for route in schedule.routes for task in route)
    if len(schedule.routes) != robots or done != list(range(n)):
        return [f"the routes do not give each of {n} tasks to one of {robots} robots"]
    return list(_route_faults(problem, schedule))


def _route_faults(problem: TeamProblem, schedule: Schedule) -> Iterator[str]:
    for robot, route in enumerate(schedule.routes):
        for place, task in enumerate(route):
            start, end = schedule.start_s[task], schedule.end_s[task]
            duration = problem.duration_s[task, robot]
            arrival = problem.approach_s[robot, task]
            if place:
                last = route[place - 1]
                arrival = schedule.end_s[last] + problem.travel_s[robot, last, task]
            if not np.isfinite(duration):
                yield f"robot {robot} cannot do task {task}"
            if not abs(end - start - duration) <= TOLERANCE_S:
                yield f"task {task} lasts {end - start} s instead of {duration} s"
            if not start >= arrival - TOLERANCE_S:
                yield f"task {task} starts at {start} s, robot {robot} arrives at {arrival} s"
