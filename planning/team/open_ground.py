"""The ground of one robot: places, bends and points beside them, and the steps on which nothing stands."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.bends import bends_of
from commonground.planning.scene.footprints import footprints_of
from commonground.planning.scene.roadmap import Roadmap
from commonground.planning.scene.widths import widths_of
from commonground.planning.team._sipp_kernels import Ground
from commonground.robots import Robot
from commonground.scene import Layer

SAME_M = 1e-6


class Bent(NamedTuple):
    """The points at which ways between neighbors bend, and how they hang together."""

    points: Floats
    """(k, 3), their rows after those of the places."""
    links: list[tuple[int, int]]
    place_of: dict[int, int]
    """Rows of points → the places they are at, one of both neighbors if that is next to them."""


@lru_cache(maxsize=16)
def bent_of(layer: Layer, radius_m: float) -> Bent:
    n, ways = len(layer), [(a, b, p) for (a, b), p in bends_of(layer, radius_m).items() if a < b]
    if not ways:
        return Bent(np.empty((0, 3)), [], {})
    links, places = list[tuple[int, int]](), dict[int, int]()
    points = np.concatenate([at for _, _, at in ways]).reshape(-1, 3)
    nearest = widths_of(layer).tree.query(points)[1].tolist()
    first = 0
    for a, b, at in ways:
        inner = range(first, first + len(at))
        links += itertools.pairwise([a, *(n + k for k in inner), b])
        places |= {n + k: nearest[k] for k in inner if nearest[k] in (a, b)}
        first += len(at)
    return Bent(points, links, places)


@dataclass(slots=True)
class Points:
    """The points of a way: the places, those at which ways bend, and others that are linked to some."""

    road: Roadmap
    bent: Bent
    extra: list[Floats] = field(default_factory=list)
    links: list[tuple[int, int]] = field(default_factory=list)

    @property
    def all(self) -> Floats:
        """All points (m, 3) in the order of their rows."""
        more = np.array(self.extra).reshape(-1, 3)
        return np.concatenate([self.road.positions, self.bent.points, more])

    def add(self, at: Floats, anchors: Sequence[int]) -> int:
        """Return the row of a point: a place among its anchors, one that is known, or a new one."""
        n = len(self.road.positions)
        for row in anchors:
            if row < n and np.linalg.norm(self.road.positions[row] - at) < SAME_M:
                return row
        others = self.all[n:]
        known = np.flatnonzero(np.linalg.norm(others - at, axis=1) < SAME_M).tolist()
        if not known:
            known = [len(others)]
            self.extra.append(np.asarray(at, float))
        self.link(n + known[0], anchors)
        return n + known[0]

    def link(self, row: int, others: Sequence[int]) -> None:
        """Let the robot go straight between a point that is no place and some others."""
        if row >= len(self.road.positions):
            self.links.extend((row, other) for other in others)


def open_ground(
    road: Roadmap, closed: Bools, points: Points, robot: Robot, start: int, stands: Sequence[int]
) -> Ground:
    """Return the open places with the extra points linked to them, without steps that touch objects.

    Nor are there any over the ground of regions that are closed; who starts there may leave it.
    """
    links = [*points.bent.links, *points.links]
    at = points.all
    total = len(at)
    metric = road.metric.tocoo()
    rows: Ints = np.concatenate([metric.row, [a for a, _ in links], [b for _, b in links]])
    columns: Ints = np.concatenate([metric.col, [b for _, b in links], [a for a, _ in links]])
    rows, columns = rows.astype(np.int64), columns.astype(np.int64)
    shut = np.concatenate([closed | ~road.usable, np.zeros(total - len(closed), bool)])
    keep = ~shut[rows] & ~shut[columns] & (rows != columns)
    bent = [a * total + b for a, b in road.bends]
    keep &= ~np.isin(rows * total + columns, bent)
    key = np.unique(rows[keep] * total + columns[keep])
    rows, columns = key // total, key % total
    known = len(road.positions) + len(points.bent.points)
    free = np.ones(len(rows), bool)
    own = (rows >= known) | (columns >= known) | np.isin(rows, stands) | np.isin(columns, stands)
    free[own] = free_of_things(road, at, rows[own], columns[own], robot, stands)
    blocked = _blocked(road.graph.objects, road.places, road.radius_m)
    free[~own] = ~np.isin(rows[~own] * known + columns[~own], blocked)
    rows, columns = rows[free], columns[free]
    ground = road.kept_out(closed)
    if ground is not None:
        away = ~ground.entered(at[rows], at[columns])
        for k in np.flatnonzero(~away & ((rows == start) | (columns == start))):
            other = columns[k] if rows[k] == start else rows[k]
            away[k] = not ground.entered_by([at[[start, other]]])
        rows, columns = rows[away], columns[away]
    meters = np.maximum(np.linalg.norm(at[rows] - at[columns], axis=1), SAME_M)
    return linked(at, rows, columns, meters / robot.speed_mps)


def linked(points: Floats, a: Ints, b: Ints, travel_s: Floats) -> Ground:
    """Return the ground of some points with ways from points a to points b (m,)."""
    from scipy.sparse import coo_matrix

    csr = coo_matrix((travel_s, (a, b)), shape=(len(points), len(points))).tocsr()
    return Ground(
        points,
        csr.indptr.astype(np.int64),
        csr.indices.astype(np.int64),
        np.asarray(csr.data, float),
    )


@lru_cache(maxsize=16)
def _blocked(objects: Layer, places: Layer, radius_m: float) -> Ints:
    """Return the steps over places and bends on which things stand: rows times their number plus columns."""
    prints, bent = footprints_of(objects), bent_of(places, radius_m)
    at = np.concatenate([places.positions, bent.points])
    steps = np.concatenate(
        [places.edges.rows.astype(np.int64), np.array(bent.links, np.int64).reshape(-1, 2)]
    )
    if len(prints) == 0 or len(steps) == 0:
        return np.empty(0, np.int64)
    a, b = steps[np.unique(prints.hits(at[steps[:, 0]], at[steps[:, 1]], radius_m, at[:0])[1])].T
    return np.asarray(np.unique(np.concatenate([a * len(at) + b, b * len(at) + a])))


def free_of_things(
    road: Roadmap, at: Floats, rows: Ints, columns: Ints, robot: Robot, stands: Sequence[int]
) -> Bools:
    """Return the steps (m,) on which no object stands; from where a robot has to stand it may be near one."""
    prints = footprints_of(road.graph.objects)
    out = np.ones(len(rows), bool)
    if len(prints) == 0:
        return out
    at_stand = np.isin(rows, stands) | np.isin(columns, stands)
    for stand in [-1, *stands]:
        steps = np.flatnonzero(((rows == stand) | (columns == stand)) if stand >= 0 else ~at_stand)
        ends = at[[stand]] if stand >= 0 else at[:0]
        a, b = at[rows[steps]], at[columns[steps]]
        out[steps[prints.hits(a, b, robot.radius_m, ends)[1]]] = False
    return out
