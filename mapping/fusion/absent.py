"""Things that were not where one robot saw them when another robot looked through that place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.geometry import from_quat_wxyz
from commonground.mapping.fusion.deform import Deformation
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.objects import ObjectMap
from commonground.symbols import symbol_of

LOOKS = 20
"""So many lines of sight have to pass a thing's core."""
CORE, INSIDE, FOOT = 0.5, 0.9, 0.6
"""Shares of half a box: its core, where any surface may be the thing, below which it may be ground."""
BEHIND_M, AROUND_M, BESIDE_M = 0.3, 4.0, 0.1
"""How far behind a thing what was seen through it lies, within what distance that is looked for, and how near
a surface hides what is behind it."""


def seen_absent(
    objects: ObjectMap, meshes: Sequence[MeshPart | None], paths: Sequence[Deformation]
) -> Bools:
    """Return which robots (n, robots) looked through where an object is that they did not see.

    A vertex of a mesh was seen at known times, so nothing was between it and where the robot was. A block
    of voxels has these times in common, also on both sides of a wall, so nothing may be mapped on that line
    either. Meshes and paths are in the objects' frame.
    """
    absent = np.zeros((len(objects), len(paths)), bool)
    unseen = ~np.asarray(objects.columns["seen_by"], bool) & objects.boxes.valid[:, None]
    turns = from_quat_wxyz(objects.boxes.quat_wxyz)
    for robot, (mesh, path) in enumerate(zip(meshes, paths, strict=True)):
        if mesh is None:
            continue
        for row in np.flatnonzero(unseen[:, robot]):
            half = objects.boxes.sizes[row] / 2
            looked = _looked_through(objects.boxes.centers[row], half, turns[row], mesh, path)
            absent[row, robot] = looked
    return absent


def _looked_through(
    center: Floats, half: Floats, turn: Floats, mesh: MeshPart, path: Deformation
) -> bool:
    from scipy.spatial import cKDTree

    apart = np.abs(mesh.vertices - center).max(axis=1)
    near = np.flatnonzero(apart < AROUND_M + half.max())
    at = (mesh.vertices[near] - center) @ turn
    if ((np.abs(at) < INSIDE * half).all(axis=1) & (at[:, 2] > -FOOT * half[2])).any():
        return False
    seen_ns = np.concatenate([mesh.first_seen_ns[near], mesh.last_seen_ns[near]])
    places = [np.interp(seen_ns, path.stamps_ns, path.after[:, k, 3]) for k in range(3)]
    eye = (np.stack(places, axis=1) - center) @ turn
    way = np.concatenate([at, at]) - eye
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = np.stack([-CORE * half - eye, CORE * half - eye]) / way
    enter, leave = sides.min(axis=0).max(axis=1), sides.max(axis=0).min(axis=1)
    length = np.linalg.norm(way, axis=1)
    through = (enter > 0.0) & (enter < leave) & ((1.0 - leave) * length > BEHIND_M)
    rows = np.flatnonzero(through)
    if len(rows) < LOOKS:
        return False
    share = np.arange(0.0, 1.0, BESIDE_M / length[rows].max())[:, None]
    points = eye[rows] + share[:, :, None] * way[rows]
    beside = cKDTree(at).query(points, distance_upper_bound=BESIDE_M)[0]
    hidden = np.isfinite(beside) & ((1.0 - share) * length[rows] > BEHIND_M)
    return int((~hidden.any(axis=0)).sum()) >= LOOKS


def told_absent(objects: ObjectMap, names: Sequence[str]) -> Iterator[str]:
    """Yield a line for each thing that some robot found gone, or not there yet."""
    seen, absent = objects.columns["seen_by"], objects.columns["seen_absent_by"]
    for row in np.flatnonzero(absent.any(axis=1)):
        by, not_by = (
            " and ".join(name for name, x in zip(names, column[row], strict=True) if x)
            for column in (seen, absent)
        )
        called = f"{symbol_of(int(objects.ids[row]))} {objects.labels[row]}".strip()
        yield f"{called}, which {by} saw, was not there when {not_by} looked"
