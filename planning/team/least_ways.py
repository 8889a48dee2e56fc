"""Meters that a robot has to drive between points of interest at least, whatever way it is given.

A robot that cannot leave the lines between places drives along them; another one may go straight. Neither
has to be at the very middle of a thing, so each way is shorter by what it may stop short by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.scene.footprints import beside_m, footprints_of
from commonground.planning.scene.paths import PathsByAvoidance, ShortestPaths
from commonground.planning.scene.roadmap import Roadmap, Spot

if TYPE_CHECKING:
    from commonground.arrays import Ints


def least_ways(
    road: Roadmap, starts: Iterable[Spot], things: Iterable[str], *, several: bool
) -> PathsByAvoidance:
    """Return the meters that robots have to drive at least between points, the given things among them."""
    if on_lines(road):
        hung = [*starts, *(road.object(thing) for thing in things)]
        return _AlongLines(road, hung)
    return _AnyWay(road, _Straight(road, _off_places(road, several)))


def on_lines(road: Roadmap) -> bool:
    """Return whether robots keep to the lines between places, since nothing tells of more room.

    Where a thing stands on a place, its way around may cut a corner.
    """
    at = road.positions
    if not road.widths.unknown(np.arange(len(at))).all():
        return False
    prints = footprints_of(road.graph.objects)
    return len(prints) == 0 or len(prints.near(at, at, road.radius_m)[0]) == 0


def _off_places(road: Roadmap, several: bool) -> Floats:
    """Return from how far (n,) a robot counts as at a place: others may be on the very place."""
    outlines, n = road.places.boundaries, len(road.positions)
    if not several:
        return np.zeros(n)
    off_m = np.nan_to_num(road.widths.place_m, nan=0.0)
    if outlines is not None:
        of = np.repeat(np.arange(n), np.diff(outlines.starts).astype(np.int64))
        corners = np.linalg.norm((outlines.points - road.positions[of])[:, :2], axis=1)
        np.maximum.at(off_m, of, corners)
    return off_m


class _Straight(ShortestPaths):
    """Straight lines between points of interest, less what a robot may stay off them."""

    def __init__(self, road: Roadmap, off_m: Floats) -> None:
        super().__init__(road, np.zeros(len(road.positions), bool))
        self.off_m = off_m

    def reach(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, n) from each spot to every place."""
        at = np.array([s.position for s in spots]).reshape(-1, 1, 3)
        meters = np.linalg.norm((self.roadmap.positions - at)[..., :2], axis=2)
        off = np.array([self._off(s) for s in spots])
        return np.asarray(np.maximum(meters - off[:, None] - self.off_m, 0.0))

    def entries(self, rows: Sequence[int], _points: Sequence[Spot]) -> list[int]:
        """Return all of some places: straight ways come from anywhere."""
        return list(rows)

    def between(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, k) between spots."""
        return _straight_m(spots, np.array([self._off(s) for s in spots]))

    def _off(self, spot: Spot) -> float:
        if spot.is_place:
            return float(self.off_m[spot.anchors[0]])
        return _off_thing(self.roadmap, spot)


class _AnyWay(PathsByAvoidance):
    """Straight lines, whatever is forbidden."""

    def __init__(self, road: Roadmap, straight: _Straight) -> None:
        super().__init__(road)
        self.straight = straight

    def around(self, forbidden: Bools) -> ShortestPaths:
        """Return the same for all: straight lines ask nobody."""
        return self.straight


class _AlongLines(PathsByAvoidance):
    """Lines between places, and from places to the points that hang on them."""

    def __init__(self, road: Roadmap, hung: Sequence[Spot]) -> None:
        super().__init__(road)
        i, j = road.metric.nonzero()
        own = [(row, spot.position) for spot in hung for row in spot.anchors]
        rows = np.array([row for row, _ in own], np.int64)
        self.ends = np.concatenate([np.c_[i, j], np.c_[rows, rows]]).astype(np.int64)
        """(m, 2) the places at the ends of each line; of one to a point, its only place."""
        tips = np.array([point for _, point in own], float).reshape(-1, 3)
        self.p = road.positions[self.ends[:, 0], :2]
        self.q = np.concatenate([road.positions[j], tips])[:, :2]

    def around(self, forbidden: Bools) -> ShortestPaths:
        """Return the paths that avoid the given places."""
        return _LinePaths(self, forbidden)

    def beside(self, point: Floats, within_m: float) -> Ints:
        """Return the places at the ends of the lines that pass so near to a point."""
        along, offset = self.q - self.p, point[:2] - self.p
        share = (along * offset).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-18)
        gap = np.linalg.norm(offset - np.clip(share, 0.0, 1.0)[:, None] * along, axis=1)
        return np.unique(self.ends[gap <= within_m])


class _LinePaths(ShortestPaths):
    """Shortest paths along lines that end as soon as a robot is beside a thing."""

    def __init__(self, lines: _AlongLines, forbidden: Bools) -> None:
        super().__init__(lines.roadmap, forbidden)
        self.lines = lines
        self._wide: dict[Spot, Spot] = {}

    def reach(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, n) from each spot to every place."""
        return super().reach([self._widened(s) for s in spots])

    def entries(self, rows: Sequence[int], points: Sequence[Spot]) -> list[int]:
        """Return those of some places that a way may come to first."""
        return super().entries(rows, [self._widened(s) for s in points])

    def between(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, k) between spots: over places, or straight where they are on one line."""
        wide = [self._widened(s) for s in spots]
        out = super().between(wide)
        held = [set(s.anchors) for s in wide]
        one_line = np.array([[not a.isdisjoint(b) for b in held] for a in held])
        straight = _straight_m(spots, np.array([_off_thing(self.roadmap, s) for s in spots]))
        return np.where(one_line, np.minimum(out, straight), out)

    def _widened(self, spot: Spot) -> Spot:
        """Return a thing as it hangs on all places from which a line passes beside it."""
        if spot in self._wide.values():
            return spot
        if spot not in self._wide:
            off_m, at = _off_thing(self.roadmap, spot), np.asarray(spot.position)
            wide = spot
            if off_m > 0.0:
                rows = np.union1d(self.lines.beside(at, off_m), spot.anchors).astype(np.int64)
                gaps = np.linalg.norm((self.roadmap.positions[rows] - at)[:, :2], axis=1)
                meters = tuple(np.maximum(gaps - off_m, 0.0).tolist())
                wide = replace(spot, anchors=tuple(rows.tolist()), meters=meters)
            self._wide[spot] = wide
        return self._wide[spot]


def _straight_m(spots: Sequence[Spot], off_m: Floats) -> Floats:
    at = np.array([s.position for s in spots]).reshape(-1, 3)[:, :2]
    meters = np.linalg.norm(at[:, None] - at, axis=2) - off_m[:, None] - off_m
    return np.asarray(np.maximum(meters, 0.0))


def _off_thing(road: Roadmap, spot: Spot) -> float:
    """Return how far from the middle of a thing a robot may be at it; 0 for a place and a start."""
    if spot.is_place or spot.symbol.startswith("@") or road.graph.find(spot.symbol)[0] != "objects":
        return 0.0
    return beside_m(road.graph, road.layer, road.radius_m, spot.symbol)
