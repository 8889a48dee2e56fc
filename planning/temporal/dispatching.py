"""Dispatcher of a temporal network: which events may happen now, and what their times imply.

A dispatchable network has so many links that looking at direct neighbors is enough, and no more: the
minimal network without links that others dominate (Muscettola, Morris, Tsamardinos 1998).
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import PlanningError
from commonground.planning.temporal.network import (
    TOLERANCE_S,
    Link,
    MinimalNetwork,
    TemporalNetwork,
)


def dispatchable(network: MinimalNetwork) -> TemporalNetwork:
    """Return the network that a dispatcher needs.

    Events at fixed distances move as one: only their first keeps links to others.
    """
    distance = network.distance
    leader = _leaders(distance)
    heads = np.flatnonzero(leader == np.arange(len(leader)))
    kept = _undominated(distance[np.ix_(heads, heads)])
    links: list[Link] = []
    for i, event in enumerate(network.events):
        if leader[i] != i:
            gap = float(distance[leader[i], i])
            links.append(Link(network.events[leader[i]], event, gap, gap, "moves along"))
    for a in range(len(heads)):
        for b in range(a + 1, len(heads)):
            u, v = int(heads[a]), int(heads[b])
            most = float(distance[u, v]) if kept[a, b] else np.inf
            least = -float(distance[v, u]) if kept[b, a] else -np.inf
            if np.isfinite(most) or np.isfinite(least):
                links.append(Link(network.events[u], network.events[v], least, most))
    return TemporalNetwork(network.events, tuple(links))


def _leaders(distance: Floats) -> Ints:
    """Return (n,) the first in time of the events at fixed distances from each event."""
    with np.errstate(invalid="ignore"):
        rigid = distance + distance.T <= TOLERANCE_S
    order = np.argsort(-distance[:, 0], kind="stable")
    leader = np.arange(len(distance))
    taken = np.zeros(len(distance), bool)
    for i in order:
        members = rigid[i] & ~taken
        leader[members] = i
        taken |= members
    return leader


def _undominated(distance: Floats) -> Bools:
    """Return (n, n) which bounds have to be kept.

    The latest time of c after a follows from that after b where b to c is not negative either and the way
    over b is as short; the earliest time of a after c follows from that after b where a to b is negative.
    """
    n = len(distance)
    kept: Bools = np.isfinite(distance) & ~np.eye(n, dtype=bool)
    with np.errstate(invalid="ignore"):
        for b in range(n):
            through = distance[:, b, None] + distance[b]
            same = through <= distance + TOLERANCE_S
            same[b, :] = same[:, b] = False
            upper = (distance >= 0) & (distance[b] >= 0)
            lower = (distance < 0) & (distance[:, b, None] < 0)
            kept &= ~(same & (upper | lower))
    return kept


class Dispatcher:
    """Runs a network: tells which events may happen, takes their times, passes the consequences on."""

    def __init__(self, network: TemporalNetwork) -> None:
        ready = dispatchable(network.minimal())
        self.events = ready.events
        self._upper: dict[int, list[tuple[int, float]]] = {i: [] for i in range(len(self.events))}
        self._lower: dict[int, list[tuple[int, float]]] = {i: [] for i in range(len(self.events))}
        self._waits: dict[int, set[int]] = {i: set() for i in range(len(self.events))}
        index = {event: i for i, event in enumerate(self.events)}
        for link in ready.links:
            self._add(index[link.earlier], index[link.later], link.least_s, link.most_s)
        self._low = np.zeros(len(self.events))
        self._high = np.full(len(self.events), np.inf)
        self._time: dict[int, float] = {}
        self._set(0, 0.0)

    def _add(self, u: int, v: int, least: float, most: float) -> None:
        for a, b, low, high in ((u, v, least, most), (v, u, -most, -least)):
            if np.isfinite(high):
                self._upper[a].append((b, high))
            if np.isfinite(low):
                self._lower[a].append((b, low))
            if low > 0 or (low == 0 and high > 0):
                self._waits[b].add(a)
        if least == 0 and most == 0:
            self._waits[v].add(u)

    @property
    def done(self) -> bool:
        """Whether every event has happened."""
        return len(self._time) == len(self.events)

    @property
    def times_s(self) -> dict[str, float]:
        """When the events happened."""
        return {self.events[i]: time for i, time in self._time.items()}

    def window(self, event: str) -> tuple[float, float]:
        """Return from when to when an event may happen, as far as its neighbors have told."""
        i = self._index(event)
        return float(self._low[i]), float(self._high[i])

    def ready(self, now_s: float) -> list[str]:
        """Return the events that may happen now: nothing they wait for is missing."""
        return [
            event
            for i, event in enumerate(self.events)
            if i not in self._time
            and self._waits[i] <= self._time.keys()
            and self._low[i] - TOLERANCE_S <= now_s <= self._high[i] + TOLERANCE_S
        ]

    def next_time(self) -> float:
        """Return when the next event can happen; inf when all have."""
        times = [
            float(self._low[i])
            for i in range(len(self.events))
            if i not in self._time and self._waits[i] <= self._time.keys()
        ]
        return min(times, default=np.inf)

    def overdue(self, now_s: float) -> list[str]:
        """Return the events whose latest time has passed: the plan needs repair."""
        return [
            event
            for i, event in enumerate(self.events)
            if i not in self._time and self._high[i] < now_s - TOLERANCE_S
        ]

    def happened(self, event: str, time_s: float) -> None:
        """Take note of an event; outside its window is an error that names the window."""
        i = self._index(event)
        if i in self._time:
            raise PlanningError(f"'{event}' has already happened at {self._time[i]:g} s")
        missing = [self.events[j] for j in sorted(self._waits[i] - self._time.keys())]
        if missing:
            raise PlanningError(f"'{event}' cannot happen before {', '.join(missing)}")
        low, high = self._low[i], self._high[i]
        if not low - TOLERANCE_S <= time_s <= high + TOLERANCE_S:
            raise PlanningError(
                f"'{event}' at {time_s:g} s is outside its window of {low:g} to {high:g} s; "
                "propagate the delay in the network and dispatch that"
            )
        self._set(i, time_s)

    def _set(self, i: int, time: float) -> None:
        self._time[i] = time
        self._low[i] = self._high[i] = time
        for j, most in self._upper[i]:
            self._high[j] = min(self._high[j], time + most)
        for j, least in self._lower[i]:
            self._low[j] = max(self._low[j], time + least)

    def _index(self, event: str) -> int:
        if event not in self.events:
            raise PlanningError(f"unknown event '{event}'; the network has {len(self.events)}")
        return self.events.index(event)
