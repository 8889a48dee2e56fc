"""Compiled insertion of stops and deliveries into a route, each where it costs least."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.planning.routing._route_kernels import Data, State, arriving, leaving, measure
from commonground.planning.routing.random_state import RandomState, below, uniform

SKIP = 0.01
"""Probability that an insertion position is overlooked (Christiaens and Vanden Berghe 2020)."""


@compiled
def recreate(data: Data, state: State, out: Ints, count: int, random: RandomState) -> float:
    """Insert the first ``count`` stops of ``out`` where each costs least; return the cost or inf.

    The order of insertion is shuffled; a delivery is inserted whole when its pickup comes up.
    """
    reach = np.empty((2, data.nodes.shape[1]))
    for i in range(count - 1, 0, -1):
        j = below(random, i + 1)
        out[i], out[j] = out[j], out[i]
    total = measure(data, state)
    for i in range(count):
        stop, mate = out[i], data.mate[out[i]]
        if mate < 0:
            total, p = best_single(data, state, stop, random)
            if p < 0:
                return np.inf
            put(state, stop, p)
        elif data.change[stop] > 0:
            total, p, q = best_pair(data, state, stop, mate, random, reach)
            if p < 0:
                return np.inf
            put(state, mate, q)
            put(state, stop, p)
        else:
            continue
        total = measure(data, state)
    return total


@compiled
def put(state: State, stop: int, p: int) -> None:
    """Insert a stop at a position without refreshing anything."""
    for i in range(state.length[0], p, -1):
        state.order[i] = state.order[i - 1]
    state.order[p] = stop
    state.length[0] += 1


@compiled
def best_single(data: Data, state: State, stop: int, random: RandomState) -> tuple[float, int]:
    """Return the least cost of the route with the stop inserted, and the position (−1: nowhere).

    A drop-off without pickup is carried from the start up to its position, a pickup without drop-off
    from its position to the end; both need room until there.
    """
    low, high = window(data, state, stop)
    first, last = _roomy(data, state, stop)
    best, where = np.inf, -1
    for p in range(max(low, first), min(high, last) + 1):
        if uniform(random) < SKIP:
            continue
        for a in range(data.width[stop]):
            v = data.nodes[stop, a]
            total = arriving(data, state, v, p) + leaving(data, state, v, p)
            if total < best:
                best, where = total, p
    return best, where


@compiled
def best_pair(
    data: Data, state: State, pickup: int, dropoff: int, random: RandomState, reach: Floats
) -> tuple[float, int, int]:
    """Return the least cost with a delivery inserted, and both positions in the route without it.

    ``reach[a]`` (2, k) holds the cost from the start, with the pickup made at position p, to each
    alternative of the last stop so far, while the drop-off moves to the right as long as there is room.
    """
    low, high = window(data, state, pickup)
    low_drop, high_drop = window(data, state, dropoff)
    best, at_pickup, at_dropoff = np.inf, -1, -1
    for p in range(low, high + 1):
        if uniform(random) < SKIP:
            continue
        last = pickup
        for a in range(data.width[pickup]):
            reach[0, a] = arriving(data, state, data.nodes[pickup, a], p)
        for q in range(p, high_drop + 1):
            if state.loads[q] + 1 > data.capacity:
                break
            if q > p:
                _advance(data, last, state.order[q - 1], reach)
                last = state.order[q - 1]
            if q >= low_drop:
                total = _dropping(data, state, last, dropoff, q, reach)
                if total < best:
                    best, at_pickup, at_dropoff = total, p, q
    return best, at_pickup, at_dropoff


@compiled
def _advance(data: Data, last: int, stop: int, reach: Floats) -> None:
    """Move ``reach`` from the alternatives of one stop on to those of the next."""
    for a in range(data.width[stop]):
        best = np.inf
        for b in range(data.width[last]):
            best = min(best, reach[0, b] + data.cost[data.nodes[last, b], data.nodes[stop, a]])
        reach[1, a] = best
    reach[0] = reach[1]


@compiled
def _dropping(data: Data, state: State, last: int, dropoff: int, q: int, reach: Floats) -> float:
    """Return the cost of the route that goes from ``reach`` to the drop-off and on at position q."""
    best = np.inf
    for a in range(data.width[dropoff]):
        v = data.nodes[dropoff, a]
        arrive = np.inf
        for b in range(data.width[last]):
            arrive = min(arrive, reach[0, b] + data.cost[data.nodes[last, b], v])
        best = min(best, arrive + leaving(data, state, v, q))
    return best


@compiled
def window(data: Data, state: State, stop: int) -> tuple[int, int]:
    """Return the first and the last position where precedence lets the stop be inserted."""
    low, high = 0, state.length[0]
    for p in range(state.length[0]):
        if data.before[state.order[p], stop]:
            low = p + 1
    for p in range(state.length[0] - 1, -1, -1):
        if data.before[stop, state.order[p]]:
            high = p
    return low, high


@compiled
def _roomy(data: Data, state: State, stop: int) -> tuple[int, int]:
    """Return the first and the last position where a single stop has room for what it carries."""
    n = state.length[0]
    first, last = 0, n
    if data.change[stop] == 0:
        return first, last
    for p in range(n + 1):
        if state.loads[p] + 1 > data.capacity:
            if data.change[stop] > 0:
                first = p + 1
            else:
                last = min(last, p - 1)
    return first, last
