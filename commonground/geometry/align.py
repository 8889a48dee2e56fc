"""The rigid motion that best maps one set of points onto another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats
from commonground.geometry.se3 import from_yaw, nearest_rotation, transform


def _centered(
    p_b: ArrayLike, p_a: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    b, a = np.asarray(p_b, float), np.asarray(p_a, float)
    if a.shape != b.shape or a.ndim != 2 or a.shape[1] != 3:
        raise ValueError(f"two (n, 3) arrays are needed, not {b.shape} and {a.shape}")
    w = np.ones(len(a)) if weights is None else np.asarray(weights, float)
    total = w.sum()
    if not total > 0:
        raise ValueError("points to align need a positive total weight")
    w = w / total
    mean_b, mean_a = w @ b, w @ a
    return b - mean_b, a - mean_a, mean_b, mean_a, w


def align_points(p_b: ArrayLike, p_a: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Return T_a_b minimizing Σ w |T p_b − p_a|² over SE(3) (Arun/Horn), for points (n, 3).

    Three points that are not on a line fix it; with fewer the result is one of many minimizers.
    """
    b, a, mean_b, mean_a, w = _centered(p_b, p_a, weights)
    R = nearest_rotation((a * w[:, None]).T @ b)
    return transform(R, mean_a - R @ mean_b)


def align_points_yaw(p_b: ArrayLike, p_a: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Return the gravity-keeping T_a_b (x, y, z, yaw) minimizing Σ w |T p_b − p_a|², points (n, 3).

    Two points apart in the plane fix it.
    """
    b, a, mean_b, mean_a, w = _centered(p_b, p_a, weights)
    cross = w @ (b[:, 0] * a[:, 1] - b[:, 1] * a[:, 0])
    dot = w @ (b[:, 0] * a[:, 0] + b[:, 1] * a[:, 1])
    R = from_yaw(np.arctan2(cross, dot))
    return transform(R, mean_a - R @ mean_b)
