"""Surface patches: what a robot saw along a few meters of its path, in the frame of one keyframe.

A patch holds what was seen about the time of its keyframe, so that odometry has had little way to bend it;
and it is straightened: surfaces were mapped where the robot thought to be, which odometry tells better now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import apply, inverse, rotate
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.merge_mesh import vertex_normals
from commonground.mapping.surface.mesh_part import MeshPart

EVERY_M = 5.0
HALF_M = 8.0
"""A patch holds what was seen within so much way of its keyframe."""
LONGEST_NS = 40 * 10**9
"""What was in sight for longer was seen on more than one visit, and belongs to neither alone."""
LEVEL = 0.95
"""Cosine from which a surface counts as level: its slant is noise, and says nothing of where it lies."""
FEWEST, FEWEST_UPRIGHT = 300, 100
"""A patch with fewer points, or fewer on surfaces that stand, cannot be registered to another one."""


@dataclass(frozen=True, slots=True, eq=False)
class SurfacePatch:
    """Surfaces seen along some meters of a robot's way."""

    keyframe: int
    travel_m: float
    points: Floats
    """(n, 3) in the frame of the keyframe."""
    normals: Floats
    """(n, 3)"""
    tree: Any
    """Of the points, to find the nearest."""
    middle: Floats
    """(3,) where most of it lies."""


def surface_patches(run: RobotRun) -> list[SurfacePatch]:
    """Return a run's patches, one each few meters, without those that show too little."""
    from scipy.spatial import cKDTree

    mesh = run.mesh
    if mesh is None or not len(mesh.faces) or len(run.poses) < 2:
        return []
    travel = run.travel_m
    known, normals, seen_m = _sightings(run, mesh)
    path = _chained(run)
    vertices, normals = _straightened(run, path, mesh.vertices.astype(float), normals, seen_m)
    order = known[np.argsort(seen_m[known], kind="stable")]
    out = []
    for at in np.arange(0.0, travel[-1] + EVERY_M, EVERY_M):
        k = int(np.abs(travel - at).argmin())
        first, last = np.searchsorted(seen_m[order], (at - HALF_M, at + HALF_M))
        rows = np.sort(order[first:last])
        T_key_path = inverse(path[k])
        n = _leveled(rotate(T_key_path, normals[rows]))
        if len(rows) < FEWEST or (n[:, 2] < LEVEL).sum() < FEWEST_UPRIGHT:
            continue
        p = apply(T_key_path, vertices[rows])
        out.append(SurfacePatch(k, float(travel[k]), p, n, cKDTree(p), np.median(p, axis=0)))
    return out


def _sightings(run: RobotRun, mesh: MeshPart) -> tuple[Ints, Floats, Floats]:
    """Return the rows of vertices seen on one visit, and of all vertices normals and travel when seen."""
    normals = vertex_normals(mesh)
    early, late = mesh.first_seen_ns, mesh.last_seen_ns
    once: Bools = (late - early < LONGEST_NS) & ((normals**2).sum(axis=1) > 0.5)
    seen_m = np.interp(early // 2 + late // 2, run.stamps_ns, run.travel_m)
    return np.flatnonzero(once), normals, seen_m


def _chained(run: RobotRun) -> Floats:
    """Return the keyframes (k, 4, 4) one after the other as odometry has it."""
    path = run.poses.copy()
    for (i, j), T in zip(run.odometry.rows.tolist(), run.odometry.T, strict=True):
        path[j] = path[i] @ T
    return path


def _straightened(
    run: RobotRun, path: Floats, vertices: Floats, normals: Floats, seen_m: Floats
) -> tuple[Floats, Floats]:
    """Return vertices and normals as they lie to the keyframe of their time, along the path."""
    travel = run.travel_m
    after = np.clip(np.searchsorted(travel, seen_m), 1, len(travel) - 1)
    nearest = after - (seen_m - travel[after - 1] < travel[after] - seen_m)
    moved = (path @ inverse(run.poses))[nearest]
    turned = moved[:, :3, :3] @ vertices[:, :, None]
    straight = (moved[:, :3, :3] @ normals[:, :, None])[:, :, 0]
    return turned[:, :, 0] + moved[:, :3, 3], straight


def _leveled(normals: Floats) -> Floats:
    """Return normals with those of level surfaces straight up."""
    level = normals[:, 2] > LEVEL
    return np.where(level[:, None], [0.0, 0.0, 1.0], normals)
