"""Appearance vectors of objects (embedding, label, shape, size), scaled to unit noise."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Floats, Ints
from commonground.errors import LocalizationError, did_you_mean

Features: TypeAlias = Mapping[str, NDArray[Any]]

APPEARANCE = ("embedding", "label", "shape", "size")
KNOWN = (*APPEARANCE, "covariance")
UNKNOWN = ("", "-1", "-1.0", "nan", "None", "unknown")
"""Labels that are none."""
LOOK_ALIKE = 3.0
"""The median nearest neighbor within a map stands this far (squared, in units of the kernel)."""
SHAPE_NOISE = 0.5
"""Seen again, a measure moves by this share of its spread over the objects."""
LABEL_MISMATCH = 3.0
"""Log-odds lost where the labels differ."""
SAMPLE = 256
"""Objects of a map that settle the scales; more would not change them."""


def checked_features(given: Mapping[str, Any] | None, n: int, name: str) -> Features:
    """Return the known features as arrays of n rows; LocalizationError for anything else."""
    out: dict[str, NDArray[Any]] = {}
    for key, values in (given or {}).items():
        if key not in KNOWN:
            hint = did_you_mean(key, KNOWN) or f" Known: {', '.join(KNOWN)}."
            raise LocalizationError(f"{name}: unknown feature '{key}'.{hint}")
        if values is None:
            continue
        column = np.asarray(values)
        rows = len(column) if column.ndim else 1
        if rows != n:
            raise LocalizationError(f"{name}['{key}']: {rows} rows for {n} objects")
        out[key] = column
    return out


@dataclass(frozen=True, slots=True, eq=False)
class AppearanceSpace:
    """How appearance becomes vectors: fitted to the objects of one or more maps, and applied to any."""

    names: tuple[str, ...]
    """The features that count."""
    widths: Mapping[str, tuple[int, ...]]
    usual: Floats
    """(d,) mean unit embedding: where one is unknown."""
    sharpness: float
    """Factor on unit embeddings; 0 where all look alike."""
    words: tuple[str, ...]
    """Labels, where they are words or numbers."""
    typical: Floats
    """(k,) mean of each measure."""
    center: Floats
    spread: Floats
    """(k,) of the measures' logarithms; 0 where it says nothing."""
    measure_weight: float

    @staticmethod
    def fit(maps: Sequence[Features]) -> AppearanceSpace:
        """Return the space of what all the maps have; LocalizationError if they differ in kind."""
        names = tuple(name for name in APPEARANCE if all(name in f for f in maps))
        widths = {name: _width(name, [f[name] for f in maps]) for name in names}
        usual, sharpness = np.empty(0), 0.0
        if "embedding" in names:
            usual, sharpness = _embedding_scale([_unit(f["embedding"]) for f in maps])
        words: tuple[str, ...] = ()
        if "label" in names and not widths["label"]:
            words = tuple(
                np.unique(np.concatenate([f["label"].astype(str) for f in maps])).tolist()
            )
        measures = [_measures(f, names) for f in maps]
        typical, center, spread, weight = _measure_scale(np.vstack(measures))
        return AppearanceSpace(
            names, widths, usual, sharpness, words, typical, center, spread, weight
        )

    def vectors(self, features: Features) -> Floats:
        """Return the vectors (n, d) of a map's objects."""
        n = len(next(iter(features.values()))) if features else 0
        for name in self.names:
            _same_width(name, self.widths[name], features[name].shape[1:])
        parts = [np.zeros((n, 0))]
        if self.sharpness > 0:
            x = _unit(features["embedding"])
            parts.append(np.where(np.isfinite(x), x, self.usual) * self.sharpness)
        if "label" in self.names:
            parts.append(_label_vectors(features["label"], self.words) * np.sqrt(LABEL_MISMATCH))
        informative = self.spread > 0
        if informative.any():
            log = np.log(
                _measures(features, self.names)[:, informative] + 0.05 * self.typical[informative]
            )
            x = (log - self.center[informative]) / self.spread[informative]
            parts.append(np.clip(np.nan_to_num(x), -3.0, 3.0) * self.measure_weight)
        return np.hstack(parts)


def _width(name: str, columns: Sequence[NDArray[Any]]) -> tuple[int, ...]:
    for column in columns[1:]:
        _same_width(name, columns[0].shape[1:], column.shape[1:])
    return columns[0].shape[1:]


