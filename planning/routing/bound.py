"""A lower bound on the cost of a route, by Lagrangian relaxation (Held and Karp 1971).

The relaxation asks for a tree instead of a path: the cheapest arborescence from the start over all
stops to the end. A price on every node, paid by leaving it and refunded by entering it, makes no
difference to a path and drives the tree towards one; every price gives a valid bound, and subgradient
ascent finds good ones. Arcs that precedence and the gripper exclude are left out from the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
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


# ---- compiled loops ----


class Growth(NamedTuple):
    """Contracted nodes, n original ones first, and the path being grown backwards over them."""

    entry: Floats
    """(2n, n) least cost of an arc from an original node into a node."""
    via: Ints
    """(2n, n) the member of a contracted node that this arc enters."""
    source: Ints
    """(2n,) original node that the chosen arc into a node comes from."""
    owner: Ints
    """(2n,) contracted node that a node has become a member of; itself: none."""
    path: Ints
    """(2n,)"""


@compiled
def arborescence(weight: Floats) -> Ints:
    """Return the parents (n,) of the cheapest tree that leads from node 0 to every node.

    Weights (n, n) are finite. Edmonds' algorithm in the dense form of Tarjan (1977): grow a path
    backwards over the cheapest entering arcs, contract each cycle it closes into a new node, and
    expand from the last contraction to the first. O(n²).
    """
    n = len(weight)
    entry, via = np.empty((2 * n, n)), np.empty((2 * n, n), np.int64)
    source, owner, path = np.zeros(2 * n, np.int64), np.arange(2 * n), np.empty(2 * n, np.int64)
    growth = Growth(entry, via, source, owner, path)
    finished = np.zeros(2 * n, np.bool_)
    place = np.full(2 * n, -1)  # position on the path being grown
    entry[:n] = weight.T
    finished[0] = True
    count = n
    for seed in range(1, n):
        x = _top(owner, seed)
        if finished[x]:
            continue
        length = 1
        path[0], place[x] = x, 0
        while True:
            x = path[length - 1]
            u = _cheapest(entry, owner, x, n)
            source[x] = u
            y = _top(owner, u)
            if finished[y]:
                break
            if place[y] >= 0:
                first = place[y]
                _contract(growth, first, length, count)
                y = count
                count += 1
                length = first
            path[length], place[y] = y, length
            length += 1
        for i in range(length):
            finished[path[i]] = True
    for x in range(count - 1, n - 1, -1):
        source[via[x, source[x]]] = source[x]
    return source[:n].copy()


@compiled
def _top(owner: Ints, x: int) -> int:
    """Return the outermost contracted node that holds x, halving the chain for the next question."""
    while owner[x] != x:
        owner[x] = owner[owner[x]]
        x = owner[x]
    return x


@compiled
def _cheapest(entry: Floats, owner: Ints, x: int, n: int) -> int:
    best, at = np.inf, -1
    for u in range(n):
        if entry[x, u] < best and _top(owner, u) != x:
            best, at = entry[x, u], u
    return at


@compiled
def _contract(growth: Growth, first: int, length: int, new: int) -> None:
    """Make the cycle path[first:length] one node: entering a member saves the arc it had."""
    entry, via, source, owner, path = growth
    entry[new] = np.inf
    for i in range(first, length):
        x = path[i]
        saved = entry[x, source[x]]
        for u in range(entry.shape[1]):
            if entry[x, u] - saved < entry[new, u]:
                entry[new, u] = entry[x, u] - saved
                via[new, u] = x
    for i in range(first, length):
        owner[path[i]] = new


@compiled
def reduce_groups(
    cost: Floats, group: Ints, price: Floats, weight: Floats, tail: Ints, head: Ints
) -> None:
    """Fill ``weight[A, B]`` with the least priced arc from a node of group A to one of group B.

    An arc (a, b) is priced cost[a, b] + price[a] − price[b]; its ends go to ``tail`` and ``head``.
    """
    weight[:] = np.inf
    for a in range(len(cost)):
        for b in range(len(cost)):
            value = cost[a, b] + price[a] - price[b]
            if value < weight[group[a], group[b]]:
                weight[group[a], group[b]] = value
                tail[group[a], group[b]] = a
                head[group[a], group[b]] = b
