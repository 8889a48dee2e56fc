"""Allocation and order for a team by large-neighborhood search."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Ints
from commonground.errors import PlanningError
from commonground.planning.routing.random_state import random_state
from commonground.planning.temporal._ruin_kernels import State, Team, anneal, copy, recreate
from commonground.planning.temporal.problem import (
    Routes,
    Schedule,
    TeamProblem,
    check_schedule,
    timetable,
)

CHUNK = 200
"""Iterations at one temperature."""
HOT, COLD = 0.2, 3e-4
"""First and last temperature in parts of the makespan."""
RETURNS = 20
"""So often the search goes back to the best routes."""


def solve_team(
    problem: TeamProblem, rng: np.random.Generator | None = None, *, iterations: int = 1000
) -> Schedule:
    """Return who does what when, with the smallest makespan found.

    Between equal makespans the one with less travel wins. Work is bounded, and not time: equal seeds give
    equal schedules.
    """
    rng = rng or np.random.default_rng(0)
    n, robots = problem.duration_s.shape
    routes = _search(problem, rng, iterations) if n else ((),) * robots
    schedule = timetable(problem, routes)
    if faults := check_schedule(problem, schedule):
        raise PlanningError(f"the schedule found is not valid, please report this: {faults[0]}")
    return schedule


def _search(problem: TeamProblem, rng: np.random.Generator, iterations: int) -> Routes:
    """Return the best routes found."""
    team, random = _kernel_team(problem), random_state(rng)
    work, current, best = (_no_routes(team) for _ in range(3))
    out = np.arange(team.duration.shape[1])
    value = np.inf
    while not np.isfinite(value):  # seldom all that one robot can do is overlooked
        copy(best, current)
        value = recreate(team, current, out, len(out), 0.0, random)
    copy(current, best)
    values, done, returns = np.full(2, value), 0, 0
    while done < iterations:
        chunk = min(CHUNK, iterations - done)
        heat = HOT * (COLD / HOT) ** (done / iterations) * float(current.end.max())
        anneal(team, work, current, best, values, random, chunk, heat)
        done += chunk
        if done / iterations * RETURNS >= returns + 1:
            returns += 1
            copy(best, current)
            values[0] = values[1]
    return _routes_of(best)


def _kernel_team(problem: TeamProblem) -> Team:
    """Return the problem in the arrays that the kernels read."""
    n = len(problem.duration_s)
    able = np.ascontiguousarray(problem.able.T)
    travel = np.concatenate([problem.travel_s, problem.approach_s[:, None, :]], axis=1)
    longest = max(float(problem.duration_s[problem.able].max()), float(travel.max()))
    duration = np.where(able, problem.duration_s.T, 10.0 * (n + 1) * (1.0 + longest))
    return Team(duration, able, travel, _nearest(problem))


def _nearest(problem: TeamProblem) -> Ints:
    """Return (n, n): for each task all tasks by the time between them, itself first."""
    apart = problem.travel_s.min(axis=0)
    apart = np.minimum(apart, apart.T)
    np.fill_diagonal(apart, -1.0)
    return np.argsort(apart, axis=1, kind="stable")


def _no_routes(team: Team) -> State:
    """Return a state in which no task is in a route."""
    robots, n = team.duration.shape
    return State(
        *(np.full(size, -1) for size in (n, n, robots, n)),
        *(np.zeros(size) for size in (n, n, n, robots)),
    )


def _routes_of(state: State) -> Routes:
    """Return the linked lists as tuples."""
    routes = []
    for first in state.first:
        route, k = [], int(first)
        while k >= 0:
            route.append(k)
            k = int(state.following[k])
        routes.append(tuple(route))
    return tuple(routes)
