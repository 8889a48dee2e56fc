"""Compiled minimum arborescence and the group-to-group costs of the Lagrangian bound."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled


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
