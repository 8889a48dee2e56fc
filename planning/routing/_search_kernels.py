"""Compiled large-neighborhood search over the order of stops.

A route is an array of stops; which alternative node each is made at is never fixed but minimized over,
by the least costs ``ahead[p, a]`` from the start to alternative a of the stop at position p, and
``behind[p, a]`` from there to the end. With them any insertion is priced exactly in constant time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.planning.routing.random_state import RandomState, below, uniform

SKIP = 0.01
"""Probability that an insertion position is overlooked (Christiaens and Vanden Berghe 2020)."""
LONGEST_STRING = 10
"""At most so many consecutive stops are taken out at once."""
REARRANGED = 0.2
"""Share of the iterations that rearrange the route instead of taking stops out."""
NEAR = 8
"""Rearranging brings a stop next to one of so many nearest."""
LONGEST_SEGMENT = 30
"""At most so many stops are moved in one piece."""


class Data(NamedTuple):
    """A route problem in arrays for the kernels."""

    cost: Floats
    """(m, m), finite: a way that does not exist costs ``missing``."""
    nodes: Ints
    """(n, k) alternative nodes of each stop."""
    width: Ints
    """(n,) how many alternatives each stop has; the rest of its row is padding."""
    start: int
    closing: Floats
    """(m,) cost from each node to the fixed end; zeros when the end is free."""
    before: Bools
    """(n, n) transitively closed precedence."""
    mate: Ints
    """(n,) other end of the stop's delivery, −1 for none."""
    change: Ints
    """(n,) how the stop changes the load."""
    load: int
    """Things carried at the start."""
    capacity: int
    near: Ints
    """(n, n) for each stop all stops, nearest first."""
    pairs: Ints
    """(p, 2) stops (earlier, later)."""


class State(NamedTuple):
    """A route being changed: buffers that every kernel shares."""

    order: Ints
    """(n,) stops; the first ``length[0]`` are in the route."""
    length: Ints
    """(1,)"""
    ahead: Floats
    """(n + 1, k)"""
    behind: Floats
    """(n + 1, k)"""
    loads: Ints
    """(n + 1,) load before position p, counting only deliveries that are in the route."""


@compiled
def measure(data: Data, state: State) -> float:
    """Refresh ahead, behind and loads of the present route; return its cost."""
    n = state.length[0]
    _measure_loads(data, state)
    for p in range(n):
        stop = state.order[p]
        for a in range(data.width[stop]):
            state.ahead[p, a] = arriving(data, state, data.nodes[stop, a], p)
    for p in range(n - 1, -1, -1):
        stop = state.order[p]
        for a in range(data.width[stop]):
            state.behind[p, a] = leaving(data, state, data.nodes[stop, a], p + 1)
    return leaving(data, state, data.start, 0)


@compiled
def _measure_loads(data: Data, state: State) -> None:
    """Count what is carried; a delivery that is out of the route weighs nothing."""
    n = state.length[0]
    load = 0
    for p in range(n):
        stop = state.order[p]
        load += data.change[stop] < 0 and data.mate[stop] < 0
    state.loads[0] = load
    for p in range(n):
        load += data.change[state.order[p]]
        state.loads[p + 1] = load


@compiled
def leaving(data: Data, state: State, node: int, p: int) -> float:
    """Return the least cost from a node over the stops at positions p and later to the end."""
    if p == state.length[0]:
        return float(data.closing[node])
    best = np.inf
    stop = state.order[p]
    for a in range(data.width[stop]):
        best = min(best, data.cost[node, data.nodes[stop, a]] + state.behind[p, a])
    return best


