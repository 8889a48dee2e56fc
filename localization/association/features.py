"""How much the looks of two objects say that they are one: log-likelihood ratios from features.

Everything known of an object's looks becomes one vector, scaled so that seeing the object again moves
it by about 1. The ratio for objects i and j is that of the density at j given i's vector to the
density at j of *any* object, estimated from the objects of both maps:

    LR_ij = K(i, j) / sqrt(D_i D_j),   D_i = mean over other objects k of K(i, k),   K = exp(−½ |x_i − x_j|²)

An object among many that look alike says little and a rare one says much, whatever model made the
embedding; the mean of LR over unrelated objects is at most about 1 for any scale, so a scale that is
wrong costs power and not validity. Features that repeat each other (label, embedding, size) are
judged jointly and not counted twice.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Floats, Ints, Ints32
from commonground.errors import LocalizationError, did_you_mean

Features: TypeAlias = Mapping[str, NDArray[Any]]

LOOKS = ("embedding", "label", "shape", "size")
KNOWN = (*LOOKS, "covariance")
UNKNOWN = ("", "-1", "-1.0", "nan", "None", "unknown")
"""Labels that are none."""
OUTLIER = 0.05
"""Chance that an object looks entirely different from the other side: bounds what looks can say against."""
LOOK_ALIKE = 3.0
"""The median nearest neighbour within a map stands this far (squared, in units of the kernel)."""
SHAPE_NOISE = 0.5
"""Seen again, a shape value moves by this share of its spread over the objects."""
LABEL_MISMATCH = 3.0
"""Log-odds lost where the labels differ."""
POPULATION = 256
"""Objects of each map that estimate the density of all; more would not sharpen it."""


def feature_evidence(
    features1: Features,
    features2: Features,
    kept1: Ints32,
    kept2: Ints32,
    i1: Ints32,
    i2: Ints32,
    background: Features | None = None,
) -> Floats:
    """Return the log-likelihood ratio (m,) of each association; zeros without common features.

    Only the rows ``kept`` of each map's features are compared; ``i1``, ``i2`` count among them. The
    ``background`` are features of further objects that show what is common in the place.
    """
    n1, n2 = len(kept1), len(kept2)
    shared = [name for name in LOOKS if name in features1 and name in features2]
    if not shared or not len(i1):
        return np.zeros(len(i1))
    more = background if background and all(name in background for name in shared) else {}
    columns = {
        name: _stacked(name, features1[name][kept1], features2[name][kept2], more.get(name))
        for name in shared
    }
    measures = [columns[name] for name in ("shape", "size") if name in columns]
    parts = [_embedding(columns["embedding"], n1, n2)] if "embedding" in columns else []
    parts += [_label(columns["label"])] if "label" in columns else []
    parts += [_measures(measures)] if measures else []
    x = np.hstack(parts)
    return _ratios(x[:n1], x[n1 : n1 + n2], x[n1 + n2 :], i1, i2)


def _stacked(
    name: str, a: NDArray[Any], b: NDArray[Any], more: NDArray[Any] | None
) -> NDArray[Any]:
    """Return the rows of both maps and the background as one column; LocalizationError if they differ."""
    blocks = [a, b] if more is None else [a, b, more[_sample(len(more))]]
    widths = {block.shape[1:] for block in blocks}
    if len(widths) > 1:
        first, second = (int(np.prod(block.shape[1:])) for block in blocks[:2])
        why = {
            "embedding": "they come from different models; embed both maps with one, or leave them out",
            "label": "give both maps one vocabulary",
        }.get(name, "measure both maps alike")
        raise LocalizationError(
            f"'{name}' has {first} numbers an object in one map, {second} in the other: {why}"
        )
    if name == "label" and a.ndim == 1:
        return np.concatenate([block.astype(str) for block in blocks])
    joined = np.concatenate([np.asarray(block, float) for block in blocks])
    if name == "size":
        joined = -np.sort(
            -np.atleast_2d(joined.T).T, axis=1
        )  # extents in any order name the same box
    return np.atleast_2d(joined.T).T


def checked_features(given: Mapping[str, Any] | None, n: int | None, name: str) -> Features:
    """Return the known features as arrays of n rows (None: any, but all alike); LocalizationError else."""
    out: dict[str, NDArray[Any]] = {}
    for key, values in (given or {}).items():
        if key not in KNOWN:
            hint = did_you_mean(key, KNOWN) or f" Known: {', '.join(KNOWN)}."
            raise LocalizationError(f"{name}: unknown feature '{key}'.{hint}")
        if values is None:
            continue
        column = np.asarray(values)
        rows = len(column) if column.ndim else 1
        n = rows if n is None else n
        if rows != n:
            raise LocalizationError(f"{name}['{key}']: {rows} rows for {n} objects")
        out[key] = column
    return out


def _ratios(x1: Floats, x2: Floats, more: Floats, i1: Ints32, i2: Ints32) -> Floats:
    """Return log LR (m,) of associations between objects with vectors x1 (n1, d) and x2 (n2, d)."""
    pool1, pool2 = _sample(len(x1)), _sample(len(x2))
    pool = np.vstack([x1[pool1], x2[pool2], more])
    log_d1 = _log_density(x1, pool, pool1, np.arange(len(pool1)))
    log_d2 = _log_density(x2, pool, pool2, len(pool1) + np.arange(len(pool2)))
    if len(i1) == len(x1) * len(x2):
        squares = _squares(x1, x2)[i1, i2]
    else:
        squares = ((x1[i1] - x2[i2]) ** 2).sum(axis=1)
    log_ratio = -0.5 * (squares + log_d1[i1] + log_d2[i2])
    return np.asarray(np.log((1 - OUTLIER) * np.exp(np.minimum(log_ratio, 50.0)) + OUTLIER))


def _log_density(x: Floats, pool: Floats, own: Ints, columns: Ints) -> Floats:
    """Return log D (n,): row own[i] of x is column columns[i] of the pool and does not count for itself."""
    log_k = -0.5 * _squares(x, pool)
    log_k[own, columns] = -np.inf
    others = np.full(len(x), len(pool))
    others[own] -= 1
    top = log_k.max(axis=1)
    top[~np.isfinite(top)] = 0.0
    total = np.exp(log_k - top[:, None]).sum(axis=1)
    return np.asarray(top + np.log(np.maximum(total, 1e-300)) - np.log(np.maximum(others, 1)))


def _squares(x: Floats, y: Floats) -> Floats:
    """Return |x_i − y_j|² (n, k)."""
    squares = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1)[None, :] - 2.0 * (x @ y.T)
    return np.asarray(np.maximum(squares, 0.0))


def _sample(n: int) -> Ints:
    return np.unique(np.linspace(0, n - 1, min(n, POPULATION)).astype(np.int64))


def _embedding(x: Floats, n1: int, n2: int) -> Floats:
    """Return unit embeddings scaled by how far look-alikes within one map stand apart."""
    length = np.linalg.norm(x, axis=1)
    known = np.isfinite(length) & (length > 0)
    if known.sum() < 2 or x.shape[1] == 0:
        return np.zeros((len(x), 0))
    x = x / np.where(known, length, 1.0)[:, None]
    x[~known] = x[known].mean(axis=0)  # says nothing: equally far from all
    groups = (slice(0, n1), slice(n1, n1 + n2))
    apart = np.concatenate([_nearest(x[g][known[g]]) for g in groups])
    spread = 2.0 * x[known].var(axis=0).sum()  # mean squared distance between two objects
    if spread < 1e-12:
        return np.zeros((len(x), 0))
    scale = max(float(np.median(apart)) if len(apart) else spread, 0.02 * spread)
    return np.asarray(x * np.sqrt(LOOK_ALIKE / scale))


def _nearest(x: Floats) -> Floats:
    """Return the squared distance of each row of (a sample of) x to the nearest other one."""
    rows = x[_sample(len(x))]
    if len(rows) < 2:
        return np.empty(0)
    squares = _squares(rows, rows)
    np.fill_diagonal(squares, np.inf)
    return np.asarray(squares.min(axis=1))


def _measures(blocks: list[Floats]) -> Floats:
    """Return log measures (n, k) in units of their noise; correlated ones share their weight."""
    x = np.hstack(blocks)
    x = np.where(np.isfinite(x) & (x >= 0), x, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a column without any value stays NaN
        typical = np.nanmean(x, axis=0)
        x = np.log(x + 0.05 * typical)  # ratios count, but not those between two near-zeros
        x -= np.nanmean(x, axis=0)
        spread = np.nanstd(x, axis=0)
    useful = np.isfinite(spread) & (spread > 1e-6)
    x = np.clip(np.nan_to_num(x[:, useful] / spread[useful]), -3.0, 3.0)
    if not x.shape[1]:
        return np.zeros((len(x), 0))
    correlation = x.T @ x / len(x)
    effective = np.trace(correlation) ** 2 / (correlation**2).sum() / x.shape[1]
    return np.asarray(x * np.sqrt(effective / (2.0 * SHAPE_NOISE**2)))


def _label(x: NDArray[Any]) -> Floats:
    """Return vectors (n, c) of labels: words or numbers (n,), or scores (n, c)."""
    if x.ndim == 2:
        scores = np.nan_to_num(x).clip(0.0)
        total = scores.sum(axis=1, keepdims=True)
        flat = np.full_like(scores, 1.0 / max(scores.shape[1], 1))
        scores = np.where(total > 0, scores / np.where(total > 0, total, 1.0), flat)
        return np.asarray(np.sqrt(scores * LABEL_MISMATCH))  # Hellinger: |√p − √q|² ≤ 2
    words, index = np.unique(x, return_inverse=True)
    onehot = np.zeros((len(index), len(words)))
    onehot[np.arange(len(index)), index] = np.sqrt(LABEL_MISMATCH)
    onehot[np.isin(words, UNKNOWN)[index]] = np.sqrt(LABEL_MISMATCH) / max(len(words), 1)
    return onehot
