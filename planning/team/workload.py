"""How long a team needs at least for all there is to do, were it shared out as well as can be.

Whatever the plan, the ways of the robots together join every thing that somebody has to get to with a point
where a robot starts, so they are no shorter than the shortest such tree. Meters and seconds of work are
spread over the robots that may do them, the work over the slowest ones: no plan does better.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats
from commonground.planning.pddl import Formula, conjuncts, nnf
from commonground.planning.scene.durations import ACTION_S
from commonground.planning.scene.footing import host_row, place_layer
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.roadmap import Roadmap, Spot, build_roadmap
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.planning.team.least_ways import least_ways
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

PLACED = ("visited-place", "at-place")
Crew = frozenset[str]
"""Robots by name."""


@dataclass(slots=True)
class Duties:
    """What has to be done in any case, and which robots may do it."""

    visits: set[tuple[str, Crew]] = field(default_factory=set)
    """Things and places that one of some robots has to get to."""
    work: dict[tuple[str, str], Crew] = field(default_factory=dict)
    """By thing and action."""

    def crews(self) -> Iterator[Crew]:
        """Yield the crews to which some of it falls, that for all of it included."""
        found = {who for _, who in self.visits} | set(self.work.values())
        yield from (who for who in found | {frozenset[str]().union(*found)} if who)


def workload_s(
    graph: SceneGraph, team: Team, goals: Mapping[str, Formula], shared: Formula
) -> float:
    """Return seconds that robots need at least for all of their goals and of one that is shared out."""
    duties = _duties(graph, team, goals, shared)
    return max((_crew_s(graph, team, duties, crew) for crew in duties.crews()), default=0.0)


def certain(goal: Formula) -> Iterator[Literal]:
    """Yield the facts that are true whenever a goal is."""
    for part in conjuncts(nnf(goal)):
        found = list(literals(part))
        if len(found) == 1 and found[0].positive:
            yield found[0]


def lies_in(graph: SceneGraph, thing: str, place: str) -> bool:
    """Return whether a thing may count as lying in a place already."""
    layer = place_layer(graph)
    nearest = int(graph.nearest(layer, graph.position(thing))[1][0, 0])
    return place in (
        graph.layers[layer].symbols[k] for k in {nearest, host_row(graph, layer, thing)}
    )


def _duties(graph: SceneGraph, team: Team, goals: Mapping[str, Formula], shared: Formula) -> Duties:
    duties = Duties()
    everybody = frozenset(robot.name for robot in team)
    for owner, goal in (
        *((frozenset({name}), g) for name, g in goals.items()),
        (everybody, shared),
    ):
        for fact in certain(goal):
            _note(duties, graph, team, fact, owner)
    return duties


def _note(duties: Duties, graph: SceneGraph, team: Team, fact: Literal, owner: Crew) -> None:
    """Note what a fact asks of whom; what lies about may be brought to those who have to get to it."""
    if fact.predicate in PLACED:
        duties.visits.add((fact.args[0], owner))
    row = VOCABULARY[fact.predicate]
    if not row.about_thing or (fact.predicate == "object-in-place" and lies_in(graph, *fact.args)):
        return
    thing, everybody = fact.args[0], frozenset(robot.name for robot in team)
    may = owner if fact.predicate in ("visited-object", "at-object", "holding") else everybody
    able = {action: may & _able(team, action) for action in row.needs}
    for action, who in able.items():
        key = (thing, action)
        duties.work[key] = duties.work.get(key, who) | who
    visitors = frozenset[str]().union(*able.values()) if able else may
    duties.visits.add((thing, visitors | _able(team, "pick")))


def _able(team: Team, action: str) -> Crew:
    return frozenset(robot.name for robot in team if robot.can(action))


def _crew_s(graph: SceneGraph, team: Team, duties: Duties, crew: Crew) -> float:
    """Return seconds that a crew needs at least for what nobody else can do."""
    robots = [robot for robot in team if robot.name in crew]
    visits = {symbol: who for symbol, who in sorted(duties.visits, key=str) if who <= crew}
    work = [key for key, who in duties.work.items() if who <= crew]
    meters = _between(graph, robots, [*visits])
    speeds = np.array([robot.speed_mps for robot in robots])
    brought = bool(_able(team, "pick"))
    arrival = dict(zip(visits, _arrivals_m(meters), strict=True))
    if brought:  # who works on a thing need not have got to where it lay
        arrival = {
            symbol: m for symbol, m in arrival.items() if symbol not in graph.objects.symbols
        }
    pieces = [(ACTION_S[action], arrival.pop(thing, 0.0)) for thing, action in work]
    pieces += [(0.0, m) for m in arrival.values()]
    work_s = sum(ACTION_S[action] for _, action in work)
    return max(
        _spread_s(speeds, _tree_m(meters), work_s),
        _counted_s(speeds, np.array(pieces).reshape(-1, 2)),
    )


def _arrivals_m(meters: Floats) -> list[float]:
    """Return the meters that it takes at least to get to each of some points from any other."""
    others = np.where(np.eye(len(meters), dtype=bool), np.inf, meters)
    nearest = others.min(axis=0, initial=np.inf)[1:]
    return list(np.where(np.isfinite(nearest), nearest, 0.0).tolist())


def _counted_s(speeds: Floats, pieces: Floats) -> float:
    """Return the first time by which robots can do so many pieces of work: the shortest ones, each of them.

    Pieces (m, 2) take seconds of work and meters to get there.
    """
    ends = [np.cumsum(np.sort(pieces[:, 0] + pieces[:, 1] / speed)) for speed in speeds]
    if len(pieces) == 0:
        return 0.0
    return float(np.sort(np.concatenate(ends))[len(pieces) - 1])


def _between(graph: SceneGraph, robots: Sequence[Robot], goals: Sequence[str]) -> Floats:
    """Return meters (1 + k, 1 + k) at least for any of some robots, all of their starts together first."""
    bodies: dict[tuple[float, ...], list[Robot]] = {}
    for robot in robots:
        body = (robot.radius_m, robot.max_step_m, robot.max_slope_deg)
        bodies.setdefault(body, []).append(robot)
    out = np.full((1 + len(goals), 1 + len(goals)), np.inf)
    for alike in bodies.values():
        road = build_roadmap(graph, alike[0])
        starts = [road.start(robot) for robot in alike]
        spots = [_spot(road, symbol) for symbol in goals]
        things = [s.symbol for s in spots if not s.is_place]
        none = np.zeros(len(road.positions), bool)
        ways = least_ways(road, starts, things, several=True).around(none)
        meters = ways.between([*starts, *spots])
        meters = np.minimum(meters, meters.T)
        k = len(starts)
        out[0, 1:] = np.minimum(out[0, 1:], meters[:k, k:].min(axis=0))
        out[1:, 1:] = np.minimum(out[1:, 1:], meters[k:, k:])
    out[1:, 0] = out[0, 1:]
    return out


def _spot(road: Roadmap, symbol: str) -> Spot:
    return (
        road.object(symbol)
        if symbol in road.graph.objects.symbols
        else road.place(road.row(symbol))
    )


def _tree_m(meters: Floats) -> float:
    """Return the meters of the shortest tree that joins all points (Prim); 0 where none does."""
    near, joined, total = meters[0].copy(), np.zeros(len(meters), bool), 0.0
    joined[0] = True
    for _ in range(len(meters) - 1):
        k = int(np.where(joined, np.inf, near).argmin())
        total += float(near[k])
        joined[k] = True
        near = np.minimum(near, meters[k])
    return total if np.isfinite(total) else 0.0


def _spread_s(speeds: Floats, meters: float, work_s: float) -> float:
    """Return seconds in which robots can drive and work so much together, at best."""
    slow_first = np.sort(speeds)
    low, high = work_s / len(speeds), work_s + meters / float(slow_first[0])
    for _ in range(60):
        middle = (low + high) / 2
        before = np.arange(len(speeds)) * middle
        works = np.clip(work_s - before, 0.0, middle)
        enough = float(slow_first @ (middle - works)) >= meters
        low, high = (low, middle) if enough else (middle, high)
    return low
