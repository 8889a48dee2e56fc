"""A team problem in the arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import TopologicalSorter

import numpy as np

from commonground.arrays import Ints
from commonground.planning.temporal._timing_kernels import Lags, State, Team
from commonground.planning.temporal.problem import TeamProblem

Arcs = dict[tuple[int, int], float]
"""(before, after) → least time from the end of the one to the start of the other."""


def kernel_team(problem: TeamProblem) -> Team:
    """Return the problem in arrays, with the precedences that follow from others."""
    n = len(problem.duration_s)
    able = np.ascontiguousarray(problem.able.T)
    travel = np.concatenate([problem.travel_s, problem.approach_s[:, None, :]], axis=1)
    parts = [problem.duration_s[problem.able], travel[np.isfinite(travel)]]
    never = 10.0 * (n + 1) * (1.0 + max(float(part.max(initial=0.0)) for part in parts))
    arcs = implied_arcs(problem)
    into = _lags(n, ((after, before, lag) for (before, after), lag in arcs.items()))
    out = _lags(n, ((before, after, lag) for (before, after), lag in arcs.items()))
    duration = np.where(able, problem.duration_s.T, never)
    return Team(
        duration,
        able,
        np.where(np.isfinite(travel), travel, never),
        into,
        out,
        duration.min(axis=0),
        _nearest(problem),
        never,
    )


def implied_arcs(problem: TeamProblem) -> Arcs:
    """Return all precedences, also those over other tasks, each with the longest lag it implies."""
    shortest = problem.duration_s.min(axis=1)
    given: dict[int, set[int]] = {}
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for before, after in problem.precedences:
        sorter.add(after, before)
        given.setdefault(after, set()).add(before)
    into: dict[int, dict[int, float]] = {}
    for task in sorter.static_order():
        found = dict.fromkeys(given.get(task, ()), 0.0)
        for middle in given.get(task, ()):
            for before, first in into[middle].items():
                found[before] = max(found.get(before, 0.0), first + float(shortest[middle]))
        into[task] = found
    return {
        (before, task): lag for task, lags in into.items() for before, lag in sorted(lags.items())
    }


def new_state(team: Team) -> State:
    """Return a state in which no task is in a route."""
    robots, n = team.duration.shape
    return State(
        np.full(n, -1),
        np.full(n, -1),
        np.full(robots, -1),
        np.full(n, -1),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(1),
    )


def routes_of(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the linked lists as tuples."""
    routes = []
    for first in state.first:
        route, k = [], int(first)
        while k >= 0:
            route.append(k)
            k = int(state.following[k])
        routes.append(tuple(route))
    return tuple(routes)


def _lags(n: int, rows: Iterable[tuple[int, int, float]]) -> Lags:
    """Return rows (task, other task, lag) in the order of the tasks."""
    ordered = sorted(rows)
    offsets = np.searchsorted([row[0] for row in ordered], np.arange(n + 1)).astype(np.int64)
    others = np.array([row[1] for row in ordered], np.int64)
    return Lags(offsets, others, np.array([row[2] for row in ordered], float))


def _nearest(problem: TeamProblem) -> Ints:
    """Return (n, n): for each task all tasks by the time between them, itself first."""
    apart = problem.travel_s.min(axis=0)
    apart = np.minimum(apart, apart.T)
    np.fill_diagonal(apart, -1.0)
    return np.argsort(apart, axis=1, kind="stable")
