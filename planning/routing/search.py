"""A good route by large-neighborhood search, for problems too large to enumerate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.routing._insertion_kernels import recreate
from commonground.planning.routing._route_kernels import Data, State, measure
from commonground.planning.routing._search_kernels import Walk, anneal
from commonground.planning.routing.problem import RouteProblem, before_matrix
from commonground.planning.routing.random_state import RandomState, random_state

ATTEMPTS = 50
"""Shuffled insertions tried for a first route."""
HOT, COLD = 3.0, 0.03
"""First and last temperature in units of the mean cost of an arc of the first route."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best route of a search: stops in order, a node for each, the cost."""

    order: tuple[int, ...]
    nodes: tuple[int, ...]
    cost: float


def search(problem: RouteProblem, rng: np.random.Generator, iterations: int) -> Found | None:
    """Return the best route found, or None: some arc was always missing."""
    data, missing = kernel_data(problem)
    n = len(problem.stops)
    state = new_state(n, data.nodes.shape[1])
    random = random_state(rng)
    first = _first_route(data, state, random)
    if first is None:
        return None
    cost = measure(data, state)
    walk = Walk(first.copy(), first.copy(), np.array([cost, cost]), random)
    arc = min(cost, missing) / (n + 1)
    temperature, cooling = HOT * arc, (COLD / HOT) ** (1.0 / max(1, iterations))
    anneal(data, state, walk, iterations, temperature, cooling)
    return with_nodes(problem, tuple(int(s) for s in walk.best))


def kernel_data(problem: RouteProblem) -> tuple[Data, float]:
    """Return the problem in arrays, and the cost that stands for a missing arc."""
    finite = problem.cost[np.isfinite(problem.cost)]
    missing = 1e3 * (1.0 + float(finite.max(initial=0.0))) * (len(problem.stops) + 2)
    cost = np.where(np.isfinite(problem.cost), problem.cost, missing)
    width = max(map(len, problem.stops))
    nodes = np.array([stop + (stop[0],) * (width - len(stop)) for stop in problem.stops])
    n = len(nodes)
    change, load = problem.load_changes()
    mate = np.full(n, -1)
    for pickup, dropoff in problem.deliveries:
        if pickup is not None and dropoff is not None:
            mate[pickup], mate[dropoff] = dropoff, pickup
    between = _between(problem, cost)
    data = Data(
        np.ascontiguousarray(cost),
        nodes,
        np.array([len(stop) for stop in problem.stops]),
        before_matrix(problem),
        mate,
        np.array(change),
        load,
        problem.capacity,
        np.argsort(between, axis=1, kind="stable"),
        np.array(problem.orderings(), np.int64).reshape(-1, 2),
    )
    return data, missing


def _between(problem: RouteProblem, cost: Floats) -> Floats:
    """Return (n, n) the least cost between any alternatives of two stops, either way; −1 to itself."""
    flat = [v for stop in problem.stops for v in stop]
    first = np.cumsum([0, *map(len, problem.stops)])[:-1]
    arcs = np.minimum(cost, cost.T)[np.ix_(flat, flat)]
    between = np.minimum.reduceat(np.minimum.reduceat(arcs, first, axis=0), first, axis=1)
    np.fill_diagonal(between, -1.0)
    return between


def new_state(n: int, width: int) -> State:
    """Return empty buffers for n stops with up to ``width`` alternatives."""
    return State(
        np.zeros(n, np.int64),
        np.zeros(1, np.int64),
        np.empty((n + 1, width)),
        np.empty((n + 1, width)),
        np.zeros(n + 1, np.int64),
    )


def with_nodes(problem: RouteProblem, order: tuple[int, ...]) -> Found | None:
    """Return the order with the best node of each stop, or None: an arc is missing whatever the nodes."""
    reach: Floats = np.zeros(1)
    last: Ints = np.zeros(1, np.int64)
    choices: list[Ints] = []
    for stop in order:
        nodes = np.array(problem.stops[stop])
        steps = reach[:, None] + problem.cost[np.ix_(last, nodes)]
        choices.append(steps.argmin(axis=0))
        reach, last = steps.min(axis=0), nodes
    pick = int(reach.argmin())
    if not np.isfinite(reach[pick]):
        return None
    path, cost = [], float(reach[pick])
    for stop, choice in zip(reversed(order), reversed(choices), strict=True):
        path.append(problem.stops[stop][pick])
        pick = int(choice[pick])
    return Found(order, tuple(reversed(path)), cost)


def _first_route(data: Data, state: State, random: RandomState) -> Ints | None:
    """Return a route that keeps precedence and capacity, by insertion in shuffled orders."""
    n = len(data.nodes)
    for _ in range(ATTEMPTS):
        state.length[0] = 0
        if np.isfinite(recreate(data, state, np.arange(n), n, random)):
            return state.order.copy()
    return None
