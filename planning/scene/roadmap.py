"""Roadmap of one robot: the places it can use, as arrays, and the points of interest that hang on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

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
    """From each anchor to the point."""
    region: int = -1
    """Row of the region it lies in, −1 for none."""

    @property
    def is_place(self) -> bool:
        """Whether it is a place itself."""
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
    if "clearance_m" in places.columns:
        usable &= ~_narrow(np.asarray(places.columns["clearance_m"], float), robot.radius_m)
    return Roadmap(
        graph=graph,
        layer=layer,
        positions=places.positions,
        region=region,
        usable=usable,
        metric=_crossable(graph, layer, robot),
    )


def _narrow(clearance_m: Floats, radius_m: float) -> Bools:
    """Return which places (n,) are too narrow for a radius; nothing is known where clearance is 0 or NaN."""
    return np.asarray((clearance_m > 0.0) & (clearance_m < radius_m))


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
