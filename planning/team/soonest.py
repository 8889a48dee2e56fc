"""When a team is done at the soonest: seconds that no plan can save.

A robot needs at least the shortest tour that does its own part, at its speed, and the seconds of its work; a
team at least the whole of its work, shared out as well as can be. Things may be brought or inspected by
anybody, but somebody has to get to them first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from commonground.arrays import Floats
from commonground.planning.pddl import And, Atom, Formula, Not, Or, nnf
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.routing.bound import lower_bound
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.areas import choose_places
from commonground.planning.scene.branch import branches
from commonground.planning.scene.build_errand import build_errand
from commonground.planning.scene.durations import ACTION_S, travel_s
from commonground.planning.scene.errand import Errand, needed
from commonground.planning.scene.footing import place_layer
from commonground.planning.scene.footprints import beside_m
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.paths import PathsByAvoidance
from commonground.planning.scene.roadmap import Spot, build_roadmap
from commonground.planning.scene.solve import cheapest, route_problem
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.planning.team.least_ways import least_ways, on_lines
from commonground.planning.team.workload import certain, lies_in, workload_s
from commonground.planning.team.world import things_in
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

MOST_STOPS = 8
"""Longer tours are not looked for, only bounded."""


def soonest_s(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, Formula],
    shared: Formula,
    known_m: Mapping[str, float] = MappingProxyType({}),
) -> float:
    """Return seconds before which no plan of the team can be done.

    ``shared`` is a goal of all robots together. ``known_m`` are meters along the places that robots need at
    least, were they alone.
    """
    if len(team) == 1:
        bounds = [
            _alone_s(
                graph, robot, And((goals.get(robot.name, And()), shared)), known_m.get(robot.name)
            )
            for robot in team
        ]
    else:
        bounds = list(_of_team(graph, team, goals, shared))
    bounds.append(workload_s(graph, team, goals, shared))
    return max((x for x in bounds if math.isfinite(x)), default=0.0)


def each_by_itself(team: Team, goals: Mapping[str, Formula], shared: Formula) -> bool:
    """Return whether nobody can do anything of what another robot has to do.

    What is shared out, or is about things, may take fewer meters in the hands of others.
    """
    own = (nnf(goal) == _own_part(goal) for goal in goals.values())
    return len(team) == 1 or (shared == And() and all(own))


def _of_team(
    graph: SceneGraph, team: Team, goals: Mapping[str, Formula], shared: Formula
) -> Iterator[float]:
    """Yield seconds that robots need for their own goals, or any of them for a part of a common one."""
    for name, goal in goals.items():
        yield _alone_s(graph, team[name], _own_part(goal), several=True)
    for own in map(_own_part, tasks_of(shared)[0]):
        if own != And():
            yield min(_alone_s(graph, robot, own, several=True) for robot in team)
    for goal in (*goals.values(), shared):
        for fact in certain(goal):
            if VOCABULARY[fact.predicate].about_thing:
                yield _handled_s(graph, team, fact)


def _own_part(goal: Formula) -> Formula:
    """Return what a robot has to do itself: what is about things may come true with the help of others."""

    def part(formula: Formula) -> Formula:
        if isinstance(formula, And | Or):
            return rebuilt(formula, part)
        atom = formula.body if isinstance(formula, Not) else formula
        about = isinstance(atom, Atom) and VOCABULARY[atom.predicate].about_thing
        return And() if about else formula

    easier = part(nnf(goal))
    return easier if any(True for _ in literals(easier)) else And()


def _handled_s(graph: SceneGraph, team: Team, wish: Literal) -> float:
    """Return seconds before which nobody has done with a thing what somebody wants of it."""
    if wish.predicate == "object-in-place" and lies_in(graph, *wish.args):
        return 0.0
    at = graph.position(wish.args[0])
    work_s = sum(ACTION_S[action] for action in VOCABULARY[wish.predicate].needs)
    return min(
        travel_s(
            r,
            max(
                0.0,
                _apart(r.position, at)
                - beside_m(graph, place_layer(graph), r.radius_m, wish.args[0]),
            ),
        )
        + work_s
        for r in team
    )


def _apart(a: Floats, b: Floats) -> float:
    return float(np.linalg.norm((a - b)[:2]))


def _alone_s(
    graph: SceneGraph,
    robot: Robot,
    goal: Formula,
    known_m: float | None = None,
    *,
    several: bool = False,
) -> float:
    """Return seconds that a robot needs for a goal with nobody about, infinite if it cannot reach it."""
    found = branches(nnf(goal)) if goal != And() else None
    if found is None:
        return 0.0
    road = build_roadmap(graph, robot)
    start = road.start(robot)
    things = _objects_in(graph, goal)
    paths = least_ways(road, [start], things, several=several)
    errands = (build_errand(branch, robot, road, start) for branch in found)
    ready = [choose_places(e, start, paths.around(e.forbidden)) for e in errands if not e.reason]
    if not ready:
        return math.inf
    work_s = min(sum(ACTION_S.get(stop.action, 0.0) for stop in e.stops) for e in ready)
    if known_m is not None and on_lines(road) and not _has_boxes(graph, things):
        return travel_s(robot, known_m) + work_s
    meters = min(_tour_m(e, start, paths) for e in ready)
    return travel_s(robot, meters) + work_s


def _objects_in(graph: SceneGraph, goal: Formula) -> list[str]:
    return [s for s in sorted(things_in(goal)) if graph.find(s)[0] == "objects"]


def _has_boxes(graph: SceneGraph, things: Sequence[str]) -> bool:
    """Return whether a robot ends beside the box of some thing, rather than at the point where it lies."""
    if not things or graph.objects.boxes is None:
        return False
    return bool(graph.objects.boxes.valid[graph.objects.rows(things)].any())


def _tour_m(errand: Errand, start: Spot, paths: PathsByAvoidance) -> float:
    """Return meters that the stops of an errand need at least, in whatever order."""
    errand = errand.at_least()
    if len(errand.stops) <= MOST_STOPS:
        return cheapest([errand], start, paths, np.random.default_rng(0)).lower_bound_m
    spots = [start, *(spot for spot in needed(errand.stops) if spot != start)]
    meters = paths.around(errand.forbidden).between(spots)
    return lower_bound(route_problem(errand, spots, meters))
