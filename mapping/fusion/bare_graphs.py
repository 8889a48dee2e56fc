"""Scene graphs without robots' runs: each is fused as the rigid map of a robot that stood still.

What joins it to others are its objects alone, matched around spots all over it.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.errors import MappingError
from commonground.geometry import quat_wxyz, transform
from commonground.localization.places import map_places
from commonground.localization.settings import PlaceSettings
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.names import checked_name
from commonground.objects import ObjectMap, Submap
from commonground.scene import Boxes, Layer, LayerKey, SceneGraph, load_scene
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids, symbol_of

log = logging.getLogger(__name__)

UNKNOWN_SIZE_M = 0.5


def graph_run(file: Path) -> RobotRun:
    """Return a scene graph file as the map of one robot; MappingError if it holds no objects."""
    graph = load_scene(file)
    if not graph.has("objects"):
        raise MappingError(f"{file}: has no objects, and those are what graphs are joined by")
    objects, stamps = _objects(graph, file), np.zeros(1, np.int64)
    center = transform(np.eye(3), objects.centroids.mean(axis=0))[None]
    columns = {"stamp_ns": stamps, "quat_wxyz": quat_wxyz(center)}
    key, kind = LayerKey(OBJECTS.layer, ord("a")), "AgentNodeAttributes"
    path = Layer.of(key, node_ids("a", [0]), center[:, :3, 3], kind=kind, columns=columns)
    layers = {name: layer for name, layer in graph.layers.items() if name not in graph.agents}
    if graph.has("regions"):  # those of two maps are one only if they are called alike
        called = zip(graph.proper_names("regions"), graph.label_words("regions"), strict=True)
        layers["regions"] = replace(graph.regions, names=tuple(own or word for own, word in called))
    whole = replace(graph, layers={**layers, "agents[a]": path}, mesh=None)
    still = Constraints(np.empty((0, 2), np.int64), np.empty((0, 4, 4)), np.empty((0, 6, 6)))
    return RobotRun(checked_name(file.stem), file, whole, objects, stamps, center, still)


def _objects(graph: SceneGraph, file: Path) -> ObjectMap:
    """Return the objects of a graph as association takes them, with submaps at spots all over them."""
    layer, words, n = graph.objects, graph.label_words("objects"), len(graph.objects)
    classes = sorted({word for word in words if word.lower() not in ("", "unknown")})
    boxes = layer.boxes or Boxes.axis_aligned(layer.positions, np.full((n, 3), np.nan))
    sound = boxes.valid & (np.where(boxes.valid[:, None], boxes.sizes, 1.0) > 0).all(axis=1)
    if (given := ~np.isnan(boxes.sizes).all(axis=1) & ~sound).any():
        log.warning(
            "%s: the boxes of %d objects, as of %s, have sizes that no thing has; %g m is taken for them",
            file, given.sum(), symbol_of(int(layer.ids[int(given.argmax())])), UNKNOWN_SIZE_M,
        )  # fmt: skip
    known = sound[:, None]
    at = np.where(known, boxes.centers, layer.positions)
    looks = np.empty((n, 0)) if layer.features is None else layer.features
    length = np.linalg.norm(looks, axis=1, keepdims=True)
    objects = ObjectMap.of(
        at,
        ids=layer.ids,
        boxes=Boxes(at, np.where(known, boxes.sizes, UNKNOWN_SIZE_M), boxes.quat_wxyz),
        shapes=np.full((n, 4), np.nan, np.float32),
        embeddings=(looks / np.where(length > 0, length, np.nan)).astype(np.float32),
        embedding_model=str(graph.metadata.get("embedding_model", "")),
        label_scores=(np.array(words)[:, None] == np.array(classes, str)).astype(np.float32),
        vocabulary=tuple(classes),
    )
    spots = map_places(objects, PlaceSettings())
    return replace(objects, submaps=tuple(Submap(0, p.T_map_place, p.rows) for p in spots))
