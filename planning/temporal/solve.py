"""Solving a team problem: search, improvement or proof, and the check of the schedule found."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.temporal.check import check_schedule
from commonground.planning.temporal.problem import TeamProblem, obstacle
from commonground.planning.temporal.schedule import Schedule, timetable

logger = logging.getLogger(__name__)

PROVABLE = 14
"""Up to so many tasks the whole space is searched as well."""
ITERATIONS_PER_EFFORT = 1000
"""So many search iterations count as one unit of the constraint model's work."""
MODEL_EFFORT = 10.0
"""Most work of the constraint model for a first schedule, in its own measure."""


def solve_team(
    problem: TeamProblem, rng: np.random.Generator | None = None, *, iterations: int = 1000
) -> Schedule:
    """Return who does what when, with the smallest makespan found and a bound on the smallest there is.

    Between equal makespans the one with less travel wins. Work is bounded, and not time: equal seeds give
    equal schedules.
    """
    rng = rng or np.random.default_rng(0)
    in_the_way = obstacle(problem)
    if in_the_way:
        return Schedule(Status.UNSOLVABLE, reason=in_the_way)
    if not len(problem.duration_s):
        empty = tuple(() for _ in range(problem.duration_s.shape[1]))
        return Schedule(Status.SOLVED, empty, makespan_s=0.0, optimal=True)
    schedule = _allocated(problem, rng, iterations)
    faults = check_schedule(problem, schedule) if schedule.status is Status.SOLVED else []
    if faults:
        raise PlanningError(f"the schedule found is not valid, please report this: {faults[0]}")
    logger.debug("%d tasks: makespan %g s", len(problem.duration_s), schedule.makespan_s)
    return schedule


def _allocated(problem: TeamProblem, rng: np.random.Generator, iterations: int) -> Schedule:
    """Search, then prove where few tasks allow that; stop early where a bound is met."""
    from commonground.planning.temporal.bound import lower_bound
    from commonground.planning.temporal.model import improve
    from commonground.planning.temporal.search import search

    bound = lower_bound(problem)
    routes = search(problem, rng, iterations=iterations, goal_s=bound)
    schedule = None if routes is None else timetable(problem, routes)
    if schedule is None:
        schedule = _from_model(problem, rng)
        if schedule.status is not Status.SOLVED:
            return schedule
    optimal = schedule.makespan_s <= bound
    if not optimal and len(problem.duration_s) <= PROVABLE:
        effort = iterations / ITERATIONS_PER_EFFORT
        schedule = improve(problem, schedule, effort=effort, seed=_seed(rng))
        optimal = schedule.optimal
    if not optimal:
        bound = max(bound, schedule.lower_bound_s, lower_bound(problem, schedule.makespan_s))
    bound = schedule.makespan_s if optimal else min(bound, schedule.makespan_s)
    return replace(schedule, lower_bound_s=bound, optimal=optimal)


def _from_model(problem: TeamProblem, rng: np.random.Generator) -> Schedule:
    """Ask the constraint model for any schedule, when insertion found none."""
    from commonground.planning.temporal.model import improve

    n, robots = problem.duration_s.shape
    blank = Schedule(
        Status.NOT_FOUND,
        tuple(() for _ in range(robots)),
        np.zeros(n),
        np.zeros(n),
        makespan_s=_longest(problem),
        reason="no schedule was found with the work allowed",
    )
    found = improve(problem, blank, effort=MODEL_EFFORT, seed=_seed(rng))
    if found.optimal and found.status is not Status.SOLVED:
        reason = "some way is missing in every order of the tasks"
        return Schedule(Status.UNSOLVABLE, reason=reason)
    return found


def _seed(rng: np.random.Generator) -> int:
    """Draw a seed for the constraint solver."""
    return int(rng.integers(2**31))


def _longest(problem: TeamProblem) -> float:
    """Return a makespan that is enough to do everything one after the other."""
    travel = np.concatenate([problem.travel_s, problem.approach_s[:, None]], axis=1)
    longest = [
        np.where(np.isfinite(problem.duration_s), problem.duration_s, 0.0).max(axis=1),
        np.where(np.isfinite(travel), travel, 0.0).max(axis=(0, 1)),
    ]
    return float(sum(part.sum() for part in longest)) + 1
