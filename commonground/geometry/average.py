"""Averages of poses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats
from commonground.geometry.se3 import exp_se3, inverse, log_se3, nearest_rotation, transform


def _normalised(weights: ArrayLike | None, n: int) -> Floats:
    if n == 0:
        raise ValueError("an average needs at least one pose")
    w = np.ones(n) if weights is None else np.asarray(weights, float)
    if w.shape != (n,) or not w.sum() > 0 or (w < 0).any():
        raise ValueError(f"{n} poses need {n} weights, none negative and not all zero")
    return np.asarray(w / w.sum())


def chordal_mean(poses: Floats, weights: ArrayLike | None = None) -> Floats:
    """Return the pose minimizing Σ w (|R − R_i|²_F + |t − t_i|²) of poses (n, 4, 4): closed form."""
    w = _normalised(weights, len(poses))
    R = nearest_rotation(np.einsum("i,ijk->jk", w, poses[:, :3, :3]))
    return transform(R, w @ poses[:, :3, 3])


def karcher_mean(
    poses: Floats, weights: ArrayLike | None = None, *, tolerance: float = 1e-10, steps: int = 50
) -> Floats:
    """Return the pose whose weighted mean twist to poses (n, 4, 4) is zero; starts at the chordal mean."""
    w = _normalised(weights, len(poses))
    T = chordal_mean(poses, w)
    for _ in range(steps):
        xi = w @ log_se3(inverse(T) @ poses)
        T = T @ exp_se3(xi)
        if np.linalg.norm(xi) < tolerance:
            break
    return T
