"""Compiled statement of how sure a transform is, and of what it says in the given frames."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.compiled import compiled


@compiled(fastmath=True)
def covariance_of(
    rows: Ints,
    trust: Floats,
    noise: float,
    p1: Floats,
    i1: Ints32,
    var_h: Floats,
    var_v: Floats,
    turn: float,
    tilt: float,
) -> Floats:
    """Return the covariance (6, 6) of ξ in T exp(ξ) that the listed associations leave.

    ``turn`` and ``tilt`` are the precisions of any rotation, and of one out of the vertical, beforehand.
    """
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
def rigid_inverse(T: Floats) -> Floats:
    """Return the inverse of a rigid transform (4, 4)."""
    out = np.zeros((4, 4))
    out[3, 3] = 1.0
    for r in range(3):
        for q in range(3):
            out[r, q] = T[q, r]
            out[r, 3] -= T[q, r] * T[q, 3]
    return out


@compiled(fastmath=True)
def adjoint_of(T: Floats) -> Floats:
    """Return Ad_T (6, 6), translation first."""
    out = np.zeros((6, 6))
    x, y, z = T[0, 3], T[1, 3], T[2, 3]
    for q in range(3):
        for r in range(3):
            out[r, q] = out[3 + r, 3 + q] = T[r, q]
        out[0, 3 + q] = y * T[2, q] - z * T[1, q]
        out[1, 3 + q] = z * T[0, q] - x * T[2, q]
        out[2, 3 + q] = x * T[1, q] - y * T[0, q]
    return out


@compiled(fastmath=True)
def as_given(T1: Floats, T2: Floats, T: Floats, C: Floats) -> tuple[Floats, Floats]:
    """Return a transform between two sides, and its covariance, in the frames that T1 and T2 lead from."""
    A = adjoint_of(rigid_inverse(T1))
    return rigid_inverse(T2) @ T @ T1, A @ C @ A.T


@compiled(fastmath=True)
def log_nearness(expected: Floats, found: Floats, C: Floats) -> float:
    """Return the log density of an upright pose about another, with covariance C (6, 6) of their twist."""
    xi = np.zeros(4)
    for r in range(3):
        for q in range(3):
            xi[r] += expected[q, r] * (found[q, 3] - expected[q, 3])
    turn = math.atan2(found[1, 0], found[0, 0]) - math.atan2(expected[1, 0], expected[0, 0])
    xi[3] = math.atan2(math.sin(turn), math.cos(turn))
    # Cholesky: S = L Lᵀ, then |L⁻¹ ξ|² and log det S
    L = np.zeros((4, 4))
    total = 4.0 * math.log(2.0 * math.pi)
    for a in range(4):
        row = a if a < 3 else 5
        for b in range(a + 1):
            L[a, b] = C[row, b if b < 3 else 5]
            for k in range(b):
                L[a, b] -= L[a, k] * L[b, k]
            L[a, b] = math.sqrt(L[a, a]) if a == b else L[a, b] / L[b, b]
        for k in range(a):
            xi[a] -= L[a, k] * xi[k]
        xi[a] /= L[a, a]
        total += xi[a] * xi[a] + 2.0 * math.log(L[a, a])
    return -0.5 * total
