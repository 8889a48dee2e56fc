"""Whether two maps agree only if one of them is stretched, tilted or mirrored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.arrays import Floats
from commonground.geometry.se3 import hat
from commonground.localization.association.modes import POLISH, Mode, Terms, refined, weighed
from commonground.localization.association.problem import Problem

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
ROUNDS = 4


def distorted(problem: Problem, terms: Terms, mode: Mode) -> bool:
    """Tell whether the residuals around a mode show a scale or a tilt that T does not have.

    A rigid motion fits a stretched map only near one point, so a few objects agree there and the
    answer would be wrong elsewhere. A wider circle of associations gives the slope away.
    """
    p, q, var = _agreeing(problem, terms, mode)
    if len(p) < 4:
        return False
    delta, sigma = _fit(p, q, var)
    scale = abs(delta[6]) > max(SCALE, SIGNIFICANT * sigma[6])
    if not problem.upright:
        return bool(scale)
    tilt = float(np.hypot(delta[3], delta[4]))
    spread = float(np.hypot(delta[3] * sigma[3], delta[4] * sigma[4])) / max(tilt, 1e-12)
    return bool(scale or tilt > max(np.radians(TILT_DEG), SIGNIFICANT * spread))


def mirrored(problem: Problem, terms: Terms, mode: Mode) -> bool:
    """Tell whether a mirror image of side 1 fits better than side 1, or as well with T upside down.

    The mirror stands where what agrees is thinnest, so that it stays where it is: along a street a few
    objects agree with the mirror image too, and those beside them tell. Without gravity, a flat layout
    and its mirror image differ by a flip about a horizontal axis. Robots do not turn over, so of the
    two explanations the flip is not believed.
    """
    p = problem.side1.points
    own = p[problem.i1[mode.rows]]
    middle = own.mean(axis=0)
    spread = (own - middle) * ([1.0, 1.0, 0.0] if problem.upright else 1.0)
    axes = np.linalg.svd(spread, full_matrices=True)[2]
    thin = axes[1] if problem.upright else axes[2]
    image = replace(problem.side1, points=p - 2.0 * ((p - middle) @ thin)[:, None] * thin)
    other = replace(problem, side1=image)
    fine = refined(other, terms, problem.i1, problem.i2, mode.T[None], POLISH)
    rivals = weighed(other, terms, fine)
    gain = rivals[0].support - mode.support if rivals else -np.inf
    return bool(gain > TIE or (gain > -TIE and mode.T[2, 2] < 0.0))


def _agreeing(problem: Problem, terms: Terms, mode: Mode) -> tuple[Floats, Floats, Floats]:
    """Return positions (k, 3) of side 1 moved by T, their counterparts, and variances (k, 3)."""
    moved = problem.side1.points @ mode.T[:3, :3].T + mode.T[:3, 3]
    residual = moved[problem.i1] - problem.side2.points[problem.i2]
    var = np.stack([terms.var_h, terms.var_h, terms.var_v], axis=1) * mode.noise
    squares = (residual**2 / var).sum(axis=1)
    near = np.flatnonzero(squares < WIDE)
    near = near[np.argsort(squares[near] / WIDE - 0.1 * terms.base[near], kind="stable")]
    _, first = np.unique(problem.i1[near], return_index=True)
    near = near[np.sort(first)]
    _, first = np.unique(problem.i2[near], return_index=True)
    near = near[np.sort(first)]
    return moved[problem.i1[near]], problem.side2.points[problem.i2[near]], var[near]


def _fit(p: Floats, q: Floats, var: Floats) -> tuple[Floats, Floats]:
    """Return translation, rotation and stretch (7,) of q against p about p's mean, and their deviations.

    Reweighted least squares with Cauchy's weights: accidental neighbours are among the pairs.
    """
    x = p - p.mean(axis=0)
    J = np.concatenate([np.tile(np.eye(3), (len(p), 1, 1)), -hat(x), x[:, :, None]], axis=2)
    delta = np.zeros(7)
    H = np.eye(7)
    for _ in range(ROUNDS):
        r = (q - p) - J @ delta
        squares = (r**2 / var).sum(axis=1)
        w = 1.0 / (1.0 + squares / 9.0)
        weighted = J * (w[:, None] / var)[:, :, None]
        H = np.einsum("kri,krj->ij", weighted, J) + np.eye(7) * 1e-9
        delta = delta + np.linalg.solve(H, np.einsum("kri,kr->i", weighted, r))
    r = (q - p) - J @ delta
    w = 1.0 / (1.0 + (r**2 / var).sum(axis=1) / 9.0)
    scale2 = max(1.0, float((w[:, None] * r**2 / var).sum() / max(3.0 * w.sum() - 7.0, 1.0)))
    return delta, np.sqrt(np.diagonal(np.linalg.inv(H)) * scale2)
