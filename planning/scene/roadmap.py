"""Roadmap of one robot: the places it can use, as arrays, and the points of interest that hang on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import PlanningError
from commonground.planning.scene.bends import Bends, bends_of
from commonground.planning.scene.footing import (
    grounded,
    host_row,
    leads_on,
    no_fragment,
    place_layer,
    under,
)
from commonground.planning.scene.keep_out import KeepOut, keep_out, whole_regions
from commonground.planning.scene.sight import is_behind
from commonground.planning.scene.widths import Widths, too_narrow, widths_of
from commonground.robots import Robot
from commonground.scene import Layer, SceneGraph
from commonground.symbols import symbol_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BESIDE_M = 0.45
"""A robot is at a thing at a wall from so far, besides its own radius, rather than reach into the wall."""
ATTACH = 3
"""An object or a robot reaches the roadmap through at most so many nearest places."""
NEAR = 8
"""Where a robot fits on none of them, the nearest one of so many on which it does."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of interest: a place itself, or an object or start that hangs on a few places."""

    symbol: str
    position: tuple[float, float, float]
    anchors: tuple[int, ...]
    """Rows of the places it is reached from."""
    meters: tuple[float, ...]
    """From each anchor to the point."""
    region: int = -1
    """Row of the region it lies in, −1 for none."""

    @property
    def is_place(self) -> bool:
        return self.meters == (0.0,)

    def one_by_one(self) -> list[Spot]:
        """Return the spot once for each place it can be reached from."""
        anchored = zip(self.anchors, self.meters, strict=True)
        return [replace(self, anchors=(row,), meters=(m,)) for row, m in anchored]


