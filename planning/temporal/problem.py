"""Team problem: tasks, who can do them, and how far apart they are; and its answer: who does what when."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.errors import PlanningError

Routes = tuple[tuple[int, ...], ...]
"""Per robot its tasks in order."""
TOLERANCE_S = 1e-6


@dataclass(frozen=True, slots=True)
class TeamProblem:
    """n tasks for R robots: each task is done once, by one robot, without interruption."""

    duration_s: Floats
    """(n, R) how long each robot takes for each task; inf where it cannot do it."""
    approach_s: Floats
    """(R, n) how long each robot takes from where it is now to each task."""
    travel_s: Floats
    """(R, n, n) from the end of one task to the start of another."""

    def __post_init__(self) -> None:
        if self.duration_s.ndim != 2 or self.duration_s.shape[1] == 0:
            raise PlanningError("there are no robots; give durations of shape (tasks, robots)")
        n, robots = self.duration_s.shape
        if np.isnan(self.duration_s).any() or (self.duration_s < 0).any():
            raise PlanningError(
                "a duration is below 0 or no number; inf says that it is impossible"
            )
        for values, shape, what in (
            (self.approach_s, (robots, n), "approach times"),
            (self.travel_s, (robots, n, n), "travel times"),
        ):
            if values.shape != shape:
                raise PlanningError(f"{what} have shape {values.shape}; {shape} is needed")
            if not (np.isfinite(values) & (values >= 0)).all():
                raise PlanningError(f"{what} are finite and at least 0")
        for task in np.flatnonzero(~self.able.any(axis=1)):
            raise PlanningError(f"no robot can do task {task}")

    @property
    def able(self) -> Bools:
        """(n, R): who can do what."""
        return np.isfinite(self.duration_s)


def scattered_tasks(tasks: int, robots: int, seed: int = 0) -> TeamProblem:
    """Return tasks and robots scattered over a 100 × 100 square, in units of 0.1 s at speed 1.

    Tasks take 50 to 199; a robot can do a task with probability 0.8 (everybody, where nobody could).
    """
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 100, (tasks, 2))
    starts = rng.uniform(0, 100, (robots, 2))
    duration = rng.integers(50, 200, tasks).astype(float)
    able = rng.random((tasks, robots)) < 0.8
    able[~able.any(axis=1)] = True
    travel = np.round(10 * np.linalg.norm(points[:, None] - points[None], axis=-1))
    return TeamProblem(
        np.where(able, duration[:, None], np.inf),
        np.round(10 * np.linalg.norm(starts[:, None] - points[None], axis=-1)),
        np.repeat(travel[None], robots, axis=0),
    )


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


def seconds_of_sets(problem: TeamProblem) -> Floats:
    """Return (R, 2**n): how long each robot takes for each set of tasks in its best order (Held and Karp).

    Task k is in a set where its bit is 1; infinite where the robot cannot do one of them.
    """
    n, robots = problem.duration_s.shape
    out = np.zeros((robots, 1 << n))
    for robot, took in enumerate(problem.duration_s.T):
        ends = np.full((1 << n, n), np.inf)
        for done in range(1 << n):
            for k in (k for k in range(n) if not done >> k & 1):
                ways = ends[done] + problem.travel_s[robot, :, k]
                arrives = ways.min() if done else problem.approach_s[robot, k]
                ends[done | 1 << k, k] = arrives + took[k]
        out[robot, 1:] = ends[1:].min(axis=1)
    return out


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
