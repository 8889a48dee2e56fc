"""Solving a team problem: a bound, the search for a schedule, and the check of the schedule found."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.temporal.check import check_schedule
from commonground.planning.temporal.feasible import obstacle
from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Schedule
from commonground.planning.temporal.timing import timetable

logger = logging.getLogger(__name__)

NOT_FOUND = "no schedule was found: tasks wait for each other, or ways between them are missing"


def solve_team(
    problem: TeamProblem,
    rng: np.random.Generator | None = None,
    *,
    time_limit_s: float = 10.0,
    iterations: int | None = None,
) -> Schedule:
    """Return who does what when, with the smallest makespan found and a bound on the smallest there is.

    Between equal makespans the one with less travel wins. With ``iterations`` (search steps) equal seeds give
    equal schedules, unless ``time_limit_s`` strikes first; without, the search uses all the time, but stops
    as soon as the bound is met.
    """
    in_the_way = obstacle(problem)
    if in_the_way:
        return Schedule(Status.UNSOLVABLE, reason=in_the_way)
    if not len(problem.duration_s):
        empty = tuple(() for _ in range(problem.duration_s.shape[1]))
        return Schedule(Status.SOLVED, empty, makespan_s=0.0, optimal=True)
    rng = rng or np.random.default_rng(0)
    schedule = _searched(problem, rng, time_limit_s, iterations)
    faults = check_schedule(problem, schedule) if schedule.status is Status.SOLVED else []
    if faults:
        raise PlanningError(f"the schedule found is not valid, please report this: {faults[0]}")
    logger.debug("%d tasks: makespan %g s", len(problem.duration_s), schedule.makespan_s)
    return schedule


def _searched(
    problem: TeamProblem, rng: np.random.Generator, time_limit_s: float, iterations: int | None
) -> Schedule:
    """Search until a bound is met; sharpen the bound with what was found where it is not."""
    from commonground.planning.temporal.bound import lower_bound
    from commonground.planning.temporal.search import search

    bound = lower_bound(problem)
    routes, done = search(problem, rng, seconds=time_limit_s, iterations=iterations, goal_s=bound)
    schedule = None if routes is None else timetable(problem, routes)
    if schedule is None:
        return Schedule(Status.NOT_FOUND, reason=NOT_FOUND, iterations=done)
    optimal = schedule.makespan_s <= bound
    if not optimal:
        bound = max(bound, lower_bound(problem, schedule.makespan_s))
    bound = min(bound, schedule.makespan_s)
    return replace(schedule, lower_bound_s=bound, optimal=optimal, iterations=done)