@dataclass(frozen=True, slots=True, eq=False)
class Roadmap:
    """The places of a graph that one kind of robot can use."""

    graph: SceneGraph
    layer: str
    positions: Floats
    region: Ints
    """(n,) row of each place's region, −1 for none."""
    usable: Bools
    """(n,) places this robot can stand on."""
    metric: csr_matrix
    """(n, n) meters between neighbors this robot can cross."""
    leads_on: Bools
    """(n,) places from which it gets to more than a fragment of the map."""
    widths: Widths
    radius_m: float
    bends: Bends
    """Where ways between neighbors are not straight."""
    keeps_out: bool
    """Whether steps over the ground of avoided regions are shut; not in proofs: there may be ways around."""

    def may_be_at(self, spot: Spot) -> bool:
        """Return whether a robot may be at a place that it passes over."""
        return True

    def line(self, rows: Sequence[int] | Ints) -> Floats:
        """Return the points (k, 3) of the way over some places, one after the other."""
        points: list[Floats] = []
        for k, row in enumerate(rows):
            bends = self.bends.get((int(rows[k - 1]), int(row)), ()) if k else ()
            points += [*bends, self.positions[row]]
        return np.array(points).reshape(-1, 3)

    @property
    def places(self) -> Layer:
        return self.graph.layers[self.layer]

    def kept_out(self, shut: Bools) -> KeepOut | None:
        """Return the ground of the regions of which all places (n,) are shut, None where nothing tells it."""
        return keep_out(self.places, whole_regions(shut, self.region)) if self.keeps_out else None

    def apart_from(self, shut: Bools) -> csr_matrix:
        """Return the metric without some places (n,), and without steps over what is kept out of."""
        if not shut.any():
            return self.metric
        n, metric = len(self.usable), self.metric.copy()
        rows = np.repeat(np.arange(n), np.diff(metric.indptr))
        gone = shut[rows] | shut[metric.indices] | self._over(shut, rows, metric.indices)
        metric.data[gone] = 0.0
        metric.eliminate_zeros()
        return metric

    def _over(self, shut: Bools, a: Ints, b: Ints) -> Bools:
        """Return which steps a to b (m,) lead over the ground of regions that are shut."""
        kept = whole_regions(shut, self.region)
        if not self.keeps_out or not kept.any():
            return np.zeros(len(a), bool)
        over = _steps_over(self.places, self.radius_m, kept.tobytes())
        return np.isin(np.minimum(a, b) * len(shut) + np.maximum(a, b), over)

    def without(self, steps: Iterable[tuple[int, int]], shut: Iterable[int]) -> Roadmap:
        """Return the roadmap without the edges between some pairs of places, and without some places."""
        metric, usable = self.metric.copy(), self.usable.copy()
        a, b = np.array([*steps], np.int64).reshape(-1, 2).T
        n = len(usable)
        keys = np.repeat(np.arange(n), np.diff(metric.indptr)) * n + metric.indices
        metric.data[np.isin(keys, np.concatenate([a * n + b, b * n + a]))] = 0.0
        metric.eliminate_zeros()
        usable[list(shut)] = False
        return replace(self, metric=metric, usable=usable)

    def symbol(self, row: int) -> str:
        return symbol_of(int(self.places.ids[row]))

    def row(self, symbol: str) -> int:
        return int(self.places.row(symbol))

    def place(self, row: int) -> Spot:
        """Return a place as a point of interest."""
        x, y, z = self.positions[row].tolist()
        return Spot(self.symbol(row), (x, y, z), (row,), (0.0,), int(self.region[row]))

    def object(self, symbol: str) -> Spot:
        """Return the ground below an object as a point of interest, in the region of its own place."""
        at, region = under(self.graph, self.layer, symbol), int(self.region[self.host(symbol)])
        return self._attached(symbol, at, region, self.radius_m + BESIDE_M)

    def start(self, robot: Robot) -> Spot:
        """Return where a robot stands as a point of interest, in the region of its nearest place."""
        region = int(self.region[self.row_at(robot.position)])
        return self._attached(f"@{robot.name}", robot.position, region)

    def row_at(self, position: Floats) -> int:
        """Return the row of the place that a robot is at as it stands somewhere, be it behind a wall."""
        return int(self.graph.nearest(self.layer, position)[1][0, 0])

    def nearest(self, position: Floats) -> int:
        """Return the row of the place next to a point from which a robot gets there."""
        return self._attached("", position, -1).anchors[0]

    def host(self, symbol: str) -> int:
        """Return the row of the place an object lies on: its parent, else the nearest."""
        return host_row(self.graph, self.layer, symbol)

    def _attached(self, symbol: str, position: Floats, region: int, reach_m: float = 0.0) -> Spot:
        meters, rows = self.graph.nearest(self.layer, position, min(NEAR, len(self.positions)))
        # a robot may fit under a table, but nowhere between its legs: things there are reached from aside
        kept = self.leads_on[rows[0]]
        if reach_m > 0.0 and self.widths.rim is not None and kept.any():
            meters, rows = meters[:, kept], rows[:, kept]
        near = self._at_hand(rows[0])
        straight = self._straight(position, rows[0], near, reach_m)
        if straight[near].any():
            near = near[straight[near]]
        else:  # around a corner from those at hand: from the next one that is in sight
            told = straight & self.usable[rows[0]] & self.widths.outlined[rows[0]]
            others = np.flatnonzero(told)
            near = others[:1] if len(others) else near[:1]
        x, y, z = position.tolist()
        return Spot(
            symbol,
            (x, y, z),
            tuple(rows[0][near].tolist()),
            tuple(meters[0][near].tolist()),
            region,
        )

    def _straight(self, position: Floats, rows: Ints, near: Ints, reach_m: float) -> Bools:
        """Return to which places (k,) the straight way from a point is wide enough.

        That is all of it but what is within reach of the point; failing that, it may be as narrow as there.
        """
        if reach_m > 0.0 and self.widths.rim is not None:
            way = self.positions[rows] - position
            meters = np.maximum(np.linalg.norm(way, axis=1), 1e-9)[:, None]
            stands = position + np.minimum(reach_m / meters, 1.0) * way
            wide = self.widths.fits_straight(stands, self.positions[rows], self.radius_m)
            wide &= self.widths.fits_at(stands, self.radius_m)
            wide[wide] = ~is_behind(self.places, stands[wide], position)
            if wide[near].any():
                return wide
        return self.widths.fits_from(position, rows, self.radius_m)

    def _at_hand(self, rows: Ints) -> Ints:
        """Return which of some places, the nearest first, a point is reached from.

        They are near each other along the ground as well. Where no outlines tell of it, they are the nearest
        one and those joined to it: a wall may be before any other. Places from which edges lead
        nowhere tell of no ground.
        """
        near, stands = np.arange(min(ATTACH, len(rows))), self.usable[rows]
        joined = self.widths.outlined[rows] | leads_on(self.graph, self.layer)[rows]
        if (stands & joined).any():
            stands = stands & joined
        open_ = near if stands[near].any() else np.arange(len(rows))
        open_ = open_[stands[open_]]
        if len(open_) == 0:
            return near
        first = int(rows[open_[0]])
        if len(open_) > ATTACH:  # among narrow places: from the next wide one
            return open_[:1]
        next_ = self._next(first)
        known = {first, *next_}
        if self.widths.outlined[rows[open_]].all():
            after = {row for via in next_ if self.usable[via] for row in self._next(via)}
            known |= after.difference(self.graph.neighbors(self.layer, first).tolist())
        return open_[[row in known for row in rows[open_].tolist()]]

    def _next(self, row: int) -> list[int]:
        """Return the rows of the neighbors to which this robot can cross."""
        metric = self.metric
        return list(metric.indices[metric.indptr[row] : metric.indptr[row + 1]].tolist())


def build_roadmap(graph: SceneGraph, robot: Robot) -> Roadmap:
    """Return the roadmap of a robot: surface places where the graph has them, else 3D places."""
    layer = place_layer(graph)
    if not graph.has(layer):
        raise PlanningError(
            "this scene graph has no places, so nothing can be reached; map the ground first"
        )
    graph = grounded(graph, robot)
    places = graph.layers[layer]
    region = np.full(len(places), -1, np.int64)
    if graph.has("regions"):
        region = graph.ancestors(layer, "regions")
    widths = widths_of(places)
    usable = widths.fits(robot.radius_m)
    usable &= ~too_steep(places, robot.max_slope_deg)
    metric = _crossable(graph, layer, robot.radius_m, robot.max_step_m, robot.max_slope_deg)
    return Roadmap(
        graph=graph,
        layer=layer,
        positions=places.positions,
        region=region,
        usable=usable,
        metric=metric,
        leads_on=_leading_on(graph, layer, robot.radius_m, robot.max_step_m, robot.max_slope_deg),
        bends=bends_of(places, robot.radius_m),
        widths=widths,
        radius_m=robot.radius_m,
        keeps_out=True,
    )


