"""Where robots can go: places as arrays, and the shortest ways between points of interest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import PlanningError
from commonground.robots import Robot
from commonground.scene import Layer, SceneGraph
from commonground.symbols import symbol_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

ATTACH = 3
"""An object or a robot reaches the roadmap through its three nearest places."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of interest: a place itself, or an object or start that hangs on a few places."""

    symbol: str
    position: tuple[float, float, float]
    anchors: tuple[int, ...]
    """Rows of the places it is reached from."""
    meters: tuple[float, ...]
    """Way from each anchor to the point."""
    region: int = -1
    """Row of the region it lies in, −1 for none."""

    def one_by_one(self) -> list[Spot]:
        """Return the spot once for each place it can be reached from."""
        ways = zip(self.anchors, self.meters, strict=True)
        return [replace(self, anchors=(row,), meters=(m,)) for row, m in ways]


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

    @property
    def places(self) -> Layer:
        """The layer the roadmap is made of."""
        return self.graph.layers[self.layer]

    def symbol(self, row: int) -> str:
        """Return the symbol of a place."""
        return symbol_of(int(self.places.ids[row]))

    def row(self, symbol: str) -> int:
        """Return the row of a place."""
        return int(self.places.row(symbol))

    def place(self, row: int) -> Spot:
        """Return a place as a point of interest."""
        x, y, z = self.positions[row].tolist()
        return Spot(self.symbol(row), (x, y, z), (row,), (0.0,), int(self.region[row]))

    def object(self, symbol: str) -> Spot:
        """Return an object as a point of interest; its region is that of its own surface place."""
        _, row = self.graph.find(symbol)
        host = self.host(symbol)
        return self._attached(symbol, self.graph.objects.positions[row], int(self.region[host]))

    def start(self, robot: Robot) -> Spot:
        """Return where a robot stands as a point of interest, in the region of its nearest place."""
        nearest = self.graph.nearest(self.layer, robot.position)[1][0, 0]
        return self._attached(f"@{robot.name}", robot.position, int(self.region[nearest]))

    def host(self, symbol: str) -> int:
        """Return the row of the place an object lies on: its parent, else the nearest."""
        _, row = self.graph.find(symbol)
        if ("objects", self.layer) in self.graph.links:
            parent = int(self.graph.parents("objects", self.layer)[row])
            if parent >= 0:
                return parent
        return int(self.graph.nearest(self.layer, self.graph.objects.positions[row])[1][0, 0])

    def _attached(self, symbol: str, position: Floats, region: int) -> Spot:
        meters, rows = self.graph.nearest(self.layer, position, ATTACH)
        near = rows[0] >= 0
        x, y, z = position.tolist()
        return Spot(
            symbol,
            (x, y, z),
            tuple(rows[0][near].tolist()),
            tuple(meters[0][near].tolist()),
            region,
        )


def build_roadmap(graph: SceneGraph, robot: Robot) -> Roadmap:
    """Return the roadmap of a robot: surface places where the graph has them, else 3D places."""
    layer = next((name for name in ("surface_places", "places") if graph.has(name)), None)
    if layer is None:
        raise PlanningError(
            "this scene graph has no places, so nothing can be reached; map the ground first"
        )
    places = graph.layers[layer]
    region = np.full(len(places), -1, np.int64)
    if graph.has("regions"):
        region = graph.ancestors(layer, "regions")
    usable = np.ones(len(places), bool)
    if "slope_deg" in places.columns:
        slope = np.nan_to_num(np.asarray(places.columns["slope_deg"], float), nan=0.0)
        usable &= slope <= robot.max_slope_deg
    return Roadmap(
        graph=graph,
        layer=layer,
        positions=places.positions,
        region=region,
        usable=usable,
        metric=_crossable(graph, layer, robot),
    )


def _crossable(graph: SceneGraph, layer: str, robot: Robot) -> csr_matrix:
    """Return the adjacency without edges that are too high a step or too steep for the robot."""
    metric = graph.adjacency(layer)
    if layer != "surface_places":
        return metric
    positions = graph.layers[layer].positions
    i = np.repeat(np.arange(len(positions)), np.diff(metric.indptr))
    rise = np.abs(positions[i, 2] - positions[metric.indices, 2])
    steep = rise > np.maximum(
        robot.max_step_m, np.tan(np.radians(robot.max_slope_deg)) * metric.data
    )
    if not steep.any():
        return metric
    out = metric.copy()
    out.data[steep] = 0.0
    out.eliminate_zeros()
    return out


