"""Merging of scene graphs: the merged layers with their parents, and the paths of all robots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Ints
from commonground.mapping.fusion.merge_ground import merge_ground
from commonground.mapping.fusion.merge_places import merge_places
from commonground.mapping.fusion.merge_regions import add_regions
from commonground.mapping.objects.looks import looks_made_by, with_region_looks
from commonground.mapping.result import object_layer
from commonground.objects import ObjectMap
from commonground.scene import Edges, Layer, LayerKey, SceneGraph
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids


def merge_graphs(
    graphs: Sequence[SceneGraph], objects: ObjectMap, into: Sequence[Ints], names: Sequence[str]
) -> tuple[SceneGraph, dict[str, list[Ints]]]:
    """Return the merged scene graph, and for each layer the row in it of each robot's nodes."""
    ground = merge_ground(graphs)
    graph = SceneGraph(metadata={"frame": "map", "robots": list(names), **looks_made_by(objects)})
    graph = graph.with_layer("objects", _object_layer(objects), dict(enumerate(objects.vocabulary)))
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
