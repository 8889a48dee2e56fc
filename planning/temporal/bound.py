"""Lower bounds on the makespan of a team.

Every task has to be reached and done by somebody. The busy bound weights the
robots so that their weights add up to 1: the weighted sum of their working times is never above the
makespan. Working times are those of paths, one a robot; relaxed to a tree from all robots' positions over
all tasks, with a price for leaving a place more than once, they can be minimized exactly (Held and Karp
1971, here for several open paths).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from commonground.arrays import Floats, Ints
from commonground.planning.routing._bound_kernels import arborescence
from commonground.planning.temporal.problem import TeamProblem

ITERATIONS = 200
PATIENCE = 12
"""Iterations without progress after which the step is halved."""
SHIFT = 0.1
"""Step of the robots' weights, relative to how unevenly the tree loads them."""


def lower_bound(problem: TeamProblem, upper: float = np.inf, iterations: int = ITERATIONS) -> float:
    """Return a number that no makespan is below; ``upper`` is a known one, for the step length."""
    if not len(problem.duration_s):
        return 0.0
    heads = earliest_starts(problem)
    bound = float((heads + problem.duration_s.min(axis=1)).max())
    if bound < upper:
        bound = max(bound, busy_bound(problem, upper, iterations))
    return min(bound, upper)


def earliest_starts(problem: TeamProblem) -> Floats:
    """Return (n,) when each task could start at the earliest if robots were everywhere in plenty."""
    n = len(problem.duration_s)
    onward = np.full((n + 1, n + 1), np.inf)
    onward[:n, :n] = problem.duration_s.min(axis=1)[:, None] + problem.travel_s.min(axis=0)
    onward[n, :n] = problem.approach_s.min(axis=0)
    np.fill_diagonal(onward, np.inf)
    rows, columns = np.nonzero(np.isfinite(onward))
    graph = csr_array((onward[rows, columns], (rows, columns)), shape=onward.shape)
    return np.asarray(dijkstra(graph, indices=n)[:n])  # a zero is a length like any other


def busy_bound(problem: TeamProblem, upper: float, iterations: int = ITERATIONS) -> float:
    """Return the bound from the work and travel that the robots have to share."""
    n, robots = problem.duration_s.shape
    times = _arc_times(problem)
    known = np.isfinite(times)
    missing = 1e3 * (1.0 + times[known].max(initial=0.0)) * (n + 1)
    times[~known] = missing
    weights, price = np.full(robots, 1.0 / robots), np.zeros(n + robots)
    best, step, stale = 0.0, 1.0, 0
    columns = np.arange(n)
    for _ in range(iterations):
        weighted = times * weights[:, None, None]
        by = weighted.argmin(axis=0)
        arcs = np.take_along_axis(weighted, by[None], axis=0)[0] + price[:, None]
        tails = _tree(arcs, n)
        value = float(arcs[tails, columns].sum() - price.sum())
        stale = 0 if value > best + 1e-9 * abs(best) else stale + 1
        best = max(best, value)
        if best >= upper * (1 - 1e-9):
            break
        if stale > PATIENCE:
            step, stale = step / 2, 0
        slope = np.bincount(tails, minlength=n + robots) - 1.0
        slope[(price <= 0) & (slope < 0)] = 0.0
        norm = float(slope @ slope)
        target = upper if np.isfinite(upper) else 1.1 * best
        if norm > 0:
            length = step * max(target - value, 1e-3 * target) / norm
            price = np.maximum(0.0, price + length * slope)
        robot = by[tails, columns]
        load = np.zeros(robots)
        np.add.at(load, robot, times[robot, tails, columns])
        weights = _shifted(weights, load, step)
    return best


def _arc_times(problem: TeamProblem) -> Floats:
    """Return (R, n + R, n): time from leaving a task, or robot r's position (row n + r), to a task's end.

    What a robot cannot do is infinite.
    """
    n, robots = problem.duration_s.shape
    times = np.full((robots, n + robots, n), np.inf)
    itself = np.eye(n, dtype=bool)
    for r in range(robots):
        unable = ~problem.able[:, r]
        times[r, :n] = np.where(itself | unable[:, None], np.inf, problem.travel_s[r])
        times[r, n + r] = problem.approach_s[r]
        times[r] += problem.duration_s[:, r]
    return times


def _tree(arcs: Floats, n: int) -> Ints:
    """Return (n,) the row of ``arcs`` by which the cheapest tree enters each task."""
    weight = np.full((n + 1, n + 1), np.inf)
    entry = arcs[n:].argmin(axis=0)
    weight[0, 1:] = arcs[n:][entry, np.arange(n)]
    weight[1:, 1:] = arcs[:n]
    parents = arborescence(weight)[1:]
    return np.where(parents == 0, n + entry, parents - 1)


def _shifted(weights: Floats, load: Floats, step: float) -> Floats:
    """Return weights moved towards the robots with more to do, adding up to 1."""
    mean = float(load.mean())
    moved = weights * np.exp(SHIFT * step * (load - mean) / max(mean, 1e-300))
    return np.asarray(moved / moved.sum())