@dataclass(eq=False)
class Ways:
    """Shortest ways from points of interest that never touch a forbidden place; each is computed once."""

    roadmap: Roadmap
    forbidden: Bools
    """(n,) places that must not be touched."""
    _rows: dict[Spot, tuple[Floats, Ints]] = field(default_factory=dict)

    def reach(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, n) from each spot to every place; inf where there is no way."""
        self._compute([s for s in dict.fromkeys(spots) if s not in self._rows])
        if not spots:
            return np.empty((0, len(self.forbidden)))
        return np.stack([self._rows[s][0] for s in spots])

    def between(self, spots: Sequence[Spot]) -> Floats:
        """Return meters (k, k) between spots; 0 from a spot to itself."""
        reach = self.reach(spots)
        out = np.full((len(spots), len(spots)), np.inf)
        for j, spot in enumerate(spots):
            out[:, j] = self._arrive(reach, spot).min(axis=1)
        for i, a in enumerate(spots):
            out[i, [j for j, b in enumerate(spots) if a == b]] = 0.0
        return out

    def path(self, a: Spot, b: Spot) -> Ints:
        """Return the rows of the places on the shortest way from a to b."""
        if a == b:
            return np.empty(0, np.int64)
        arrive = self._arrive(self.reach([a]), b)[0]
        row = b.anchors[int(arrive.argmin())]
        previous = self._rows[a][1]
        rows = []
        while 0 <= row < len(self.forbidden):
            rows.append(row)
            row = int(previous[row])
        return np.asarray(rows[::-1], np.int64)

    def _arrive(self, reach: Floats, spot: Spot) -> Floats:
        anchors = list(spot.anchors)
        blocked = np.where(
            self.forbidden[anchors] | ~self.roadmap.usable[anchors], np.inf, spot.meters
        )
        return np.asarray(reach[:, anchors] + blocked)

    def _compute(self, spots: list[Spot]) -> None:
        """Run Dijkstra from virtual nodes with edges to the spots' anchors only, so nobody passes through."""
        if not spots:
            return
        from scipy.sparse.csgraph import dijkstra

        n = len(self.forbidden)
        distance, previous = dijkstra(
            self._with_virtual(spots),
            indices=np.arange(n, n + len(spots)),
            return_predecessors=True,
        )
        for k, spot in enumerate(spots):
            self._rows[spot] = (distance[k, :n], np.asarray(previous[k, :n], np.int64))

    def _with_virtual(self, spots: list[Spot]) -> csr_matrix:
        from scipy.sparse import csr_matrix

        free, n = self._free, len(self.forbidden)
        indices, data, counts = [free.indices], [free.data], []
        for spot in spots:
            open_ = [
                (a, max(m, 1e-9))
                for a, m in zip(spot.anchors, spot.meters, strict=True)
                if not self.forbidden[a] and self.roadmap.usable[a]
            ]
            indices.append(np.array([a for a, _ in open_], free.indices.dtype))
            data.append(np.array([m for _, m in open_], float))
            counts.append(len(open_))
        indptr = np.concatenate([free.indptr, free.indptr[-1] + np.cumsum(counts)])
        shape = (n + len(spots), n + len(spots))
        return csr_matrix((np.concatenate(data), np.concatenate(indices), indptr), shape=shape)

    @property
    def _free(self) -> Any:
        closed = self.forbidden | ~self.roadmap.usable
        if not closed.any():
            return self.roadmap.metric
        key = "_free_matrix"
        if key not in self.__dict__:
            metric = self.roadmap.metric.copy()
            rows = np.repeat(np.arange(len(closed)), np.diff(metric.indptr))
            metric.data[closed[rows] | closed[metric.indices]] = 0.0
            metric.eliminate_zeros()
            self.__dict__[key] = metric
        return self.__dict__[key]
