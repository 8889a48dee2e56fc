"""Exact start times for routes: everything as early as the routes and an order of the tasks allow."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from commonground.arrays import Floats
from commonground.planning.result import Status
from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Schedule

Routes = tuple[tuple[int, ...], ...]


def timetable(
    problem: TeamProblem, routes: Routes, ranks: Sequence[float] | Floats | None = None
) -> Schedule | None:
    """Return the schedule of the routes, or None where tasks wait for each other in a circle.

    Tasks get what they share in the order of ``ranks``; without, who can start first is served first.
    """
    clock = _Timetable(problem, routes)
    while clock.heads:
        startable = [s for s in map(clock.soonest, clock.heads) if np.isfinite(s[0])]
        if not startable:
            return None
        if ranks is None:
            start, task = min(startable)
        else:
            start, task = min(startable, key=lambda s: (ranks[s[1]], s))
        clock.place(task, start)
    return clock.schedule()


class _Timetable:
    """Start and end times so far, and the next task of each robot."""

    def __init__(self, problem: TeamProblem, routes: Routes) -> None:
        n = len(problem.duration_s)
        self.problem = problem
        self.routes = routes
        self.start = np.full(n, np.nan)
        self.end = np.full(n, np.nan)
        self.heads = [route[0] for route in routes if route]
        self._robot = {task: robot for robot, route in enumerate(routes) for task in route}
        pairs = [pair for route in routes for pair in itertools.pairwise(route)]
        self._following = dict(pairs)
        self._preceding = {b: a for a, b in pairs}
        self._into: dict[int, list[tuple[int, float, bool]]] = {}
        for p in problem.precedences:
            self._into.setdefault(p.after, []).append((p.before, p.lag_s, p.from_start))

    def soonest(self, task: int) -> tuple[float, int]:
        """Return the earliest start of a robot's next task (inf: not known yet) and the task."""
        robot, last = self._robot[task], self._preceding.get(task)
        if last is None:
            time = float(self.problem.approach_s[robot, task])
        else:
            time = float(self.end[last] + self.problem.travel_s[robot, last, task])
        for before, lag, from_start in self._into.get(task, []):
            base = self.start[before] if from_start else self.end[before]
            if np.isnan(base):
                return np.inf, task
            time = max(time, float(base) + lag)
        settled = False
        while not settled and np.isfinite(time):
            later = max(
                (self._room(r, task, time) for r in range(len(self.problem.resources))),
                default=time,
            )
            settled, time = later == time, later
        return time, task

    def _room(self, index: int, task: int, time: float) -> float:
        """Return the first end of a use, from ``time`` on, that leaves enough of a resource for a task."""
        resource = self.problem.resources[index]
        units = dict(resource.use)
        if task not in units:
            return time
        before = self._preceding.get(task)  # gives back what it holds when this task starts
        users = [
            (self._until(u, resource.held), k)
            for u, k in units.items()
            if u != before and not np.isnan(self.end[u])
        ]
        while sum(k for until, k in users if until > time) + units[task] > resource.capacity:
            time = min(until for until, _ in users if until > time)
            if np.isinf(time):
                break
        return time

    def _until(self, task: int, held: bool) -> float:
        if not held:
            return float(self.end[task])
        following = self._following.get(task)
        if following is None or np.isnan(self.start[following]):
            return np.inf
        return float(self.start[following])

    def place(self, task: int, start: float) -> None:
        """Start a task and move its robot on to the next."""
        self.start[task] = start
        self.end[task] = start + self.problem.duration_s[task, self._robot[task]]
        self.heads.remove(task)
        if task in self._following:
            self.heads.append(self._following[task])

    def schedule(self) -> Schedule:
        """Return the finished times."""
        ways = [
            [float(self.problem.approach_s[robot, route[0]])]
            + [float(self.problem.travel_s[robot, a, b]) for a, b in itertools.pairwise(route)]
            for robot, route in enumerate(self.routes)
            if route
        ]
        makespan = float(self.end.max(initial=0.0))
        return Schedule(
            Status.SOLVED, self.routes, self.start, self.end, makespan, sum(map(sum, ways))
        )
