"""Odometry that drifts as real odometry does: slowly wandering scale and yaw errors."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import exp_so3, relative, transform

MEMORY_M = 25.0
"""Meters over which scale and yaw errors stay alike."""
SCALE_SHARE, YAW_SHARE = 1.55, 0.0395
"""Scale error, and yaw error in rad/m, of one percent of drift; found by trial over many seeds."""


def drifting(T_world_robot: Floats, drift_percent: float, rng: np.random.Generator) -> Floats:
    """Return T_odom_robot (n, 4, 4) of true poses (n, 4, 4); the first is the identity up to its tilt.

    Scale and yaw rate follow Ornstein–Uhlenbeck processes over the distance driven; roll, pitch and height
    are held by gravity and the ground, so they err by a little noise that does not add up.
    """
    steps = relative(T_world_robot[:-1], T_world_robot[1:])
    meters = np.linalg.norm(steps[:, :3, 3], axis=1)
    size = drift_percent / 100
    scale = 1 + size * SCALE_SHARE * _wandering(meters, rng)
    yaw = size * YAW_SHARE * _wandering(meters, rng) * meters
    R_true, t_true = T_world_robot[:, :3, :3], T_world_robot[:, :3, 3]
    twist = np.concatenate([[0.0], np.cumsum(yaw)])
    heading0 = np.arctan2(R_true[0, 1, 0], R_true[0, 0, 0])
    Rz = exp_so3(np.c_[np.zeros((len(twist), 2)), twist - heading0])
    moves = (Rz[:-1] @ np.diff(t_true, axis=0)[:, :, None])[:, :, 0]
    moves[:, :2] *= scale[:, None]
    t = np.concatenate([np.zeros((1, 3)), np.cumsum(moves, axis=0)])
    t[:, 2] += size * 0.3 * _wander_height(meters, rng)
    tilt = np.deg2rad(0.1) * (drift_percent > 0) * _smooth_noise((len(t), 2), rng)
    return transform(Rz @ exp_so3(np.c_[tilt, np.zeros(len(t))]) @ R_true, t)


def _wandering(meters: Floats, rng: np.random.Generator) -> Floats:
    """Return a unit-variance Ornstein–Uhlenbeck process (n,) over distance."""
    keep = np.exp(-meters / MEMORY_M)
    kick = np.sqrt(1 - keep**2) * rng.standard_normal(len(meters))
    out, value = np.empty(len(meters)), float(rng.standard_normal())
    for k in range(len(meters)):
        value = keep[k] * value + kick[k]
        out[k] = value
    return out


def _wander_height(meters: Floats, rng: np.random.Generator) -> Floats:
    return np.concatenate([[0.0], np.cumsum(_wandering(meters, rng) * meters)])


def _smooth_noise(shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    from scipy.ndimage import gaussian_filter1d

    noise = gaussian_filter1d(rng.standard_normal(shape), 20, axis=0, mode="nearest")
    return np.asarray(noise / max(float(noise.std()), 1e-9))
