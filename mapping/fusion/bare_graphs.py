"""Scene graphs without robots' runs: each is fused as the rigid map of a robot that stood still.

What joins it to others are its objects alone, matched around spots all over it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.errors import MappingError
from commonground.geometry import quat_wxyz, transform
from commonground.localization.places import map_places
from commonground.localization.settings import PlaceSettings
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.space.regions import ROOM
from commonground.names import checked_name
from commonground.objects import ObjectMap, Submap
from commonground.scene import Boxes, Layer, LayerKey, SceneGraph, load_scene
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids

NO_CLASS = ("", "unknown")
NUMBERED = re.compile(r"^[A-Za-z]?\W*\d*\W*$")
UNKNOWN_SIZE_M = 0.5


def graph_run(file: Path) -> RobotRun:
    """Return a scene graph file as the map of one robot; MappingError if it holds no objects."""
    graph = load_scene(file)
    if not graph.has("objects"):
        raise MappingError(
            f"{file}: has no objects, and those are what maps are joined by; give a graph with them"
        )
    objects = _objects(graph)
    center = transform(np.eye(3), objects.centroids.mean(axis=0))[None]
    others = {name: layer for name, layer in graph.layers.items() if name not in graph.agents}
    if graph.has("regions"):
        # regions of two maps are one only if they are called alike, and "R(0)" is a number, no name
        words = (NUMBERED.sub(ROOM, word) for word in graph.label_words("regions"))
        others["regions"] = replace(graph.regions, names=tuple(words))
    path = Layer.of(
        LayerKey(OBJECTS.layer, ord("a")),
        node_ids("a", np.arange(1)),
        center[:, :3, 3],
        kind="AgentNodeAttributes",
        extras=({"external_key": 0},),
        columns={"stamp_ns": np.zeros(1, np.int64), "quat_wxyz": quat_wxyz(center)},
    )
    whole = replace(graph, layers={**others, "agents[a]": path}, mesh=None)
    still = Constraints(np.empty((0, 2), np.int64), np.empty((0, 4, 4)), np.empty((0, 6, 6)))
    name = checked_name(file.stem)
    return RobotRun(name, file, whole, objects, np.zeros(1, np.int64), center, still)


def _objects(graph: SceneGraph) -> ObjectMap:
    """Return the objects of a graph as association takes them, with submaps at spots all over them."""
    layer = graph.objects
    words = graph.label_words("objects")
    classes = tuple(sorted({word for word in words if word.lower() not in NO_CLASS}))
    boxes = layer.boxes or Boxes.axis_aligned(layer.positions, np.full((len(layer), 3), np.nan))
    known = boxes.valid[:, None]
    at = np.where(known, boxes.centers, layer.positions)
    objects = ObjectMap.of(
        at,
        ids=layer.ids,
        boxes=Boxes(at, np.where(known, boxes.sizes, UNKNOWN_SIZE_M), boxes.quat_wxyz),
        shapes=np.full((len(layer), 4), np.nan, np.float32),
        embeddings=_looks(layer),
        embedding_model=str(graph.metadata.get("embedding_model", "")),
        label_scores=np.array([[w == c for c in classes] for w in words], np.float32).reshape(
            len(layer), len(classes)
        ),
        vocabulary=classes,
    )
    spots = map_places(objects, PlaceSettings())
    return replace(objects, submaps=tuple(Submap(0, p.T_map_place, p.rows) for p in spots))


def _looks(layer: Layer) -> Floats32:
    """Return the looks of objects as unit vectors, none where the graph has none."""
    found: Floats = np.empty((len(layer), 0)) if layer.features is None else layer.features
    length = np.linalg.norm(found, axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(found / np.where(length > 0, length, np.nan), np.float32)
