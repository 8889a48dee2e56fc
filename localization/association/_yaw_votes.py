"""Compiled Hough vote for the yaw between two submaps, gravity known.

Coordinates are single precision and centered, as for the affinity.
"""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.compiled import compiled
from commonground.localization.association._histogram import accumulate, span, vote
from commonground.localization.association._pairwise import consistent, misfits
from commonground.localization.association.correspondences import Candidates, Tolerance


@compiled(fastmath=True)
def yaw_votes(c: Candidates, tolerance: Tolerance, bins: int) -> tuple[Floats32, Floats32]:
    """Return for each association the yaw that most consistent others agree on, and its votes: those first.

    With gravity known, an association and a yaw are a whole transform, so one histogram over yaw
    replaces the search. A vote spreads over the yaw's noise: that of a bearing at the distance. Two
    associations imply one yaw, so each pair is looked at once and votes for both.
    """
    n, drift2 = len(c.i1), tolerance.drift2
    xyz1, xyz2, var_h, weight = c.xyz1, c.xyz2, c.var_h, c.weight
    scores, yaws = np.empty(n, np.float32), np.empty(n, np.float32)
    misfit = np.empty(n, np.float32)
    hits = np.empty(n + 1, np.int32)
    histograms = np.zeros((n, bins + 1), np.float32)
    per_radian = bins / (2.0 * math.pi)
    for k in range(n):
        misfits(k, k + 1, c, tolerance, misfit)
        found = consistent(k, k + 1, misfit, c, hits)
        for h in range(found):
            m = hits[h]
            ux, uy = xyz1[0, m] - xyz1[0, k], xyz1[1, m] - xyz1[1, k]
            wx, wy = xyz2[0, m] - xyz2[0, k], xyz2[1, m] - xyz2[1, k]
            d2 = max(ux * ux + uy * uy, np.float32(1e-9))
            spread2 = 2.25 * ((var_h[k] + var_h[m]) / d2 + drift2)
            if spread2 > 1.0:  # too close together to have a direction
                continue
            spread = math.sqrt(spread2)
            yaw = math.atan2(ux * wy - uy * wx, ux * wx + uy * wy) + math.pi
            low, high = span(yaw, spread, bins)
            vote(histograms, k, low, high, weight[m])
            vote(histograms, m, low, high, weight[k])
        best = accumulate(histograms, k, bins)  # later associations vote for later ones only
        scores[k] = histograms[k, best] + weight[k]
        yaws[k] = (best + 0.5) / per_radian - math.pi
    return scores, yaws


@compiled(fastmath=True)
def yaw_transforms(best: Ints, yaws: Floats32, p1: Floats, p2: Floats, c: Candidates) -> Floats:
    """Return the transforms (h, 4, 4) that turn by the chosen associations' yaws and lay them together."""
    i1, i2, out = c.i1, c.i2, np.zeros((len(best), 4, 4))
    for h in range(len(best)):
        k = best[h]
        cos, sin = math.cos(float(yaws[k])), math.sin(float(yaws[k]))
        x, y, z = p1[i1[k], 0], p1[i1[k], 1], p1[i1[k], 2]
        T = out[h]
        T[0, 0] = T[1, 1] = cos
        T[1, 0], T[0, 1] = sin, -sin
        T[2, 2] = T[3, 3] = 1.0
        T[0, 3] = p2[i2[k], 0] - (cos * x - sin * y)
        T[1, 3] = p2[i2[k], 1] - (sin * x + cos * y)
        T[2, 3] = p2[i2[k], 2] - z
    return out
