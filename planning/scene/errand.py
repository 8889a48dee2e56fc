"""Errands: what one robot has to do for one alternative of a goal, as stops with an order between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from commonground.arrays import Bools
from commonground.planning.scene.roadmap import Spot


@dataclass(frozen=True, slots=True)
class Stop:
    """Something done at one of several spots."""

    action: str
    """goto, inspect, pick or place."""
    targets: tuple[str, ...]
    """What the action is about at each spot: an object, a place, a region."""
    spots: tuple[Spot, ...]
    item: str = ""
    """The object carried, for place."""
    last: bool = False
    """Whether everything else comes before."""
    least: tuple[Spot, ...] = ()
    """Where its spots are some of many that serve: those of which every plan comes to one."""


@dataclass(frozen=True, slots=True)
class Area:
    """A stop at any of many places, of which the useful ones are chosen when distances are known."""

    target: str
    rows: tuple[int, ...]
    last: bool = False
    spots: tuple[Spot, ...] = ()
    """Spots that serve as well, besides the places."""


@dataclass(slots=True)
class Errand:
    """All stops one robot has to make, where it may not go, and what has to come before what."""

    forbidden: Bools
    """(n,) places of the roadmap that must not be touched."""
    stops: list[Stop] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    before: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of stops, earlier and later."""
    carries: list[tuple[int | None, int | None]] = field(default_factory=list)
    """Pairs of pick and place stops; None: kept in the gripper to the end."""
    reason: str = ""
    """Why it cannot be, if it cannot."""

    def add(self, stop: Stop) -> int:
        """Append a stop and return its number."""
        self.stops.append(stop)
        return len(self.stops) - 1

    def at_least(self) -> Errand:
        """Return what every plan has to do, whatever was chosen here; a bound of it is one of them all."""
        if not any(stop.least for stop in self.stops):
            return self
        stops = [
            Stop(s.action, s.targets[:1] * len(s.least), s.least, last=s.last) if s.least else s
            for s in self.stops
        ]
        return replace(self, stops=stops)

    def put_last_behind(self) -> None:
        """Order the stops that have to be last behind all others."""
        last = [i for i, stop in enumerate(self.stops) if stop.last]
        pairs = ((i, j) for j in last for i in range(len(self.stops)) if i != j)
        self.before = list(dict.fromkeys([*self.before, *pairs]))


class Impossible(Exception):
    """This alternative cannot be done, whatever the order."""


def needed(stops: Iterable[Stop]) -> list[Spot]:
    """Return every spot of some stops, once each."""
    return list(dict.fromkeys(spot for stop in stops for spot in stop.spots))
