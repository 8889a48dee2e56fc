"""Plausibility checks of a transform: is one of the maps stretched, tilted or mirrored?"""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats
from commonground.compiled import compiled
from commonground.geometry.kernels import transformed
from commonground.localization.association._refine import best_first
from commonground.localization.association.correspondences import Correspondences
from commonground.localization.association.modes import Mode, support_of


@compiled(fastmath=True)
def pairs_around(
    T: Floats, matches: Correspondences, noise: float, wide: float
) -> tuple[Floats, Floats, Floats]:
    """Return side 1's positions (k, 3) moved by T, their counterparts within a wide gate, and variances.

    Of an object's associations the most likely is taken; ``wide`` are squared standard deviations.
    """
    p1, p2, i1, i2, var_h, var_v, base, _ = matches
    n = len(i1)
    near, promise = np.empty(n, np.int64), np.empty(n)
    found = 0
    moved = np.empty_like(p1)
    for a in range(len(p1)):
        moved[a, 0], moved[a, 1], moved[a, 2] = transformed(T, p1[a, 0], p1[a, 1], p1[a, 2])
    for k in range(n):
        a, b = i1[k], i2[k]
        x, y, z = moved[a, 0] - p2[b, 0], moved[a, 1] - p2[b, 1], moved[a, 2] - p2[b, 2]
        square = ((x * x + y * y) / var_h[k] + z * z / var_v[k]) / noise
        if square < wide:
            near[found], promise[found] = k, 0.1 * base[k] - square / wide
            found += 1
    order = best_first(promise[:found])
    taken1, taken2 = np.zeros(len(p1), np.bool_), np.zeros(len(p2), np.bool_)
    own, theirs, var = np.empty((found, 3)), np.empty((found, 3)), np.empty((found, 3))
    kept = 0
    for h in range(found):
        k = near[order[h]]
        if taken1[i1[k]]:
            continue
        taken1[i1[k]] = True
        if taken2[i2[k]]:
            continue
        taken2[i2[k]] = True
        own[kept], theirs[kept] = moved[i1[k]], p2[i2[k]]
        var[kept, 0] = var[kept, 1] = var_h[k] * noise
        var[kept, 2] = var_v[k] * noise
        kept += 1
    return own[:kept], theirs[:kept], var[:kept]


@compiled(fastmath=True)
def normal_equations(
    x: Floats, gap: Floats, var: Floats, delta: Floats, H: Floats, g: Floats
) -> tuple[float, float]:
    """Write the equations of the next step from ``delta``; return the summed weights and squared residuals.

    Weights are Cauchy's: accidental neighbors are among the pairs.
    """
    J = np.zeros((3, 7))
    J[0, 0] = J[1, 1] = J[2, 2] = 1.0
    H[:], g[:] = 0.0, 0.0
    weights, left = 0.0, 0.0
    r = np.empty(3)
    for k in range(len(x)):
        a, b, c = x[k, 0], x[k, 1], x[k, 2]
        J[0, 4], J[0, 5], J[0, 6] = c, -b, a
        J[1, 3], J[1, 5], J[1, 6] = -c, a, b
        J[2, 3], J[2, 4], J[2, 6] = b, -a, c
        square = 0.0
        for i in range(3):
            r[i] = gap[k, i]
            for j in range(7):
                r[i] -= J[i, j] * delta[j]
            square += r[i] * r[i] / var[k, i]
        w = 1.0 / (1.0 + square / 9.0)
        weights += w
        left += w * square
        for i in range(3):
            for j in range(7):
                wj = J[i, j] * w / var[k, i]
                g[j] += wj * r[i]
                for m in range(j + 1):
                    H[j, m] += wj * J[i, m]
    for j in range(7):
        H[j, j] += 1e-9
        for m in range(j):
            H[m, j] = H[j, m]
    return weights, left


