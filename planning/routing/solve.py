"""The way from a route problem to a checked route."""

from __future__ import annotations

import logging
import time

import numpy as np

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.routing.check import check_route
from commonground.planning.routing.exact import layers_within, shortest
from commonground.planning.routing.feasible import obstacle, unorderable
from commonground.planning.routing.problem import RouteProblem
from commonground.planning.routing.route import Route

logger = logging.getLogger(__name__)

ITERATIONS_PER_STOP = 600
"""Search iterations by default: 20 000 for some thirty stops, a tenth of a second."""
LEAST_ITERATIONS = 10_000
PROOF_WITHOUT_ROUTE_S = 2.0
"""Time for the constraint model when insertion found no route at all."""
NO_WAY = "some way is missing in every order of the stops"


def solve_route(
    problem: RouteProblem,
    rng: np.random.Generator | None = None,
    *,
    time_limit_s: float = 5.0,
    iterations: int | None = None,
    prove: bool = False,
) -> Route:
    """Return the shortest route where that is cheap to find, else a good one with its lower bound.

    Few stops, or many that precedence and carrying tie together, are solved exactly. Beyond, the route
    is found by large-neighbourhood search: equal ``rng`` and ``iterations`` give equal routes unless
    ``time_limit_s`` ends the search early. With ``prove`` the rest of the time goes into closing the gap.
    """
    deadline = time.perf_counter() + time_limit_s
    in_the_way = obstacle(problem)
    if in_the_way:
        return Route(Status.UNSOLVABLE, reason=in_the_way)
    layers = layers_within(problem)
    if layers is not None:
        route = _exact(problem, shortest(problem, layers))
    else:
        rng = np.random.default_rng(0) if rng is None else rng
        route = _searched(problem, rng, iterations, deadline, prove)
    faults = check_route(problem, route) if route.status is Status.SOLVED else []
    if faults:
        raise PlanningError(
            f"the route found is not valid, please report this: {'; '.join(faults)}"
        )
    return route


def _exact(problem: RouteProblem, best: tuple[list[int], list[int], float] | None) -> Route:
    if best is None:
        return Route(Status.UNSOLVABLE, reason=unorderable(problem) or NO_WAY)
    order, nodes, cost = best
    return _route(problem, tuple(order), tuple(nodes), cost, cost, optimal=True)


def _searched(
    problem: RouteProblem,
    rng: np.random.Generator,
    iterations: int | None,
    deadline: float,
    prove: bool,
) -> Route:
    """Search, bound, and prove while there is time and reason to."""
    from commonground.planning.routing.bound import lower_bound
    from commonground.planning.routing.search import search

    if iterations is None:
        iterations = max(LEAST_ITERATIONS, ITERATIONS_PER_STOP * len(problem.stops))
    found = search(problem, rng, iterations, deadline)
    bound = lower_bound(problem, np.inf if found is None else found.cost)
    if np.isinf(bound):
        return Route(Status.UNSOLVABLE, reason=NO_WAY)
    in_the_way = unorderable(problem) if found is None else ""
    if in_the_way:
        return Route(Status.UNSOLVABLE, reason=in_the_way)
    optimal = found is not None and bound >= found.cost * (1 - 1e-9)
    remaining = deadline - time.perf_counter()
    if found is None or (prove and not optimal and remaining > 0):
        from commonground.planning.routing import circuit

        seconds = remaining if found is not None else max(remaining, PROOF_WITHOUT_ROUTE_S)
        proof = circuit.prove(problem, found, seconds, int(rng.integers(2**31)))
        if proof.infeasible:
            return Route(Status.UNSOLVABLE, reason="no order of the stops is feasible")
        found, optimal = proof.found, proof.optimal
        bound = max(bound, proof.lower_bound)
    if found is None:
        return Route(Status.NOT_FOUND, reason=f"no route was found in {iterations} iterations")
    logger.debug("route over %d stops: cost %g, bound %g", len(found.order), found.cost, bound)
    bound = found.cost if optimal else min(bound, found.cost)
    return _route(problem, found.order, found.nodes, found.cost, bound, optimal=optimal)


def _route(
    problem: RouteProblem,
    order: tuple[int, ...],
    nodes: tuple[int, ...],
    cost: float,
    bound: float,
    *,
    optimal: bool,
) -> Route:
    end = () if problem.end is None else (problem.end,)
    path = (problem.start, *nodes, *end)
    return Route(Status.SOLVED, order, path, cost, bound, optimal)