def pieces_of(layer: Layer, bends: Bends, a: Ints, b: Ints) -> tuple[Floats, Floats, Ints]:
    """Return the straight pieces p to q (k, 3) of the ways from a to b (m,), and of which way each is."""
    pairs = zip(a.tolist(), b.tolist(), strict=True) if bends else ()
    bent = [k for k, pair in enumerate(pairs) if pair in bends]
    at = layer.positions
    lines = [np.vstack([at[a[k]], bends[int(a[k]), int(b[k])], at[b[k]]]) for k in bent]
    straight = np.setdiff1d(np.arange(len(a)), bent).astype(np.int64)
    p = np.concatenate([at[a[straight]], *(line[:-1] for line in lines)])
    q = np.concatenate([at[b[straight]], *(line[1:] for line in lines)])
    of = np.r_[straight, np.repeat(bent, [len(line) - 1 for line in lines])]
    return p, q, of.astype(np.int64)


@lru_cache(maxsize=64)
def _steps_over(layer: Layer, radius_m: float, rows: bytes) -> Ints:
    """Return the steps that lead over the ground of some places: lower row times the count plus the other."""
    shut = np.frombuffer(rows, bool)
    ground = keep_out(layer, shut)
    a, b = np.sort(layer.edges.rows.astype(np.int64), axis=1).T
    a, b = (ends[~shut[a] & ~shut[b]] for ends in (a, b))
    if ground is None or len(a) == 0:
        return np.empty(0, np.int64)
    p, q, of = pieces_of(layer, bends_of(layer, radius_m), a, b)
    entered = of[ground.entered(p, q)]
    return np.unique(a[entered] * len(layer) + b[entered])


def too_steep(places: Layer, max_slope_deg: float) -> Bools:
    """Return which places (n,) are too steep for a robot."""
    slope = np.asarray(places.columns.get("slope_deg", np.zeros(len(places))), float)
    return np.asarray(np.nan_to_num(slope, nan=0.0) > max_slope_deg)


def too_high(graph: SceneGraph, name: str, max_step_m: float, max_slope_deg: float) -> Bools:
    """Return which entries (m,) of the adjacency of places are too high a step or too steep for a robot."""
    metric, z = graph.adjacency(name), graph.layers[name].positions[:, 2]
    i = np.repeat(np.arange(len(z)), np.diff(metric.indptr))
    rise = np.abs(z[i] - z[metric.indices])
    climb = np.maximum(max_step_m, np.tan(np.radians(max_slope_deg)) * metric.data)
    return np.asarray(rise > climb)


@lru_cache(maxsize=16)
def _leading_on(
    graph: SceneGraph, name: str, radius_m: float, max_step_m: float, max_slope_deg: float
) -> Bools:
    """Return the places from which a body gets to more than a fragment of the map; all without outlines."""
    places = graph.layers[name]
    if widths_of(places).rim is None:
        return np.ones(len(places), bool)
    metric = _crossable(graph, name, radius_m, max_step_m, max_slope_deg)
    usable = widths_of(places).fits(radius_m) & ~too_steep(places, max_slope_deg)
    open_ = np.stack(metric.nonzero(), axis=1)
    return no_fragment(len(places), open_[usable[open_].all(axis=1)])


@lru_cache(maxsize=16)
def _crossable(
    graph: SceneGraph, name: str, radius_m: float, max_step_m: float, max_slope_deg: float
) -> csr_matrix:
    """Return the adjacency without edges that are too high a step, too steep or too narrow for a body."""
    metric, layer = graph.adjacency(name), graph.layers[name]
    positions = layer.positions
    i = np.repeat(np.arange(len(positions)), np.diff(metric.indptr))
    j = metric.indices.astype(np.int64)
    shut = too_high(graph, name, max_step_m, max_slope_deg)
    keys = i * len(positions) + j
    a, b = layer.edges.rows[too_narrow(layer, radius_m)].T.astype(np.int64)
    narrow = np.isin(keys, np.concatenate([a * len(positions) + b, b * len(positions) + a]))
    bends = bends_of(layer, radius_m)
    bent = {
        k: bends[pair] for k in np.flatnonzero(narrow) if (pair := (int(i[k]), int(j[k]))) in bends
    }
    narrow[list(bent)] = False
    shut |= narrow
    if not shut.any() and not bent:
        return metric
    out = metric.copy()
    for k, points in bent.items():
        line = np.vstack([positions[i[k]], points, positions[j[k]]])
        out.data[k] = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    out.data[shut] = 0.0
    out.eliminate_zeros()
    return out
