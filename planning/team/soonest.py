"""When a team is done at the soonest: seconds that no plan can save.

A robot that cannot leave the lines between places needs the meters of its shortest tour along them, another
one at least those of the straight lines, less what it may stop short by. Things may be brought or inspected
by anybody, but somebody has to get to them first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.pddl import And, Atom, Formula, Not, Or, conjuncts, nnf
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.areas import choose_places
from commonground.planning.scene.branch import branches
from commonground.planning.scene.build_errand import build_errand
from commonground.planning.scene.durations import ACTION_S, travel_s
from commonground.planning.scene.errand import Errand
from commonground.planning.scene.footing import place_layer
from commonground.planning.scene.footprints import beside_m
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.paths import PathsByAvoidance, ShortestPaths
from commonground.planning.scene.roadmap import Roadmap, Spot, build_roadmap
from commonground.planning.scene.solve import cheapest
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

MOST_STOPS = 8
"""Of longer tours only the farthest stop counts."""


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
    return max((x for x in bounds if math.isfinite(x)), default=0.0)


def _of_team(
    graph: SceneGraph, team: Team, goals: Mapping[str, Formula], shared: Formula
) -> Iterator[float]:
    """Yield seconds that robots need for their own goals, or any of them for a part of a common one."""
    for name, goal in goals.items():
        yield _alone_s(graph, team[name], _own_part(goal), several=True)
    for own in map(_own_part, tasks_of(shared)[0]):
        if own != And():
            yield min(_alone_s(graph, robot, own, several=True) for robot in team)
    parts = (part for goal in (*goals.values(), shared) for part in conjuncts(nnf(goal)))
    for wish in _certain(parts):
        yield _handled_s(graph, team, wish)


def _own_part(goal: Formula) -> Formula:
    """Return what a robot has to do itself: what is about things may come true with the help of others."""

    def part(formula: Formula) -> Formula:
        if isinstance(formula, And | Or):
            return rebuilt(formula, part)
        atom = formula.body if isinstance(formula, Not) else formula
        about = isinstance(atom, Atom) and VOCABULARY[atom.predicate].kinds[0] == "object"
        return And() if about else formula

    easier = part(nnf(goal))
    return easier if any(True for _ in literals(easier)) else And()


def _certain(parts: Iterable[Formula]) -> Iterable[Literal]:
    """Yield the literals about things that are true whenever all of some formulas are."""
    for part in parts:
        found = list(literals(part))
        if len(found) == 1 and found[0].positive and found[0].predicate in _WORK:
            yield found[0]


_WORK = {
    "visited-object": (),
    "at-object": (),
    "safe": ("inspect",),
    "holding": ("pick",),
    "object-in-place": ("pick", "place"),
}


def _handled_s(graph: SceneGraph, team: Team, wish: Literal) -> float:
    """Return seconds before which nobody has done with a thing what somebody wants of it."""
    if wish.predicate == "object-in-place" and _lies_in(graph, *wish.args):
        return 0.0
    at = graph.position(wish.args[0])
    work_s = sum(ACTION_S[action] for action in _WORK[wish.predicate])
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


def _lies_in(graph: SceneGraph, thing: str, place: str) -> bool:
    layer = place_layer(graph)
    _, row = graph.find(thing)
    nearest = int(graph.nearest(layer, graph.objects.positions[row])[1][0, 0])
    host = int(graph.parents("objects", layer)[row])
    return place in (graph.layers[layer].symbols[k] for k in {nearest, host} if k >= 0)


def _apart(a: Floats, b: Floats) -> float:
    return float(np.linalg.norm((a - b)[:2]))


class _Straight(ShortestPaths):
    """Straight lines between points of interest, less what a robot may stay off them."""

    def __init__(self, road: Roadmap, robot: Robot, off_m: Floats) -> None:
        super().__init__(road, np.zeros(len(road.positions), bool))
        self.robot, self.off_m = robot, off_m

    def reach(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, n) from each spot to every place."""
        at = np.array([s.position for s in spots]).reshape(-1, 1, 3)
        meters = np.linalg.norm((self.roadmap.positions - at)[..., :2], axis=2)
        off = np.array([self._off(s) for s in spots])
        return np.asarray(np.maximum(meters - off[:, None] - self.off_m, 0.0))

    def between(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, k) between spots."""
        at = np.array([s.position for s in spots])[:, :2]
        off = np.array([self._off(s) for s in spots])
        meters = np.linalg.norm(at[:, None] - at, axis=2) - off[:, None] - off
        return np.asarray(np.maximum(meters, 0.0))

    def _off(self, spot: Spot) -> float:
        if spot.symbol.startswith("@"):
            return 0.0
        if spot.is_place:
            return float(self.off_m[spot.anchors[0]])
        return beside_m(self.roadmap.graph, self.roadmap.layer, self.robot.radius_m, spot.symbol)


class _AnyWay(PathsByAvoidance):
    """Straight lines, whatever is forbidden."""

    def __init__(self, road: Roadmap, straight: _Straight) -> None:
        super().__init__(road)
        self.straight = straight

    def around(self, forbidden: Bools) -> ShortestPaths:
        """Return the same for all: straight lines ask nobody."""
        return self.straight


def _metric(road: Roadmap, robot: Robot, several: bool) -> PathsByAvoidance:
    """Return the meters that a robot has to drive between points of interest at least."""
    if _on_lines(road):
        return PathsByAvoidance(road)
    outlines, n = road.places.boundaries, len(road.positions)
    off_m = np.zeros(n)
    if several:  # others may be on the very place
        off_m = np.nan_to_num(road.widths.place_m, nan=0.0)
    if several and outlines is not None:
        of = np.repeat(np.arange(n), np.diff(outlines.starts).astype(np.int64))
        corners = np.linalg.norm((outlines.points - road.positions[of])[:, :2], axis=1)
        np.maximum.at(off_m, of, corners)
    return _AnyWay(road, _Straight(road, robot, off_m))


def _on_lines(road: Roadmap) -> bool:
    """Return whether robots keep to the lines between places, since nothing tells of more room."""
    return bool(road.widths.unknown(np.arange(len(road.positions))).all())


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
    start, paths = road.start(robot), _metric(road, robot, several)
    errands = (build_errand(branch, robot, road, start) for branch in found)
    ready = [choose_places(e, start, paths.around(e.forbidden)) for e in errands if not e.reason]
    if not ready:
        return math.inf
    work_s = min(sum(ACTION_S.get(stop.action, 0.0) for stop in e.stops) for e in ready)
    if known_m is not None and _on_lines(road):
        return travel_s(robot, known_m) + work_s
    short = [_shortened(e, start, paths) for e in ready]
    meters = cheapest(short, start, paths, np.random.default_rng(0)).lower_bound_m
    return travel_s(robot, meters) + work_s


def _shortened(errand: Errand, start: Spot, paths: PathsByAvoidance) -> Errand:
    """Return an errand with no more than its farthest stop, if it has many."""
    if len(errand.stops) <= MOST_STOPS:
        return errand
    meters = paths.around(errand.forbidden)
    far = [float(meters.between([start, *stop.spots])[0, 1:].min()) for stop in errand.stops]
    return Errand(errand.forbidden, [errand.stops[int(np.argmax(far))]])
