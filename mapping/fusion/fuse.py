"""Fusion of a team's maps: align the paths, deform each map along its path, merge the layers."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.atomic import write_text
from commonground.blas import one_blas_thread
from commonground.geometry import quat_xyzw
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import Aligned, align
from commonground.mapping.fusion.changes import seen_absent
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.deform import Deformation, deform_graph, deform_objects
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.merge_ground import merge_ground
from commonground.mapping.fusion.merge_mesh import deformed, merge_meshes
from commonground.mapping.fusion.merge_objects import merge_objects
from commonground.mapping.fusion.merge_places import merge_places
from commonground.mapping.fusion.merge_regions import add_regions
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.robust import Optimized, summary
from commonground.mapping.fusion.undone import Undone
from commonground.mapping.surface.nets import MeshPart
from commonground.mapping.surface.ply import write_mesh
from commonground.objects import ObjectMap, save_objects
from commonground.scene import Edges, Layer, LayerKey, SceneGraph, save_scene
from commonground.scene.layer import OBJECTS
from commonground.symbols import symbol_of


@dataclass(frozen=True, slots=True, eq=False)
class FusedMap:
    """One map of a team, and how it came about."""

    graph: SceneGraph
    objects: ObjectMap
    runs: list[RobotRun]
    posegraph: PoseGraph
    optimized: Optimized
    closures: list[Closure]
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    mesh: MeshPart | None = None
    sources: dict[str, list[Ints]] = field(default_factory=dict)
    """For each merged layer, the row in it of each joined robot's nodes."""

    def trajectory(self, robot: int) -> Floats:
        """Return the corrected keyframes (k, 4, 4) of a robot in the map frame."""
        return np.asarray(self.optimized.poses[self.posegraph.robot == robot])

    @property
    def joined(self) -> list[int]:
        """Robots in the frame of the map: the largest group that closures join."""
        return _largest(self.optimized, self.posegraph)

    def metrics(self) -> dict[str, Any]:
        """Return JSON values: counts, closures, times, notes."""
        return {
            "robots": [r.name for r in self.runs],
            "joined": [self.runs[r].name for r in self.joined],
            "objects": len(self.objects),
            "objects_before": sum(len(self.runs[r].objects) for r in self.joined),
            "changed": int(self.objects.columns["seen_absent_by"].any(axis=1).sum()),
            "surface_places": len(self.graph.surface_places),
            **summary(self.posegraph, self.optimized),
            "seconds": {k: round(v, 3) for k, v in self.seconds.items()},
            "notes": list(self.notes),
        }


@one_blas_thread
def fuse(
    runs: Sequence[RobotRun],
    settings: LocalizationSettings,
    rng: np.random.Generator,
    aligned: Aligned | None = None,
) -> FusedMap:
    """Fuse the maps of robots into one frame, gravity up; robots nothing joins to the others stay out.

    ``aligned`` paths are taken as they are, for runs in the order of their names.
    """
    runs = sorted(runs, key=lambda run: run.name)
    seconds: dict[str, float] = {}
    clock = time.perf_counter()

    def lap(stage: str) -> None:
        nonlocal clock
        now = time.perf_counter()
        seconds[stage], clock = now - clock, now

    aligned = aligned or align(runs, settings, rng)
    posegraph, optimized = aligned.posegraph, aligned.optimized
    seconds["alignment"], clock = aligned.seconds, time.perf_counter()
    joined = _largest(optimized, posegraph)
    deformations = {
        r: Deformation(runs[r].poses, optimized.poses[posegraph.robot == r], runs[r].stamps_ns)
        for r in joined
    }
    graphs = [deform_graph(runs[r].graph, deformations[r]) for r in joined]
    maps = [deform_objects(runs[r].objects, deformations[r]) for r in joined]
    lap("deformation")
    names = [runs[r].name for r in joined]
    objects = merge_objects(maps, names)
    absent = seen_absent(objects.objects, graphs)
    columns = {**objects.objects.columns, "seen_absent_by": absent}
    objects = replace(objects, objects=replace(objects.objects, columns=columns))
    graph, sources = _graph(graphs, objects.objects, objects.into, names)
    lap("merging")
    meshes = [(runs[r].mesh, deformations[r]) for r in joined]
    mesh = merge_meshes([deformed(m, d) for m, d in meshes if m is not None])
    lap("mesh")
    notes = (*aligned.notes, *optimized.notes)
    return FusedMap(
        graph=graph,
        objects=objects.objects,
        runs=list(runs),
        posegraph=posegraph,
        optimized=optimized,
        closures=aligned.closures,
        notes=notes,
        seconds=seconds,
        mesh=mesh,
        sources=sources,
    )


def _largest(optimized: Optimized, graph: PoseGraph) -> list[int]:
    """Return the robots of the group with the most keyframes."""
    groups, size = np.unique(optimized.component[graph.robot], return_counts=True)
    best = groups[int(size.argmax())]
    return [int(r) for r in np.flatnonzero(optimized.component == best)]


