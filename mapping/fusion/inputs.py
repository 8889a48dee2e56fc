"""One robot's run as fusion needs it: scene graph, object map, keyframes and the odometry between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.errors import CommongroundError, MappingError
from commonground.mapping.fusion.g2o import read_g2o
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.surface.nets import MeshPart
from commonground.mapping.surface.ply import read_mesh
from commonground.objects import ObjectMap, load_objects
from commonground.scene import SceneGraph, load_scene

FILES = ("scene.json", "objects.npz", "posegraph.g2o")


@dataclass(frozen=True, slots=True, eq=False)
class RobotRun:
    """What one robot brings."""

    name: str
    folder: Path
    graph: SceneGraph
    objects: ObjectMap
    stamps_ns: Ints
    """(k,) of the keyframes."""
    poses: Floats
    """(k, 4, 4) T_odom_body of the keyframes, upright."""
    odometry: Constraints
    mesh: MeshPart | None = None
    """Surfaces seen, in the frame of the poses."""


def find_runs(paths: Sequence[str | Path]) -> list[Path]:
    """Return the robot folders in runs or robot folders, sorted; MappingError if one holds none."""
    found: list[Path] = []
    for path in map(Path, paths):
        folders = (
            [path] if (path / "objects.npz").is_file() else sorted((path / "robots").glob("*"))
        )
        folders = [f for f in folders if (f / "objects.npz").is_file()]
        if not folders:
            raise MappingError(
                f"{path}: holds no robot's map; run commonground map … --out {path} first"
            )
        found += folders
    return sorted(dict.fromkeys(f.resolve() for f in found))


def load_runs(folders: Sequence[Path]) -> tuple[list[RobotRun], list[str]]:
    """Return the runs that can be used, by name, and a line for each that cannot or is not as expected."""
    runs: dict[str, RobotRun] = {}
    skipped: list[str] = []
    for folder in folders:
        try:
            run = _load(folder)
        except CommongroundError as error:
            skipped.append(f"left out: {error}")
            continue
        if len(run.poses) == 0:
            skipped.append(f"left out: {folder}: the map is empty")
            continue
        name, number = run.name, 2
        while run.name in runs:
            run = replace(run, name=f"{name}-{number}")
            number += 1
        if run.name != name:
            skipped.append(f"two robots are named {name}: the one in {folder} is {run.name} here")
        if len(run.objects) == 0:
            skipped.append(
                f"{run.name}: the map in {folder} holds no objects, so nothing can join it"
            )
        runs[run.name] = run
    if not runs:
        raise MappingError("; ".join(skipped) or "no run was given")
    return [runs[name] for name in sorted(runs)], skipped


def _load(folder: Path) -> RobotRun:
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise MappingError(
            f"{folder}: {', '.join(missing)} is missing; was the mapping run finished?"
        )
    graph = load_scene(folder / "scene.json")
    objects = load_objects(folder / "objects.npz")
    poses = read_g2o(folder / "posegraph.g2o")
    agents = list(graph.agents.values())
    if len(agents) != 1 or len(agents[0]) != len(poses):
        raise MappingError(f"{folder}: scene.json and posegraph.g2o tell of different keyframes")
    if len(graph.objects) != len(objects):
        raise MappingError(
            f"{folder}: scene.json and objects.npz hold different objects; map it again"
        )
    stamps = np.asarray(agents[0].columns["stamp_ns"], np.int64)
    mesh = read_mesh(folder / "mesh.ply") if (folder / "mesh.ply").is_file() else None
    return RobotRun(folder.name, folder, graph, objects, stamps, poses.poses, poses.odometry, mesh)
