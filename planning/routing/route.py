"""Route: the answer to a route problem."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from commonground.planning.result import Status
from commonground.planning.routing.problem import RouteProblem

RELATIVE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Route:
    """The order of the stops, the node each is made at, and what is known about its quality."""

    status: Status
    """SOLVED, UNSOLVABLE (proven, with the reason) or NOT_FOUND within the limits."""
    order: tuple[int, ...] = ()
    """All stops in the order of the visit."""
    nodes: tuple[int, ...] = ()
    """The path over nodes: the start, then one node a stop."""
    cost: float = float("inf")
    lower_bound: float = 0.0
    """No route costs less."""
    optimal: bool = False
    """Whether ``cost`` is proven to be the least."""
    reason: str = ""
    """Why there is no route, empty when there is one."""

    @property
    def gap(self) -> float:
        """By which part of ``cost`` the optimum may be lower; 0 when proven optimal."""
        if self.optimal or self.cost == self.lower_bound:
            return 0.0
        return (self.cost - self.lower_bound) / self.cost


# ---- the check, which shares nothing with the code that found a route ----


def check_route(problem: RouteProblem, route: Route) -> list[str]:
    """Return everything that is wrong with a solved route, in words; empty: it is valid."""
    if route.status is not Status.SOLVED:
        return [f"there is no route to check: {route.status.value}"]
    if sorted(route.order) != list(range(len(problem.stops))):
        return [f"the order {route.order} does not make each of {len(problem.stops)} stops once"]
    at = {stop: place for place, stop in enumerate(route.order)}
    faults = [
        f"{problem.name(b)} comes before {problem.name(a)}"
        for a, b in problem.orderings()
        if at[a] > at[b]
    ]
    return faults + _path_faults(problem, route) + _load_faults(problem, route)


def _path_faults(problem: RouteProblem, route: Route) -> list[str]:
    inner = route.nodes[1:]
    if route.nodes != (0, *inner) or len(inner) != len(route.order):
        return [f"the path {route.nodes} does not lead from the start over the stops"]
    faults = [
        f"node {node} is none of {problem.name(stop)}"
        for stop, node in zip(route.order, inner, strict=True)
        if node not in problem.stops[stop]
    ]
    total = sum(float(problem.cost[a, b]) for a, b in itertools.pairwise(route.nodes))
    slack = RELATIVE_TOLERANCE * max(1.0, abs(total))
    if not abs(total - route.cost) <= slack:
        faults.append(f"the path costs {total}, not {route.cost}")
    if not route.lower_bound <= total + slack:
        faults.append(f"the lower bound {route.lower_bound} is above the cost {total}")
    return faults


def _load_faults(problem: RouteProblem, route: Route) -> list[str]:
    pickups = {pickup for pickup, _ in problem.deliveries if pickup is not None}
    dropoffs = {dropoff for _, dropoff in problem.deliveries if dropoff is not None}
    load = sum(pickup is None for pickup, _ in problem.deliveries)
    faults = ["more is carried at the start than fits"] if load > problem.capacity else []
    for stop in route.order:
        load += (stop in pickups) - (stop in dropoffs)
        if load > problem.capacity:
            faults.append(f"{load} things are carried after {problem.name(stop)}")
    return faults
