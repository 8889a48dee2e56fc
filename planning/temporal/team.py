"""A team problem in the arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import TopologicalSorter

import numpy as np

from commonground.arrays import Ints
from commonground.planning.temporal._team_kernels import Lags, Shared, State, Team
from commonground.planning.temporal.problem import TeamProblem

Arcs = dict[tuple[int, int, bool], float]
"""(before, after, counted from the start of before) → least lag."""


def kernel_team(problem: TeamProblem) -> Team:
    """Return the problem in arrays, with the precedences that follow from others."""
    n = len(problem.duration_s)
    able = np.ascontiguousarray(problem.able.T)
    travel = np.concatenate([problem.travel_s, problem.approach_s[:, None, :]], axis=1)
    parts = [problem.duration_s[problem.able], travel[np.isfinite(travel)]]
    lags = sum(p.lag_s for p in problem.precedences)
    never = (
        10.0 * (n + 1) * (1.0 + max(float(part.max(initial=0.0)) for part in parts)) + 10.0 * lags
    )
    arcs = implied_arcs(problem)
    into = _lags(n, ((after, before, lag, s) for (before, after, s), lag in arcs.items()))
    out = _lags(n, ((before, after, lag, s) for (before, after, s), lag in arcs.items()))
    duration = np.where(able, problem.duration_s.T, never)
    soonest = duration.min(axis=0)
    for (before, _, from_start), lag in arcs.items():
        if from_start:
            soonest[before] = min(soonest[before], lag)
    return Team(
        duration,
        able,
        np.where(np.isfinite(travel), travel, never),
        into,
        out,
        soonest,
        _nearest(problem),
        _shared(problem),
        never,
    )


def implied_arcs(problem: TeamProblem) -> Arcs:
    """Return all precedences, also those over other tasks, each with the longest lag it implies."""
    shortest = problem.duration_s.min(axis=1)
    given: dict[int, Arcs] = {}
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for p in problem.precedences:
        sorter.add(p.after, p.before)
        key = (p.before, p.after, p.from_start)
        arcs = given.setdefault(p.after, {})
        arcs[key] = max(p.lag_s, arcs.get(key, 0.0))
    into: dict[int, Arcs] = {}
    for task in sorter.static_order():
        found = dict(given.get(task, {}))
        for (middle, _, from_start), lag in given.get(task, {}).items():
            onward = lag if from_start else lag + float(shortest[middle])
            for (before, _, counted_from_start), first in into.get(middle, {}).items():
                key = (before, task, counted_from_start)
                found[key] = max(found.get(key, 0.0), first + onward)
        into[task] = found
    return {key: lag for arcs in into.values() for key, lag in sorted(arcs.items())}


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
        np.full(n, -1),
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


def _lags(n: int, rows: Iterable[tuple[int, int, float, bool]]) -> Lags:
    """Return rows (task, other task, lag, from start) in the order of the tasks."""
    ordered = sorted(rows)
    offsets = np.searchsorted([row[0] for row in ordered], np.arange(n + 1)).astype(np.int64)
    others = np.array([row[1] for row in ordered], np.int64)
    lags = np.array([row[2] for row in ordered], float)
    return Lags(offsets, others, lags, np.array([row[3] for row in ordered], bool))


def _shared(problem: TeamProblem) -> Shared:
    """Return the resources and what each task uses of them, in the order of the tasks."""
    rows = sorted((t, m, u) for m, r in enumerate(problem.resources) for t, u in r.use)
    tasks = np.arange(len(problem.duration_s) + 1)
    offsets = np.searchsorted([row[0] for row in rows], tasks).astype(np.int64)
    table = np.array([row[1:] for row in rows], np.int64).reshape(-1, 2)
    return Shared(
        offsets,
        table[:, 0].copy(),
        table[:, 1].copy(),
        np.array([r.capacity for r in problem.resources], np.int64),
        np.array([r.held for r in problem.resources], bool),
    )


def _nearest(problem: TeamProblem) -> Ints:
    """Return (n, n): for each task all tasks by the time between them, itself first."""
    apart = problem.travel_s.min(axis=0)
    apart = np.minimum(apart, apart.T)
    np.fill_diagonal(apart, -1.0)
    return np.argsort(apart, axis=1, kind="stable")
