"""Which way is up, told by level surfaces of one image."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import exp_so3, transform
from commonground.mapping.perception.patches import AREA, mean_normals


def upright_turn(sums: Floats, T_odom_cam: Floats, least_cos: float) -> Floats | None:
    """Return the turn (4, 4) that makes the odometry frame's z point up, None if it does already.

    Level surfaces tell. If none is level by the odometry, but much of what is seen is level for a camera
    held about upright, the odometry frame is the first camera's or the like, as in 7-Scenes.
    """
    normal, area = mean_normals(sums), sums[:, AREA]
    total = area.sum()
    if total <= 0 or area[normal[:, 2] > least_cos].sum() > 0.05 * total:
        return None
    up = -T_odom_cam[:3, 1]  # against the image's y axis
    for least in (np.cos(np.deg2rad(50)), least_cos, least_cos):
        near = normal @ up > least
        if area[near].sum() < 0.1 * total:
            return None
        up = (area[near, None] * normal[near]).sum(axis=0)
        up /= np.linalg.norm(up)
    return _turn_up(up)


def _turn_up(up: Floats) -> Floats:
    """Return the shortest turn (4, 4) that takes a unit vector to +z."""
    axis = np.cross(up, [0.0, 0.0, 1.0])
    sine = float(np.linalg.norm(axis))
    angle = float(np.arctan2(sine, up[2]))
    w = axis / sine * angle if sine > 1e-9 else np.array([angle, 0.0, 0.0])
    return transform(exp_so3(w), np.zeros(3))
