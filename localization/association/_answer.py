"""Compiled covariance of an estimated transform, and its change to the frames the points were given in."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.geometry.kernels import (
    add_carried,
    adjoint_of_inverse,
    cholesky,
    invert,
    mahalanobis2,
)
from commonground.localization.association.correspondences import Correspondences


@compiled(fastmath=True)
def covariance_of(
    rows: Ints, trust: Floats, noise: float, matches: Correspondences, turn: float, tilt: float
) -> Floats:
    """Return the covariance (6, 6) of ξ in T exp(ξ) that the listed associations leave.

    ``turn`` and ``tilt`` are the precisions of any rotation, and of one out of the vertical, beforehand.
    """
    p1, i1, var_h, var_v = matches.p1, matches.i1, matches.var_h, matches.var_v
    H = np.zeros((6, 6))
    J = np.zeros((3, 6))
    J[0, 0] = J[1, 1] = J[2, 2] = 1.0
    for h in range(len(rows)):
        k = rows[h]
        x, y, z = p1[i1[k], 0], p1[i1[k], 1], p1[i1[k], 2]
        J[0, 4], J[0, 5] = z, -y
        J[1, 3], J[1, 5] = -z, x
        J[2, 3], J[2, 4] = y, -x
        for r in range(3):
            w = trust[h] / noise / (var_h[k] if r < 2 else var_v[k])
            for a in range(6):
                for b in range(a + 1):
                    H[a, b] += w * J[r, a] * J[r, b]
    for a in range(6):
        for b in range(a):
            H[b, a] = H[a, b]
        H[a, a] += 1e-12 + (turn if a > 2 else 0.0) + (tilt if a == 3 or a == 4 else 0.0)
    covariance = np.empty((6, 6))
    covariance[:] = np.linalg.inv(H)
    return covariance


@compiled(fastmath=True)
def moments(C: Floats, first: int) -> tuple[float, float]:
    """Return mean and variance of the squared length of three Gaussian components, from the first on."""
    mean, variance = 0.0, 0.0
    for a in range(first, first + 3):
        mean += C[a, a]
        for b in range(first, first + 3):
            variance += 2.0 * C[a, b] * C[a, b]
    return mean, variance


@compiled(fastmath=True)
def as_given(T1: Floats, T2: Floats, T: Floats, C: Floats) -> tuple[Floats, Floats]:
    """Return a transform between two sides, and its covariance, in the frames that T1 and T2 lead from."""
    back, A, given = np.eye(4), np.zeros((6, 6)), np.zeros((6, 6))
    adjoint_of_inverse(T1, np.arange(6), A)
    add_carried(A, C, np.zeros((6, 6)), given)
    invert(T2, back)
    return back @ T @ T1, given


@compiled(fastmath=True)
def log_nearness(expected: Floats, found: Floats, C: Floats) -> float:
    """Return the log density of an upright pose about another, with covariance C (6, 6) of their twist."""
    xi, own = np.zeros(4), np.zeros((4, 4))
    for r in range(3):
        for q in range(3):
            xi[r] += expected[q, r] * (found[q, 3] - expected[q, 3])
    turn = math.atan2(found[1, 0], found[0, 0]) - math.atan2(expected[1, 0], expected[0, 0])
    xi[3] = math.atan2(math.sin(turn), math.cos(turn))
    for a in range(4):
        for b in range(4):
            own[a, b] = C[a if a < 3 else 5, b if b < 3 else 5]
    log_det = cholesky(own)
    return -0.5 * (mahalanobis2(own, xi) + log_det + 4.0 * math.log(2.0 * math.pi))
