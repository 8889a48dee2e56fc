"""Solving one robot's goal: the cheapest alternative, with its stops in the best order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Floats
from commonground.planning.pddl import Formula
from commonground.planning.pddl import nnf as negation_normal_form
from commonground.planning.result import Check, Status, is_late, unhurried
from commonground.planning.routing import Route, RouteProblem, solve_route
from commonground.planning.routing.bound import lower_bound
from commonground.planning.scene.areas import choose_places
from commonground.planning.scene.branch import MOST_BRANCHES, Branch, branches
from commonground.planning.scene.build_errand import build_errand
from commonground.planning.scene.errand import Errand, Stop, needed
from commonground.planning.scene.loose import loosened
from commonground.planning.scene.paths import PathsByAvoidance, ShortestPaths, unrestricted
from commonground.planning.scene.precedence import Precedence, in_order
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.robots import Robot

MOST_ROUTES = 64
"""So many alternatives are ordered, the most promising first; the others are ruled out by their bound."""
MOST_BOUND_EXACTLY = 8
"""So many stops are ordered to bound those of every plan; a bound of more is not the order's own."""
MOST_NAMED = 4


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
    paths: ShortestPaths | None = None
    cost_m: float = math.inf
    lower_bound_m: float = 0.0
    optimal: bool = False
    reason: str = ""


def solve_goal(
    goal: Formula,
    robot: Robot,
    road: Roadmap,
    rng: np.random.Generator,
    order: Sequence[Precedence] = (),
    check: Check = unhurried,
    paths: PathsByAvoidance | None = None,
    *,
    proves: bool = True,
) -> Solution:
    """Return the cheapest way to satisfy a goal; among alternatives the one that needs the fewest meters.

    ``order`` has those of the robot's own steps that have to be done before others. When time ends, what
    is cheapest so far is returned. ``paths`` are those known of the roadmap. Whether nothing leads to the
    goal by whatever way is looked at only where it ``proves`` something.
    """
    start = road.start(robot)
    found = branches(negation_normal_form(goal))
    if found is None:
        reason = f"the goal has more than {MOST_BRANCHES} alternatives"
        return Solution(Status.NOT_FOUND, reason=reason)
    errands = list(_errands(found, robot, road, start, check))
    possible = [e for e in errands if not e.reason]
    if not possible:
        reasons = list(dict.fromkeys(e.reason for e in errands)) or ["the goal can never be true"]
        return _refused("; or ".join(reasons[:3]), found, robot, road, proves=proves)
    paths = paths or PathsByAvoidance(road)
    placed = (choose_places(e, start, paths.around(e.forbidden)) for e in possible)
    ready = [in_order(e, order, road.graph.regions.row) if order else e for e in placed]
    best = cheapest(ready, start, paths, rng, check)
    if best.status is Status.SOLVED or best.reason:
        whole = len(errands) == len(found)
        return best if whole else replace(best, lower_bound_m=0.0, optimal=False)
    blocked = explain_blockage(ready[0], robot, start, paths.around(ready[0].forbidden))
    return _refused(blocked, found, robot, road, proves=proves)


def _errands(
    found: Sequence[Branch], robot: Robot, road: Roadmap, start: Spot, check: Check
) -> Iterator[Errand]:
    """Yield what each alternative asks for; when time ends, one that can be done is enough."""
    for branch in found:
        errand = build_errand(branch, robot, road, start)
        yield errand
        if not errand.reason and is_late(check):
            return


def _refused(
    reason: str, found: Sequence[Branch], robot: Robot, road: Roadmap, *, proves: bool
) -> Solution:
    """Return that nothing leads to a goal, as a proof where nothing could by whatever way there may be."""
    if not proves:
        return Solution(Status.NOT_FOUND, reason=reason)
    loose: Roadmap | None = loosened(road, robot)
    if loose is None and any(not x.positive for branch in found for x in branch.literals):
        loose = replace(road, keeps_out=False)
    if loose is None or not any(_within_reach(branch, robot, loose) for branch in found):
        return Solution(Status.UNSOLVABLE, reason=reason)
    return Solution(Status.NOT_FOUND, reason=f"{reason}, as far as places tell it")


def _within_reach(branch: Branch, robot: Robot, road: Roadmap) -> bool:
    """Return whether every stop of an alternative of a goal can be reached."""
    start = road.start(robot)
    errand = build_errand(branch, robot, road, start)
    if errand.reason:
        return False
    paths = ShortestPaths(road, errand.forbidden)
    whole = choose_places(errand, start, paths)
    return not whole.reason and all(
        any(
            road.may_be_at(spot) and math.isfinite(paths.between([start, spot])[0, 1])
            for spot in stop.spots
        )
        for stop in whole.stops
    )


def cheapest(
    errands: Sequence[Errand],
    start: Spot,
    paths: PathsByAvoidance,
    rng: np.random.Generator,
    check: Check = unhurried,
) -> Solution:
    """Return the errand with the shortest route, ordered; those whose bound is longer are left out."""
    bounds = [_bound(e.at_least(), start, paths.around(e.forbidden)) for e in errands]
    best = Solution(Status.UNSOLVABLE)
    floor = math.inf
    for rank, k in enumerate(np.argsort(bounds, kind="stable")):
        enough = best.legs and (rank >= MOST_ROUTES or is_late(check))
        if bounds[k] >= best.cost_m or enough:
            floor = min(floor, bounds[k])
            break
        tried = _ordered(errands[k], start, paths.around(errands[k].forbidden), rng)
        floor = min(floor, tried.lower_bound_m)
        if tried.cost_m < best.cost_m or best.paths is None:
            best = tried
    if best.status is not Status.SOLVED:
        return best
    bound = float(min(best.cost_m, floor))
    return replace(best, lower_bound_m=bound, optimal=bound >= best.cost_m - 1e-6)


