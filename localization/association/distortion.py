"""Plausibility checks of a transform: is one of the maps stretched, tilted or mirrored?"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.localization.association.correspondences import Correspondences
from commonground.localization.association.modes import Mode, support_of

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


def distorted(matches: Correspondences, mode: Mode) -> bool:
    """Return whether the residuals around a mode show a scale or a tilt that T does not have.

    A rigid motion fits a stretched map only near one point, so a few objects agree there and the
    answer would be wrong elsewhere. A wider circle of associations gives the slope away.
    """
    from commonground.localization.association._distortion import fit_distortion, pairs_around

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
    and its mirror image differ by a flip about a horizontal axis. Robots do not turn over, so of the
    two explanations the flip is not believed.
    """
    p = matches.p1
    own = p[matches.i1[mode.rows]]
    middle = own.mean(axis=0)
    thin = _thinnest(own - middle, matches.upright)
    image = p - 2.0 * ((p - middle) @ thin)[:, None] * thin
    scores = support_of(matches._replace(p1=image), mode.T)
    least = 2 if matches.upright else 3
    gain = float(scores.sum()) - mode.support if len(scores) >= least else -np.inf
    return bool(gain > TIE or (gain > -TIE and mode.T[2, 2] < 0.0))


def _thinnest(spread: Floats, upright: bool) -> Floats:
    """Return the direction (3,) in which centered points vary least; a horizontal one where up is known."""
    if not upright:
        return np.asarray(np.linalg.svd(spread, full_matrices=True)[2][2])
    x, y = spread[:, 0], spread[:, 1]
    along = 0.5 * np.arctan2(2.0 * (x @ y), x @ x - y @ y)
    return np.array([-np.sin(along), np.cos(along), 0.0])
