"""Solving a team problem: search, improvement or proof, and the check of the schedule found."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.temporal.check import check_schedule
from commonground.planning.temporal.problem import TeamProblem, obstacle
from commonground.planning.temporal.schedule import Schedule, timetable

logger = logging.getLogger(__name__)

PROVABLE = 14
"""Up to so many tasks most of the time goes into a proof."""
SEARCHED_S = 0.5
"""Seconds of search before a proof."""
ITERATIONS_PER_EFFORT = 1000
"""So many search iterations count as one unit of the constraint model's work, when their number is given."""
MODEL_EFFORT = 10.0
"""Most work of the constraint model for a first schedule, in its own measure, where work is limited."""
MODEL_S = 2.0
"""Least seconds for the constraint model when insertion found no schedule."""


@dataclass(frozen=True, slots=True)
class _Effort:
    """What solving may use."""

    rng: np.random.Generator
    deadline: float
    """As of ``time.perf_counter``."""
    iterations: int | None
    """Search steps of each worker; None: as many as the time allows."""
    workers: int

    @property
    def left_s(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.perf_counter()

    def seed(self) -> int:
        """Draw a seed for the constraint solver."""
        return int(self.rng.integers(2**31))


def solve_team(
    problem: TeamProblem,
    rng: np.random.Generator | None = None,
    *,
    time_limit_s: float = 10.0,
    iterations: int | None = None,
    workers: int = 2,
) -> Schedule:
    """Return who does what when, with the smallest makespan found and a bound on the smallest there is.

    Between equal makespans the one with less travel wins. With ``iterations`` (search steps of each
    worker) equal seeds give equal schedules, unless ``time_limit_s`` strikes first; without, the search
    uses all the time, but stops as soon as the schedule is proven optimal.
    """
    deadline = time.perf_counter() + time_limit_s
    effort = _Effort(rng or np.random.default_rng(0), deadline, iterations, workers)
    in_the_way = obstacle(problem)
    if in_the_way:
        return Schedule(Status.UNSOLVABLE, reason=in_the_way)
    if not len(problem.duration_s):
        empty = tuple(() for _ in range(problem.duration_s.shape[1]))
        return Schedule(Status.SOLVED, empty, makespan_s=0.0, optimal=True)
    schedule = _allocated(problem, effort)
    faults = check_schedule(problem, schedule) if schedule.status is Status.SOLVED else []
    if faults:
        raise PlanningError(f"the schedule found is not valid, please report this: {faults[0]}")
    logger.debug("%d tasks: makespan %g s", len(problem.duration_s), schedule.makespan_s)
    return schedule


def _allocated(problem: TeamProblem, effort: _Effort) -> Schedule:
    """Search, then prove where few tasks allow that; stop early where a bound is met."""
    from commonground.planning.temporal.bound import lower_bound
    from commonground.planning.temporal.search import search

    bound = lower_bound(problem)
    routes, done = search(
        problem,
        effort.rng,
        seconds=_search_s(problem, effort),
        iterations=effort.iterations,
        goal_s=bound,
        workers=effort.workers,
    )
    schedule = None if routes is None else timetable(problem, routes)
    if schedule is None:
        schedule = _from_model(problem, effort)
        if schedule.status is not Status.SOLVED:
            return schedule
    optimal = schedule.makespan_s <= bound
    if not optimal and len(problem.duration_s) <= PROVABLE and effort.left_s > 0:
        schedule = _proven(problem, schedule, effort)
        optimal = schedule.optimal
    if not optimal:
        bound = max(bound, schedule.lower_bound_s, lower_bound(problem, schedule.makespan_s))
    bound = schedule.makespan_s if optimal else min(bound, schedule.makespan_s)
    return replace(schedule, lower_bound_s=bound, optimal=optimal, iterations=done)


def _search_s(problem: TeamProblem, effort: _Effort) -> float:
    """Return the seconds for the search: part of the time where a proof may follow."""
    if len(problem.duration_s) <= PROVABLE and effort.iterations is None:
        return min(effort.left_s, SEARCHED_S)
    return effort.left_s


def _proven(problem: TeamProblem, schedule: Schedule, effort: _Effort) -> Schedule:
    """Search the whole space from a schedule on; keep what was proven."""
    from commonground.planning.temporal.model import improve

    count = effort.iterations
    proof = improve(
        problem,
        schedule,
        seconds=effort.left_s,
        effort=np.inf if count is None else count / ITERATIONS_PER_EFFORT,
        workers=effort.workers,
        seed=effort.seed(),
    )
    bound = min(proof.lower_bound_s, proof.schedule.makespan_s)
    return replace(proof.schedule, lower_bound_s=bound, optimal=proof.optimal)


def _from_model(problem: TeamProblem, effort: _Effort) -> Schedule:
    """Ask the constraint model for any schedule, when insertion found none."""
    from commonground.planning.temporal.model import improve

    n, robots = problem.duration_s.shape
    blank = Schedule(
        Status.NOT_FOUND,
        tuple(() for _ in range(robots)),
        np.zeros(n),
        np.zeros(n),
        makespan_s=_longest(problem),
        reason="no schedule was found in the time given",
    )
    proof = improve(
        problem,
        blank,
        seconds=max(MODEL_S, effort.left_s),
        effort=np.inf if effort.iterations is None else MODEL_EFFORT,
        workers=effort.workers,
        seed=effort.seed(),
    )
    if proof.schedule.status is Status.SOLVED:
        return replace(proof.schedule, lower_bound_s=proof.lower_bound_s, optimal=proof.optimal)
    if proof.optimal:
        reason = "some way is missing in every order of the tasks"
        return Schedule(Status.UNSOLVABLE, reason=reason)
    return Schedule(Status.NOT_FOUND, reason=blank.reason)


def _longest(problem: TeamProblem) -> float:
    """Return a makespan that is enough to do everything one after the other."""
    travel = np.concatenate([problem.travel_s, problem.approach_s[:, None]], axis=1)
    longest = [
        np.where(np.isfinite(problem.duration_s), problem.duration_s, 0.0).max(axis=1),
        np.where(np.isfinite(travel), travel, 0.0).max(axis=(0, 1)),
    ]
    return float(sum(part.sum() for part in longest)) + 1
