"""How far a mesh lies from the true surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints32


@dataclass(frozen=True, slots=True)
class MeshScores:
    """Distances of the mesh's vertices from the true surface, in meters."""

    mean_m: float
    median_m: float
    p95_m: float
    vertices: int


def evaluate_mesh(vertices: Floats, true_vertices: Floats, true_faces: Ints32) -> MeshScores:
    """Compare vertices (n, 3) with true triangles, both in the same frame."""
    import open3d as o3d

    tensor: Any = o3d.core.Tensor
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(
        tensor(np.ascontiguousarray(true_vertices, np.float32)),
        tensor(np.ascontiguousarray(true_faces, np.uint32)),
    )
    points = tensor(np.ascontiguousarray(vertices, np.float32))
    distance: Floats = scene.compute_distance(points).numpy()
    if len(distance) == 0:
        return MeshScores(float("nan"), float("nan"), float("nan"), 0)
    return MeshScores(
        mean_m=float(distance.mean()),
        median_m=float(np.median(distance)),
        p95_m=float(np.quantile(distance, 0.95)),
        vertices=len(distance),
    )
