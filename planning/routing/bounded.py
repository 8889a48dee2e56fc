"""The shortest route by dynamic programming that keeps only what can still beat a known route."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.routing.problem import RouteProblem, before_matrix
from commonground.planning.routing.relaxation import Completion

MOST_STOPS = 62
"""Sets of stops are bits of one integer."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Paths that made the same number of stops, the cheapest for each set and last node."""

    sets: Ints
    node: Ints
    """(p,) column of the last node among all alternatives."""
    cost: Floats
    """(p,) priced: the prices of the stops made are refunded."""
    load: Ints
    tracked: Ints
    """(p,) row of the tracked part of the set in the completion's table."""
    origin: Ints
    """(p,) the path of the layer before that it continues."""


@dataclass(frozen=True, slots=True)
class Best:
    """The end of the search: the best route, or none cheaper than the known one."""

    order: tuple[int, ...] | None
    """None: no route is cheaper than the known one."""


def cheaper_route(
    problem: RouteProblem, bound: Completion, upper: float, most_paths: int
) -> Best | None:
    """Return the best route cheaper than ``upper``, or the proof that there is none.

    A path is given up when its cost and the least cost of its completion reach ``upper``. None: more
    than ``most_paths`` paths would be left.
    """
    n = len(problem.stops)
    if n > MOST_STOPS:
        return None
    grid = _Grid(problem, bound, upper)
    layers = [grid.first()]
    while len(layers) < n:
        successor = grid.next(layers[-1], len(layers))
        if len(successor.sets) > most_paths:
            return None
        layers.append(successor)
    last = layers[-1]
    if not len(last.sets):
        return Best(None)
    path, order = int(last.cost.argmin()), []
    for layer in reversed(layers):
        order.append(int(grid.owner[layer.node[path]]))
        path = int(layer.origin[path])
    return Best(tuple(reversed(order)))


class _Grid:
    """All that stays the same while paths grow."""

    def __init__(self, problem: RouteProblem, bound: Completion, upper: float) -> None:
        n = len(problem.stops)
        self._bound, self._capacity = bound, problem.capacity
        self._upper = upper * (1 - 1e-9) - float(bound.price.sum())
        self.owner = np.array([s for s, stop in enumerate(problem.stops) for _ in stop])
        nodes = np.array([v for stop in problem.stops for v in stop])
        refund = bound.price[self.owner]
        self._opening = (problem.cost[0, nodes] - refund)[None]
        self._between = problem.cost[np.ix_(nodes, nodes)] - refund
        self._needs = before_matrix(problem).T @ (1 << np.arange(n, dtype=np.int64))
        self._change, self._load = problem.load_changes()
        self._bit = {stop: bit for bit, stop in enumerate(bound.tracked)}
        self._rows = np.argsort(bound.sets)
        self._sorted = bound.sets[self._rows]

    def first(self) -> Layer:
        """Return the paths of one stop."""
        none = np.zeros(1, np.int64)
        start = Layer(none, none, np.zeros(1), none + self._load, none, none)
        return self._grown(start, 0, self._opening)

    def next(self, layer: Layer, made: int) -> Layer:
        """Return the paths with one stop more."""
        return self._grown(layer, made, self._between)

    def _grown(self, layer: Layer, made: int, arcs: Floats) -> Layer:
        parts = []
        for stop, change in enumerate(self._change):
            allowed = ((layer.sets >> stop) & 1 == 0) & (layer.load + change <= self._capacity)
            allowed &= layer.sets & self._needs[stop] == self._needs[stop]
            origin = np.flatnonzero(allowed)
            if not len(origin):
                continue
            nodes = np.flatnonzero(self.owner == stop)
            tracked = self._with(layer.tracked[origin], stop)
            cost = layer.cost[origin, None] + arcs[np.ix_(layer.node[origin], nodes)]
            rest = self._bound.best[made + 1, tracked[:, None], nodes]
            row, column = np.nonzero(cost + rest < self._upper)
            kept = origin[row]
            parts.append(
                Layer(
                    layer.sets[kept] | (1 << stop),
                    nodes[column],
                    cost[row, column],
                    layer.load[kept] + change,
                    tracked[row],
                    kept,
                )
            )
        return _cheapest(parts, layer)

    def _with(self, tracked: Ints, stop: int) -> Ints:
        """Return the rows of the tracked sets with one stop more."""
        if stop not in self._bit:
            return tracked
        grown = self._bound.sets[tracked] | (1 << self._bit[stop])
        return self._rows[np.searchsorted(self._sorted, grown)]


def _cheapest(parts: list[Layer], empty: Layer) -> Layer:
    """Join paths and keep the cheapest for each set and last node."""
    joined = [
        np.concatenate([getattr(empty, name)[:0], *(getattr(part, name) for part in parts)])
        for name in Layer.__slots__
    ]
    sets, node, cost = joined[:3]
    order = np.lexsort((cost, node, sets))
    first = np.ones(len(order), bool)
    first[1:] = (np.diff(sets[order]) != 0) | (np.diff(node[order]) != 0)
    return Layer(*(column[order[first]] for column in joined))
