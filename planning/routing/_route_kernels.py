"""Compiled pricing of a route: least costs from the start to each stop, and from each stop to the end.

A route is an array of stops; which alternative node each is made at is never fixed but minimized over,
by the least costs ``ahead[p, a]`` from the start to alternative a of the stop at position p, and
``behind[p, a]`` from there to the end. With them any insertion is priced exactly in constant time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled


class Data(NamedTuple):
    """A route problem in arrays for the kernels."""

    cost: Floats
    """(m, m), finite: an arc that does not exist costs ``missing``."""
    nodes: Ints
    """(n, k) alternative nodes of each stop."""
    width: Ints
    """(n,) how many alternatives each stop has; the rest of its row is padding."""
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
    return leaving(data, state, 0, 0)


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
        return 0.0
    best = np.inf
    stop = state.order[p]
    for a in range(data.width[stop]):
        best = min(best, data.cost[node, data.nodes[stop, a]] + state.behind[p, a])
    return best


@compiled
def arriving(data: Data, state: State, node: int, p: int) -> float:
    """Return the least cost from the start over the stops at positions before p to a node."""
    if p == 0:
        return float(data.cost[0, node])
    best = np.inf
    stop = state.order[p - 1]
    for a in range(data.width[stop]):
        best = min(best, state.ahead[p - 1, a] + data.cost[data.nodes[stop, a], node])
    return best
