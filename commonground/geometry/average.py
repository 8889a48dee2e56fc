"""Averages of poses."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry.se3 import exp_se3, inverse, log_se3, nearest_rotation, transform

STEPS, TOLERANCE = 50, 1e-10


def chordal_mean(poses: Floats) -> Floats:
    """Return the pose minimizing Σ |R − R_i|²_F + |t − t_i|² of poses (n, 4, 4): closed form."""
    if len(poses) == 0:
        raise ValueError("an average needs at least one pose")
    return transform(nearest_rotation(poses[:, :3, :3].mean(axis=0)), poses[:, :3, 3].mean(axis=0))


def karcher_mean(poses: Floats) -> Floats:
    """Return the pose whose mean twist to poses (n, 4, 4) is zero; starts at the chordal mean."""
    T = chordal_mean(poses)
    for _ in range(STEPS):
        xi = log_se3(inverse(T) @ poses).mean(axis=0)
        T = T @ exp_se3(xi)
        if np.linalg.norm(xi) < TOLERANCE:
            break
    return T
