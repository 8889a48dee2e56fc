"""Solving a route problem: the cheapest method that can prove its route, and the check of the route."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.routing.exact import layers_within, shortest
from commonground.planning.routing.feasible import obstacle, unorderable
from commonground.planning.routing.problem import RouteProblem
from commonground.planning.routing.route import Route, check_route

if TYPE_CHECKING:
    from commonground.planning.routing.search import Found

logger = logging.getLogger(__name__)

ITERATIONS_PER_STOP = 600
"""Search iterations by default: 20 000 for some thirty stops, a tenth of a second."""
LEAST_ITERATIONS = 10_000
MOST_PATHS = 20_000
"""Paths kept at once when a gap is closed by enumeration."""
ENUMERATED = 0.05
"""All routes up to so much above a bound are enumerated, where they are few."""
MOST_FREE = 40
"""Up to so many stops without any order between them the sharper bound pays."""
LOOKED = 25
"""So many times more work is done where insertion has found no route at all."""
NO_ROUTE = "some way is missing in every order of the stops"


def solve_route(
    problem: RouteProblem, rng: np.random.Generator | None = None, *, iterations: int | None = None
) -> Route:
    """Return the shortest route where that is cheap to find, else a good one with its lower bound.

    Few stops, or many that precedence and carrying tie together, are solved exactly. Beyond, the route
    is found by large-neighborhood search, and mostly proven optimal up to some thirty stops. Equal ``rng``
    and ``iterations`` give equal routes.
    """
    in_the_way = obstacle(problem)
    if in_the_way:
        return Route(Status.UNSOLVABLE, reason=in_the_way)
    layers = layers_within(problem)
    if layers is not None:
        route = _exact(problem, shortest(problem, layers))
    else:
        rng = np.random.default_rng(0) if rng is None else rng
        route = _searched(problem, rng, iterations)
    faults = check_route(problem, route) if route.status is Status.SOLVED else []
    if faults:
        raise PlanningError(
            f"the route found is not valid, please report this: {'; '.join(faults)}"
        )
    return route


def _exact(problem: RouteProblem, best: tuple[list[int], list[int], float] | None) -> Route:
    if best is None:
        return Route(Status.UNSOLVABLE, reason=unorderable(problem) or NO_ROUTE)
    order, nodes, cost = best
    return _route(tuple(order), tuple(nodes), cost, cost, optimal=True)


def _searched(problem: RouteProblem, rng: np.random.Generator, iterations: int | None) -> Route:
    """Search, bound, and prove where there is reason to."""
    from commonground.planning.routing.bound import lower_bound
    from commonground.planning.routing.search import search

    if iterations is None:
        iterations = max(LEAST_ITERATIONS, ITERATIONS_PER_STOP * len(problem.stops))
    found = search(problem, rng, iterations)
    bound = lower_bound(problem, np.inf if found is None else found.cost)
    if np.isinf(bound):
        return Route(Status.UNSOLVABLE, reason=NO_ROUTE)
    if found is None:
        return _enumerated(problem)
    optimal = bound >= found.cost * (1 - 1e-9)
    if not optimal:
        found, sharper, optimal = _closed(problem, found)
        bound = max(bound, sharper)
    logger.debug("route over %d stops: cost %g, bound %g", len(found.order), found.cost, bound)
    bound = found.cost if optimal else min(bound, found.cost)
    return _route(found.order, found.nodes, found.cost, bound, optimal=optimal)


def _closed(problem: RouteProblem, found: Found) -> tuple[Found, float, bool]:
    """Sharpen the bound, and close the gap where few paths are left; return whether it is closed."""
    from commonground.planning.routing.bounded import cheaper_route
    from commonground.planning.routing.relaxation import completions
    from commonground.planning.routing.search import with_nodes

    if not problem.orderings() and len(problem.stops) > MOST_FREE:
        return found, 0.0, False
    bound = 0.0
    for rest in completions(problem, found.cost):
        bound = max(bound, rest.lower_bound)
        if bound >= found.cost * (1 - 1e-9):
            return found, found.cost, True
        guess = min(found.cost, rest.lower_bound * (1 + ENUMERATED))
        best = cheaper_route(problem, rest, guess, MOST_PATHS)
        better = None if best is None or best.order is None else with_nodes(problem, best.order)
        if better is not None:
            return better, better.cost, True
        if best is not None and guess == found.cost:
            return found, found.cost, True
        if best is not None:
            bound = max(bound, guess)
    return found, bound, False


def _enumerated(problem: RouteProblem) -> Route:
    """Look for any route by enumeration, when insertion found none at all."""
    from commonground.planning.routing.bounded import cheaper_route
    from commonground.planning.routing.relaxation import WORK, completions
    from commonground.planning.routing.search import with_nodes

    in_the_way = unorderable(problem)
    if in_the_way:
        return Route(Status.UNSOLVABLE, reason=in_the_way)
    finite = problem.cost[np.isfinite(problem.cost)]
    dearest = 1.0 + (len(problem.stops) + 1) * float(finite.max(initial=0.0))
    for rest in completions(problem, dearest, work=LOOKED * WORK):
        best = cheaper_route(problem, rest, dearest, LOOKED * MOST_PATHS)
        if best is None:
            continue
        found = None if best.order is None else with_nodes(problem, best.order)
        if found is None:
            return Route(Status.UNSOLVABLE, reason="no order of the stops is feasible")
        return _route(found.order, found.nodes, found.cost, found.cost, optimal=True)
    return Route(Status.NOT_FOUND, reason="no route was found with the work allowed")


def _route(
    order: tuple[int, ...], nodes: tuple[int, ...], cost: float, bound: float, *, optimal: bool
) -> Route:
    return Route(Status.SOLVED, order, (0, *nodes), cost, bound, optimal)
