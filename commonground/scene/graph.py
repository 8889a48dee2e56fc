"""The scene graph itself: named layers, links between them, a mesh, and the questions asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Bools, Bytes, Floats, Ints, Ints32
from commonground.errors import SceneError, did_you_mean
from commonground.geometry import apply
from commonground.given import check_inside, vectors
from commonground.scene.layer import (
    BUILDINGS,
    NO_LABEL,
    OBJECTS,
    PLACES,
    REGIONS,
    SURFACE_PLACES,
    Edges,
    Layer,
    LayerKey,
)
from commonground.scene.moved import moved_layer
from commonground.symbols import node_id, symbol_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from scipy.spatial import cKDTree

STANDARD = {
    "objects": OBJECTS,
    "places": PLACES,
    "surface_places": SURFACE_PLACES,
    "regions": REGIONS,
    "buildings": BUILDINGS,
}
"""Names of the standard layers. Others are called ``agents[a]`` or ``layer7[2]`` after their key."""


BELOW_M = 5.0
"""Ground so far from a place in the air may lie below it."""


def layer_name(key: LayerKey) -> str:
    for name, standard in STANDARD.items():
        if key == standard:
            return name
    if key.layer == OBJECTS.layer:
        letter = chr(key.partition)
        return f"agents[{letter if letter.isascii() and letter.isprintable() else key.partition}]"
    return f"layer{key.layer}[{key.partition}]" if key.partition else f"layer{key.layer}"


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles with colors and labels."""

    vertices: Floats
    """(n, 3)"""
    faces: Ints32
    """(m, 3)"""
    colors: Bytes | None = None
    """(n, 3)"""
    labels: Ints32 | None = None
    """(n,)"""

    def transformed(self, T: Floats) -> Mesh:
        """Return the mesh moved by T (4, 4)."""
        return replace(self, vertices=apply(T, self.vertices))


