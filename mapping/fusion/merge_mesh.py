"""Merging of meshes: each follows its robot's corrected path, doubled surfaces are kept once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints
from commonground.geometry import inverse
from commonground.mapping.fusion.deform import Deformation
from commonground.mapping.surface.mesh_part import MeshPart

SAME_M = 0.3
"""Surfaces nearer to one another, and facing one way, are one surface mapped twice."""
FACING = 0.7
"""Cosine of the angle between their normals at least."""
BLOCK = 2**20
"""Vertices or faces that are worked on at once: a robot's 2 km have ten million."""


def deformed(mesh: MeshPart, deformation: Deformation) -> MeshPart:
    """Return a mesh moved with its robot's path: each vertex as the keyframes about the time it was seen."""
    stamps = deformation.stamps_ns
    corrections = deformation.after @ inverse(deformation.before)
    middle = mesh.first_seen_ns // 2 + mesh.last_seen_ns // 2
    after = np.clip(np.searchsorted(stamps, middle), 1, max(len(stamps) - 1, 1))
    before, after = after - 1, np.minimum(after, len(stamps) - 1)
    span = np.maximum(stamps[after] - stamps[before], 1)
    share = np.clip((middle - stamps[before]) / span, 0.0, 1.0)[:, None]
    moved = np.empty((len(mesh.vertices), 3), np.float32)
    for rows in _blocks(len(moved)):
        p = mesh.vertices[rows].astype(float)
        one, other = (_moved(corrections[ends[rows]], p) for ends in (before, after))
        moved[rows] = (1.0 - share[rows]) * one + share[rows] * other
    return replace(mesh, vertices=moved)


def _moved(T: Floats, points: Floats) -> Floats:
    return np.asarray(np.einsum("nij,nj->ni", T[:, :3, :3], points) + T[:, :3, 3])


def _blocks(n: int) -> Iterator[slice]:
    return (slice(first, first + BLOCK) for first in range(0, n, BLOCK))


def merge_meshes(parts: Sequence[MeshPart]) -> MeshPart | None:
    """Return one mesh: of surfaces mapped twice, the earlier robot's stays, and borders are joined to it."""
    from scipy.spatial import cKDTree

    whole: MeshPart | None = None
    normals: Floats32 = np.empty((0, 3), np.float32)
    for part in parts:
        if not len(part.faces):
            continue
        facing = vertex_normals(part).astype(np.float32)
        if whole is None:
            whole, normals = part, facing
            continue
        gap, nearest = cKDTree(whole.vertices).query(
            part.vertices, distance_upper_bound=SAME_M, workers=1
        )
        found = np.isfinite(gap)
        nearest = np.where(found, nearest, 0)
        alike = np.einsum("ni,ni->n", normals[nearest], facing) > FACING
        whole, kept = _joined(whole, part, found & alike, nearest)
        normals = np.concatenate([normals, facing[kept]])
    return whole


def _joined(whole: MeshPart, part: MeshPart, covered: Bools, twin: Ints) -> tuple[MeshPart, Ints]:
    """Add a part without its covered faces; covered corners of other faces become their twins.

    Returned as well are the part's vertices that were added, in their order.
    """
    faces = part.faces[~covered[part.faces].all(axis=1)]
    kept: Ints = np.unique(faces[~covered[faces]]).astype(np.int64)
    new = np.where(covered, twin, 0)
    new[kept] = len(whole.vertices) + np.arange(len(kept))
    faces = new[faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (a != c)]
    names = ("keys", "vertices", "colors", "labels", "first_seen_ns", "last_seen_ns")
    columns = {n: np.concatenate([getattr(whole, n), getattr(part, n)[kept]]) for n in names}
    both = np.concatenate([whole.faces, faces.astype(np.int32)])
    return MeshPart(faces=both, **columns), kept


def vertex_normals(mesh: MeshPart) -> Floats:
    """Return unit normals (n, 3), the mean of the faces around; zero where there is none."""
    n = len(mesh.vertices)
    total = np.zeros((n, 3))
    for rows in _blocks(len(mesh.faces)):
        faces = mesh.faces[rows]
        corners = mesh.vertices[faces].astype(float)
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        for c in range(3):
            for axis in range(3):
                total[:, axis] += np.bincount(faces[:, c], across[:, axis], n)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0, total / np.maximum(length, 1e-12), 0.0))
