"""Help between robots: one inspects, brings or hands over what another one cannot inspect, move or reach."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.pddl import And, Atom, Formula, Or, conjuncts, nnf
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.paths import ShortestPaths
from commonground.planning.scene.roadmap import Spot, build_roadmap
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.planning.team.hopeless import avoiding, reaches
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

MOST_TRIED = 12
CARRIED = frozenset({"holding", "object-in-place"})
VISITED = frozenset({"visited-region", "visited-place", "visited-object"})
Deed = tuple[str, Atom]
"""Who does what for another robot."""


class Help(NamedTuple):
    """What other robots do for one."""

    deeds: tuple[Deed, ...]
    """The later ones rest on those before them."""
    instead: Deed | None = None
    """What the robot that is helped leaves to the last of them."""


class Shares(NamedTuple):
    """Who does what so that the goals of all come true."""

    goals: Mapping[str, Formula]
    """What each robot plans for."""
    ends: Mapping[str, Formula]
    """What it may count on that the others leave as it is."""
    before: frozenset[tuple[str, str]] = frozenset()
    """Robots of which the first has to be done with a thing before the second can begin."""


def with_help(graph: SceneGraph, team: Team, goals: Mapping[str, Formula]) -> Iterator[Shares]:
    """Yield goals with those of helpers extended by what robots need that cannot do all by themselves.

    At last one that can is spared something that another one can do as well: it may be in others' way there.
    """
    offered = _Offers(graph, team, goals)
    needed = list(offered.all(goals))
    if needed:
        for helps in itertools.islice(itertools.product(*needed), MOST_TRIED):
            yield _shared(goals, helps)
    first = [alternatives[0] for alternatives in needed]
    for favor in itertools.islice(offered.favors(goals), MOST_TRIED):
        yield _shared(goals, [*first, favor])


def _shared(goals: Mapping[str, Formula], helps: Sequence[tuple[str, Help]]) -> Shares:
    """Return the goals with some help: deeds go to who does them, what is left to others leaves a goal."""
    wanted, ends = dict(goals), dict(goals)
    before = set[tuple[str, str]]()
    for asking, help_ in dict.fromkeys(helps):
        if help_.instead is not None:
            last, atom = help_.instead
            for shares in (wanted, ends):
                shares[asking] = _without(nnf(shares[asking]), atom)
            ends[last] = _both(ends.get(last), atom)
        for name, atom in help_.deeds:
            kept = [] if name in goals else avoided_by(goals[asking])
            wanted[name] = _both(wanted.get(name), And((atom, *kept)))
        names = [name for name, _ in help_.deeds] + ([] if help_.instead else [asking])
        before |= {pair for pair in itertools.pairwise(names) if pair[0] != pair[1]}
    return Shares(wanted, ends, frozenset(before))


def avoided_by(goal: Formula) -> list[Formula]:
    """Return what a goal keeps its robot from, and so whoever is sent for it alone."""
    parts = [(part, list(literals(part))) for part in conjuncts(nnf(goal))]
    return [p for p, said in parts if all(not x.positive and x.predicate in VISITED for x in said)]


def _both(goal: Formula | None, more: Formula) -> Formula:
    return more if goal is None or goal == And() else And((goal, more))


def _without(formula: Formula, atom: Atom) -> Formula:
    """Return what is left of a formula in negation normal form where a fact is true."""
    if not isinstance(formula, And | Or):
        return And() if formula == atom else formula
    parts = [_without(part, atom) for part in formula.parts]
    if isinstance(formula, Or):
        return And() if And() in parts else Or(tuple(parts))
    return And(tuple(part for part in parts if part != And()))


class _Offers:
    """Who could help whom with what, from what each robot can do and reach."""

    def __init__(self, graph: SceneGraph, team: Team, goals: Mapping[str, Formula]) -> None:
        self.graph, self.team = graph, team
        self.relays = Relays(graph, team, goals)

    def all(self, goals: Mapping[str, Formula]) -> Iterator[list[tuple[str, Help]]]:
        """Yield a list of alternative helps for each thing that a robot needs help with."""
        for name, goal in goals.items():
            wanted = [
                x for x in literals(nnf(goal)) if x.positive and VOCABULARY[x.predicate].about_thing
            ]
            for literal in dict.fromkeys(wanted):
                helps = [(name, help_) for help_ in self._of(self.team[name], literal)]
                if helps:
                    yield helps

    def _of(self, robot: Robot, wanted: Literal) -> Iterator[Help]:
        """Yield what others can do so that a robot's literal can come true."""
        thing = wanted.args[0]
        able = all(map(robot.can, VOCABULARY[wanted.predicate].needs))
        near = self.relays.reaches(robot.name, thing)
        if wanted.predicate == "object-in-place":
            relays = list(itertools.islice(self.relays.to_place(*wanted.args), MOST_TRIED))
            if all([leg.robot for leg in relay] != [robot.name] for relay in relays):
                atom = Atom(wanted.predicate, wanted.args)
                yield from (_relayed(thing, relay, atom) for relay in relays)
        elif able and not near:
            for relay in itertools.islice(self.relays.to_robot(thing, robot.name), MOST_TRIED):
                yield _relayed(thing, relay)
        worked = self._worked_on(robot, wanted)
        for helper in self.team if worked else ():
            able = helper.name != robot.name and helper.can(VOCABULARY[worked].deed)
            if able and self.relays.reaches(helper.name, thing):
                yield Help(((helper.name, Atom(worked, (thing,))),))

    def favors(self, goals: Mapping[str, Formula]) -> Iterator[tuple[str, Help]]:
        """Yield what one robot can do for another that could do it by itself."""
        for name, goal in goals.items():
            for literal in dict.fromkeys(x for x in literals(nnf(goal)) if x.positive):
                able = self._able(literal)
                if name in able:
                    atom = Atom(literal.predicate, literal.args)
                    yield from ((name, Help(((r, atom),), (r, atom))) for r in able if r != name)

    def _able(self, wanted: Literal) -> list[str]:
        """Return who can do alone what any robot may do."""
        if deed := VOCABULARY[wanted.predicate].deed:
            return [
                r.name
                for r in self.team
                if r.can(deed) and self.relays.reaches(r.name, wanted.args[0])
            ]
        if wanted.predicate != "object-in-place":
            return []
        relays = itertools.islice(self.relays.to_place(*wanted.args), len(self.team.robots))
        return list(dict.fromkeys(relay[0].robot for relay in relays if len(relay) == 1))

    def _worked_on(self, robot: Robot, wanted: Literal) -> str:
        """Return what another robot has to make true of a thing, for a robot's goal or so that it carries it.

        Empty where it can do so itself.
        """
        thing, deed = wanted.args[0], VOCABULARY[wanted.predicate].deed
        if deed:
            alone = robot.can(deed) and self.relays.reaches(robot.name, thing)
            return "" if alone else wanted.predicate
        if wanted.predicate not in CARRIED or robot.can("inspect") or not robot.can("pick"):
            return ""
        layer = self.graph.objects
        return "safe" if layer.metadata(layer.row(thing)).get("suspicious") else ""


