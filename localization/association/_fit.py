"""Compiled weighted least-squares transform between associated points, upright or free."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.localization.association.correspondences import Correspondences


@compiled(fastmath=True)
def turn_away(A: Floats, V: Floats, p: int, q: int) -> None:
    """Turn the symmetric A, and the basis V with it, so that A[p, q] vanishes (one step of Jacobi's)."""
    theta = (A[q, q] - A[p, p]) / (2.0 * A[p, q])
    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
    if theta < 0.0:
        t = -t
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for k in range(4):
        akp, akq = A[k, p], A[k, q]
        A[k, p], A[k, q] = c * akp - s * akq, s * akp + c * akq
    for k in range(4):
        apk, aqk = A[p, k], A[q, k]
        A[p, k], A[q, k] = c * apk - s * aqk, s * apk + c * aqk
        vkp, vkq = V[k, p], V[k, q]
        V[k, p], V[k, q] = c * vkp - s * vkq, s * vkp + c * vkq


@compiled(fastmath=True)
def rotation_of(S: Floats, R: Floats) -> None:
    """Write to R the rotation that maximizes trace(Rᵀ S): the top eigenvector of Horn's matrix (1987).

    The eigenvector of the symmetric 4 × 4 matrix is found by Jacobi's rotations.
    """
    A, V = np.zeros((4, 4)), np.eye(4)
    A[0, 0] = S[0, 0] + S[1, 1] + S[2, 2]
    A[1, 1] = S[0, 0] - S[1, 1] - S[2, 2]
    A[2, 2] = S[1, 1] - S[0, 0] - S[2, 2]
    A[3, 3] = S[2, 2] - S[0, 0] - S[1, 1]
    A[0, 1] = A[1, 0] = S[2, 1] - S[1, 2]
    A[0, 2] = A[2, 0] = S[0, 2] - S[2, 0]
    A[0, 3] = A[3, 0] = S[1, 0] - S[0, 1]
    A[1, 2] = A[2, 1] = S[0, 1] + S[1, 0]
    A[1, 3] = A[3, 1] = S[0, 2] + S[2, 0]
    A[2, 3] = A[3, 2] = S[1, 2] + S[2, 1]
    for _ in range(12):
        off = 0.0
        for p in range(3):
            for q in range(p + 1, 4):
                off += abs(A[p, q])
                if A[p, q] != 0.0:
                    turn_away(A, V, p, q)
        if off < 1e-13 * (abs(A[0, 0]) + abs(A[1, 1]) + abs(A[2, 2]) + abs(A[3, 3])):
            break
    top = 0
    for k in range(1, 4):
        if A[k, k] > A[top, top]:
            top = k
    w, x, y, z = V[0, top], V[1, top], V[2, top], V[3, top]
    R[0, 0], R[1, 1], R[2, 2] = (
        1 - 2 * (y * y + z * z),
        1 - 2 * (x * x + z * z),
        1 - 2 * (x * x + y * y),
    )
    R[0, 1], R[1, 0] = 2 * (x * y - w * z), 2 * (x * y + w * z)
    R[0, 2], R[2, 0] = 2 * (x * z + w * y), 2 * (x * z - w * y)
    R[1, 2], R[2, 1] = 2 * (y * z - w * x), 2 * (y * z + w * x)


@compiled(fastmath=True)
def fit(rows: Ints, trust: Floats, used: int, matches: Correspondences, T: Floats) -> None:
    """Write to T the transform of least squares over the listed associations, weighted by trust."""
    p1, p2, i1, i2 = matches.p1, matches.p2, matches.i1, matches.i2
    var_h, var_v = matches.var_h, matches.var_v
    m1, m2 = np.zeros(3), np.zeros(3)
    w_h, w_v = 0.0, 0.0
    for h in range(used):
        k = rows[h]
        u, v = trust[h] / var_h[k], trust[h] / var_v[k]
        w_h += u
        w_v += v
        for c in range(3):
            w = u if c < 2 else v
            m1[c] += w * p1[i1[k], c]
            m2[c] += w * p2[i2[k], c]
    for c in range(3):
        m1[c] /= w_h if c < 2 else w_v
        m2[c] /= w_h if c < 2 else w_v
    S = np.zeros((3, 3))
    for h in range(used):
        k = rows[h]
        w = trust[h] / var_h[k]
        for r in range(3):
            for c in range(3):
                S[r, c] += w * (p2[i2[k], r] - m2[r]) * (p1[i1[k], c] - m1[c])
    R = np.eye(3)
    rotation_of(S, R)
    for r in range(3):
        T[r, 3] = m2[r]
        for c in range(3):
            T[r, c] = R[r, c]
            T[r, 3] -= R[r, c] * m1[c]


@compiled(fastmath=True)
def fit_upright(rows: Ints, trust: Floats, used: int, columns: Floats, T: Floats) -> None:
    """Write to T the turn about the vertical and the translation of least squares, as ``fit`` does."""
    w_h, w_v, x1, y1, z1, x2, y2, z2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for h in range(used):
        k = rows[h]
        u, v = trust[h] * columns[6, k], trust[h] * columns[7, k]
        w_h += u
        w_v += v
        x1 += u * columns[0, k]
        y1 += u * columns[1, k]
        z1 += v * columns[2, k]
        x2 += u * columns[3, k]
        y2 += u * columns[4, k]
        z2 += v * columns[5, k]
    x1, y1, z1, x2, y2, z2 = x1 / w_h, y1 / w_h, z1 / w_v, x2 / w_h, y2 / w_h, z2 / w_v
    dot, cross = 0.0, 0.0
    for h in range(used):
        k = rows[h]
        w = trust[h] * columns[6, k]
        ax, ay, bx, by = (
            columns[0, k] - x1,
            columns[1, k] - y1,
            columns[3, k] - x2,
            columns[4, k] - y2,
        )
        dot += w * (bx * ax + by * ay)
        cross += w * (by * ax - bx * ay)
    length = math.sqrt(dot * dot + cross * cross)
    cos, sin = (dot / length, cross / length) if length > 0.0 else (1.0, 0.0)
    T[0, 0], T[0, 1], T[0, 2], T[0, 3] = cos, -sin, 0.0, x2 - (cos * x1 - sin * y1)
    T[1, 0], T[1, 1], T[1, 2], T[1, 3] = sin, cos, 0.0, y2 - (sin * x1 + cos * y1)
    T[2, 0], T[2, 1], T[2, 2], T[2, 3] = 0.0, 0.0, 1.0, z2 - z1
