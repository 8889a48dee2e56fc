"""The vertical of a recording whose world frame nobody leveled: floors and walls tell."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.images import read_image, to_meters
from commonground.datasets.readers.files import Shot
from commonground.errors import DataError
from commonground.frame import Camera

FRAMES = 12
STRIDE_PX = 8
LEAN_DEG = 30.0
"""People hold a camera level on average; up is looked for within this angle of its mean up."""
FLAT_DEG = 4.0


def upright(T_world_cam: Floats, camera: Camera, shots: list[Shot], unit: float) -> Floats:
    """Return R_up_world (3, 3): a rotation after which z is up, found from surface normals.

    Up is the direction near the cameras' mean up to which most surfaces are parallel or at right angles.
    ``T_world_cam`` (n, 4, 4) may be fewer poses than shots; only the mean of the poses and the shots that
    can be read matter.
    """
    prior = -T_world_cam[:, :3, 1].mean(axis=0)
    prior /= max(float(np.linalg.norm(prior)), 1e-9)
    picked = np.linspace(0, len(T_world_cam) - 1, min(FRAMES, len(T_world_cam))).astype(int)
    shares = np.linspace(0, len(shots) - 1, len(T_world_cam)).astype(int)
    normals = [_normals(camera, shots[shares[k]], unit) @ T_world_cam[k, :3, :3].T for k in picked]
    return _turn_to_z(_best_up(np.concatenate(normals), prior))


def _normals(camera: Camera, shot: Shot, unit: float) -> Floats:
    """Return unit surface normals (n, 3) in the camera frame, of every few pixels; none if unreadable."""
    try:
        depth = to_meters(read_image(shot.depth, color=False), unit)
    except DataError:
        return np.empty((0, 3))
    if depth.shape != (camera.height, camera.width):
        return np.empty((0, 3))
    points = (camera.rays() * depth[..., None])[::STRIDE_PX, ::STRIDE_PX].astype(float)
    n = np.cross(np.diff(points, axis=1)[:-1], np.diff(points, axis=0)[:, :-1]).reshape(-1, 3)
    size = np.linalg.norm(n, axis=1)
    good = np.isfinite(size) & (size > 1e-9)
    return np.asarray(n[good] / size[good, None])


def _best_up(normals: Floats, prior: Floats) -> Floats:
    """Return the unit direction (3,) that most normals are along or across."""
    near = normals[np.abs(normals @ prior) > np.cos(np.deg2rad(LEAN_DEG))]
    near = near * np.sign(near @ prior)[:, None]
    candidates = np.concatenate([[prior], near[:: max(1, len(near) // 400)]])
    cosines = np.abs(candidates @ normals.T)
    along = (cosines > np.cos(np.deg2rad(FLAT_DEG))).sum(axis=1)
    across = (cosines < np.sin(np.deg2rad(FLAT_DEG))).sum(axis=1)
    best = candidates[int((along + 0.5 * across).argmax())]
    agree = near[near @ best > np.cos(np.deg2rad(FLAT_DEG))]
    up = agree.mean(axis=0) if len(agree) > 20 else best
    return np.asarray(up / np.linalg.norm(up))


def _turn_to_z(up: Floats) -> Floats:
    """Return the smallest rotation that turns ``up`` into +z after the usual swap of camera axes."""
    from commonground.datasets.simulator.robots import R_BODY_OPTICAL
    from commonground.geometry import exp_so3

    v = R_BODY_OPTICAL @ up  # a camera held level already has its up along z here
    axis = np.cross(v, [0.0, 0.0, 1.0])
    sine = float(np.linalg.norm(axis))
    angle = float(np.arctan2(sine, v[2]))
    turn = exp_so3(axis / max(sine, 1e-12) * angle)
    return np.asarray(turn @ R_BODY_OPTICAL)
