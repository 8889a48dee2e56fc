"""Relays: the ways in which robots can bring a thing on, each as far as it gets, the next from there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.paths import ShortestPaths, unrestricted
from commonground.planning.scene.roadmap import Spot, build_roadmap
from commonground.planning.team.hopeless import reaches
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

MOST_PLACES = 3
"""So many places are tried for handing a thing over."""
MOST_LEGS = 4
MOVING = ("pick", "place")


class Leg(NamedTuple):
    """What one robot does for a thing."""

    robot: str
    place: str
    """Where it puts the thing."""


Relay = tuple[Leg, ...]


class Relays:
    """How the robots of a team can bring things to where one of them cannot bring them alone."""

    def __init__(self, graph: SceneGraph, team: Team) -> None:
        self.team = team
        self.paths: Mapping[str, ShortestPaths] = {
            r.name: unrestricted(build_roadmap(graph, r)) for r in team
        }
        self.carriers = [r.name for r in team if all(map(r.can, MOVING))]

    def reaches(self, name: str, thing: str) -> bool:
        """Return whether a robot gets to where a thing lies."""
        return reaches(self.paths[name], self.team[name], thing)

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
        return next(iter(self.paths.values()))

    def _relays(self, thing: str, final: Floats, carriers: Sequence[str]) -> Iterator[Relay]:
        """Yield relays to places with finite ``final`` meters (n,) by different robots."""
        begun = [
            ((), name, self._meters(name, self.paths[name].roadmap.object(thing)))
            for name in carriers
            if self.reaches(name, thing)
        ]
        front: list[tuple[Relay, str, Floats]] = list(begun)
        for _ in range(MOST_LEGS):
            for legs, name, meters in front:
                for place in self._nearest(meters + final):
                    yield *legs, Leg(name, place)
            front = list(itertools.chain.from_iterable(map(self._handed, front)))

    def _handed(self, state: tuple[Relay, str, Floats]) -> Iterator[tuple[Relay, str, Floats]]:
        """Yield how a thing that a robot carries can be handed to each robot that has not had it yet."""
        legs, name, meters = state
        had = {name, *(leg.robot for leg in legs)}
        for other in self.carriers:
            if other not in had:
                for place in self._nearest(meters + self._from_start(other))[:1]:
                    road = self.paths[other].roadmap
                    further = self._meters(other, road.place(road.row(place)))
                    yield (*legs, Leg(name, place)), other, further

    def _from_start(self, name: str) -> Floats:
        robot: Robot = self.team[name]
        return self._meters(name, self.paths[name].roadmap.start(robot))

    def _meters(self, name: str, spot: Spot) -> Floats:
        """Return a robot's meters (n,) from a point to every place."""
        paths = self.paths[name]
        return np.where(paths.roadmap.usable, paths.reach([spot])[0], np.inf)

    def _nearest(self, meters: Floats) -> list[str]:
        """Return the places of the fewest meters."""
        best = np.argsort(meters, kind="stable")[:MOST_PLACES]
        return [self._any.roadmap.symbol(int(row)) for row in best if np.isfinite(meters[row])]
