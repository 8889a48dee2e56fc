"""Input of fusion: robots' run folders and scene graphs, checked, with a note for what cannot be used."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from commonground.errors import CommongroundError, MappingError
from commonground.mapping.fusion.bare_graphs import graph_run
from commonground.mapping.fusion.g2o import read_g2o
from commonground.mapping.fusion.parts import parts_of
from commonground.mapping.fusion.recorded import path_damage
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.mapping.surface.ply import read_mesh
from commonground.names import checked_name, within
from commonground.objects import ObjectMap, load_objects
from commonground.reading import MOST_ROBOTS
from commonground.run_folder import OBJECTS, SCENE, RunFolder
from commonground.scene import load_scene
from commonground.scene.files import SUFFIXES

__all__ = ["RobotRun", "find_runs", "load_run", "load_runs"]

FILES = (SCENE, OBJECTS, "posegraph.g2o")
LONGEST = 300
"""Letters of what a reader says of a file at most; it may quote what is in there."""


def as_paths(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return paths as a list, also of a single one."""
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def find_runs(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return the robot folders in runs or robot folders, and graphs, sorted; MappingError if one is missing.

    A folder without a map is among them if others hold one, so that reading tells what it lacks.
    """
    found, paths = list[Path](), as_paths(paths)
    for path in paths:
        _check_not_fused(path)
        if path.suffix in SUFFIXES and path.is_file():
            found.append(path)
            continue
        if not path.is_dir():
            raise MappingError(
                f"{path}: there is no such folder; name a run that holds robots' maps, or a scene graph"
            )
        below = RunFolder(path).robots()
        found += [path] if _holds_map(path) or not below else below
    if not any(map(_holds_map, found)):
        where = ", ".join(map(str, paths))
        raise MappingError(
            f"{where}: holds no robot's map; run commonground map … --out RUN first, or name scene "
            f"graphs ({', '.join(SUFFIXES)}), which their objects join"
        )
    folders = sorted(dict.fromkeys(f.resolve() for f in found))
    if len(folders) > MOST_ROBOTS:
        raise MappingError(f"{len(folders)} maps are more than the {MOST_ROBOTS} that are fused")
    return folders


def _check_not_fused(path: Path) -> None:
    """Raise MappingError for a run that holds nothing but a fused map: it is no robot's."""
    run = RunFolder(path)
    if _holds_map(path) or run.robots() or not _holds_map(run.fused):
        return
    raise MappingError(
        f"{path}: is a fused map; add the others to it with --onto {path}, or take it as a rigid graph: "
        f"{run.fused / SCENE}"
    )


def repeated(paths: Sequence[Path]) -> list[str]:
    """Return a line for each path that is given twice: its map counts once."""
    own = [path.resolve() for path in paths]
    twice = dict.fromkeys(path for k, path in enumerate(own) if path in own[:k])
    return [f"{path}: given twice; it counts once" for path in twice]


def _holds_map(folder: Path) -> bool:
    return folder.is_file() or (folder / OBJECTS).is_file()


def load_runs(folders: Sequence[str | Path]) -> tuple[list[RobotRun], list[str]]:
    """Return the runs that can be used, by name, and a line for each that cannot or is not as expected."""
    runs: dict[str, RobotRun] = {}
    notes: list[str] = []
    for folder in map(Path, folders):
        try:
            whole, damage = _load(folder)
            parts = parts_of(whole)
        except CommongroundError as error:
            notes.append(f"left out: {_line(error)}")
            continue
        if len(whole.poses) == 0:
            notes.append(f"left out: {folder}: the map is empty")
            continue
        named = _named(parts, runs)
        if named[0].name != whole.name:
            notes.append(
                f"two robots are named {whole.name}: the one in {folder} is {named[0].name} here"
            )
        notes += [f"{named[0].name}: {line}" for line in damage]
        for before, part in pairwise(named):
            notes.append(
                f"{before.name}: its odometry jumped or it was silent; what it mapped then is {part.name}"
            )
        for part in named:
            if len(part.objects) == 0:
                notes.append(
                    f"{part.name}: the map in {folder} holds no objects, so nothing can join it"
                )
        runs.update((part.name, part) for part in named)
    if not runs:
        raise MappingError("; ".join(notes) or "no run was given")
    return [runs[name] for name in sorted(runs)], notes


def load_run(folder: Path) -> RobotRun:
    """Return the map in a folder as it is, whether odometry jumped in it or not."""
    return _load(folder)[0]


def _named(parts: Sequence[RobotRun], taken: Container[str]) -> list[RobotRun]:
    """Return parts of a run under names of their own: that of its robot, others with a number."""
    out: list[RobotRun] = []
    for part in parts:
        name, number = part.name, 2
        while name in taken or any(name == other.name for other in out):
            name, number = f"{part.name}-{number}", number + 1
        out.append(replace(part, name=name, part_of=out[0].name if out else ""))
    return out


def _line(error: Exception) -> str:
    """Return what an error says as a line of a length that can be read."""
    text = " ".join(str(error).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _load(folder: Path) -> tuple[RobotRun, list[str]]:
    """Return what a folder or a graph holds, and a line for each file that is done without."""
    if folder.is_file():
        return graph_run(folder), []
    missing = [name for name in FILES if not within(folder, name).is_file()]
    if missing:
        raise MappingError(
            f"{folder}: {', '.join(missing)} is missing; was the mapping run finished?"
        )
    graph = load_scene(folder / SCENE)
    objects = load_objects(folder / OBJECTS)
    poses = read_g2o(folder / "posegraph.g2o")
    agents = list(graph.agents.values())
    if len(agents) != 1 or len(agents[0]) != len(poses):
        raise MappingError(f"{folder}: scene.json and posegraph.g2o tell of different keyframes")
    if len(graph.objects) != len(objects):
        raise MappingError(
            f"{folder}: scene.json and objects.npz hold different objects; map it again"
        )
    stamps = np.asarray(agents[0].columns["stamp_ns"], np.int64)
    _check_objects(objects, folder / OBJECTS)
    if (np.diff(stamps) < 0).any():
        raise MappingError(f"{folder}: the times of its keyframes do not rise; map it again")
    mesh, damage = None, list[str]()
    try:
        mesh = _mesh(folder / "mesh.ply")
    except MappingError as error:
        damage.append(f"all but its mesh is used: {_line(error)}")
    name = checked_name(folder.name or folder.resolve().name)
    run = RobotRun(name, folder, graph, objects, stamps, poses.poses, poses.odometry, mesh)
    if lost := path_damage(run):
        damage.append(f"of its path only keyframes are used: {_line(MappingError(lost))}")
    return run, damage


def _check_objects(objects: ObjectMap, file: Path) -> None:
    """Raise MappingError unless everything that places objects and submaps can be computed with."""
    variances = np.diagonal(objects.covariances, axis1=1, axis2=2)
    turned = np.linalg.norm(objects.boxes.quat_wxyz, axis=1)
    submaps = np.array([s.T_map_submap for s in objects.submaps])
    for what, good in (
        ("covariances", np.isfinite(objects.covariances).all() and (variances >= 0).all()),
        ("boxes", np.isfinite(objects.boxes.centers).all() and (turned > 0).all()),
        ("submaps", np.isfinite(submaps).all()),
    ):
        if not good:
            raise MappingError(f"{file}: its {what} cannot be computed with; map it again")


def _mesh(file: Path) -> MeshPart | None:
    if not file.is_file():
        return None
    mesh = read_mesh(file)
    corners, n = mesh.faces, len(mesh.vertices)
    outside = len(corners) and (corners.min() < 0 or corners.max() >= n)
    if outside or not np.isfinite(mesh.vertices).all():
        raise MappingError(f"{file}: the mesh is damaged; map again")
    return mesh
