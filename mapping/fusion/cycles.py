"""Cycle errors: how far the loop of two closures and the odometry between them is from closed.

Closures a = (i, j) and b = (k, m) are compared by going round i → j → m → k → i. Each leg's error is carried
through the legs that follow it, so that the covariance of the round is that at its end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.geometry.kernels import (
    add_carried,
    adjoint_of_inverse,
    between,
    cholesky,
    invert,
    log_twist,
    mahalanobis2,
    multiply,
)
from commonground.mapping.fusion.chance import BOX, Chance, Odometry
from commonground.mapping.fusion.posegraph import Constraints


def cycle_errors(
    closures: Constraints, T: Floats, odometry: Odometry, chance: Chance, pairs: Ints
) -> tuple[Floats, Floats]:
    """Return log evidence (k,) that rounds close for a reason, and their squared Mahalanobis lengths (k,).

    Pairs (k, 2) of closures are compared as if they said ``T`` (m, 4, 4).
    """
    axes = chance.axes
    free = (slice(None), axes[:, None], axes)
    return _cycle_errors(
        np.ascontiguousarray(pairs),
        _Closures(
            np.ascontiguousarray(closures.rows),
            np.ascontiguousarray(T),
            np.ascontiguousarray(closures.covariances[free]),
        ),
        np.ascontiguousarray(odometry.poses),
        np.ascontiguousarray(odometry.spread[free]),
        axes,
        BOX * chance.spread2[axes],
    )


class _Closures(NamedTuple):
    """Closures as they are compared."""

    rows: Ints
    """(m, 2) poses they join."""
    T: Floats
    """(m, 4, 4)"""
    covariances: Floats
    """(m, d, d) along the free axes."""


@compiled
def _cycle_errors(
    pairs: Ints, closures: _Closures, poses: Floats, spread: Floats, axes: Ints, room: Floats
) -> tuple[Floats, Floats]:
    """Go round each cycle of two closures and the odometry (``poses``, summed ``spread``) between them.

    ``room`` (d,) are the variances of what wrong closures claim.
    """
    rows, T, covariances = closures
    evidence, near2 = np.empty(len(pairs)), np.empty(len(pairs))
    d = len(axes)
    T_mk, T_ki, T_mi, T_ji, T_jm, X, R = np.zeros((7, 4, 4))
    A, half, gone, C, wide = np.zeros((5, d, d))
    xi, y = np.zeros(6), np.zeros(d)
    for n in range(len(pairs)):
        a, b = pairs[n]
        (i, j), (k, m) = rows[a], rows[b]
        swapped = (i > j) != (k > m)
        if swapped:
            k, m = m, k
        between(poses[k], poses[i], T_ki)
        between(poses[j], poses[m], T_jm)
        C[:] = 0.0
        # the second closure, at its end k, seen from i
        if swapped:
            T_mk[:] = T[b]
            adjoint_of_inverse(T_ki, axes, A)
        else:
            invert(T[b], T_mk)
            multiply(T_mk, T_ki, X)
            adjoint_of_inverse(X, axes, A)
        add_carried(A, covariances[b], half, C)
        multiply(T_mk, T_ki, T_mi)
        multiply(T_jm, T_mi, T_ji)
        # both ways along odometry, whose errors are summed up as seen from the origin
        _subtract(spread[max(k, i)], spread[min(k, i)], gone)
        adjoint_of_inverse(poses[i], axes, A)
        add_carried(A, gone, half, C)
        _subtract(spread[max(j, m)], spread[min(j, m)], gone)
        multiply(poses[m], T_mi, X)
        adjoint_of_inverse(X, axes, A)
        add_carried(A, gone, half, C)
        # the first closure
        adjoint_of_inverse(T_ji, axes, A)
        add_carried(A, covariances[a], half, C)
        multiply(T[a], T_ji, R)
        log_twist(R, xi)
        for p in range(d):
            y[p] = xi[axes[p]]
            for q in range(d):
                wide[p, q] = 2 * np.pi * C[p, q]
            wide[p, p] += room[p]
        more = cholesky(wide)
        own = cholesky(C)
        near2[n] = mahalanobis2(C, y)
        evidence[n] = 0.5 * (more - own - d * np.log(2 * np.pi) - near2[n])
    return evidence, near2


@compiled
def _subtract(late: Floats, early: Floats, out: Floats) -> None:
    for p in range(len(out)):
        for q in range(len(out)):
            out[p, q] = late[p, q] - early[p, q]
