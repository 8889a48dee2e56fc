"""One mesh of a team: every robot's surfaces follow its corrected path, and what lies double is kept once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import inverse
from commonground.mapping.fusion.deform import Deformation
from commonground.mapping.surface.nets import MeshPart

SAME_M = 0.3
"""Surfaces nearer to one another, and facing one way, are one surface mapped twice."""
FACING = 0.7
"""Cosine of the angle between their normals at least."""


def deformed(mesh: MeshPart, deformation: Deformation) -> MeshPart:
    """Return a mesh moved with its robot's path: each vertex as the keyframes about the time it was seen."""
    stamps = deformation.stamps_ns
    corrections = deformation.after @ inverse(deformation.before)
    middle = mesh.first_seen_ns // 2 + mesh.last_seen_ns // 2
    after = np.clip(np.searchsorted(stamps, middle), 1, max(len(stamps) - 1, 1))
    before, after = after - 1, np.minimum(after, len(stamps) - 1)
    span = np.maximum(stamps[after] - stamps[before], 1)
    share = np.clip((middle - stamps[before]) / span, 0.0, 1.0)[:, None]
    p = mesh.vertices.astype(float)
    moved = (1.0 - share) * _moved(corrections[before], p) + share * _moved(corrections[after], p)
    return replace(mesh, vertices=moved.astype(np.float32))


def _moved(T: Floats, points: Floats) -> Floats:
    return np.asarray(np.einsum("nij,nj->ni", T[:, :3, :3], points) + T[:, :3, 3])


def merge_meshes(parts: Sequence[MeshPart]) -> MeshPart | None:
    """Return one mesh: of surfaces mapped twice, the earlier robot's stays, and borders are joined to it."""
    from scipy.spatial import cKDTree

    whole: MeshPart | None = None
    for part in parts:
        if not len(part.faces):
            continue
        if whole is None:
            whole = part
            continue
        gap, nearest = cKDTree(whole.vertices).query(
            part.vertices, distance_upper_bound=SAME_M, workers=1
        )
        found = np.isfinite(gap)
        nearest = np.where(found, nearest, 0)
        alike = (vertex_normals(whole)[nearest] * vertex_normals(part)).sum(axis=1) > FACING
        whole = _joined(whole, part, found & alike, nearest)
    return whole


def _joined(whole: MeshPart, part: MeshPart, covered: Bools, twin: Ints) -> MeshPart:
    """Add a part without its covered faces; covered corners of other faces become their twins."""
    faces = part.faces[~covered[part.faces].all(axis=1)]
    kept = np.unique(faces[~covered[faces]])
    new = np.where(covered, twin, 0)
    new[kept] = len(whole.vertices) + np.arange(len(kept))
    faces = new[faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (a != c)]
    names = ("keys", "vertices", "colors", "labels", "first_seen_ns", "last_seen_ns")
    columns = {n: np.concatenate([getattr(whole, n), getattr(part, n)[kept]]) for n in names}
    return MeshPart(faces=np.concatenate([whole.faces, faces]).astype(np.int32), **columns)


def vertex_normals(mesh: MeshPart) -> Floats:
    """Return unit normals (n, 3), the mean of the faces around; zero where there is none."""
    corners = mesh.vertices[mesh.faces].astype(float)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    n = len(mesh.vertices)
    total = np.zeros((n, 3))
    for c in range(3):
        for axis in range(3):
            total[:, axis] += np.bincount(mesh.faces[:, c], across[:, axis], n)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0, total / np.maximum(length, 1e-12), 0.0))
