"""A depth image cut into smooth patches, and what is summed over each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Floats32, Ints32
from commonground.frame import Intrinsics

PIXELS, AREA, NORMAL, POINT, OUTER, LOW, HIGH = (
    0,
    1,
    slice(2, 5),
    slice(5, 8),
    slice(8, 14),
    slice(14, 17),
    slice(17, 20),
)
"""Columns of the sums per patch."""


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """A reduced depth image cut into smooth patches."""

    depth: Floats32
    """(h, w) smoothed."""
    normal: Floats32
    """(h, w, 3) camera axes."""
    patches: Ints32
    """(h, w) patch at each pixel, 1 … k; 0 is none."""
    sums: Floats
    """(k + 1, 20) see the column names."""
    K: Intrinsics
    """Of the reduced image."""
    T_level_cam: Floats
    """(4, 4) pose of the camera with z up."""


def mean_normals(sums: Floats) -> Floats:
    """Return the mean normal (k + 1, 3) of each patch."""
    length = np.linalg.norm(sums[:, NORMAL], axis=1, keepdims=True)
    return np.asarray(sums[:, NORMAL] / np.maximum(length, 1e-9))


def thickness(sums: Floats) -> Floats:
    """Return the standard deviation (k + 1,) of each patch's points across its best plane."""
    n = np.maximum(sums[:, PIXELS], 1)[:, None, None]
    mean = sums[:, POINT] / n[:, 0]
    i, j = np.triu_indices(3)
    second = np.zeros((len(sums), 3, 3))
    second[:, i, j] = second[:, j, i] = sums[:, OUTER]
    covariance = second / n - mean[:, :, None] * mean[:, None, :]
    return np.asarray(np.sqrt(np.maximum(np.linalg.eigvalsh(covariance)[:, 0], 0.0)))