def _relayed(thing: str, relay: Relay, instead: Atom | None = None) -> Help:
    """Return the help of a relay, which does something for a robot or instead of it."""
    deeds = tuple((leg.robot, Atom("object-in-place", (thing, leg.place))) for leg in relay)
    return Help(deeds, None if instead is None else (relay[-1].robot, instead))


MOST_PLACES = 3
"""So many places are tried for handing a thing over."""
MOVING = ("pick", "place")


class Leg(NamedTuple):
    """What one robot does for a thing."""

    robot: str
    place: str
    """Where it puts the thing."""


Relay = tuple[Leg, ...]


class _Carried(NamedTuple):
    """A thing in a robot's hands."""

    legs: Relay
    robot: str
    meters: Floats
    """(n,) that the robot has from where it took the thing to every place."""
    been: Bools
    """(n,) places to which those who had it could have brought it."""

    def put(self, place: str) -> Relay:
        """Return the relay with the robot's own leg to a place."""
        return (*self.legs, Leg(self.robot, place))


class Relays:
    """How the robots of a team can bring things to where one of them cannot bring them alone."""

    def __init__(self, graph: SceneGraph, team: Team, goals: Mapping[str, Formula]) -> None:
        self.team, self._graph, self._goals = team, graph, goals
        self._paths: dict[str, ShortestPaths] = {}
        self.carriers = [r.name for r in team if all(map(r.can, MOVING))]

    def paths(self, name: str) -> ShortestPaths:
        """Return the shortest paths of a robot around what its goal forbids for sure."""
        if name not in self._paths:
            road = build_roadmap(self._graph, self.team[name])
            self._paths[name] = avoiding(road, self._goals.get(name, And()))
        return self._paths[name]

    def reaches(self, name: str, thing: str) -> bool:
        """Return whether a robot gets to where a thing lies."""
        return reaches(self.paths(name), self.team[name], thing)

    def to_place(self, thing: str, place: str) -> Iterator[Relay]:
        """Yield relays that end with the thing at a place, those of the fewest robots first."""
        final = np.full(len(self._any.roadmap.positions), np.inf)
        final[self._any.roadmap.row(place)] = 0.0
        yield from self._relays(thing, final, self.carriers)

    def to_robot(self, thing: str, name: str) -> Iterator[Relay]:
        """Yield relays that end with the thing at a place that a robot reaches."""
        others = [carrier for carrier in self.carriers if carrier != name]
        yield from self._relays(thing, self._from_start(name), others)

    @property
    def _any(self) -> ShortestPaths:
        return self.paths(next(iter(self.team.robots)))

    def _relays(self, thing: str, final: Floats, carriers: Sequence[str]) -> Iterator[Relay]:
        """Yield relays to places with finite ``final`` meters (n,) by different robots."""
        front = []
        for name in carriers:
            if self.reaches(name, thing):
                meters = self._meters(name, self.paths(name).roadmap.object(thing))
                front.append(_Carried((), name, meters, np.isfinite(meters)))
        while front:
            for carried in front:
                for place in self._nearest(carried.meters + final):
                    yield carried.put(place)
            front = [further for carried in front for further in self._handed(carried)]

    def _handed(self, carried: _Carried) -> Iterator[_Carried]:
        """Yield how a thing can be handed on to each robot that gets to where it has not been yet."""
        for other in self.carriers:
            from_start = self._from_start(other)
            if not (np.isfinite(from_start) & ~carried.been).any():
                continue
            for place in self._nearest(carried.meters + from_start)[:1]:
                road = self.paths(other).roadmap
                meters = self._meters(other, road.place(road.row(place)))
                been = carried.been | np.isfinite(meters)
                yield _Carried(carried.put(place), other, meters, been)

    def _from_start(self, name: str) -> Floats:
        robot: Robot = self.team[name]
        return self._meters(name, self.paths(name).roadmap.start(robot))

    def _meters(self, name: str, spot: Spot) -> Floats:
        """Return a robot's meters (n,) from a point to every place."""
        paths = self.paths(name)
        return np.where(paths.roadmap.usable, paths.reach([spot])[0], np.inf)

    def _nearest(self, meters: Floats) -> list[str]:
        """Return the places of the fewest meters."""
        best = np.argsort(meters, kind="stable")[:MOST_PLACES]
        return [self._any.roadmap.symbol(int(row)) for row in best if np.isfinite(meters[row])]
