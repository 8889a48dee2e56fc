"""A lower bound on the cost of a route, by Lagrangian relaxation (Held and Karp 1971).

The relaxation asks for a tree instead of a path: the cheapest arborescence from the start over all
stops to the end. A price on every node, paid by leaving it and refunded by entering it, makes no
difference to a path and drives the tree towards one; every price gives a valid bound, and subgradient
ascent finds good ones. Arcs that precedence and the gripper exclude are left out from the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.routing._bound_kernels import arborescence, reduce_groups
from commonground.planning.routing.problem import RouteProblem, before_matrix

ITERATIONS = 300
PATIENCE = 15
"""Iterations without progress after which the step is halved."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """Arcs between alternatives: the start first, then every alternative of every stop, the end last."""

    cost: Floats
    """(v, v) finite; ``missing`` where no route can use the arc."""
    group: Ints
    """(v,) 0 for the start, 1 + stop, n + 1 for the end."""
    missing: float


def lower_bound(
    problem: RouteProblem, upper: float = np.inf, iterations: int = ITERATIONS
) -> float:
    """Return a number that no route costs less than; inf when that shows there is no route.

    ``upper`` is the cost of a known route: it sets the length of the steps and ends the ascent early.
    """
    relaxation = relax(problem)
    n = len(problem.stops) + 2
    price = np.zeros(len(relaxation.cost))
    weight, tail, head = np.empty((n, n)), np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    best, step, stale = 0.0, 1.0, 0
    for _ in range(iterations):
        reduce_groups(relaxation.cost, relaxation.group, price, weight, tail, head)
        parents = arborescence(np.where(np.isfinite(weight), weight, relaxation.missing))
        stops = np.arange(1, n)
        tails, heads = tail[parents[1:], stops], head[parents[1:], stops]
        value = float(weight[parents[1:], stops].sum()) + price[-1] - price[0]
        if value >= relaxation.missing / 2:
            return np.inf
        stale = 0 if value > best + 1e-9 * abs(best) else stale + 1
        best = max(best, value)
        slope = _slope(tails, heads, len(price))
        norm = float(slope @ slope)
        if norm == 0 or best >= upper * (1 - 1e-9):
            break
        if stale > PATIENCE:
            step, stale = step / 2, 0
        target = upper if np.isfinite(upper) else 1.05 * max(best, value) + 1e-9
        price += step * max(target - value, 1e-3 * abs(target)) / norm * slope
    return min(best, upper)


def _slope(tails: Ints, heads: Ints, count: int) -> Floats:
    """Return how often the tree leaves each node minus how often it enters it; a path: 0 everywhere."""
    slope = np.bincount(tails, minlength=count) - np.bincount(heads, minlength=count)
    slope[0] -= 1
    slope[-1] += 1
    return slope.astype(float)


def relax(problem: RouteProblem) -> Relaxation:
    """Return the arcs that a route can use."""
    n = len(problem.stops)
    nodes = [0, *(v for stop in problem.stops for v in stop)]
    group = np.array([0, *(s + 1 for s, stop in enumerate(problem.stops) for _ in stop), n + 1])
    cost = np.full((len(nodes) + 1, len(nodes) + 1), np.inf)
    cost[:-1, :-1] = problem.cost[np.ix_(nodes, nodes)]
    cost[:-1, -1] = 0.0
    cost[~possible_arcs(problem)[np.ix_(group, group)]] = np.inf
    finite = cost[np.isfinite(cost)]
    missing = 1e3 * (1.0 + float(finite.max(initial=0.0))) * (n + 2)
    return Relaxation(np.where(np.isfinite(cost), cost, missing), group, missing)


def possible_arcs(problem: RouteProblem) -> Bools:
    """Return (n + 2, n + 2): whether a route can go directly from group to group.

    Group 0 is the start, 1 + s is stop s, n + 1 is the end.
    """
    n = len(problem.stops)
    before = np.zeros((n + 2, n + 2), bool)
    before[1:-1, 1:-1] = before_matrix(problem)
    before[0, 1:] = before[1:-1, -1] = True
    between = (before.astype(float) @ before.astype(float)) > 0
    possible: Bools = ~before.T & ~between & ~np.eye(n + 2, dtype=bool)
    possible[0, -1] = n == 0
    if problem.capacity == 1:
        _apply_gripper(problem, possible)
    return possible


def _apply_gripper(problem: RouteProblem, possible: Bools) -> None:
    """Keep, between stops that use the one gripper, only pickup to its drop-off and drop-off to pickup."""
    pickups = [p + 1 for p, _ in problem.deliveries if p is not None]
    dropoffs = [d + 1 for _, d in problem.deliveries if d is not None]
    kept = possible.copy()
    gripper = pickups + dropoffs
    possible[np.ix_(gripper, gripper)] = False
    possible[np.ix_(dropoffs, pickups)] = kept[np.ix_(dropoffs, pickups)]
    for pickup, dropoff in problem.deliveries:
        if pickup is not None and dropoff is not None:
            possible[pickup + 1, dropoff + 1] = kept[pickup + 1, dropoff + 1]
