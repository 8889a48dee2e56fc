"""Rounds that two closures and the odometry between their ends make, and how far from closed they are.

Closures a = (i, j) and b = (k, m) are compared by going round i → j → m → k → i. Each leg's error is carried
through the legs that follow it, so that the covariance of the round is that at its end.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.mapping.fusion.chance import BOX, Chance, Odometry
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.fusion.rarity import log_in_place


def going_round(
    closures: Constraints, T: Floats, odometry: Odometry, chance: Chance, pairs: Ints
) -> tuple[Floats, Floats]:
    """Return log evidence (k,) that rounds close for a reason, and their squared Mahalanobis lengths (k,).

    Pairs (k, 2) of closures are compared as if they said ``T`` (m, 4, 4).
    """
    axes = chance.axes
    free = (slice(None), axes[:, None], axes)
    evidence, near2 = np.empty(len(pairs)), np.empty(len(pairs))
    _go_round(
        np.ascontiguousarray(pairs),
        np.ascontiguousarray(closures.rows),
        np.ascontiguousarray(T),
        np.ascontiguousarray(closures.covariances[free]),
        np.ascontiguousarray(odometry.poses),
        np.ascontiguousarray(odometry.spread[free]),
        axes,
        BOX * chance.spread2[axes],
        evidence,
        near2,
    )
    return evidence, near2


@compiled
def _go_round(
    pairs: Ints,
    rows: Ints,
    T: Floats,
    covariances: Floats,
    poses: Floats,
    spread: Floats,
    axes: Ints,
    room: Floats,
    evidence: Floats,
    near2: Floats,
) -> None:
    d = len(axes)
    T_mk, T_ki, T_mi, T_ji, T_jm, X, R = (
        np.zeros((4, 4)),
        np.zeros((4, 4)),
        np.zeros((4, 4)),
        np.zeros((4, 4)),
        np.zeros((4, 4)),
        np.zeros((4, 4)),
        np.zeros((4, 4)),
    )
    A, half, gone, C, wide = (
        np.zeros((d, d)),
        np.zeros((d, d)),
        np.zeros((d, d)),
        np.zeros((d, d)),
        np.zeros((d, d)),
    )
    xi, y = np.zeros(6), np.zeros(d)
    for n in range(len(pairs)):
        a, b = pairs[n]
        (i, j), (k, m) = rows[a], rows[b]
        swapped = (i > j) != (k > m)
        if swapped:
            k, m = m, k
        _after(poses[k], poses[i], T_ki)
        _after(poses[j], poses[m], T_jm)
        C[:] = 0.0
        # the second closure, at its end k, seen from i
        if swapped:
            T_mk[:] = T[b]
            _adjoint_of_inverse(T_ki, axes, A)
        else:
            _inverse(T[b], T_mk)
            _product(T_mk, T_ki, X)
            _adjoint_of_inverse(X, axes, A)
        _carry(A, covariances[b], half, C)
        _product(T_mk, T_ki, T_mi)
        _product(T_jm, T_mi, T_ji)
        # both ways along odometry, whose errors are summed up as seen from the origin
        _between(spread[max(k, i)], spread[min(k, i)], gone)
        _adjoint_of_inverse(poses[i], axes, A)
        _carry(A, gone, half, C)
        _between(spread[max(j, m)], spread[min(j, m)], gone)
        _product(poses[m], T_mi, X)
        _adjoint_of_inverse(X, axes, A)
        _carry(A, gone, half, C)
        # the first closure
        _adjoint_of_inverse(T_ji, axes, A)
        _carry(A, covariances[a], half, C)
        _product(T[a], T_ji, R)
        xi[:3] = R[:3, 3]
        log_in_place(R, xi)
        for p in range(d):
            y[p] = xi[axes[p]]
            for q in range(d):
                wide[p, q] = 2 * np.pi * C[p, q]
            wide[p, p] += room[p]
        more = _factor(wide)
        own = _factor(C)
        near2[n] = _length2(C, y)
        evidence[n] = 0.5 * (more - own - d * np.log(2 * np.pi) - near2[n])


@compiled
def _product(A: Floats, B: Floats, out: Floats) -> None:
    for p in range(3):
        for q in range(4):
            out[p, q] = A[p, 0] * B[0, q] + A[p, 1] * B[1, q] + A[p, 2] * B[2, q]
        out[p, 3] += A[p, 3]


@compiled
def _inverse(T: Floats, out: Floats) -> None:
    for p in range(3):
        out[p, 3] = -(T[0, p] * T[0, 3] + T[1, p] * T[1, 3] + T[2, p] * T[2, 3])
        for q in range(3):
            out[p, q] = T[q, p]


@compiled
def _after(T_w_a: Floats, T_w_b: Floats, out: Floats) -> None:
    """Write T_a_b."""
    for p in range(3):
        for q in range(4):
            total = 0.0
            for r in range(3):
                moved = T_w_b[r, q] - (T_w_a[r, 3] if q == 3 else 0.0)
                total += T_w_a[r, p] * moved
            out[p, q] = total


@compiled
def _adjoint_of_inverse(T: Floats, axes: Ints, out: Floats) -> None:
    """Write Ad of T⁻¹ = (Rᵀ, −Rᵀt): Rᵀ twice on the diagonal, −Rᵀ [t]× off it; the chosen axes of it."""
    for p in range(len(axes)):
        u, x = axes[p] // 3, axes[p] % 3
        for q in range(len(axes)):
            v, z = axes[q] // 3, axes[q] % 3
            if u == v:
                out[p, q] = T[z, x]
            elif u < v:
                # column z of [t]× is t × e_z: t[z + 2] at z + 1 and −t[z + 1] at z + 2, cyclically
                one, two = (z + 1) % 3, (z + 2) % 3
                out[p, q] = -(T[one, x] * T[two, 3] - T[two, x] * T[one, 3])
            else:
                out[p, q] = 0.0


@compiled
def _between(late: Floats, early: Floats, out: Floats) -> None:
    for p in range(len(out)):
        for q in range(len(out)):
            out[p, q] = late[p, q] - early[p, q]


@compiled
def _carry(A: Floats, C: Floats, half: Floats, out: Floats) -> None:
    """Add A C Aᵀ."""
    d = len(A)
    for p in range(d):
        for q in range(d):
            half[p, q] = 0.0
        for r in range(d):
            a = A[p, r]
            if a != 0.0:
                for q in range(d):
                    half[p, q] += a * C[r, q]
    for p in range(d):
        for q in range(p + 1):
            total = 0.0
            for r in range(d):
                total += half[p, r] * A[q, r]
            out[p, q] += total
            if p != q:
                out[q, p] += total


@compiled
def _factor(C: Floats) -> float:
    """Turn a covariance into its lower Cholesky factor; return the log of its determinant."""
    det = 1.0
    for p in range(len(C)):
        for q in range(p + 1):
            total = C[p, q]
            for r in range(q):
                total -= C[p, r] * C[q, r]
            if p == q:
                det *= total
                C[p, p] = np.sqrt(total)
            else:
                C[p, q] = total / C[q, q]
    return float(np.log(det))


@compiled
def _length2(factor: Floats, y: Floats) -> float:
    """Return the squared Mahalanobis length of a vector, which is used up."""
    total = 0.0
    for p in range(len(y)):
        for q in range(p):
            y[p] -= factor[p, q] * y[q]
        y[p] /= factor[p, p]
        total += y[p] * y[p]
    return total
