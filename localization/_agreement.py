"""Compiled test of which place matches imply the same transform between two maps."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.compiled import compiled


@compiled(fastmath=True)
def apart2(A: Floats, B: Floats, spot: Floats) -> float:
    """Return the squared distance between a spot's images under two transforms."""
    total = 0.0
    for r in range(3):
        d = A[r, 3] - B[r, 3]
        for q in range(3):
            d += (A[r, q] - B[r, q]) * spot[q]
        total += d * d
    return total


@compiled(fastmath=True)
def agreement(
    T: Floats,
    spots: Floats,
    travel1: Floats,
    travel2: Floats,
    same_m: float,
    same_deg: float,
    drift: float,
) -> Bools:
    """Return which transforms (m, 4, 4) between two maps agree (m, m), each at the spots (m, 3) of both.

    What is allowed grows with the travel (m,) in either map between the two.
    """
    n = len(T)
    out = np.ones((n, n), np.bool_)
    for k in range(n):
        for m in range(k):
            slip = drift * (abs(travel1[k] - travel1[m]) + abs(travel2[k] - travel2[m]))
            reach, turn = same_m + slip, same_deg + slip
            trace = 0.0
            for r in range(3):
                for q in range(3):
                    trace += T[k, r, q] * T[m, r, q]
            like = turn >= 180.0 or 0.5 * (trace - 1.0) > math.cos(math.radians(turn))
            if like:
                like = apart2(T[k], T[m], spots[k]) < reach * reach
            if like:
                like = apart2(T[k], T[m], spots[m]) < reach * reach
            out[k, m] = out[m, k] = like
    return out
