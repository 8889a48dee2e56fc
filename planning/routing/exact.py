"""The shortest route by dynamic programming over sets of stops (Bellman 1962, Held and Karp 1962)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.routing.problem import RouteProblem, before_matrix

MOST_STOPS = 40
"""Above this the sets are not even counted."""
MOST_OPERATIONS = 40_000_000
"""Additions spent on a table, about a tenth of a second each 40 million."""


@dataclass(frozen=True, slots=True)
class Layer:
    """All sets of one size that the robot may have visited: closed under precedence, within capacity."""

    sets: Ints
    """(s,) bit j says that stop j has been made; ascending."""
    load: Ints
    """(s,) how many things are carried after the set."""


def layers_within(problem: RouteProblem, operations: int = MOST_OPERATIONS) -> list[Layer] | None:
    """Return the feasible sets by size, or None where the table over them would be too large.

    A list shorter than the number of stops plus one proves that no order of the stops is feasible.
    """
    n, nodes = len(problem.stops), sum(map(len, problem.stops))
    if n > MOST_STOPS:
        return None
    before = before_matrix(problem)
    needs = before.T @ (1 << np.arange(n, dtype=np.int64)) if n else np.zeros(0, np.int64)
    change, load = problem.load_changes()
    layers = [Layer(np.zeros(1, np.int64), np.full(1, load))] if load <= problem.capacity else []
    work = 0
    while layers and len(layers) <= n:
        successor = _next_layer(layers[-1], needs, change, problem.capacity)
        if not len(successor.sets):
            break
        layers.append(successor)
        work += len(successor.sets) * nodes * nodes
        if work > operations:
            return None
    return layers


def _next_layer(layer: Layer, needs: Ints, change: list[int], capacity: int) -> Layer:
    sets, loads = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for stop, delta in enumerate(change):
        allowed = _may_follow(layer, stop, needs, delta, capacity)
        sets.append(layer.sets[allowed] | (1 << stop))
        loads.append(layer.load[allowed] + delta)
    unique, first = np.unique(np.concatenate(sets), return_index=True)
    return Layer(unique, np.concatenate(loads)[first])


def _may_follow(layer: Layer, stop: int, needs: Ints, delta: int, capacity: int) -> Ints:
    """Return which sets of the layer may be followed by the stop."""
    fresh = (layer.sets >> stop) & 1 == 0
    enabled = layer.sets & needs[stop] == needs[stop]
    return np.flatnonzero(fresh & enabled & (layer.load + delta <= capacity))


def shortest(
    problem: RouteProblem, layers: list[Layer]
) -> tuple[list[int], list[int], float] | None:
    """Return stops in order, the node of each, and the cost; None: no route reaches everything.

    ``tables[k][s, v]`` is the least cost of a path that makes the stops of set s and ends at column v,
    v being an alternative of one of them. A set and its last stop determine the set before, so every
    entry is written once, and the way back is found by looking for the predecessor again.
    """
    n = len(problem.stops)
    if len(layers) <= n:
        return None
    columns = np.array([v for stop in problem.stops for v in stop], np.int64)
    first = np.cumsum([0, *map(len, problem.stops)])
    between = problem.cost[np.ix_(columns, columns)]
    tables = [problem.cost[0, columns][None]]  # read as "the robot stands at the start"
    for size in range(1, n + 1):
        tables.append(_extend(problem, layers, tables[-1], size, between, first))
    if n == 0:
        return [], [], 0.0
    final = tables[-1][0]
    last = int(np.argmin(final))
    if not np.isfinite(final[last]):
        return None
    chain = _way_back(layers, tables, last, between, first)
    return [_owner(first, v) for v in chain], [int(columns[v]) for v in chain], float(final[last])


def _extend(
    problem: RouteProblem,
    layers: list[Layer],
    table: Floats,
    size: int,
    between: Floats,
    first: Ints,
) -> Floats:
    """Return the table of the sets of ``size`` stops from that of the sets one smaller."""
    previous, layer = layers[size - 1], layers[size]
    out = np.full((len(layer.sets), len(between)), np.inf)
    for stop in range(len(problem.stops)):
        rows = np.flatnonzero((layer.sets >> stop) & 1)
        if not len(rows):
            continue
        smaller = layer.sets[rows] & ~np.int64(1 << stop)
        source = np.searchsorted(previous.sets, smaller).clip(max=len(previous.sets) - 1)
        known = previous.sets[source] == smaller  # the stop may not have been the last of this set
        rows, costs = rows[known], table[source[known]]
        for column in range(first[stop], first[stop + 1]):
            if size == 1:
                out[rows, column] = costs[:, column]
            else:
                out[rows, column] = (costs + between[:, column]).min(axis=1)
    return out


def _way_back(
    layers: list[Layer], tables: list[Floats], last: int, between: Floats, first: Ints
) -> list[int]:
    """Return the columns of the best path from first to last."""
    chain, current = [last], int(layers[-1].sets[0])
    for size in range(len(layers) - 1, 1, -1):
        current &= ~(1 << _owner(first, chain[-1]))
        row = int(np.searchsorted(layers[size - 1].sets, current))
        chain.append(int(np.argmin(tables[size - 1][row] + between[:, chain[-1]])))
    return chain[::-1]


def _owner(first: Ints, column: int) -> int:
    """Return the stop that a column belongs to."""
    return int(np.searchsorted(first, column, side="right")) - 1
