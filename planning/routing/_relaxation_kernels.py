"""Compiled recursion of the state-space relaxation: what the rest of a route costs at least."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled


class Steps(NamedTuple):
    """What leads from state to state: a state is (stops made, set of the tracked ones among them, node)."""

    arcs: Floats
    """(nodes, nodes) priced cost to the first from the second; inf where no route goes there."""
    closing: Floats
    """(nodes,) 0 where a route can end, else inf."""
    owner: Ints
    """(nodes,) the stop a node belongs to."""
    first: Ints
    """(n + 1,) offsets: the nodes of stop j are first[j]:first[j + 1]."""
    after: Ints
    """(sets, n) the set with one stop more, −1 if the stop may not follow."""
    size: Ints
    """(sets,) ascending."""


class Rest(NamedTuple):
    """Least costs from each state (n + 1, sets, nodes) to the end."""

    best: Floats
    other: Floats
    """Over a different next stop, so that a route never returns at once to the stop it comes from."""
    following: Ints
    """The stop that the best goes to next."""


@compiled
def complete(steps: Steps, rest: Rest) -> None:
    """Fill the least cost from each state to the end, by the number of stops made, from the last."""
    arcs, closing, owner, first, after, size = steps
    best, other, following = rest
    stops, sets, nodes = best.shape[0] - 1, best.shape[1], best.shape[2]
    untracked = stops - size[sets - 1]
    best[:], other[:], following[:] = np.inf, np.inf, -1
    best[stops, sets - 1] = closing
    reach = np.empty(nodes)
    for q in range(stops - 1, 0, -1):
        for s in range(sets):
            if not 0 <= q - size[s] <= untracked:
                continue
            for j in range(stops):
                t = after[s, j]
                if t < 0 or best[q + 1, t, first[j] : first[j + 1]].min() == np.inf:
                    continue
                reach[:] = np.inf
                for w in range(first[j], first[j + 1]):
                    _relax(
                        arcs[w],
                        owner,
                        best[q + 1, t, w],
                        other[q + 1, t, w],
                        following[q + 1, t, w],
                        reach,
                    )
                _merge(reach, j, best[q, s], other[q, s], following[q, s])


@compiled
def _relax(
    arcs: Floats, owner: Ints, best: float, other: float, barred: int, reach: Floats
) -> None:
    """Lower the cost of going over one node, from every node; from stop ``barred`` over the other stop."""
    for v in range(len(reach)):
        cost = arcs[v] + (other if owner[v] == barred else best)
        reach[v] = min(reach[v], cost)


@compiled
def _merge(reach: Floats, stop: int, best: Floats, other: Floats, following: Ints) -> None:
    """Take note of what going to one stop next costs from every node."""
    for v in range(len(reach)):
        if reach[v] < best[v]:
            other[v] = best[v]
            best[v] = reach[v]
            following[v] = stop
        elif reach[v] < other[v]:
            other[v] = reach[v]


@compiled
def visits(steps: Steps, rest: Rest, v: int, s: int, count: Ints) -> None:
    """Count how often the cheapest relaxed route makes each stop, from its first node and set on."""
    arcs, _, owner, first, after, _ = steps
    best, other, following = rest
    stops = len(count)
    count[:] = 0
    count[owner[v]] += 1
    before = -1
    for q in range(1, stops):
        j = _next_stop(steps, rest, q, s, v, before)
        t = after[s, j]
        at, least = -1, np.inf
        for w in range(first[j], first[j + 1]):
            barred = following[q + 1, t, w] == owner[v]
            cost = arcs[w, v] + (other if barred else best)[q + 1, t, w]
            if cost < least:
                least, at = cost, w
        before, v, s = owner[v], at, t
        count[owner[v]] += 1


@compiled
def _next_stop(steps: Steps, rest: Rest, q: int, s: int, v: int, before: int) -> int:
    """Return the stop that the cheapest route goes on to, which is not the one before."""
    arcs, _, owner, _, after, _ = steps
    best, other, following = rest
    if following[q, s, v] != before:
        return int(following[q, s, v])
    stop, least = -1, np.inf
    for w in range(len(owner)):
        j = owner[w]
        t = after[s, j]
        if t < 0 or j == before:
            continue
        barred = following[q + 1, t, w] == owner[v]
        cost = arcs[w, v] + (other if barred else best)[q + 1, t, w]
        if cost < least:
            stop, least = j, cost
    return stop