def _same_width(name: str, one: tuple[int, ...], two: tuple[int, ...]) -> None:
    if one == two:
        return
    why = {
        "embedding": "they come from different models; embed both maps with one, or leave them out",
        "label": "give both maps one vocabulary",
    }.get(name, "measure both maps alike")
    first, second = int(np.prod(one)), int(np.prod(two))
    raise LocalizationError(
        f"'{name}' has {first} numbers an object in one map, {second} in the other: {why}"
    )


def _unit(embedding: NDArray[Any]) -> Floats:
    """Return unit rows; NaN where the embedding is unknown."""
    x = np.asarray(embedding, float)
    length = np.linalg.norm(x, axis=1, keepdims=True)
    good = np.isfinite(length) & (length > 0)
    return np.asarray(np.where(good, x / np.where(good, length, 1.0), np.nan))


def _embedding_scale(maps: Sequence[Floats]) -> tuple[Floats, float]:
    """Return the mean and the factor that puts look-alikes within one map LOOK_ALIKE apart."""
    known = [x[np.isfinite(x).all(axis=1)] for x in maps]
    every = np.concatenate(known)
    if len(every) < 2 or every.shape[1] == 0:
        return np.zeros(maps[0].shape[1]), 0.0
    spread = 2.0 * float(every.var(axis=0).sum())  # mean squared distance between two objects
    if spread < 1e-12:
        return every.mean(axis=0), 0.0
    apart = np.concatenate([_nearest(x) for x in known])
    scale = max(float(np.median(apart)) if len(apart) else spread, 0.02 * spread)
    return every.mean(axis=0), float(np.sqrt(LOOK_ALIKE / scale))


def _nearest(x: Floats) -> Floats:
    """Return the squared distance of each row of (a sample of) x to the nearest other one."""
    rows = x[sample(len(x))]
    if len(rows) < 2:
        return np.empty(0)
    between = squares(rows, rows)
    np.fill_diagonal(between, np.inf)
    return np.asarray(between.min(axis=1))


def _label_vectors(labels: NDArray[Any], words: tuple[str, ...]) -> Floats:
    """Return vectors (n, c) of which two of different labels are √2 apart."""
    if labels.ndim == 2:
        scores = np.nan_to_num(np.asarray(labels, float)).clip(0.0)
        total = scores.sum(axis=1, keepdims=True)
        flat = np.full_like(scores, 1.0 / max(scores.shape[1], 1))
        share = np.where(total > 0, scores / np.where(total > 0, total, 1.0), flat)
        return np.asarray(np.sqrt(share))  # Hellinger: |√p − √q|² ≤ 2
    text = labels.astype(str)
    onehot = np.asarray(text[:, None] == np.array(words, dtype=text.dtype)[None, :], float)
    onehot[np.isin(text, UNKNOWN)] = 1.0 / max(len(words), 1)
    return onehot


def _measures(features: Features, names: tuple[str, ...]) -> Floats:
    """Return the positive measures (n, k), NaN where unknown."""
    n = len(next(iter(features.values()))) if features else 0
    blocks = [np.zeros((n, 0))]
    for name in ("shape", "size"):
        if name in names:
            column = np.asarray(features[name], float)
            block = column.reshape(n, int(np.prod(column.shape[1:])))
            # extents in any order name the same box
            blocks.append(-np.sort(-block, axis=1) if name == "size" else block)
    x = np.hstack(blocks)
    return np.asarray(np.where(np.isfinite(x) & (x >= 0), x, np.nan))


def _measure_scale(x: Floats) -> tuple[Floats, Floats, Floats, float]:
    """Return mean, and center and spread of the logarithm, of each measure, and the weight of all.

    Ratios count, but not those between two near-zeros; measures that repeat each other share their weight.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a column without any value stays NaN
        typical = np.nan_to_num(np.nanmean(x, axis=0))
        log = np.log(np.where(typical > 0, x + 0.05 * typical, np.nan))
        center, spread = np.nanmean(log, axis=0), np.nanstd(log, axis=0)
    informative = np.isfinite(spread) & (spread > 1e-6)
    spread = np.where(informative, spread, 0.0)
    if not informative.any():
        return typical, center, spread, 0.0
    z = np.nan_to_num((log[:, informative] - center[informative]) / spread[informative])
    correlation = z.T @ z / max(len(z), 1)
    effective = np.trace(correlation) ** 2 / max((correlation**2).sum(), 1e-12) / informative.sum()
    return typical, center, spread, float(np.sqrt(effective / 2.0) / SHAPE_NOISE)


def squares(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Return |x_i − y_j|² (n, k)."""
    between = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1)[None, :] - 2.0 * (x @ y.T)
    return np.asarray(np.maximum(between, 0.0))


def sample(n: int, most: int = SAMPLE) -> Ints:
    """Return at most so many of n rows, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.int64))