@compiled
def arriving(data: Data, state: State, node: int, p: int) -> float:
    """Return the least cost from the start over the stops at positions before p to a node."""
    if p == 0:
        return float(data.cost[data.start, node])
    best = np.inf
    stop = state.order[p - 1]
    for a in range(data.width[stop]):
        best = min(best, state.ahead[p - 1, a] + data.cost[data.nodes[stop, a], node])
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
def best_single(data: Data, state: State, stop: int, random: RandomState) -> tuple[float, int]:
    """Return the least cost of the route with the stop inserted, and the position (−1: nowhere).

    A drop-off without pickup is carried from the start up to its position, a pickup without drop-off
    from its position to the end; both need room all that way.
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
def put(state: State, stop: int, p: int) -> None:
    """Insert a stop at a position without refreshing anything."""
    for i in range(state.length[0], p, -1):
        state.order[i] = state.order[i - 1]
    state.order[p] = stop
    state.length[0] += 1


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
def ruin(data: Data, state: State, out: Ints, marked: Bools, random: RandomState) -> int:
    """Take a few strings of stops near each other out of the route into ``out``; return how many.

    Strings start around a random stop and then around its nearest neighbors, as in slack induction by
    string removals; the other end of a delivery leaves with it.
    """
    n = state.length[0]
    marked[:] = False
    target = 1 + below(random, min(LONGEST_STRING, n))
    seed = state.order[below(random, n)]
    count, place = 0, 0
    while count < target and place < n:
        center = data.near[seed, place]
        place += 1
        if marked[center]:
            continue
        length = 1 + below(random, target - count)
        at = 0
        while state.order[at] != center:
            at += 1
        first = max(0, min(n - length, at - below(random, length)))
        for p in range(first, min(n, first + length)):
            count += _mark(data, state.order[p], marked)
    kept = taken = 0
    for p in range(n):
        stop = state.order[p]
        if marked[stop]:
            out[taken] = stop
            taken += 1
        else:
            state.order[kept] = stop
            kept += 1
    state.length[0] = kept
    return taken


@compiled
def _mark(data: Data, stop: int, marked: Bools) -> int:
    """Mark a stop and its mate; return how many were new."""
    new = 0 if marked[stop] else 1
    marked[stop] = True
    mate = data.mate[stop]
    if mate >= 0 and not marked[mate]:
        marked[mate] = True
        new += 1
    return new


@compiled
def rearrange(data: Data, state: State, random: RandomState) -> float:
    """Bring two near stops next to each other by 2-opt or a segment move; return the cost or inf.

    These undo crossings between far parts of a long route, which taking out strings cannot.
    """
    n = state.length[0]
    i = below(random, n)
    v = data.near[state.order[i], 1 + below(random, min(NEAR, n - 1))]
    j = 0
    while state.order[j] != v:
        j += 1
    if uniform(random) < 0.5:
        if i < j:
            _reverse(state.order, i + 1, j)
        else:
            _reverse(state.order, j, i - 1)
    else:
        _move_segment(state.order, i, j, 1 + below(random, LONGEST_SEGMENT), uniform(random) < 0.5)
    return measure(data, state) if _allowed(data, state) else np.inf


@compiled
def _reverse(order: Ints, first: int, last: int) -> None:
    while first < last:
        order[first], order[last] = order[last], order[first]
        first += 1
        last -= 1


@compiled
def _move_segment(order: Ints, i: int, j: int, length: int, flip: bool) -> None:
    """Move the stops from position j on to just behind position i, by rotating what lies between."""
    if j > i:
        last = min(len(order) - 1, j + length - 1)
        moved = last - j + 1
        first = i + 1
    else:
        last = i
        moved = min(length, i - j)
        first = j
        _reverse(order, first, first + moved - 1)
        _reverse(order, first + moved, last)
        _reverse(order, first, last)
        if flip:
            _reverse(order, last - moved + 1, last)
        return
    _reverse(order, first, j - 1)
    _reverse(order, j, last)
    _reverse(order, first, last)
    if flip:
        _reverse(order, first, first + moved - 1)


@compiled
def _allowed(data: Data, state: State) -> bool:
    """Return whether the whole route keeps precedence and capacity."""
    position = np.empty(len(state.order), np.int64)
    load = data.load
    for p in range(len(state.order)):
        stop = state.order[p]
        position[stop] = p
        load += data.change[stop]
        if load > data.capacity:
            return False
    late = 0
    for i in range(len(data.pairs)):
        late += position[data.pairs[i, 0]] > position[data.pairs[i, 1]]
    return late == 0


@compiled
def anneal(
    data: Data,
    state: State,
    current: Ints,
    best: Ints,
    costs: Floats,
    random: RandomState,
    iterations: int,
    temperature: float,
    cooling: float,
) -> float:
    """Ruin and recreate from ``current``, keep the best route in ``best``; return the temperature.

    ``costs`` (2,) are those of current and best. A worse route is kept when it is worse by less than
    an exponential random number times the temperature.
    """
    n = len(current)
    out, marked = np.empty(n, np.int64), np.zeros(n, np.bool_)
    for _ in range(iterations):
        state.order[:] = current
        state.length[0] = n
        if n > 1 and uniform(random) < REARRANGED:
            total = rearrange(data, state, random)
        else:
            count = ruin(data, state, out, marked, random)
            total = recreate(data, state, out, count, random)
        if total < costs[0] - temperature * np.log(max(uniform(random), 1e-300)):
            current[:] = state.order
            costs[0] = total
            if total < costs[1]:
                best[:] = state.order
                costs[1] = total
        temperature *= cooling
    return temperature
