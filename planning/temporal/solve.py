"""Solving a team problem: search, improvement or proof, and the check of the schedule found."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.temporal.check import check_schedule
from commonground.planning.temporal.feasible import obstacle
from commonground.planning.temporal.problem import TeamProblem
from commonground.planning.temporal.schedule import Schedule
from commonground.planning.temporal.timing import timetable

logger = logging.getLogger(__name__)

PROVABLE = 14
"""Up to so many tasks most of the time goes into a proof."""
SEARCHED_S = 0.5
"""Seconds of search before a proof."""
WINDOWS = 0.3
"""Part of the time for windows of the constraint model, where resources are shared."""
ITERATIONS_PER_WINDOW = 1000
"""So many search iterations count as much as one window, when their number is given."""
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
    fixed = problem.routes is not None
    schedule = _timed(problem, effort) if fixed else _allocated(problem, effort)
    faults = check_schedule(problem, schedule) if schedule.status is Status.SOLVED else []
    if faults:
        raise PlanningError(f"the schedule found is not valid, please report this: {faults[0]}")
    logger.debug("%d tasks: makespan %g s", len(problem.duration_s), schedule.makespan_s)
    return schedule


def _allocated(problem: TeamProblem, effort: _Effort) -> Schedule:
    """Search, then improve windows or prove; stop early where a bound is met."""
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
        schedule = _from_model(problem, None, effort)
        if schedule.status is not Status.SOLVED:
            return schedule
    optimal = schedule.makespan_s <= bound
    if not optimal:
        schedule, optimal = _improved(problem, schedule, effort)
    if not optimal:
        bound = max(bound, schedule.lower_bound_s, lower_bound(problem, schedule.makespan_s))
    bound = schedule.makespan_s if optimal else min(bound, schedule.makespan_s)
    return replace(schedule, lower_bound_s=bound, optimal=optimal, iterations=done)


def _search_s(problem: TeamProblem, effort: _Effort) -> float:
    """Return the seconds for the search: part of the time where a proof or windows may follow."""
    if len(problem.duration_s) <= PROVABLE and effort.iterations is None:
        return min(effort.left_s, SEARCHED_S)
    return (1 - WINDOWS if problem.resources else 1.0) * effort.left_s


def _improved(problem: TeamProblem, schedule: Schedule, effort: _Effort) -> tuple[Schedule, bool]:
    """Use the time left: for a proof where few tasks allow one, for windows where resources are shared.

    Returns the schedule and whether it is proven optimal.
    """
    left = effort.left_s
    if left <= 0:
        return schedule, False
    if len(problem.duration_s) <= PROVABLE:
        schedule = _proven(problem, schedule, effort, left)
        return schedule, schedule.optimal
    if problem.resources:
        from commonground.planning.temporal.windows import improve_windows

        iterations = effort.iterations
        windows = None if iterations is None else 1 + iterations // ITERATIONS_PER_WINDOW
        schedule = improve_windows(
            problem, schedule, effort.rng, seconds=left, windows=windows, workers=effort.workers
        )
    return schedule, False


def _proven(problem: TeamProblem, schedule: Schedule, effort: _Effort, seconds: float) -> Schedule:
    """Search the whole space from a schedule on; keep what was proven."""
    from commonground.planning.temporal.model import improve

    free, iterations = range(len(schedule.start_s)), effort.iterations
    if problem.routes is not None:  # these are timed as long as the time allows
        free, iterations = range(0), None
    proof = improve(
        problem,
        schedule,
        free,
        seconds=seconds,
        effort=np.inf if iterations is None else iterations / ITERATIONS_PER_WINDOW,
        workers=effort.workers,
        seed=effort.seed(),
    )
    bound = min(proof.lower_bound_s, proof.schedule.makespan_s)
    return replace(proof.schedule, lower_bound_s=bound, optimal=proof.optimal)


def _timed(problem: TeamProblem, effort: _Effort) -> Schedule:
    """Return the times of fixed routes: only who goes first is open, where something is shared."""
    routes = problem.routes or ()
    alone = timetable(replace(problem, resources=()), routes)
    if alone is None:
        reason = "the fixed routes wait for each other in a circle"
        return Schedule(Status.UNSOLVABLE, reason=reason)
    if not problem.resources:
        return replace(alone, lower_bound_s=alone.makespan_s, optimal=True)
    schedule = timetable(problem, routes)
    if schedule is None:
        return _from_model(problem, routes, effort)
    if schedule.makespan_s > alone.makespan_s:
        schedule = _proven(problem, schedule, effort, effort.left_s)
    else:
        schedule = replace(schedule, optimal=True)
    bound = schedule.makespan_s if schedule.optimal else alone.makespan_s
    return replace(schedule, lower_bound_s=max(bound, schedule.lower_bound_s))


def _from_model(
    problem: TeamProblem, routes: tuple[tuple[int, ...], ...] | None, effort: _Effort
) -> Schedule:
    """Ask the constraint model for any schedule, when insertion found none."""
    from commonground.planning.temporal.model import improve

    n, robots = problem.duration_s.shape
    blank = Schedule(
        Status.NOT_FOUND,
        tuple(() for _ in range(robots)) if routes is None else routes,
        np.zeros(n),
        np.zeros(n),
        makespan_s=_longest(problem),
        reason="no schedule was found in the time given",
    )
    proof = improve(
        problem,
        blank,
        range(n) if routes is None else (),
        seconds=max(MODEL_S, effort.left_s),
        effort=np.inf if effort.iterations is None else MODEL_EFFORT,
        workers=effort.workers,
        seed=effort.seed(),
    )
    if proof.schedule.status is Status.SOLVED:
        return replace(proof.schedule, lower_bound_s=proof.lower_bound_s, optimal=proof.optimal)
    if proof.optimal:
        reason = "the robots always end up waiting for each other"
        return Schedule(Status.UNSOLVABLE, reason=reason)
    return Schedule(Status.NOT_FOUND, reason=blank.reason)


def _longest(problem: TeamProblem) -> float:
    """Return a makespan that is enough to do everything one after the other."""
    travel = np.concatenate([problem.travel_s, problem.approach_s[:, None]], axis=1)
    longest = [
        np.where(np.isfinite(problem.duration_s), problem.duration_s, 0.0).max(axis=1),
        np.where(np.isfinite(travel), travel, 0.0).max(axis=(0, 1)),
    ]
    return (
        float(sum(part.sum() for part in longest) + sum(p.lag_s for p in problem.precedences)) + 1
    )
