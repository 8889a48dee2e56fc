"""How much the looks of two objects say that they are one: log-likelihood ratios.

The ratio for objects i and j is that of the density at j given i's looks to the density at j of *any*
object, estimated from the objects of both maps:

    LR_ij = K(i, j) / sqrt(D_i D_j),   D_i = mean over other objects k of K(i, k),   K = exp(−½ |x_i − x_j|²)

An object among many that look alike says little and a rare one says much, whatever model made the
embedding; the mean of LR over unrelated objects is at most about 1 for any scale, so a scale that is
wrong costs power and not validity. Features that repeat each other (label, embedding, size) are
judged jointly and not counted twice.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.localization.association.looks import LOOKS, Features, LookSpace, sample, squares

OUTLIER = 0.05
"""Chance that an object looks entirely different from the other side: bounds what looks can say against."""


def feature_evidence(
    features1: Features,
    features2: Features,
    kept1: Ints32,
    kept2: Ints32,
    i1: Ints32,
    i2: Ints32,
) -> Floats:
    """Return the log-likelihood ratio (m,) of each association; zeros without common features.

    Only the rows ``kept`` of each map's features are compared; ``i1``, ``i2`` count among them.
    """
    one = {name: features1[name][kept1] for name in LOOKS if name in features1}
    two = {name: features2[name][kept2] for name in LOOKS if name in features2}
    if not one.keys() & two.keys() or not len(i1):
        return np.zeros(len(i1))
    space = LookSpace.fit([one, two])
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
    """Return log LR of squared distances and log densities; no surer than the population is large."""
    sure = np.log(max(population, 1))
    log_ratio = np.minimum(-0.5 * (between + log_d1 + log_d2), sure)
    return np.asarray(np.log((1 - OUTLIER) * np.exp(log_ratio) + OUTLIER))


def log_density(x: Floats, pool: Floats, own: Ints, columns: Ints) -> Floats:
    """Return log D (n,): row own[i] of x is column columns[i] of the pool and does not count for itself."""
    log_k = -0.5 * squares(x, pool)
    log_k[own, columns] = -np.inf
    others = np.full(len(x), len(pool))
    others[own] -= 1
    top = log_k.max(axis=1, initial=-np.inf)
    top[~np.isfinite(top)] = 0.0
    total = np.exp(log_k - top[:, None]).sum(axis=1)
    return np.asarray(top + np.log(np.maximum(total, 1e-300)) - np.log(np.maximum(others, 1)))
