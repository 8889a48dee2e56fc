"""Compiled kernel density estimate of where unrelated objects stand."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled


@compiled(fastmath=True)
def mean_kernel(p: Floats, chosen: Ints, near: int, noise2: float) -> Floats:
    """Return at each point (n, d) the density of the chosen other ones: a mean of Gaussian kernels.

    A point's bandwidth is the distance to its ``near``-th neighbor among them, and the noise.
    """
    n, d = p.shape
    out, squares, nearest = np.empty(n), np.empty(len(chosen)), np.empty(near)
    for i in range(n):
        others = 0
        nearest[:] = 1e300
        for c in range(len(chosen)):
            if chosen[c] == i:
                continue
            square = 0.0
            for axis in range(d):
                square += (p[i, axis] - p[chosen[c], axis]) ** 2
            squares[others] = square
            others += 1
            slot = near
            while slot > 0 and square < nearest[slot - 1]:
                if slot < near:
                    nearest[slot] = nearest[slot - 1]
                slot -= 1
                nearest[slot] = square
        h2 = nearest[near - 1] / d + noise2
        total = 0.0
        for k in range(others):
            total += math.exp(-0.5 * squares[k] / h2)
        out[i] = total / others / (2.0 * math.pi * h2) ** (0.5 * d)
    return out
