"""A found way of one robot in actions: motions, waits, and the errands between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.plan import Action
from commonground.planning.team.errands import Errand, Hop, Way

PAUSE_S = 1e-3
"""Shorter stops are no waits: the motion is that much slower."""


def actions_of(way: Way, hops: Sequence[Hop]) -> tuple[Action, ...]:
    """Return a found way as motions, waits and the errands between them."""
    return tuple(_Teller(way).told(hops))


class _Teller:
    """Turns hops into actions, one motion between two stands."""

    def __init__(self, way: Way) -> None:
        self.way, self.errands = way, way.errands
        self.rows = [way.start]
        self.since_s = 0.0
        self.now_s = 0.0
        self.waited = False

    def told(self, hops: Sequence[Hop]) -> Iterator[Action]:
        """Yield the actions."""
        done = 0
        for hop in hops:
            errand = self.errands[done] if done < len(self.errands) else None
            if hop.left_s > self.now_s + PAUSE_S:
                yield from self._stood()
                yield self._wait(hop.left_s)
            if hop.done > done and errand is not None:
                if len(self.rows) > 1 or errand.action.action == "goto" or self.waited:
                    yield from self._moved(errand.target, errand)
                if errand.action.action != "goto":
                    here = self._points()[-1:]
                    yield replace(
                        errand.action, path_map=here, start_s=hop.left_s, end_s=hop.begin_s
                    )
                self.rows, self.since_s = [hop.place], hop.begin_s
            else:
                slow = self._is_slow(hop)
                if len(self.rows) > 1 and (slow or self.way.place(self.rows[-1]) < 0):
                    yield from self._stood()  # the places before and after it need be no neighbors
                self.rows.append(hop.place)
                self.waited = False
                if slow:
                    self.now_s = hop.begin_s
                    yield from self._stood()
            done, self.now_s = hop.done, hop.begin_s
        yield from self._stood()

    def _is_slow(self, hop: Hop) -> bool:
        """Return whether a hop takes longer than it has to, because others move at the same time."""
        points = self.way.ground.points
        meters = float(np.linalg.norm(points[hop.place] - points[self.rows[-1]]))
        return hop.begin_s - hop.left_s > meters / self.way.robot.speed_mps + PAUSE_S

    def _stood(self) -> Iterator[Action]:
        """Yield the motion up to here, where nothing is done."""
        if len(self.rows) > 1:
            yield from self._moved(self.way.road.symbol(self.way.nearest(self.rows[-1])))

    def _moved(self, target: str, errand: Errand | None = None) -> Iterator[Action]:
        yield Action(
            "goto",
            target,
            self._points(),
            self._symbols() + self._arrived(errand),
            start_s=self.since_s,
            end_s=self.now_s,
        )
        self.rows, self.since_s, self.waited = self.rows[-1:], self.now_s, False

    def _arrived(self, errand: Errand | None) -> tuple[str, ...]:
        """Return the place next to where something is done, if the way there led by its neighbor alone."""
        places = [place for place in map(self.way.place, self.rows) if place >= 0]
        if errand is None or self.rows[-1] != errand.place or errand.beside in (-1, *places[-1:]):
            return ()
        if not places:
            return ()
        first, last = self.way.ground.indptr[places[-1] : places[-1] + 2]
        linked = errand.beside in self.way.ground.indices[first:last]
        return (self.way.road.symbol(errand.beside),) if linked else ()

    def _wait(self, until_s: float) -> Action:
        begin, self.since_s, self.now_s, self.waited = self.now_s, until_s, until_s, True
        return Action("wait", "", self._points()[-1:], start_s=begin, end_s=until_s)

    def _points(self) -> Floats:
        return np.asarray(self.way.ground.points[self.rows])

    def _symbols(self) -> tuple[str, ...]:
        places = [place for place in map(self.way.place, self.rows) if place >= 0]
        return tuple(self.way.road.symbol(place) for place, _ in itertools.groupby(places))