@dataclass(frozen=True, eq=False)
class SceneGraph:
    """Layers by name, child → parent links between them, label names, a mesh.

    Immutable: ``with_layer`` and friends return a changed copy that shares what did not change, so the
    search trees and adjacency matrices computed for one graph stay valid for it.
    """

    layers: Mapping[str, Layer] = field(default_factory=dict)
    links: Mapping[tuple[str, str], Edges] = field(default_factory=dict)
    """(child layer, parent layer) → rows (m, 2) of child and parent."""
    labelspaces: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    """Layer name → class number → word."""
    mesh: Mesh | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    layer_names: Mapping[str, LayerKey] = field(default_factory=dict)
    """Further names a Spark-DSG file gives to layer keys."""

    # ---- parts ----

    def layer(self, name: str) -> Layer:
        """Return a layer; SceneError with the names there are if it is missing."""
        if name not in self.layers:
            hint = did_you_mean(name, self.layers)
            there = ", ".join(sorted(self.layers)) or "none"
            raise SceneError(f"this scene graph has no layer '{name}'; it has {there}.{hint}")
        return self.layers[name]

    def has(self, name: str) -> bool:
        """Return whether a layer is there and has nodes."""
        return name in self.layers and len(self.layers[name]) > 0

    @property
    def objects(self) -> Layer:
        """The objects layer, empty if there is none."""
        return self.layers.get("objects", _empty(OBJECTS))

    @property
    def places(self) -> Layer:
        """The layer of 3D free-space places, empty if there is none."""
        return self.layers.get("places", _empty(PLACES))

    @property
    def surface_places(self) -> Layer:
        """The layer of 2D navigable places, empty if there is none."""
        return self.layers.get("surface_places", _empty(SURFACE_PLACES))

    @property
    def regions(self) -> Layer:
        """The layer of rooms or outdoor regions, empty if there is none."""
        return self.layers.get("regions", _empty(REGIONS))

    @property
    def agents(self) -> dict[str, Layer]:
        """The pose layers of the robots, by layer name."""
        return {name: layer for name, layer in self.layers.items() if name.startswith("agents[")}

    def __len__(self) -> int:
        return sum(map(len, self.layers.values()))

    # ---- nodes ----

    def find(self, symbol: str | int) -> tuple[str, int]:
        """Return (layer name, row) of a symbol such as ``O39``; SceneError with near symbols if unknown."""
        node = node_id(symbol)
        hit = self._index.get(node)
        if hit is None:
            near = did_you_mean(symbol_of(node), (symbol_of(i) for i in self._index))
            raise SceneError(f"this scene graph has no node {symbol_of(node)}.{near}")
        return hit

    def __contains__(self, symbol: str | int) -> bool:
        try:
            return node_id(symbol) in self._index
        except SceneError:
            return False

    def position(self, symbol: str | int) -> Floats:
        """Return the position (3,) of a node."""
        name, row = self.find(symbol)
        return np.asarray(self.layers[name].positions[row])

    def label_words(self, name: str) -> list[str]:
        """Return the class word of each node: from the layer's label space, else the node's name."""
        layer, space = self.layer(name), self.labelspaces.get(name, {})
        return [
            space.get(int(label), node_name if label == NO_LABEL or not space else str(int(label)))
            for label, node_name in zip(layer.labels, layer.names, strict=True)
        ]

    def proper_names(self, name: str) -> list[str]:
        """Return what each node is called besides its class and symbol; empty for nothing."""
        if name in self._proper_names:
            return self._proper_names[name]
        layer = self.layer(name)
        named = zip(layer.names, self.label_words(name), layer.symbols, strict=True)
        self._proper_names[name] = [
            "" if title.lower() == word.lower() or is_symbol(title, symbol) else title
            for title, word, symbol in (
                (str(layer.metadata(row).get("name") or node_name), word, symbol)
                for row, (node_name, word, symbol) in enumerate(named)
            )
        ]
        return self._proper_names[name]

    def titles(self, name: str) -> list[str]:
        """Return what people call each node: its proper name, else its class word."""
        return [
            own or word
            for own, word in zip(self.proper_names(name), self.label_words(name), strict=True)
        ]

    def check_ids(self) -> None:
        """Refuse a node id that is there twice; no file can tell such nodes apart."""
        ids = [layer.ids for layer in self.layers.values()]
        nodes, counts = np.unique(np.concatenate([*ids, _empty(OBJECTS).ids]), return_counts=True)
        for node in nodes[counts > 1][:1]:
            raise SceneError(f"the node {symbol_of(int(node))} is there twice")

    @cached_property
    def _proper_names(self) -> dict[str, list[str]]:
        return {}

    @cached_property
    def _index(self) -> dict[int, tuple[str, int]]:
        found = {
            int(node): (name, row)
            for name, layer in self.layers.items()
            for row, node in enumerate(layer.ids)
        }
        self.check_ids()
        return found

    # ---- parents ----

    def parents(self, child: str, parent: str) -> Ints:
        """Return for each node of ``child`` the row of its nearest parent in ``parent``, −1 for none."""
        return self._above(child, parent, np.zeros(len(self.layers.get(parent, ())), np.int64))

    def _above(self, child: str, parent: str, up: Ints) -> Ints:
        """Return each node's nearest parent among those whose ``up`` is known; −1 for none."""
        out = np.full(len(self.layer(child)), -1, np.int64)
        if (child, parent) in self.links:
            rows = self.links[child, parent].rows
            low, high = rows[up[rows[:, 1]] >= 0].T
            apart = self.layers[child].positions[low] - self.layers[parent].positions[high]
            nearest_last = np.lexsort((-high, -np.linalg.norm(apart, axis=1)))
            out[low[nearest_last]] = high[nearest_last]
        return out

    def ancestors(self, child: str, ancestor: str) -> Ints:
        """Return for each node of ``child`` the row of its ancestor, through layers between, −1 for none.

        The direct link wins; where it is missing, the path through an intermediate layer is taken. Hydra
        makes rooms of places in the air: where no ground is linked to any, it is below the nearest of those.
        """
        out = self.parents(child, ancestor)
        for (low, middle), _ in sorted(self.links.items()):
            if low == child and middle != ancestor:
                up = self._lift(middle, ancestor)
                via = self._above(child, middle, up)
                missing = (out < 0) & (via >= 0)
                out[missing] = up[via[missing]]
        if child == "surface_places" and (out < 0).all() and ("places", ancestor) in self.links:
            up = self.ancestors("places", ancestor)
            air = self.take("places", up >= 0)
            meters, rows = air.nearest("places", self.surface_places.positions)
            below = meters[:, 0] <= BELOW_M
            out[below] = up[up >= 0][rows[below, 0]]
        return out

    def _lift(self, middle: str, ancestor: str) -> Ints:
        if self.layers[middle].key >= STANDARD.get(ancestor, LayerKey(99)):
            return np.full(len(self.layers[middle]), -1, np.int64)
        return self.ancestors(middle, ancestor)

    def in_region(self, name: str, region: str | int) -> Bools:
        """Return which nodes of a layer (n,) lie in a region: parent edges decide, not geometry."""
        return np.asarray(self.ancestors(name, "regions") == self.regions.row(region))

    # ---- space ----

    def nearest(self, name: str, points: Any, k: int = 1) -> tuple[Floats, Ints]:
        """Return distances and rows (m, k) of the k nodes of a layer nearest to points (m, 3).

        Where the layer has fewer than k nodes the rest are inf and −1.
        """
        p = vectors(np.atleast_2d(points), 3, "points")
        layer = self.layer(name)
        if not np.isfinite(p).all():
            raise SceneError("nearest nodes were asked for a point that is not finite")
        if len(layer) == 0:
            return np.full((len(p), k), np.inf), np.full((len(p), k), -1, np.int64)
        distance, row = self._tree(name).query(p, k=np.arange(1, k + 1))
        return np.asarray(distance, float), np.where(np.isfinite(distance), row, -1).astype(
            np.int64
        )

    def within(self, name: str, point: Any, radius_m: float) -> Ints:
        """Return the sorted rows of a layer's nodes within a radius of a point (3,)."""
        (p,) = vectors([point], 3, "point")
        if len(self.layer(name)) == 0:
            return np.empty(0, np.int64)
        return np.sort(np.asarray(self._tree(name).query_ball_point(p, radius_m), np.int64))

    def neighbors(self, name: str, row: int) -> Ints:
        """Return the sorted rows of the nodes that share an edge with a node, within its layer."""
        A = self.adjacency(name)
        return np.sort(np.asarray(A.indices[A.indptr[row] : A.indptr[row + 1]], np.int64))

    def adjacency(self, name: str) -> csr_matrix:
        """Return the symmetric sparse matrix (n, n) of meters between neighbors in a layer."""
        cache = self._adjacencies
        if name not in cache:
            cache[name] = _metric_adjacency(self.layer(name))
        return cache[name]

    def _tree(self, name: str) -> cKDTree:
        from scipy.spatial import cKDTree

        cache = self._trees
        if name not in cache:
            cache[name] = cKDTree(self.layer(name).positions)
        return cache[name]

    @cached_property
    def _trees(self) -> dict[str, cKDTree]:
        return {}

    @cached_property
    def _adjacencies(self) -> dict[str, csr_matrix]:
        return {}

    # ---- changed copies ----

    def with_layer(
        self, name: str, layer: Layer, labelspace: Mapping[int, str] | None = None
    ) -> SceneGraph:
        """Return the graph with a layer added or exchanged; links keep pointing at the same rows."""
        spaces = (
            self.labelspaces if labelspace is None else {**self.labelspaces, name: dict(labelspace)}
        )
        return replace(self, layers={**self.layers, name: layer}, labelspaces=spaces)

    def with_links(self, child: str, parent: str, rows: Any) -> SceneGraph:
        """Return the graph with the links (m, 2) between two layers set: rows of child and parent."""
        edges = Edges.of(rows)
        if child in self.layers and parent in self.layers:
            counts = len(self.layers[child]), len(self.layers[parent])
            check_inside(edges.rows, counts, f"links of {child} and {parent}")
        return replace(self, links={**self.links, (child, parent): edges})

    def take(self, name: str, rows: Any) -> SceneGraph:
        """Return the graph with only the chosen rows of one layer; edges and links follow."""
        layer = self.layer(name)
        chosen = np.arange(len(layer))[rows]
        new = np.full(len(layer), -1, np.int64)
        new[chosen] = np.arange(len(chosen))
        links = dict(self.links)
        for (child, parent), edges in self.links.items():
            if name in (child, parent):
                first = new if child == name else np.arange(len(self.layers[child]))
                second = new if parent == name else np.arange(len(self.layers[parent]))
                mask = (first[edges.rows[:, 0]] >= 0) & (second[edges.rows[:, 1]] >= 0)
                links[child, parent] = edges.keep(mask, first, second)
        return replace(self, layers={**self.layers, name: layer.take(chosen)}, links=links)

    def transformed(self, T_new_old: Floats) -> SceneGraph:
        """Return the graph expressed in another frame: positions, boxes, boundaries, orientations, mesh."""
        layers = {name: moved_layer(layer, T_new_old) for name, layer in self.layers.items()}
        mesh = None if self.mesh is None else self.mesh.transformed(T_new_old)
        return replace(self, layers=layers, mesh=mesh)


def is_symbol(name: str, symbol: str) -> bool:
    """Return whether a name is but the node's symbol, which Spark-DSG writes as O(3)."""
    return name.lower().translate({ord("("): None, ord(")"): None}) == symbol.lower()


def _empty(key: LayerKey) -> Layer:
    return Layer.of(key, np.empty(0, np.uint64), np.empty((0, 3)))


def _metric_adjacency(layer: Layer) -> csr_matrix:
    from scipy.sparse import csr_matrix

    i, j = layer.edges.rows.T
    apart = i != j
    i, j = i[apart], j[apart]
    meters = np.linalg.norm(layer.positions[i] - layer.positions[j], axis=1)
    # an explicit zero would mean "no edge" to scipy's graph routines
    meters = np.maximum(meters, 1e-9)
    low, high = np.minimum(i, j), np.maximum(i, j)
    _, first = np.unique(low * len(layer) + high, return_index=True)
    low, high, meters = low[first], high[first], meters[first]
    both = (np.concatenate([low, high]), np.concatenate([high, low]))
    return csr_matrix((np.concatenate([meters, meters]), both), shape=(len(layer), len(layer)))
