"""Regions of the team: areas of the fused ground, and the robots' rooms, one where they share ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.mapping.fusion.merge_ground import FusedGround
from commonground.mapping.space.areas import areas
from commonground.mapping.space.regions import AREA, most_of
from commonground.mapping.space.settings import RegionSettings
from commonground.scene import Layer, SceneGraph
from commonground.scene.layer import REGIONS
from commonground.scene.parts import connected
from commonground.symbols import node_ids

SHARED = 0.3
"""Regions of two robots are one where they share this much of the ground of the smaller."""


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """What the robots say: this fused place lies in that region."""

    places: Ints
    """(m,) rows of the fused ground."""
    regions: Ints
    """(m,) rows of ``names``; a region of each robot has its own."""
    names: tuple[str, ...]

    @staticmethod
    def of(ground: FusedGround, graphs: Sequence[SceneGraph]) -> Claims:
        """Collect them, those of earlier robots first."""
        places, regions, names = [np.empty(0, np.int64)], [np.empty(0, np.int64)], list[str]()
        for graph, into in zip(graphs, ground.into, strict=True):
            if graph.has("regions"):
                parent = graph.parents("surface_places", "regions")
                places.append(into[parent >= 0])
                regions.append(len(names) + parent[parent >= 0])
                names += graph.regions.names
        return Claims(np.concatenate(places), np.concatenate(regions), tuple(names))

    def first(self, n: int) -> Ints:
        """Return the region (n,) of each place as the first robot has it; −1 for none."""
        out = np.full(n, -1, np.int64)
        out[self.places[::-1]] = self.regions[::-1]
        return out

    def joined(self, area: Floats) -> Ints:
        """Return the number (k,) of the team's region each is part of; ``area`` (n,) is that of places."""
        from scipy.sparse import coo_matrix

        shape = (len(area), len(self.names))
        holds = coo_matrix((np.ones(len(self.places)), (self.places, self.regions)), shape).tocsr()
        holds.data[:] = 1.0
        shared = (holds.T @ holds.multiply(area[:, None])).tocoo()
        size = np.asarray(holds.T @ area).ravel()
        i, j = shared.row, shared.col
        names = np.array(self.names, object)
        same = (shared.data >= SHARED * np.minimum(size[i], size[j])) & (names[i] == names[j])
        return connected(len(names), np.stack([i, j], axis=1)[same].astype(np.int64))


def add_regions(graph: SceneGraph, ground: FusedGround, graphs: Sequence[SceneGraph]) -> SceneGraph:
    """Return the graph with regions: areas of each kind of ground; rooms and the like as robots have them."""
    layer, claims = ground.layer, Claims.of(ground, graphs)
    n, area = len(layer), layer.columns.get("area_m2", np.ones(len(layer)))
    of_ground = np.array([ground.words.get(int(x), AREA) for x in layer.labels], object)
    region = claims.first(n)
    name = np.array([*claims.names, ""], object)[region]
    name = np.where(region >= 0, name, of_ground)
    words, word = np.unique(name.astype(str), return_inverse=True)
    room = np.append(claims.joined(area), -1)[region]
    kind = np.where(name != of_ground, len(words) + room, word.ravel())
    settings = RegionSettings()
    roads = np.isin(name.astype(str), settings.street_words)
    part = np.unique(areas(layer, kind, roads, settings), return_inverse=True)[1].ravel()
    labels = most_of(part, word.ravel(), area)
    weight = np.bincount(part, area, len(labels))
    center = [np.bincount(part, area * layer.positions[:, c], len(labels)) for c in range(3)]
    regions = Layer.of(
        REGIONS,
        node_ids("R", np.arange(len(labels))),
        np.stack(center, axis=1) / np.maximum(weight, 1e-9)[:, None],
        labels=labels,
        names=[str(words[k]) for k in labels],
        columns={"area_m2": weight},
    )
    graph = graph.with_layer("regions", regions, {k: str(w) for k, w in enumerate(words)})
    return graph.with_links("surface_places", "regions", np.c_[np.arange(n), part])
