"""One robot, one goal: the cheapest alternative, its stops in the best order, the way between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.pddl import Formula
from commonground.planning.pddl import nnf as negation_normal_form
from commonground.planning.result import Status
from commonground.planning.routing import Route, RouteProblem, solve_route
from commonground.planning.scene.blockage import explain_blockage
from commonground.planning.scene.branch import MOST_BRANCHES, branches
from commonground.planning.scene.errand import Errand, Stop, build_errand, needed
from commonground.planning.scene.roadmap import Roadmap, Spot, Ways
from commonground.robots import Robot

MOST_ROUTES = 64
"""So many alternatives are ordered, the most promising first; the others are ruled out by their bound."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A stop as it is made: where, and about what."""

    stop: Stop
    target: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Solution:
    """The best order of an errand, or why there is none."""

    status: Status
    legs: tuple[Leg, ...] = ()
    ways: Ways | None = None
    cost_m: float = math.inf
    lower_bound_m: float = 0.0
    optimal: bool = False
    reason: str = ""


def solve_goal(goal: Formula, robot: Robot, road: Roadmap, rng: np.random.Generator) -> Solution:
    """Return the cheapest way to satisfy a goal; among alternatives the one that needs the fewest meters."""
    start = road.start(robot)
    found = branches(negation_normal_form(goal))
    if found is None:
        return Solution(
            Status.NOT_FOUND, reason=f"the goal has more than {MOST_BRANCHES} alternatives"
        )
    errands = [build_errand(branch, robot, road, start) for branch in found]
    possible = [e for e in errands if not e.reason]
    if not possible:
        reasons = list(dict.fromkeys(e.reason for e in errands)) or ["the goal can never be true"]
        return Solution(Status.UNSOLVABLE, reason="; or ".join(reasons[:3]))
    shared = _WaysByArea(road)
    ready = [_chosen_spots(errand, start, shared.of(errand.forbidden)) for errand in possible]
    bounds = [_bound(errand, start, shared.of(errand.forbidden)) for errand in ready]
    best = Solution(Status.UNSOLVABLE)
    floor = math.inf
    for rank, k in enumerate(np.argsort(bounds, kind="stable")):
        if bounds[k] >= best.cost_m or (rank >= MOST_ROUTES and best.legs):
            floor = min(floor, bounds[k])
            break
        tried = _ordered(ready[k], start, shared.of(ready[k].forbidden), rng)
        floor = min(floor, tried.lower_bound_m)
        if tried.cost_m < best.cost_m or best.ways is None:
            best = tried
    if best.status is not Status.SOLVED:
        if not best.reason:
            ways = shared.of(ready[0].forbidden)
            best = replace(best, reason=explain_blockage(ready[0], robot, start, ways))
        return best
    bound = min(best.cost_m, floor)
    return replace(best, lower_bound_m=bound, optimal=bound >= best.cost_m - 1e-6)


class _WaysByArea:
    """The shortest ways for each set of forbidden places, so that alternatives share them."""

    def __init__(self, road: Roadmap) -> None:
        self._road = road
        self._known: dict[bytes, Ways] = {}

    def of(self, forbidden: Bools) -> Ways:
        """Return the ways that avoid the given places."""
        key = np.packbits(forbidden).tobytes()
        if key not in self._known:
            self._known[key] = Ways(self._road, forbidden)
        return self._known[key]


def _chosen_spots(errand: Errand, start: Spot, ways: Ways) -> Errand:
    """Turn areas into stops at those of their places that can be on a best route.

    Between two other stops a and b the best place p of an area is the one with the least
    d(a, p) + d(p, b); before the end of the route the one nearest to a. No other place is needed, unless
    two areas follow one another.
    """
    if not errand.areas:
        return errand
    fixed = [start, *needed(errand.stops)]
    reach = ways.reach(fixed)
    stops = list(errand.stops)
    for area in errand.areas:
        rows = np.asarray(area.rows, np.int64)
        if len(rows) == 0 and not area.spots:
            return replace(errand, reason=f"no place of {area.target} may be visited")
        d = reach[:, rows]
        best = {int(j) for j in d.argmin(axis=1)} if len(rows) else set()
        if len(rows) and not area.last:
            for i in range(len(fixed)):
                best |= {int(j) for j in (d[i] + d).argmin(axis=1)}
        chosen = [ways.roadmap.place(int(r)) for r in rows[sorted(best)]]
        spots = tuple(dict.fromkeys((*area.spots, *chosen)))
        targets = tuple(area.target or s.symbol for s in spots)
        stops.append(Stop("goto", targets, spots, last=area.last))
    last = [i for i, s in enumerate(stops) if s.last]
    before = [*errand.before, *((i, j) for j in last for i in range(len(stops)) if i != j)]
    return replace(errand, stops=stops, areas=[], before=list(dict.fromkeys(before)))


def _bound(errand: Errand, start: Spot, ways: Ways) -> float:
    """Return meters that any route of the errand needs at least: to its farthest stop."""
    if errand.reason:
        return math.inf
    if not errand.stops:
        return 0.0
    farthest = 0.0
    for stop in errand.stops:
        meters = ways.between([start, *stop.spots])[0, 1:]
        farthest = max(farthest, float(meters.min()))
    return farthest


def _ordered(errand: Errand, start: Spot, ways: Ways, rng: np.random.Generator) -> Solution:
    """Return the stops of an errand in their best order."""
    if not errand.stops:
        return Solution(Status.SOLVED, (), ways, 0.0, 0.0, True)
    spots = [start, *(s for s in needed(errand.stops) if s != start)]
    problem = route_problem(errand, spots, ways.between(spots))
    route = solve_route(problem, rng)
    if route.status.value != "solved":
        status = Status.UNSOLVABLE if route.status.value == "unsolvable" else Status.NOT_FOUND
        return Solution(status, ways=ways)
    legs = tuple(_legs(errand.stops, spots, route))
    return Solution(Status.SOLVED, legs, ways, route.cost, route.lower_bound, route.optimal)


def route_problem(errand: Errand, spots: Sequence[Spot], meters: Floats) -> RouteProblem:
    """Return the routing problem of an errand over the given spots, the start first."""
    index = {spot: i for i, spot in enumerate(spots)}
    return RouteProblem(
        cost=meters,
        stops=tuple(tuple(dict.fromkeys(index[s] for s in stop.spots)) for stop in errand.stops),
        precedence=tuple(dict.fromkeys(errand.before)),
        deliveries=tuple(errand.carries),
        capacity=1,
        names=tuple(f"{s.action} {s.targets[0]}" for s in errand.stops),
    )


def _legs(stops: Sequence[Stop], spots: Sequence[Spot], route: Route) -> list[Leg]:
    legs = []
    for s, node in zip(route.order, route.nodes[1:], strict=False):
        stop = stops[s]
        spot = spots[node]
        legs.append(Leg(stop, stop.targets[stop.spots.index(spot)], spot))
    return legs
