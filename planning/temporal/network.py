"""Simple temporal networks: events in time and how far apart they may be (Dechter, Meiri, Pearl 1991)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.errors import PlanningError

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

    def conflict(self) -> tuple[Link, ...]:
        """Return links that cannot all hold, in a circle; empty: the network is consistent.

        The circle is a negative cycle of the distance graph, found by Bellman and Ford's algorithm.
        """
        tails, heads, weights, owners = self._arcs()
        entered, changed = _relaxed(np.zeros(len(self.events)), tails, heads, weights)
        return () if changed < 0 else self._cycle(entered, tails, owners, changed)

    def earliest(self) -> dict[str, float]:
        """Return the earliest time of every event: together they are a solution."""
        self._refuse_conflict()
        tails, heads, weights, _ = self._arcs()
        before = np.full(len(self.events), np.inf)
        before[0] = 0.0
        _relaxed(before, heads, tails, weights)
        return {event: float(-before[i]) + 0.0 for i, event in enumerate(self.events)}

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

    def _refuse_conflict(self) -> None:
        conflict = self.conflict()
        if conflict:
            raise PlanningError(
                "the times contradict each other: " + "; ".join(str(link) for link in conflict)
            )


def _relaxed(distance: Floats, tails: Ints, heads: Ints, weights: Floats) -> tuple[Ints, int]:
    """Shorten distances in place along arcs until nothing changes (Bellman, Ford).

    Returns the arc that last shortened each distance, and an event that still changes after as many
    rounds as there are events (−1: none): a negative cycle leads to it.
    """
    entered, changed = np.full(len(distance), -1), -1
    for _ in range(len(distance) + 1):
        reach = distance[tails] + weights
        order = np.lexsort((reach, heads))
        best = order[np.r_[True, np.diff(heads[order]) > 0]] if len(order) else order
        better = best[reach[best] < distance[heads[best]] - TOLERANCE_S]
        if not len(better):
            return entered, -1
        distance[heads[better]] = reach[better]
        entered[heads[better]] = better
        changed = int(heads[better[0]])
    return entered, changed
