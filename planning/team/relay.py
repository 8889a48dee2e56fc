"""Relays: the ways in which robots can bring a thing on, each as far as it gets, the next from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.pddl import And, Formula
from commonground.planning.scene.paths import ShortestPaths
from commonground.planning.scene.roadmap import Spot, build_roadmap
from commonground.planning.team.hopeless import avoiding, reaches
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

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
