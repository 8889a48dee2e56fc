"""Simple temporal networks: events in time and how far apart they may be (Dechter, Meiri, Pearl 1991)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.errors import PlanningError, did_you_mean

ORIGIN = "begin"
"""The event at time 0 that every network has."""
TOLERANCE_S = 1e-9


@dataclass(frozen=True, slots=True)
class Link:
    """``later`` happens between ``least_s`` and ``most_s`` after ``earlier``."""

    earlier: str
    later: str
    least_s: float = 0.0
    most_s: float = np.inf
    reason: str = ""
    """What the link stands for, as conflicts call it."""

    def __str__(self) -> str:
        most = "" if np.isinf(self.most_s) else f" and at most {self.most_s:g} s"
        why = f" ({self.reason})" if self.reason else ""
        return f"{self.later} at least {self.least_s:g} s{most} after {self.earlier}{why}"


@dataclass(frozen=True, slots=True)
class TemporalNetwork:
    """Events and the links between them; nothing happens before the event ``begin`` at time 0."""

    events: tuple[str, ...]
    links: tuple[Link, ...]

    @classmethod
    def of(cls, links: Iterable[Link], events: Iterable[str] = ()) -> TemporalNetwork:
        """Build a network from links; ``events`` adds such as occur in none."""
        given = tuple(links)
        for link in given:
            if np.isnan(link.least_s) or np.isnan(link.most_s) or np.isposinf(link.least_s):
                raise PlanningError(f"the link '{link}' has no meaning; least has to be finite")
        named = [name for link in given for name in (link.earlier, link.later)]
        return cls(tuple(dict.fromkeys([ORIGIN, *events, *named])), given)

    def index(self, event: str) -> int:
        """Return the number of an event."""
        if event not in self.events:
            raise PlanningError(f"unknown event '{event}'.{did_you_mean(event, self.events)}")
        return self.events.index(event)

    def conflict(self) -> tuple[Link, ...]:
        """Return links that cannot all hold, in a circle; empty: the network is consistent.

        The circle is a negative cycle of the distance graph, found by Bellman and Ford's algorithm.
        """
        tails, heads, weights, owners = self._arcs()
        n = len(self.events)
        distance, entered = np.zeros(n), np.full(n, -1)
        changed = -1
        for _ in range(n + 1):
            reach = distance[tails] + weights
            order = np.lexsort((reach, heads))
            best = order[np.r_[True, np.diff(heads[order]) > 0]] if len(order) else order
            better = best[reach[best] < distance[heads[best]] - TOLERANCE_S]
            if not len(better):
                return ()
            distance[heads[better]] = reach[better]
            entered[heads[better]] = better
            changed = int(heads[better[0]])
        return self._cycle(entered, tails, owners, changed)

    def _cycle(self, entered: Ints, tails: Ints, owners: list[Link], node: int) -> tuple[Link, ...]:
        """Walk back along the arcs that last shortened each distance until an event comes again."""
        seen: dict[int, int] = {}
        arcs: list[int] = []
        while node not in seen:
            seen[node] = len(arcs)
            arcs.append(int(entered[node]))
            node = int(tails[arcs[-1]])
        circle = arcs[seen[node] :]
        return tuple(dict.fromkeys(owners[arc] for arc in reversed(circle)))

    def _arcs(self) -> tuple[Ints, Ints, Floats, list[Link]]:
        """Return the distance graph: an arc u → v with weight w says t_v − t_u ≤ w."""
        index = {event: i for i, event in enumerate(self.events)}
        arcs: list[tuple[int, int, float, Link]] = []
        for link in self.links:
            u, v = index[link.earlier], index[link.later]
            if np.isfinite(link.least_s):
                arcs.append((v, u, -link.least_s, link))
            if np.isfinite(link.most_s):
                arcs.append((u, v, link.most_s, link))
        for event, i in index.items():
            if i:
                arcs.append((i, 0, 0.0, Link(ORIGIN, event, reason="time begins")))
        table = np.array([arc[:3] for arc in arcs], float).reshape(-1, 3)
        ends = table[:, :2].astype(np.int64)
        return ends[:, 0], ends[:, 1], table[:, 2], [arc[3] for arc in arcs]

    def minimal(self) -> MinimalNetwork:
        """Return all that the links imply; a conflict is raised with its links named."""
        conflict = self.conflict()
        if conflict:
            raise PlanningError(
                "the times contradict each other: " + "; ".join(str(link) for link in conflict)
            )
        n = len(self.events)
        distance = np.full((n, n), np.inf)
        np.fill_diagonal(distance, 0.0)
        tails, heads, weights, _ = self._arcs()
        np.minimum.at(distance, (tails, heads), weights)
        for k in range(n):  # Floyd and Warshall
            np.minimum(distance, distance[:, k, None] + distance[k], out=distance)
        return MinimalNetwork(self.events, distance)

    def with_links(self, *links: Link) -> TemporalNetwork:
        """Return the network with more links."""
        known = set(self.events)
        new = [name for link in links for name in (link.earlier, link.later) if name not in known]
        return replace(
            self, events=(*self.events, *dict.fromkeys(new)), links=(*self.links, *links)
        )

    def happened(self, event: str, time_s: float) -> TemporalNetwork:
        """Return the network in which an event was observed at a time."""
        self.index(event)
        return self.with_links(Link(ORIGIN, event, time_s, time_s, "observed"))

    def delayed(self, event: str, by_s: float) -> TemporalNetwork:
        """Return the network in which an event comes later than its earliest time now."""
        earliest, _ = self.minimal().window(event)
        return self.with_links(
            Link(ORIGIN, event, earliest + by_s, reason=f"delayed by {by_s:g} s")
        )


@dataclass(frozen=True, slots=True)
class MinimalNetwork:
    """The tightest link between every two events: all that a consistent network implies."""

    events: tuple[str, ...]
    distance: Floats
    """(n, n) entry [u, v] is the most that event v can be later than event u."""

    def window(self, event: str) -> tuple[float, float]:
        """Return the earliest and the latest time of an event; each is part of some solution."""
        if event not in self.events:
            raise PlanningError(f"unknown event '{event}'.{did_you_mean(event, self.events)}")
        i = self.events.index(event)
        return float(-self.distance[i, 0]) + 0.0, float(self.distance[0, i])

    def windows(self) -> Mapping[str, tuple[float, float]]:
        """Return the window of every event."""
        return {
            event: (float(-self.distance[i, 0]) + 0.0, float(self.distance[0, i]))
            for i, event in enumerate(self.events)
        }

    def allows(self, link: Link) -> bool:
        """Return whether a link can be added without a conflict."""
        u, v = self.events.index(link.earlier), self.events.index(link.later)
        return bool(
            self.distance[u, v] >= link.least_s - TOLERANCE_S
            and -self.distance[v, u] <= link.most_s + TOLERANCE_S
        )

    def tightened(self, link: Link) -> MinimalNetwork:
        """Return the network with one more link in O(n²); a conflict is raised."""
        if not self.allows(link):
            raise PlanningError(f"the times leave no room for: {link}")
        u, v = self.events.index(link.earlier), self.events.index(link.later)
        distance = self.distance
        for a, b, weight in ((v, u, -link.least_s), (u, v, link.most_s)):
            if weight < distance[a, b]:
                through = distance[:, a, None] + weight + distance[b]
                distance = np.minimum(distance, through)
        return replace(self, distance=distance)