def _bound(errand: Errand, start: Spot, paths: ShortestPaths) -> float:
    """Return meters that any route of the errand needs at least: to its farthest stop."""
    if errand.reason:
        return math.inf
    if not errand.stops:
        return 0.0
    farthest = 0.0
    for stop in errand.stops:
        meters = paths.between([start, *stop.spots])[0, 1:]
        farthest = max(farthest, float(meters.min()))
    return farthest


def _ordered(
    errand: Errand, start: Spot, paths: ShortestPaths, rng: np.random.Generator
) -> Solution:
    """Return the stops of an errand in their best order."""
    if not errand.stops:
        return Solution(Status.SOLVED, (), paths, 0.0, 0.0, True)
    problem, spots = _routing(errand, start, paths)
    route = solve_route(problem, rng)
    if route.status is not Status.SOLVED:
        status = Status.UNSOLVABLE if route.status is Status.UNSOLVABLE else Status.NOT_FOUND
        return Solution(status, paths=paths)
    legs = tuple(_legs(errand.stops, spots, route))
    least, bound_m = errand.at_least(), route.lower_bound
    if least is not errand:
        problem = _routing(least, start, paths)[0]
        exact = len(least.stops) <= MOST_BOUND_EXACTLY
        ordered_m = solve_route(problem, rng).lower_bound if exact else lower_bound(problem)
        bound_m = max(ordered_m, _bound(least, start, paths))
    return Solution(Status.SOLVED, legs, paths, route.cost, bound_m)


def _routing(errand: Errand, start: Spot, paths: ShortestPaths) -> tuple[RouteProblem, list[Spot]]:
    """Return the routing problem of an errand, and the spots whose numbers it has."""
    spots = [start, *(s for s in needed(errand.stops) if s != start)]
    return route_problem(errand, spots, paths.between(spots)), spots


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


# ---- what cuts a goal off ----


def explain_blockage(errand: Errand, robot: Robot, start: Spot, paths: ShortestPaths) -> str:
    """Return the first stop that cannot be reached, and whether regions, terrain or gaps are the cause."""
    road = paths.roadmap
    for stop in errand.stops:
        if np.isfinite(paths.between([start, *stop.spots])[0, 1:]).any():
            continue
        what = f"{robot.name} cannot reach {stop.targets[0]}"
        everywhere = unrestricted(road)
        if errand.forbidden.any() and np.isfinite(everywhere.between([start, stop.spots[0]])[0, 1]):
            return f"{what} without touching {_avoided(errand, everywhere, start, stop.spots[0])}"
        if _reachable_ignoring_terrain(paths, start, stop.spots[0]):
            return (
                f"{what}: the ground between is too steep, its steps are too high, or it is too narrow for a "
                f"radius of {robot.radius_m:g} m"
            )
        part, whole = _island(paths, stop.spots[0]), len(road.positions)
        return (
            f"{what}: nothing connects the robot to its part of the map ({part} of {whole} places)"
        )
    return "every stop can be reached, but not in an order that satisfies the goal"


def _avoided(errand: Errand, everywhere: ShortestPaths, start: Spot, spot: Spot) -> str:
    """Name the avoided regions that cut all ways off, and the places that are avoided alone."""
    road = everywhere.roadmap
    of_region = [
        r for r in set(road.region.tolist()) if r >= 0 and errand.forbidden[road.region == r].all()
    ]
    regions: list[int] = []
    alone: list[str] = []
    shut, paths = np.zeros(len(errand.forbidden), bool), everywhere
    while np.isfinite(paths.between([start, spot])[0, 1]):
        rows = paths.path(start, spot)
        crossed = rows[errand.forbidden[rows]]
        if not len(crossed):  # straight over it from where the robot stands
            gap = np.linalg.norm(road.positions - np.array(start.position), axis=1)
            avoided = np.flatnonzero(errand.forbidden & ~shut)
            crossed = avoided[np.argsort(gap[avoided])][:1]
        if not len(crossed):
            break
        new = [int(r) for r in dict.fromkeys(road.region[crossed].tolist()) if r in of_region]
        regions += new
        alone += [road.symbol(int(r)) for r in crossed if road.region[r] not in of_region]
        shut = shut | np.isin(road.region, new)
        shut[crossed] = True
        paths = ShortestPaths(road, shut)
    names = [road.graph.regions.symbols[r] for r in sorted(regions)] + alone
    return " or ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")


def _reachable_ignoring_terrain(paths: ShortestPaths, start: Spot, spot: Spot) -> bool:
    from scipy.sparse.csgraph import connected_components

    road = paths.roadmap
    _, part = connected_components(road.graph.adjacency(road.layer), directed=False)
    return bool({int(part[a]) for a in start.anchors} & {int(part[a]) for a in spot.anchors})


def _island(paths: ShortestPaths, spot: Spot) -> int:
    from scipy.sparse.csgraph import connected_components

    road = paths.roadmap
    _, part = connected_components(road.graph.adjacency(road.layer), directed=False)
    return int((part == part[spot.anchors[0]]).sum())
