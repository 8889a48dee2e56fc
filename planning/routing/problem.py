"""Route problem of one robot: stops with alternatives, precedence, things carried from stop to stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Bools, Floats
from commonground.errors import PlanningError

Delivery = tuple[int | None, int | None]
"""Pickup stop and drop-off stop; None: in the gripper from the start, or kept to the end."""


@dataclass(frozen=True, slots=True)
class RouteProblem:
    """One robot, one open path from node 0 that makes every stop exactly once.

    A stop is made at any *one* of its alternative nodes: an object reachable from several places is
    one stop. Passing a node is not making a stop: costs are those of the shortest path between nodes.
    """

    cost: Floats
    """(m, m) cost of going from node to node; need not be symmetric; inf: there is none."""
    stops: tuple[tuple[int, ...], ...]
    """The alternative nodes of each stop."""
    precedence: tuple[tuple[int, int], ...] = ()
    """Pairs of stops (earlier, later)."""
    deliveries: tuple[Delivery, ...] = ()
    """Pairs of stops (pickup, drop-off) between which the thing is carried."""
    capacity: int = 1
    """How many things the robot can carry at once."""
    names: tuple[str, ...] = ()
    """What to call the stops in reasons; empty: their numbers."""

    def __post_init__(self) -> None:
        _check_cost(self.cost)
        n, nodes = len(self.stops), len(self.cost)
        _check_indices("node", [v for stop in self.stops for v in stop], nodes)
        _check_indices("stop of a precedence", [s for pair in self.precedence for s in pair], n)
        _check_deliveries(self.deliveries, n)
        if any(not stop for stop in self.stops):
            raise PlanningError(
                "a stop without nodes cannot be made; give each stop at least one node"
            )
        if self.names and len(self.names) != n:
            raise PlanningError(
                f"{n} stops have {len(self.names)} names; give one name a stop or none"
            )
        if self.capacity < 0:
            raise PlanningError(f"capacity is {self.capacity}; it cannot be negative")

    @classmethod
    def visiting(
        cls,
        cost: ArrayLike,
        stops: Sequence[int | Sequence[int]] | None = None,
        *,
        precedence: Iterable[tuple[int, int]] = (),
        deliveries: Iterable[Delivery] = (),
        capacity: int = 1,
        names: Iterable[str] = (),
    ) -> RouteProblem:
        """Build a problem from plain lists; without ``stops`` every node but the first is one."""
        matrix = np.asarray(cost, float)
        if stops is None:
            stops = range(1, len(matrix))
        return cls(
            matrix,
            tuple((s,) if isinstance(s, (int, np.integer)) else tuple(s) for s in stops),
            tuple(precedence),
            tuple(deliveries),
            capacity,
            tuple(names),
        )

    def name(self, stop: int) -> str:
        """Return what reasons call a stop."""
        return self.names[stop] if self.names else f"stop {stop}"

    def orderings(self) -> list[tuple[int, int]]:
        """Return all pairs (earlier, later): the given ones and each pickup before its drop-off."""
        carried = [(p, d) for p, d in self.deliveries if p is not None and d is not None]
        return [*self.precedence, *carried]

    def load_changes(self) -> tuple[list[int], int]:
        """Return how each stop changes the load (+1, −1 or 0), and the load at the start."""
        change = [0] * len(self.stops)
        for pickup, dropoff in self.deliveries:
            if pickup is not None:
                change[pickup] = 1
            if dropoff is not None:
                change[dropoff] = -1
        return change, sum(pickup is None for pickup, _ in self.deliveries)


def restricted(problem: RouteProblem, stops: Sequence[int]) -> RouteProblem:
    """Return the problem of ordering some of the stops, whatever the ways between them cost.

    An order of these that keeps precedence among them can be completed with the other stops.
    """
    index: dict[int | None, int | None] = {None: None} | {stop: i for i, stop in enumerate(stops)}
    before = before_matrix(problem)[np.ix_(stops, stops)]
    return RouteProblem(
        np.zeros((1, 1)),
        ((0,),) * len(stops),
        precedence=tuple((int(a), int(b)) for a, b in np.argwhere(before)),
        deliveries=tuple(
            (index[p], index[d]) for p, d in problem.deliveries if p in index and d in index
        ),
        capacity=problem.capacity,
    )


def before_matrix(problem: RouteProblem) -> Bools:
    """Return (n, n): whether stop i comes before stop j, directly or through others (no cycles)."""
    n = len(problem.stops)
    before = np.zeros((n, n), bool)
    sorter: TopologicalSorter[int] = TopologicalSorter(dict.fromkeys(range(n), ()))
    for earlier, later in problem.orderings():
        sorter.add(later, earlier)
        before[earlier, later] = True
    for stop in sorter.static_order():
        direct = before[:, stop].copy()
        before[:, stop] |= before[:, direct].any(axis=1)
    return before


def ordering_cycle(problem: RouteProblem) -> list[int] | None:
    """Return stops that would each have to come before the next, the first one last again, or None."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for earlier, later in problem.orderings():
        sorter.add(later, earlier)
    try:
        sorter.prepare()
    except CycleError as error:
        return [int(stop) for stop in error.args[1]]
    return None


def _check_indices(what: str, indices: Iterable[int], count: int) -> None:
    wrong = next((i for i in indices if not 0 <= i < count), None)
    if wrong is not None:
        raise PlanningError(f"{what} {wrong} does not exist; there are {count}, counted from 0")


def _check_deliveries(deliveries: Iterable[Delivery], count: int) -> None:
    carried = [stop for pair in deliveries for stop in pair if stop is not None]
    _check_indices("stop of a delivery", carried, count)
    if len(set(carried)) < len(carried) or (None, None) in deliveries:
        raise PlanningError("each stop may be one end of one delivery, and a delivery needs a stop")


def _check_cost(cost: Floats) -> None:
    if cost.ndim != 2 or cost.shape[0] != cost.shape[1] or not len(cost):
        raise PlanningError(
            f"costs have shape {cost.shape}; a square matrix over the nodes is needed"
        )
    wrong = np.argwhere(np.isnan(cost) | (cost < 0))
    if len(wrong):
        i, j = (int(x) for x in wrong[0])
        raise PlanningError(
            f"the cost from node {i} to node {j} is {cost[i, j]}; costs are at least 0 (inf: no way)"
        )
