"""One layer of a scene graph: its nodes in columns and the edges among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.arguments import words
from commonground.arrays import Bools, Floats, Floats32, Ids, Ints, Ints32
from commonground.errors import SceneError, did_you_mean
from commonground.geometry import from_quat_wxyz
from commonground.given import as_many, check_inside, indices, vectors
from commonground.symbols import node_id, symbol_of, symbols_of

NO_LABEL = -1
"""The label of a node that has none."""

PLACE_M2 = 4.0
"""The area of a surface place of which a file tells neither area nor outline."""

Column = NDArray[Any]


class LayerKey(NamedTuple):
    """Spark-DSG's address of a layer: its height, and a partition (a robot's letter for agents)."""

    layer: int
    partition: int = 0


OBJECTS, PLACES, SURFACE_PLACES = LayerKey(2), LayerKey(3), LayerKey(3, 1)
REGIONS, BUILDINGS = LayerKey(4), LayerKey(5)


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Oriented boxes, a row a node; a node without a box has NaN sizes."""

    centers: Floats
    """(n, 3)"""
    sizes: Floats
    """(n, 3) full edge lengths along the box axes."""
    quat_wxyz: Floats
    """(n, 4) box to world."""

    @property
    def valid(self) -> Bools:
        """Which nodes (n,) have a box."""
        return np.asarray(np.isfinite(self.sizes).all(axis=1))

    @staticmethod
    def joined(boxes: Sequence[Boxes]) -> Boxes:
        """Return several sets of boxes as one."""
        return Boxes(
            np.concatenate([b.centers for b in boxes]),
            np.concatenate([b.sizes for b in boxes]),
            np.concatenate([b.quat_wxyz for b in boxes]),
        )

    def take(self, rows: Any) -> Boxes:
        """Return the boxes of the chosen rows."""
        return Boxes(self.centers[rows], self.sizes[rows], self.quat_wxyz[rows])

    def corners(self) -> Floats:
        """Return the eight corners (n, 8, 3) of each box; NaN without one."""
        signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        local = signs * self.sizes[:, None, :]
        return self.centers[:, None, :] + local @ np.swapaxes(from_quat_wxyz(self.quat_wxyz), 1, 2)

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the least and the largest coordinates (n, 3) of each box; NaN without one."""
        corners = self.corners()
        return corners.min(axis=1), corners.max(axis=1)

    @staticmethod
    def axis_aligned(centers: Floats, sizes: Floats) -> Boxes:
        """Return boxes along the axes of the world."""
        p, size = vectors(centers, 3, "centers"), vectors(sizes, 3, "sizes")
        return Boxes(p, as_many(size, len(p), "sizes"), np.tile([1.0, 0, 0, 0], (len(p), 1)))


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Point lists of different lengths in one array: list i is ``points[starts[i]:starts[i + 1]]``."""

    points: Floats
    """(m, 3)"""
    starts: Ints
    """(n + 1,)"""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> Floats:
        return self.points[self.starts[row] : self.starts[row + 1]]

    def take(self, rows: Any) -> Ragged:
        """Return the lists of the chosen rows."""
        return Ragged.of([self[int(i)] for i in np.arange(len(self))[rows]])

    def area_m2(self) -> Floats:
        """Return the area (n,) that each list encloses as a polygon seen from above; 0 below three points."""
        size = np.diff(self.starts)
        of, has = np.repeat(np.arange(len(size)), size), size > 0
        first, last = self.starts[:-1][has], self.starts[1:][has] - 1
        at = self.points[:, :2] - np.repeat(self.points[first, :2], size[has], axis=0)
        after = np.arange(1, len(at) + 1)
        after[last] = first
        twice = at[:, 0] * at[after, 1] - at[after, 0] * at[:, 1]
        return 0.5 * np.abs(np.bincount(of, twice, len(size)))

    @staticmethod
    def of(lists: Sequence[Any]) -> Ragged:
        """Return the ragged array of point lists, each (k, 3)."""
        arrays = [vectors(x, 3, "a list of points") for x in lists]
        starts = np.cumsum([0, *map(len, arrays)])
        return Ragged(np.concatenate([*arrays, np.empty((0, 3))]), starts.astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Pairs of rows with a weight each; ``extras`` keeps what a file says beyond that."""

    rows: Ints
    """(m, 2): within one layer from and to, between layers child and parent."""
    weights: Floats
    """(m,); 1 where a file gives none."""
    extras: tuple[Mapping[str, Any], ...] = ()
    """Spark-DSG's edge attributes as they were read; empty for edges made here."""

    @staticmethod
    def of(rows: Any = (), weights: Any = None) -> Edges:
        """Return edges from pairs of rows; weights default to one."""
        r = indices(rows, 2, "rows of edges")
        given = np.ones(len(r)) if weights is None else np.asarray(weights, float)
        return Edges(r, as_many(given, len(r), "weights of edges"))

    def __len__(self) -> int:
        return len(self.rows)

    def merged(self, row: Ints) -> Edges:
        """Return the edges of nodes that became rows (n,) of a merged layer, each pair once, lower row first.

        What is known of one between nodes that stand for themselves goes before that of others.
        """
        size = len(row)
        own = np.bincount(row, minlength=size)[row[self.rows]].max(axis=1, initial=1) == 1
        ends = np.sort(row[self.rows], axis=1)
        order = np.flatnonzero(ends[:, 0] != ends[:, 1])
        order = order[np.argsort(~own[order], kind="stable")]
        first = order[np.unique(ends[order] @ [size, 1], return_index=True)[1]]
        extras = tuple(self.extras[k] for k in first) if self.extras else ()
        return Edges(ends[first], self.weights[first], extras)

    @staticmethod
    def joined(edges: Sequence[Edges]) -> Edges:
        """Return edges of the same rows as one; extras are empty where only others have some."""
        some = any(e.extras for e in edges)
        return Edges(
            np.concatenate([e.rows for e in edges]),
            np.concatenate([e.weights for e in edges]),
            sum((e.extras or ({},) * len(e) for e in edges), ()) if some else (),
        )

    def keep(self, mask: Bools, first: Ints, second: Ints) -> Edges:
        """Return the masked edges with rows renumbered by ``first`` and ``second`` (old row → new row)."""
        rows = np.stack([first[self.rows[mask, 0]], second[self.rows[mask, 1]]], axis=1)
        extras = (
            tuple(e for e, k in zip(self.extras, mask, strict=True) if k) if self.extras else ()
        )
        return Edges(rows.astype(np.int64), self.weights[mask], extras)


@dataclass(frozen=True, eq=False)
class Layer:
    """Nodes of one kind in columns; row i of every column is node i.

    ``columns`` holds whatever else is known of each node, by name, first axis n. Names used throughout:
    ``color`` (n, 3) u8; ``clearance_m`` distance to the nearest obstacle (places); ``stamp_ns`` and
    ``quat_wxyz`` (agents); ``traversed``, ``slope_deg`` (surface places); ``existence``, ``observations``,
    ``first_seen_ns``, ``last_seen_ns``, ``covariance`` (n, 3, 3) (objects). Columns Spark-DSG has no
    field for travel in the nodes' metadata and come back on loading.
    """

    key: LayerKey
    ids: Ids
    positions: Floats
    """(n, 3)"""
    labels: Ints32
    """(n,) class numbers in the layer's label space; NO_LABEL for none."""
    names: tuple[str, ...]
    edges: Edges
    boxes: Boxes | None = None
    features: Floats32 | None = None
    """(n, d) embeddings; NaN rows for nodes without one."""
    boundaries: Ragged | None = None
    """Boundary polygon of each surface place."""
    columns: Mapping[str, Column] = field(default_factory=dict)
    kind: str = "SemanticNodeAttributes"
    """Spark-DSG's attribute class."""
    extras: tuple[Mapping[str, Any], ...] = ()
    """Spark-DSG's node attributes as they were read, unknown ones among them; empty for nodes made here."""

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def symbols(self) -> list[str]:
        """The nodes' symbols, such as ``O39``."""
        return symbols_of(self.ids)

    @property
    def area_m2(self) -> Floats:
        """The area (n,) of each node: as its file tells it, of its outline, or ``PLACE_M2``."""
        told = self.columns.get("area_m2")
        if told is not None:
            return np.asarray(told, float)
        area = np.zeros(len(self)) if self.boundaries is None else self.boundaries.area_m2()
        return np.where(area > 0, area, PLACE_M2)

    @property
    def rises_m(self) -> Floats:
        """From what nodes stand on up to their positions (n, 3); zero where no box tells."""
        up = np.zeros((len(self), 3))
        if self.boxes is not None:
            up[:, 2] = np.nan_to_num(self.positions[:, 2] - self.boxes.bounds()[0][:, 2])
        return up

    def row(self, symbol: str | int) -> int:
        """Return the row of a symbol or node id; SceneError with the nearest symbols if there is none."""
        node = node_id(symbol)
        hits = np.flatnonzero(self.ids == np.uint64(node))
        if len(hits) == 0:
            hint = did_you_mean(symbol_of(node), self.symbols)
            raise SceneError(
                f"there is no node {symbol_of(node)} in this layer of {len(self)} nodes.{hint}"
            )
        return int(hits[0])

    def rows(self, symbols: Sequence[str | int]) -> Ints:
        """Return the rows (k,) of symbols or node ids."""
        return np.asarray([self.row(s) for s in symbols], np.int64)

    def take(self, rows: Any) -> Layer:
        """Return the layer of the chosen rows (indices or mask), with the edges among them."""
        chosen = np.arange(len(self))[rows]
        new = np.full(len(self), -1, np.int64)
        new[chosen] = np.arange(len(chosen))
        both = np.asarray((new[self.edges.rows] >= 0).all(axis=1), bool)
        return replace(
            self,
            ids=self.ids[chosen],
            positions=self.positions[chosen],
            labels=self.labels[chosen],
            names=tuple(self.names[i] for i in chosen),
            edges=self.edges.keep(both, new, new),
            boxes=None if self.boxes is None else self.boxes.take(chosen),
            features=None if self.features is None else self.features[chosen],
            boundaries=None if self.boundaries is None else self.boundaries.take(chosen),
            columns={name: column[chosen] for name, column in self.columns.items()},
            extras=tuple(self.extras[i] for i in chosen) if self.extras else (),
        )

    def moved(self, rows: Any, shifts: Floats) -> Layer:
        """Return the layer with some nodes and their boxes moved by as many meters each."""
        positions, boxes = self.positions.copy(), self.boxes
        positions[rows] += shifts
        if boxes is not None:
            centers = boxes.centers.copy()
            centers[rows] += shifts
            boxes = replace(boxes, centers=centers)
        return replace(self, positions=positions, boxes=boxes)

    @staticmethod
    def joined(layers: Sequence[Layer]) -> Layer:
        """Return layers of one kind as one, rows in turn, with the columns all have; ids stay as they are."""
        first, starts = layers[0], np.cumsum([0, *map(len, layers)])
        shared = sorted(set.intersection(*(set(x.columns) for x in layers)))
        edges = [
            replace(x.edges, rows=x.edges.rows + start)
            for x, start in zip(layers, starts[:-1], strict=True)
        ]
        boxes = [x.boxes for x in layers if x.boxes is not None]

        def stacked(name: str) -> Any:
            return np.concatenate([getattr(x, name) for x in layers])

        return replace(
            first,
            ids=stacked("ids"),
            positions=stacked("positions"),
            labels=stacked("labels"),
            names=sum((x.names for x in layers), ()),
            edges=Edges.joined(edges),
            boxes=Boxes.joined(boxes) if len(boxes) == len(layers) else None,
            boundaries=_outlines(layers),
            columns={k: np.concatenate([x.columns[k] for x in layers]) for k in shared},
            features=None,
            extras=(),
        )

    def metadata(self, row: int) -> Mapping[str, Any]:
        """Return what a file says of a node beyond its attributes, such as a region's proper name."""
        found = self.extras[row].get("metadata", {}) if self.extras else {}
        return found if isinstance(found, Mapping) else {}

    def renamed(self, row: int, name: str) -> Layer:
        """Return the layer with a name that people give a node, which its metadata tells from others."""
        names, extras = list(self.names), list(self.extras) or [{}] * len(self)
        names[row] = name
        kept = {**self.metadata(row), "called": name}
        if "name" in kept:
            kept["name"] = name
        extras[row] = {**extras[row], "metadata": kept}
        return replace(self, names=tuple(names), extras=tuple(extras))

    @staticmethod
    def of(
        key: LayerKey,
        ids: Ids,
        positions: Any,
        *,
        labels: Any = None,
        names: Sequence[str] | None = None,
        edges: Edges | None = None,
        **more: Any,
    ) -> Layer:
        """Return a layer made here; what is not given is empty."""
        n = len(ids)
        given = np.full(n, NO_LABEL) if labels is None else labels
        edges = Edges.of() if edges is None else edges
        check_inside(edges.rows, (n, n), "rows of edges")
        return Layer(
            key=LayerKey(*key),
            ids=np.asarray(ids, np.uint64),
            positions=as_many(vectors(positions, 3, "positions"), n, "positions"),
            labels=as_many(np.asarray(given, np.int32), n, "labels"),
            names=as_many(("",) * n if names is None else words(names, "names"), n, "names"),
            edges=edges,
            kind=more.pop("kind", KINDS.get(key, "SemanticNodeAttributes")),
            **more,
        )


def _outlines(layers: Sequence[Layer]) -> Ragged | None:
    """Return the boundaries of several layers in turn, empty for those without; None if all are without."""
    if all(x.boundaries is None for x in layers):
        return None
    return Ragged.of(
        [[] if x.boundaries is None else x.boundaries[k] for x in layers for k in range(len(x))]
    )


KINDS = {
    OBJECTS: "ObjectNodeAttributes",
    PLACES: "PlaceNodeAttributes",
    SURFACE_PLACES: "Place2dNodeAttributes",
    REGIONS: "RoomNodeAttributes",
}
"""Spark-DSG's attribute class of each standard layer."""
