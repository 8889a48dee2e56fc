"""Compiled marginal likelihood of a transform, and the pruning of near-duplicate transforms."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.localization.association.correspondences import Correspondences


class Support(NamedTuple):
    """The correspondences that support one transform."""

    rows: Ints
    """(k,)"""
    scores: Floats
    """(k,) their log-likelihood ratios."""
    noise: float
    """Estimated share of the stated variance."""


@compiled(fastmath=True)
def gap2(A: Floats, B: Floats, corners: Floats) -> float:
    """Return the mean squared distance between the corners' images under two transforms."""
    total = 0.0
    for c in range(len(corners)):
        for r in range(3):
            d = A[r, 3] - B[r, 3]
            for q in range(3):
                d += (A[r, q] - B[r, q]) * corners[c, q]
            total += d * d
    return total / len(corners)


@compiled(fastmath=True)
def spread_out(transforms: Floats, corners: Floats, apart: float, limit: int) -> Ints:
    """Return the indices of at most ``limit`` transforms, the first first, no two nearer than ``apart``."""
    kept = np.empty(limit, np.int64)
    used = 0
    for t in range(len(transforms)):
        near = False
        for k in range(used):
            if gap2(transforms[t], transforms[kept[k]], corners) < apart * apart:
                near = True
                break
        if not near:
            kept[used] = t
            used += 1
            if used == limit:
                break
    return kept[:used]


@compiled(fastmath=True)
def evidence(
    T: Floats, support: Support, matches: Correspondences, radius2: float, shares: Floats
) -> tuple[float, int, float]:
    """Return the log evidence of a transform before Occam's volume, its overlap, and the share seen again.

    Σ_i log(1 − ρ + ρ exp s_i) over the objects of side 1 that lie in side 2's disc, or ball where up is
    unknown, of squared radius ``radius2``, averaged over the grid of ρ, plus the log width of the peak.
    """
    p1, scores, used = matches.p1, support.scores, len(support.rows)
    axes = 2 if matches.upright else 3
    overlap = 0
    for a in range(len(p1)):
        distance2 = 0.0
        for r in range(axes):
            x = T[r, 3]
            for q in range(3):
                x += T[r, q] * p1[a, q]
            distance2 += x * x
        overlap += distance2 < radius2
    overlap = max(overlap, used)
    gains = np.empty(used)
    for h in range(used):
        gains[h] = math.expm1(min(scores[h], 50.0))
    top, total, mean = -1e300, 0.0, 0.0
    for g in range(len(shares)):
        e = (overlap - used) * math.log1p(-shares[g])
        for h in range(used):
            e += math.log1p(shares[g] * gains[h])
        if e > top:
            shrink = math.exp(top - e) if top > -1e299 else 0.0
            total, mean = total * shrink + 1.0, mean * shrink + shares[g]
            top = e
        else:
            total += math.exp(e - top)
            mean += math.exp(e - top) * shares[g]
    value = top + math.log(total / len(shares))
    return value + log_width(support, matches), overlap, mean / total


@compiled(fastmath=True)
def log_width(support: Support, matches: Correspondences) -> float:
    """Return ½ log det(2π covariance) of the free parameters, at the support's centroid."""
    rows, noise, used = support.rows, support.noise, len(support.rows)
    p1, i1, var_h, var_v = matches.p1, matches.i1, matches.var_h, matches.var_v
    w_h, w_v = 0.0, 0.0
    m = np.zeros(3)
    for h in range(used):
        w = 1.0 / (noise * var_h[rows[h]])
        w_h += w
        w_v += 1.0 / (noise * var_v[rows[h]])
        for c in range(3):
            m[c] += w * p1[i1[rows[h]], c]
    m /= w_h
    S = np.zeros((3, 3))
    for h in range(used):
        w = 1.0 / (noise * var_h[rows[h]])
        for r in range(3):
            for c in range(3):
                S[r, c] += w * (p1[i1[rows[h]], r] - m[r]) * (p1[i1[rows[h]], c] - m[c])
    anywhere = 3.0 / math.pi**2  # a turn that nothing fixes is uniform: its variance is π²/3
    if matches.upright:
        yaw = S[0, 0] + S[1, 1] + anywhere
        return (
            2.0 * math.log(2.0 * math.pi)
            - math.log(w_h)
            - 0.5 * math.log(w_v)
            - 0.5 * math.log(yaw)
        )
    trace = S[0, 0] + S[1, 1] + S[2, 2] + anywhere
    a, b, c = trace - S[0, 0], trace - S[1, 1], trace - S[2, 2]
    d, e, f = -S[0, 1], -S[0, 2], -S[1, 2]
    turn = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)
    return 3.0 * math.log(2.0 * math.pi) - 1.5 * math.log(w_h) - 0.5 * math.log(max(turn, 1e-300))
