"""Merging of scene graphs: the merged layers with their parents, and the paths of all robots."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.mapping.fusion.merge_ground import FusedGround, merge_ground, seen_by
from commonground.mapping.objects.colors import with_colors_of
from commonground.mapping.objects.looks import looks_made_by, with_region_looks
from commonground.mapping.result import object_layer
from commonground.mapping.space.areas import areas
from commonground.mapping.space.regions import AREA, most_of
from commonground.mapping.space.settings import RegionSettings
from commonground.objects import ObjectMap
from commonground.scene import Edges, Layer, LayerKey, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS
from commonground.scene.parts import connected
from commonground.symbols import node_ids

NEAR_M, ALIKE_M = 0.4, 0.4
"""Places of two robots whose centers, and whose clearances, differ by less are one (as in Hydra)."""
SHARED = 0.3
"""Regions of two robots are one where they share this much of the ground of the smaller."""


def merge_graphs(
    graphs: Sequence[SceneGraph], objects: ObjectMap, into: Sequence[Ints], names: Sequence[str]
) -> tuple[SceneGraph, dict[str, list[Ints]]]:
    """Return the merged scene graph, and for each layer the row in it of each robot's nodes."""
    ground = merge_ground(graphs)
    graph = SceneGraph(metadata={"frame": "map", "robots": list(names), **looks_made_by(objects)})
    layer = with_colors_of(_object_layer(objects), [own.objects for own in graphs], into)
    graph = graph.with_layer("objects", layer, dict(enumerate(objects.vocabulary)))
    graph = graph.with_layer("surface_places", ground.layer, ground.words)
    graph = add_regions(graph, ground, graphs)
    parent = np.full(len(objects), -1, np.int64)
    for robot, own in enumerate(graphs):
        stands_on = own.parents("objects", "surface_places")
        known = np.flatnonzero(stands_on >= 0)
        parent[into[robot][known]] = ground.into[robot][stands_on[known]]
    rows = np.flatnonzero(parent >= 0)
    graph = graph.with_links("objects", "surface_places", np.c_[rows, parent[rows]])
    for robot, own in enumerate(graphs):
        for layer in own.agents.values():
            graph = graph.with_layer(f"agents[{chr(ord('a') + robot)}]", _relettered(layer, robot))
    places, places_into = merge_places(graphs)
    if places is not None:
        graph = graph.with_layer("places", places)
    sources = {"objects": list(into), "surface_places": ground.into, "places": places_into}
    return with_region_looks(graph), sources


def _relettered(layer: Layer, robot: int) -> Layer:
    """Return a robot's path under the letter of its place in the team: a, b, …"""
    letter = chr(ord("a") + robot)
    key = LayerKey(OBJECTS.layer, ord(letter))
    ids = node_ids(letter, np.arange(len(layer)))
    extras = tuple({"external_key": row} for row in range(len(layer)))
    return replace(layer, key=key, ids=ids, extras=extras, edges=Edges.of(layer.edges.rows))


def _object_layer(objects: ObjectMap) -> Layer:
    layer, names = object_layer(objects), ("seen_by", "seen_absent_by")
    return replace(layer, columns={**layer.columns, **{n: objects.columns[n] for n in names}})


# ---- balls of free space ----


def merge_places(graphs: Sequence[SceneGraph]) -> tuple[Layer | None, list[Ints]]:
    """Return the places of a team, and the row in it of each robot's places (n_r,); None without any."""
    counts = [len(g.layers["places"]) if g.has("places") else 0 for g in graphs]
    starts = np.cumsum([0, *counts])
    layers = [g.layers["places"] for g, n in zip(graphs, counts, strict=True) if n]
    if not layers:
        return None, [np.empty(0, np.int64) for _ in graphs]
    robot = np.repeat(np.arange(len(graphs)), counts)
    every = Layer.joined(layers)
    clearance = every.columns.get("clearance_m", np.zeros(len(every)))
    kept, row = np.unique(_stands_for(every.positions, clearance, robot), return_inverse=True)
    columns = {name: column[kept] for name, column in every.columns.items()}
    layer = Layer.of(
        every.key,
        node_ids("p", np.arange(len(kept))),
        every.positions[kept],
        edges=every.edges.merged(row),
        columns={**columns, "seen_by": seen_by(row, robot, len(kept), len(graphs))},
        kind=every.kind,
    )
    return layer, [row[a:b].astype(np.int64) for a, b in itertools.pairwise(starts)]


