"""Leave-one-out test of used loop closures: which are more likely wrong than right.

Each used closure is judged by all others (``marginals.LeaveOneOut``). Among many wrong ones some come as
near to where the others put it; among the right ones some are as far off. How far those are in this very
graph is learned from the used ones, since stated covariances may be many times too loose or too tight, and
errors may have heavier tails. A closure stays where more right ones than wrong ones are to be
expected at its place.
"""

from __future__ import annotations

import numpy as np
from scipy.special import fdtrc, fdtri

from commonground.arrays import Floats
from commonground.mapping.fusion.chance import NEAREST, Chance
from commonground.mapping.fusion.marginals import LeaveOneOut
from commonground.mapping.fusion.rarity import proof

AS_STATED = 4
"""So many errors as stated are added to those that are learned from."""
HIGH = 0.8
"""Errors are learned from their median and from this quantile."""
DEGREES = np.array([2, 3, 4, 6, 8, 12, 16, 24, 40, 100, 1000], float)
"""Degrees of freedom of heavy to light tails."""
ALIKE = 0.5
"""Log volume by which a closure as uncertain as another may be less so."""


def log_odds_right(
    left: LeaveOneOut, claims: Floats, chance: Chance, prior: Floats, rejected: int
) -> Floats:
    """Return log odds (k,) that used closures are right, given what evidence they ``brought`` along (k,).

    ``claims`` (c, 4, 4) are relative poses such as wrong closures claim; ``rejected`` closures are wrong.
    """
    k = len(chance.axes)
    evidence = proof(left.estimated, left.near2, left.covariances, claims, chance) + prior
    # only closures that the others leave as much room compete with wrong ones there
    model = chance.rarity(left.near2, left.covariances)
    room = model + 0.5 * k * np.log(np.maximum(left.near2, NEAREST * k))
    alike = np.searchsorted(np.sort(room), room + ALIKE, side="right") - 1
    far = _as_far(left.near2, k)
    return np.asarray(far + np.log(np.maximum(alike, 1)) + evidence - np.log1p(rejected))


def _as_far(near2: Floats, k: int) -> Floats:
    """Return log of the probability (m,) that a right closure is as far off, by Fisher's F fit to all."""
    stated = fdtri(k, DEGREES[-1], (np.arange(AS_STATED) + 0.5) / AS_STATED) * k
    middle, high = np.quantile(np.concatenate([near2, stated]), [0.5, HIGH])
    medians, tails = fdtri(k, DEGREES, 0.5), fdtri(k, DEGREES, HIGH)
    best = np.abs(np.log(tails / medians) - np.log(high / middle)).argmin()
    share = fdtrc(k, DEGREES[best], near2 * medians[best] / middle)
    return np.asarray(np.log(np.maximum(share, 1e-300)))
