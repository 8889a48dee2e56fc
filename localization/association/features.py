"""Log-likelihood ratios of two objects' appearance: the same object against any other.

The ratio for objects i and j is that of the density at j given i's appearance to the density at j of *any*
object, estimated from the objects of both maps:

    LR_ij = K(i, j) / sqrt(D_i D_j),   D_i = mean over other objects k of K(i, k)
    K(i, j) = exp(−½ f |x_i − x_j|²),   LR then averaged over a few widths f

An object among many that look alike says little and a rare one says much, whatever model made the
embedding; the mean of LR over unrelated objects is at most about 1 for any scale, so a scale that is
wrong costs power and not validity. Features that repeat each other (label, embedding, size) are
judged jointly and not counted twice.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.localization.association.appearance import (
    APPEARANCE,
    AppearanceSpace,
    Features,
    sample,
    squares,
)

OUTLIER = 0.05
"""Chance that an object looks entirely different from the other side: bounds the evidence against a pair."""


KERNELS = ((1.0, 0.8), (0.3, 0.2))
"""Factors f on squared distances, and shares: from the other side some things look far more different."""


def feature_evidence(
    features1: Features, features2: Features, kept1: Ints32, kept2: Ints32, i1: Ints32, i2: Ints32
) -> Floats:
    """Return the log-likelihood ratio (m,) of each association; zeros without common features.

    Only the rows ``kept`` of each map's features are compared; ``i1``, ``i2`` count among them.
    """
    one = {name: features1[name][kept1] for name in APPEARANCE if name in features1}
    two = {name: features2[name][kept2] for name in APPEARANCE if name in features2}
    if not one.keys() & two.keys() or not len(i1):
        return np.zeros(len(i1))
    space = AppearanceSpace.fit([one, two])
    x1, x2 = space.vectors(one), space.vectors(two)
    pool1, pool2 = sample(len(x1)), sample(len(x2))
    pool = np.vstack([x1[pool1], x2[pool2]])
    log_d1 = log_density(x1, pool, pool1, np.arange(len(pool1)))
    log_d2 = log_density(x2, pool, pool2, len(pool1) + np.arange(len(pool2)))
    if len(i1) == len(x1) * len(x2):
        between = squares(x1, x2)[i1, i2]
    else:
        between = ((x1[i1] - x2[i2]) ** 2).sum(axis=1)
    return log_ratios(between, log_d1[i1], log_d2[i2], len(pool))


def log_ratios(between: Floats, log_d1: Floats, log_d2: Floats, population: int) -> Floats:
    """Return log LR of squared distances (...) and log densities (..., s); no surer than the population.

    It is the mean over the kernels, which is a likelihood ratio again.
    """
    log_ratio = np.full(np.shape(between), -np.inf)
    for k, (factor, share) in enumerate(KERNELS):
        one = np.log(share) - 0.5 * (factor * between + log_d1[..., k] + log_d2[..., k])
        log_ratio = np.logaddexp(log_ratio, one)
    log_ratio = np.minimum(log_ratio, np.log(max(population, 1)))
    return np.asarray(np.log((1 - OUTLIER) * np.exp(log_ratio) + OUTLIER))


def kernel_terms(x: Floats32, log_d: Floats) -> Floats32:
    """Return what rows (n, d) of log density (n, s) add to the exponents of the kernels' ratios (n, s)."""
    factors = np.array([factor for factor, _ in KERNELS])
    squared = (x.astype(float) ** 2).sum(axis=1)[:, None]
    return np.asarray(-0.5 * (factors * squared + log_d), np.float32)


def ratios_of(along: Floats32, terms1: Floats32, terms2: Floats32, population: int) -> Floats32:
    """Return ``log_ratios`` (k, n) of vectors with these products (k, n) and kernel terms, faster."""
    most = np.float32(np.log(max(population, 1)))
    ratio = np.zeros_like(along)
    for k, (factor, share) in enumerate(KERNELS):
        one = np.float32(factor) * along
        one += terms1[:, None, k] + np.float32(np.log(share))
        one += terms2[None, :, k]
        ratio += np.exp(np.minimum(one, most, out=one), out=one)
    np.minimum(ratio, np.float32(population), out=ratio)
    ratio *= np.float32(1 - OUTLIER)
    ratio += np.float32(OUTLIER)
    return np.asarray(np.log(ratio, out=ratio))


def log_density(x: Floats | Floats32, pool: Floats | Floats32, own: Ints, columns: Ints) -> Floats:
    """Return log D (n, s) for each of the kernels.

    Row own[i] of x is column columns[i] of the pool and does not count for itself.
    """
    between = squares(x, pool)
    between[own, columns] = np.inf
    others = np.full(len(x), len(pool))
    others[own] -= 1
    least = between.min(axis=1, initial=np.inf)
    least[~np.isfinite(least)] = 0.0
    between -= least[:, None]
    out = np.empty((len(x), len(KERNELS)))
    for k, (factor, _) in enumerate(KERNELS):
        total = np.exp(between.dtype.type(-0.5 * factor) * between).sum(axis=1, dtype=float)
        mean = np.log(np.maximum(total, 1e-300)) - np.log(np.maximum(others, 1))
        out[:, k] = mean - 0.5 * factor * least
    return out