@compiled(fastmath=True)
def fit_distortion(p: Floats, q: Floats, var: Floats, rounds: int) -> tuple[Floats, Floats]:
    """Return translation, rotation and stretch (7,) of q against p about p's mean, and their deviations."""
    x, gap = np.empty_like(p), q - p
    for c in range(3):
        x[:, c] = p[:, c] - p[:, c].mean()
    delta, g, H = np.zeros(7), np.zeros(7), np.eye(7)
    spread = np.eye(7)
    for _ in range(rounds):
        normal_equations(x, gap, var, delta, H, g)
        spread[:] = np.linalg.inv(H)
        for j in range(7):
            for m in range(7):
                delta[j] += spread[j, m] * g[m]
    weights, left = normal_equations(x, gap, var, delta, H, g)
    scale2 = max(1.0, left / max(3.0 * weights - 7.0, 1.0))
    sigma = np.empty(7)
    for j in range(7):
        sigma[j] = math.sqrt(spread[j, j] * scale2)
    return delta, sigma


WIDE = 36.0
"""Squared standard deviations within which associations are asked about a distortion."""
SIGNIFICANT = 4.0
"""Standard deviations of a distortion that is believed."""
SCALE = 0.04
"""Relative size from which a stretch matters; odometry alone drifts by about a percent."""
TILT_DEG = 4.0
"""Tilt against the stated vertical from which it matters."""
TIE = 5.0
"""Log-likelihood by which a mirror image must fit better to be the better explanation."""
UPRIGHT = 0.5
"""Cosine of the lean up to which a robot still stands."""
ROUNDS = 4


def distorted(matches: Correspondences, mode: Mode) -> bool:
    """Return whether the residuals around a mode show a scale or a tilt that T does not have.

    A rigid motion fits a stretched map only near one point, so a few objects agree there and the
    answer would be wrong elsewhere. A wider circle of associations gives the slope away.
    """

    p, q, var = pairs_around(mode.T, matches, mode.noise, WIDE)
    if len(p) < 4:
        return False
    delta, sigma = fit_distortion(p, q, var, ROUNDS)
    scale = abs(delta[6]) > max(SCALE, SIGNIFICANT * sigma[6])
    if not matches.upright:
        return bool(scale)
    tilt = float(np.hypot(delta[3], delta[4]))
    spread = float(np.hypot(delta[3] * sigma[3], delta[4] * sigma[4])) / max(tilt, 1e-12)
    return bool(scale or tilt > max(np.radians(TILT_DEG), SIGNIFICANT * spread))


def mirrored(matches: Correspondences, mode: Mode) -> bool:
    """Return whether a mirror image of side 1 fits better than side 1, or as well with T upside down.

    The mirror stands where what agrees is thinnest, so that it stays where it is: along a street a few
    objects agree with the mirror image too, and those beside them tell. Without gravity, a flat layout
    and its mirror image differ by a flip about a horizontal axis. Robots do not turn over or lie on their
    side, so of the two explanations the flip is not believed.
    """
    p = matches.p1
    own = p[matches.i1[mode.rows]]
    middle = own.mean(axis=0)
    thin = _thinnest(own - middle, matches.upright)
    image = p - 2.0 * ((p - middle) @ thin)[:, None] * thin
    scores = support_of(matches._replace(p1=image), mode.T)
    least = 2 if matches.upright else 3
    gain = float(scores.sum()) - mode.support if len(scores) >= least else -np.inf
    return bool(gain > TIE or (gain > -TIE and mode.T[2, 2] < UPRIGHT))


def _thinnest(spread: Floats, upright: bool) -> Floats:
    """Return the direction (3,) in which centered points vary least; a horizontal one where up is known."""
    if not upright:
        return np.asarray(np.linalg.svd(spread, full_matrices=True)[2][2])
    x, y = spread[:, 0], spread[:, 1]
    along = 0.5 * np.arctan2(2.0 * (x @ y), x @ x - y @ y)
    return np.array([-np.sin(along), np.cos(along), 0.0])
