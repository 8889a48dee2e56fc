"""Obvious obstacles to any route, found before searching and named."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools
from commonground.planning.routing.exact import layers_within
from commonground.planning.routing.problem import RouteProblem, ordering_cycle, restricted

ORDERING_OPERATIONS = 400_000_000
"""Limit for deciding whether things can be carried in some order; a dozen deliveries take less."""


def obstacle(problem: RouteProblem) -> str:
    """Return why no route can exist, or an empty string where nothing obvious is in the way."""
    cycle = ordering_cycle(problem)
    if cycle:
        return "the order is cyclic: " + " before ".join(problem.name(s) for s in cycle)
    held = [d for p, d in problem.deliveries if p is None and d is not None]
    kept = [p for p, d in problem.deliveries if d is None and p is not None]
    for stops, when in ((held, "at the start"), (kept, "at the end")):
        if len(stops) > problem.capacity:
            things = ", ".join(problem.name(s) for s in stops)
            return f"{things}: {len(stops)} things carried {when}, but only {problem.capacity} fit"
    if problem.capacity == 0 and problem.deliveries:
        return "things are to be carried, but the capacity is 0"
    return _cut_off(problem)


def unorderable(problem: RouteProblem) -> str:
    """Return why precedence and capacity exclude each other, or nothing where they do not (or might not).

    Only stops where something is picked up or dropped matter.
    """
    stops = [s for s, change in enumerate(problem.load_changes()[0]) if change]
    layers = layers_within(restricted(problem, stops), ORDERING_OPERATIONS)
    if layers is None or len(layers) > len(stops):
        return ""
    return f"no order of {_listed(problem, stops)} fits a capacity of {problem.capacity}"


def _cut_off(problem: RouteProblem) -> str:
    """Name the stops that cannot be reached from the start."""
    reachable = _reachable(np.isfinite(problem.cost))
    cut = [s for s, nodes in enumerate(problem.stops) if not any(reachable[v] for v in nodes)]
    if cut:
        return f"{_listed(problem, cut)} cannot be reached from the start"
    return _apart(problem)


def _apart(problem: RouteProblem) -> str:
    """Name two stops of which neither can be reached from the other, over other stops or straight."""
    flat = [v for stop in problem.stops for v in stop]
    linked = np.isfinite(problem.cost[np.ix_(flat, flat)])
    if linked.all():
        return ""
    leads = linked | np.eye(len(flat), dtype=bool)
    for _ in range(max(1, int(np.ceil(np.log2(len(flat)))))):
        leads = (leads.astype(np.float32) @ leads.astype(np.float32)) > 0
    first = np.cumsum([0, *map(len, problem.stops)])[:-1]
    between = np.logical_or.reduceat(np.logical_or.reduceat(leads, first, axis=0), first, axis=1)
    apart = np.argwhere(~between & ~between.T)
    if not len(apart):
        return ""
    a, b = (problem.name(int(s)) for s in apart[0])
    return f"there is no way between {a} and {b} in either direction"


def _reachable(linked: Bools) -> Bools:
    """Return which nodes a chain of arcs leads to from the start."""
    seen = np.zeros(len(linked), bool)
    seen[0] = True
    front = seen.copy()
    while front.any():
        front = linked[front].any(axis=0) & ~seen
        seen |= front
    return seen


def _listed(problem: RouteProblem, stops: list[int]) -> str:
    names = [problem.name(s) for s in stops[:5]]
    more = f" and {len(stops) - 5} more" if len(stops) > 5 else ""
    return ", ".join(names) + more