def _graph(
    graphs: Sequence[SceneGraph], objects: ObjectMap, into: Sequence[Any], names: Sequence[str]
) -> tuple[SceneGraph, dict[str, list[Ints]]]:
    """Put the fused layers together, with parents, and each robot's path; also where all nodes went."""
    ground = merge_ground(graphs)
    graph = SceneGraph(metadata={"frame": "map", "robots": list(names)})
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
    return graph, sources


def _relettered(layer: Layer, robot: int) -> Layer:
    """Return a robot's path under the letter of its place in the team: a, b, …"""
    from commonground.symbols import node_ids

    letter = chr(ord("a") + robot)
    key = LayerKey(OBJECTS.layer, ord(letter))
    ids = node_ids(letter, np.arange(len(layer)))
    extras = tuple({"external_key": row} for row in range(len(layer)))
    return replace(layer, key=key, ids=ids, extras=extras, edges=Edges.of(layer.edges.rows))


def _object_layer(objects: ObjectMap) -> Layer:
    words = objects.labels
    table = {w: i for i, w in enumerate(objects.vocabulary)}
    return Layer.of(
        OBJECTS,
        objects.ids,
        objects.centroids,
        labels=[table.get(w, -1) for w in words],
        names=words,
        boxes=objects.boxes,
        columns={
            "existence": objects.existence.astype(float),
            "observations": objects.observations,
            "first_seen_ns": objects.first_seen_ns,
            "last_seen_ns": objects.last_seen_ns,
            "covariance": objects.covariances,
            "seen_by": objects.columns["seen_by"],
            "seen_absent_by": objects.columns["seen_absent_by"],
        },
    )


# ---- files ----


def save_fused(fused: FusedMap, folder: Path, undone: Sequence[Undone] = ()) -> None:
    """Write scene graph, object map, trajectories, pose graph, closures and metrics of a fused map.

    ``undone`` merges of the map that it was made onto go into the provenance.
    """
    save_scene(fused.graph, folder / "scene.json")
    save_objects(fused.objects, folder / "objects.npz")
    write_g2o(fused.posegraph, folder / "posegraph.g2o", fused.optimized.poses)
    for k in fused.joined:
        run = fused.runs[k]
        write_text(folder / "trajectories" / f"{run.name}.tum", _tum(run, fused.trajectory(k)))
    if fused.mesh is not None:
        write_mesh(fused.mesh, folder / "mesh.ply")
    write_text(folder / "loop_closures.csv", closure_table(fused))
    origin = {**provenance(fused), "undone": [u.as_json() for u in undone]}
    write_text(folder / "provenance.json", json.dumps(origin) + "\n")
    write_text(folder / "metrics.json", json.dumps(fused.metrics(), indent=1) + "\n")


def provenance(fused: FusedMap) -> dict[str, Any]:
    """Return for each merged layer and fused node which nodes of which robots it was made of."""
    out: dict[str, Any] = {"schema_version": 1}
    for name, into in fused.sources.items():
        if name not in fused.graph.layers:
            continue
        symbols = [symbol_of(int(i)) for i in fused.graph.layers[name].ids]
        made_of: dict[str, list[list[str]]] = {symbol: [] for symbol in symbols}
        for robot, rows in zip(fused.joined, into, strict=True):
            run = fused.runs[robot]
            ids = run.graph.layers[name].ids if len(rows) else []
            for row, own in zip(rows.tolist(), ids, strict=True):
                made_of[symbols[row]].append([run.name, symbol_of(int(own))])
        out[name] = made_of
    return out


def _tum(run: RobotRun, poses: Floats) -> str:
    lines = []
    for stamp, T in zip(run.stamps_ns.tolist(), poses, strict=True):
        numbers = " ".join(f"{v:.9g}" for v in (*T[:3, 3], *quat_xyzw(T)))
        lines.append(f"{stamp // 10**9}.{stamp % 10**9:09d} {numbers}")
    return "\n".join(lines) + "\n"


def closure_table(fused: FusedMap) -> str:
    """Return the closures as CSV: between which keyframes, how good, used or why not."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(
        [
            "robot_1",
            "keyframe_1",
            "robot_2",
            "keyframe_2",
            "shared_objects",
            "confidence",
            "chi2",
            "used",
            "why",
        ]
    )
    for k, c in enumerate(fused.closures):
        used = bool(fused.optimized.accepted[k])
        names = [fused.runs[r].name for r in c.robots]
        row = [names[0], c.keyframes[0], names[1], c.keyframes[1], c.shared, f"{c.confidence:.4f}"]
        table.writerow([*row, f"{fused.optimized.chi2[k]:.2f}", int(used), _why(fused, k)])
    return out.getvalue()


def _why(fused: FusedMap, k: int) -> str:
    if fused.optimized.accepted[k]:
        return "fits the map and agrees with others"
    a, b = fused.closures[k].robots
    if fused.optimized.component[a] != fused.optimized.component[b]:
        return "too few closures agree on how these robots lie to one another"
    return "does not fit the map the other closures make"
