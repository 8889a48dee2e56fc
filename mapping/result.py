"""The finished map of one robot: a scene graph put together from its layers, and the files of a run."""

from __future__ import annotations

import json
import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Ints
from commonground.atomic import write_text
from commonground.crops import Crop, save_crops
from commonground.geometry import quat_wxyz
from commonground.mapping.keyframes import Keyframes
from commonground.mapping.layers import Layers, joined, layers_of
from commonground.mapping.objects.colors import with_colors
from commonground.mapping.objects.looks import (
    look_columns,
    looks_made_by,
    looks_of,
    with_region_looks,
)
from commonground.mapping.perception.segments import Staged
from commonground.mapping.space.regions import ROOM
from commonground.mapping.space.surface_places import used_words
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.mapping.surface.ply import write_mesh
from commonground.objects import ObjectMap, save_objects
from commonground.scene import Edges, Layer, LayerKey, SceneGraph, save_scene
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids

if TYPE_CHECKING:
    from commonground.mapping.pipeline import Mapper

TAKEN = "pPRBOo"
"""Letters of other layers' symbols."""
ATTACH_M = 3.0
"""An object farther from all ground than this stands on no surface place."""


@dataclass(frozen=True, slots=True, eq=False)
class RobotMap:
    """What was made of one robot's frames."""

    graph: SceneGraph
    objects: ObjectMap
    keyframes: Keyframes
    metrics: Mapping[str, Any] = field(default_factory=dict)
    crops: Mapping[str, Sequence[Crop]] = field(default_factory=dict)
    """The best pictures of each object, by symbol."""

    def save(self, folder: str | Path, mesh: MeshPart | None) -> dict[str, Any]:
        """Write the files of a robot into its folder, with a mesh or without; return their sizes in bytes."""
        folder = Path(folder)
        save_scene(self.graph, folder / "scene.json")
        save_objects(self.objects, folder / "objects.npz")
        save_crops(self.crops, folder)
        self.keyframes.write_tum(folder / "trajectory.tum")
        self.keyframes.write_g2o(folder / "posegraph.g2o")
        if self.keyframes.tracking.enabled:
            self.keyframes.write_tum(folder / "odometry.tum", self.keyframes.raw_poses)
        if self.keyframes.true_poses and len(self.keyframes.true_poses) == len(
            self.keyframes.poses
        ):
            self.keyframes.write_tum(folder / "ground_truth.tum", self.keyframes.true_poses)
        if mesh is not None:
            write_mesh(mesh, folder / "mesh.ply")
        sizes = {p.name: p.stat().st_size for p in sorted(folder.iterdir()) if p.is_file()}
        metrics = dict(self.metrics)
        if mesh is not None:
            metrics |= {"mesh_vertices": len(mesh.vertices), "mesh_faces": len(mesh.faces)}
        write_text(folder / "metrics.json", json.dumps(metrics, indent=1) + "\n")
        return sizes


def robot_map(mapper: Mapper) -> RobotMap:
    """Put the layers of all segments together into one graph, with parents and the robot's path."""
    objects = mapper.objects.snapshot()
    words = (*mapper.perception.surface_words, ROOM)
    layers = _layers(mapper)
    graph = SceneGraph(metadata={"robot": mapper.robot, "frame": "odom", **looks_made_by(objects)})
    graph = graph.with_layer("objects", object_layer(objects), _object_words(objects))
    graph = graph.with_layer("places", layers.places)
    graph = graph.with_layer("surface_places", layers.surface, used_words(layers.surface, words))
    graph = graph.with_layer("regions", layers.regions, used_words(layers.regions, words))
    ground = standing_on(objects, layers.surface)
    graph = graph.with_links("objects", "surface_places", _pairs(ground))
    graph = graph.with_links("surface_places", "regions", _pairs(layers.region_of_surface))
    graph = graph.with_links("places", "regions", _pairs(layers.region_of_place))
    name, agents = _agent_layer(mapper)
    graph = graph.with_layer(name, agents)
    crops = mapper.objects.crops(objects)
    graph = graph.with_layer("objects", with_colors(graph.objects, crops))
    graph = with_region_looks(graph)
    return RobotMap(graph, objects, mapper.keyframes, _metrics(mapper, graph), crops)


def sketched(mapper: Mapper) -> RobotMap:
    """Put objects and the robot's path together: what is needed to join it to others."""
    objects = mapper.objects.snapshot()
    graph = SceneGraph(metadata={"robot": mapper.robot, "frame": "odom", **looks_made_by(objects)})
    graph = graph.with_layer("objects", object_layer(objects), _object_words(objects))
    graph = graph.with_layer(*_agent_layer(mapper))
    return RobotMap(graph, objects, mapper.keyframes)


