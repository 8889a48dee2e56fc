"""Compiled large-neighborhood search over the order of stops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.planning.routing._insertion_kernels import recreate
from commonground.planning.routing._route_kernels import Data, State, measure
from commonground.planning.routing.random_state import RandomState, below, uniform

LONGEST_STRING = 10
"""At most so many consecutive stops are taken out at once."""
REARRANGED = 0.2
"""Share of the iterations that rearrange the route instead of taking stops out."""
NEAR = 8
"""Rearranging brings a stop next to one of so many nearest."""
LONGEST_SEGMENT = 30
"""At most so many stops are moved in one piece."""


class Walk(NamedTuple):
    """Where a search is: its present route, the best it has seen, its random numbers."""

    current: Ints
    """(n,)"""
    best: Ints
    """(n,)"""
    costs: Floats
    """(2,) of current and best."""
    random: RandomState


@compiled
def anneal(
    data: Data, state: State, walk: Walk, iterations: int, temperature: float, cooling: float
) -> None:
    """Ruin and recreate from the present route, and keep the best one.

    A worse route is kept when it is worse by less than an exponential random number times the temperature.
    """
    current, best, costs, random = walk
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