def _stands_for(at: Floats, clearance: Floats, robot: Ints) -> Ints:
    """Return for each place (n,) the one that stands for it: of an earlier robot, or itself."""
    from scipy.spatial import cKDTree

    stands_for = np.arange(len(at))
    for r in range(1, int(robot.max(initial=0)) + 1):
        mine = np.flatnonzero(robot == r)
        earlier = np.flatnonzero((robot < r) & (stands_for == np.arange(len(at))))
        if not len(mine) or not len(earlier):
            continue
        gap, near = cKDTree(at[earlier]).query(at[mine], distance_upper_bound=NEAR_M)
        twin = earlier[np.where(np.isfinite(gap), near, 0)]
        same = np.isfinite(gap) & (np.abs(clearance[twin] - clearance[mine]) <= ALIKE_M)
        stands_for[mine[same]] = twin[same]
    return stands_for


# ---- areas of the fused ground, and rooms ----


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """What the robots say: this fused place lies in that region."""

    places: Ints
    """(m,) rows of the fused ground."""
    regions: Ints
    """(m,) rows of ``names``; a region of each robot has its own."""
    names: tuple[str, ...]
    robot: Ints
    """(k,) the robot of each region."""

    @staticmethod
    def of(ground: FusedGround, graphs: Sequence[SceneGraph]) -> Claims:
        """Collect them, those of earlier robots first."""
        places, regions, names = [np.empty(0, np.int64)], [np.empty(0, np.int64)], list[str]()
        whose = list[int]()
        for robot, (graph, into) in enumerate(zip(graphs, ground.into, strict=True)):
            if graph.has("regions") and graph.has("surface_places"):
                parent = graph.ancestors("surface_places", "regions")
                places.append(into[parent >= 0])
                regions.append(len(names) + parent[parent >= 0])
                names += graph.regions.names
                whose += [robot] * len(graph.regions)
        robots = np.array(whose, np.int64)
        return Claims(np.concatenate(places), np.concatenate(regions), tuple(names), robots)

    def first(self, n: int) -> Ints:
        """Return the region (n,) of each place as the first robot has it; −1 for none."""
        out = np.full(n, -1, np.int64)
        out[self.places[::-1]] = self.regions[::-1]
        return out

    def joined(self, area: Floats) -> Ints:
        """Return the number (k,) of the team's region each is part of; ``area`` (n,) is that of places.

        A region is one with that of another robot with which it shares most: a corridor that two robots
        count to different rooms would else join these.
        """
        from scipy.sparse import coo_matrix

        shape = (len(area), len(self.names))
        holds = coo_matrix((np.ones(len(self.places)), (self.places, self.regions)), shape).tocsr()
        holds.data[:] = 1.0
        shared = (holds.T @ holds.multiply(area[:, None])).tocoo()
        size = np.asarray(holds.T @ area).ravel()
        i, j = shared.row, shared.col
        names = np.array(self.names, object)
        same = (shared.data >= SHARED * np.minimum(size[i], size[j])) & (names[i] == names[j])
        most = np.lexsort((-shared.data, self.robot[j], i))
        _, first = np.unique(
            i[most] * (self.robot.max(initial=0) + 1) + self.robot[j[most]], return_index=True
        )
        chosen = most[first]
        chosen = chosen[same[chosen]]
        return connected(len(names), np.stack([i, j], axis=1)[chosen].astype(np.int64))


def add_regions(graph: SceneGraph, ground: FusedGround, graphs: Sequence[SceneGraph]) -> SceneGraph:
    """Return the graph with regions: areas of each kind of ground; rooms and the like as robots have them."""
    layer, claims = ground.layer, Claims.of(ground, graphs)
    n, area = len(layer), layer.area_m2
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