def _layers(mapper: Mapper) -> Layers:
    words = mapper.perception.surface_words
    parts = [layers_of(segment, words, mapper.settings) for segment in mapper.segments]
    counts = [(len(s.places.at), len(s.patches.kind)) for s in mapper.segments]
    offsets = np.cumsum([(0, 0), *counts], axis=0)[:-1]
    return joined(parts, offsets.tolist())


def object_layer(objects: ObjectMap) -> Layer:
    """Return the objects of one robot as a layer of its scene graph."""
    known = np.array([bool(w) for w in objects.labels], bool)
    best = np.zeros(len(objects), np.int64)
    if objects.vocabulary and len(objects):
        best = np.nan_to_num(objects.label_scores).argmax(axis=1)
    return Layer.of(
        OBJECTS,
        objects.ids,
        objects.centroids,
        labels=np.where(known, best, -1),
        names=objects.labels,
        boxes=objects.boxes,
        features=looks_of(objects),
        columns={
            "existence": objects.existence.astype(float),
            "observations": objects.observations,
            "first_seen_ns": objects.first_seen_ns,
            "last_seen_ns": objects.last_seen_ns,
            "covariance": objects.covariances,
            **look_columns(objects),
        },
    )


def _object_words(objects: ObjectMap) -> dict[int, str]:
    return dict(enumerate(objects.vocabulary))


def standing_on(objects: ObjectMap, surface: Layer) -> Ints:
    """Return the surface place (n,) each object stands on or next to, −1 for none near."""
    if len(objects) == 0 or len(surface) == 0 or surface.boundaries is None:
        return np.full(len(objects), -1, np.int64)
    from scipy.spatial import cKDTree

    # the outline alone may be far from an object in the middle of a place: its center stands for that
    outline = surface.boundaries
    points = np.concatenate([outline.points, surface.positions])
    owner = np.concatenate(
        [np.repeat(np.arange(len(surface)), np.diff(outline.starts)), np.arange(len(surface))]
    )
    foot = objects.boxes.centers.copy()
    foot[:, 2] -= objects.boxes.sizes[:, 2] / 2
    distance, row = cKDTree(points).query(foot)
    return np.where(distance <= ATTACH_M, owner[row], -1)


def _agent_layer(mapper: Mapper) -> tuple[str, Layer]:
    k = mapper.keyframes
    letter = next((c for c in mapper.robot.lower() if c.isalpha() and c not in TAKEN), "a")
    T = np.array([k.poses[i] for i in k.keys]).reshape(-1, 4, 4)
    rows, _, _ = k.edges()
    layer = Layer.of(
        LayerKey(OBJECTS.layer, ord(letter)),
        node_ids(letter, np.arange(len(T))),
        T[:, :3, 3],
        edges=Edges.of(rows),
        kind="AgentNodeAttributes",
        extras=tuple({"external_key": row} for row in range(len(T))),
        columns={
            "stamp_ns": np.array([k.stamps_ns[i] for i in k.keys], np.int64),
            "quat_wxyz": quat_wxyz(T) if len(T) else np.empty((0, 4)),
            "segment": np.array([k.segments[i] for i in k.keys], np.int64),
        },
    )
    return f"agents[{letter}]", layer


def _pairs(parent: Ints) -> Ints:
    """Return the rows (m, 2) of children that have a parent, and their parents."""
    rows = np.flatnonzero(parent >= 0)
    return np.stack([rows, parent[rows]], axis=1)


def _metrics(mapper: Mapper, graph: SceneGraph) -> dict[str, Any]:
    own = mapper.perception.seconds if isinstance(mapper.perception, Staged) else {}
    return {
        "frames": mapper.frames,
        "perception": mapper.perception.name,
        "travel_m": round(mapper.keyframes.travel_m, 3),
        "segments": len(mapper.segments),
        "segments_begin_ns": _begins(mapper.keyframes),
        "nodes": {name: len(layer) for name, layer in graph.layers.items()},
        "counts": dict(sorted(mapper.intake.counts.items())),
        "tracking": dict(sorted(mapper.tracker.counts.items())),
        "warnings": [*mapper.intake.warnings, *mapper.intake.at_end()],
        "seconds": _times(mapper.seconds),
        "perception_seconds": _times(own),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "settings": mapper.settings.model_dump(mode="json"),
    }


def _begins(k: Keyframes) -> list[int]:
    """Return the stamps at which segments begin that are not joined: they lie in frames of their own."""
    before = [-1, *k.segments]
    return [at for at, one, two in zip(k.stamps_ns, before, k.segments, strict=False) if one != two]


def _times(seconds: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Return mean, median and number of the times of each stage."""
    return {
        stage: {
            "mean_ms": round(1e3 * float(np.mean(times)), 3),
            "median_ms": round(1e3 * float(np.median(times)), 3),
            "calls": len(times),
        }
        for stage, times in sorted(seconds.items())
    }
