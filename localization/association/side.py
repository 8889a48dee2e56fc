"""One point set of an association problem, with position variances and clutter density."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.errors import LocalizationError
from commonground.geometry import transform
from commonground.localization.association.appearance import sample


@compiled(fastmath=True)
def mean_kernel(p: Floats, chosen: Ints, near: int, noise2: float) -> Floats:
    """Return at each point (n, d) the density of the chosen other ones: a mean of Gaussian kernels.

    A point's bandwidth is the distance to its ``near``-th neighbor among them, and the noise.
    """
    n, d = p.shape
    out, squares, nearest = np.empty(n), np.empty(len(chosen)), np.empty(near)
    for i in range(n):
        others = 0
        nearest[:] = 1e300
        for c in range(len(chosen)):
            if chosen[c] == i:
                continue
            square = 0.0
            for axis in range(d):
                square += (p[i, axis] - p[chosen[c], axis]) ** 2
            squares[others] = square
            others += 1
            slot = near
            while slot > 0 and square < nearest[slot - 1]:
                if slot < near:
                    nearest[slot] = nearest[slot - 1]
                slot -= 1
                nearest[slot] = square
        h2 = nearest[near - 1] / d + noise2
        total = 0.0
        for k in range(others):
            total += math.exp(-0.5 * squares[k] / h2)
        out[i] = total / others / (2.0 * math.pi * h2) ** (0.5 * d)
    return out


UNIFORM = 0.1
"""Share of the density of unrelated objects that is spread evenly over the map's extent."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The objects in a centered frame."""

    points: Floats
    """(n, 3)"""
    var_h: Floats
    """(n,) variance of the position along a horizontal axis."""
    var_v: Floats
    """(n,) variance along the vertical axis."""
    T_side_given: Floats
    """(4, 4) from the frame the points were given in to this one."""
    kept: Ints32
    """(n,) rows of the given points."""
    radius: float
    """Of the disc (or ball, where up is unknown) with the objects' spread."""
    height: float
    """Standard deviation of the heights."""
    log_clutter: Floats
    """(n,) log density per cubic meter of an unrelated object at each object's place; may be left empty."""

    def __len__(self) -> int:
        return len(self.points)

    @staticmethod
    def of(
        points: Floats,
        noise_m: float,
        upright: bool,
        covariance: Any = None,
        *,
        clutter: bool = True,
        name: str = "covariance",
    ) -> Side:
        """Return the side of points (n, 3); ``upright``: z is known to be up in their frame.

        Objects whose position is not finite are left out: they are the rows one can do nothing with.
        """
        kept = np.flatnonzero(np.isfinite(points).all(axis=1)).astype(np.int32)
        p = points[kept]
        n = len(p)
        center = p.mean(axis=0) if n else np.zeros(3)
        var_h, var_v = np.full(n, noise_m**2), np.full(n, noise_m**2)
        if covariance is not None:
            own = _covariances(covariance, len(points), name)[kept]
            diagonal = np.diagonal(own, axis1=1, axis2=2)
            # where no axis is special, one variance serves all three
            axes = (slice(0, 2), slice(2, 3)) if upright else (slice(0, 3),) * 2
            var_h, var_v = (
                v + diagonal[:, a].mean(axis=1) for v, a in zip((var_h, var_v), axes, strict=True)
            )
        p = p - center
        radius, height = _extent(p, upright)
        density = _log_clutter(p, var_h, var_v, upright) if clutter else np.empty(0)
        T = transform(np.eye(3), -center)
        return Side(p, var_h, var_v, T, kept, radius, height, density)


def _extent(p: Floats, upright: bool) -> tuple[float, float]:
    if len(p) < 2:
        return 0.0, 0.0
    variance = p.var(axis=0)
    if upright:
        return float(2.0 * np.sqrt(variance[:2].mean())), float(np.sqrt(variance[2]))
    return float(np.sqrt(5.0 * variance.mean())), float(np.sqrt(variance.mean()))


def _log_clutter(p: Floats, var_h: Floats, var_v: Floats, upright: bool) -> Floats:
    """Return the log density (n,) of an unrelated object at each object's place.

    It is estimated without the object itself, horizontally and vertically apart where up is known:
    a row of lamp posts or a hedge is dense, and agreeing with it proves less.
    """
    if len(p) < 2:
        return np.zeros(len(p))
    if not upright:
        return _log_kde(p, float(np.median(var_h)))
    return _log_kde(p[:, :2], float(np.median(var_h))) + _log_kde(p[:, 2:], float(np.median(var_v)))


def _log_kde(p: Floats, noise2: float) -> Floats:
    """Return the log density at each of the points (n, d), leaving it out.

    Each point's bandwidth is its distance to a near neighbor: objects cluster, and a bandwidth from
    their overall spread would call the cluster sparse.
    """

    chosen = sample(len(p))
    near = min(max(2, round((len(chosen) - 1) ** 0.5)), len(chosen) - 1)
    kde = mean_kernel(np.ascontiguousarray(p), chosen, near, noise2)
    sd = np.sqrt(p.var(axis=0) + noise2)
    uniform = 1.0 / np.prod(sd * np.sqrt(12.0))  # a box with the same spread
    return np.asarray(np.log((1 - UNIFORM) * kde + UNIFORM * uniform))


def _covariances(given: Any, n: int, name: str) -> Floats:
    covariance = np.asarray(given, float)
    if covariance.shape != (n, 3, 3):
        raise LocalizationError(f"{name}: its shape is {covariance.shape}, not ({n}, 3, 3)")
    diagonal = np.diagonal(covariance, axis1=1, axis2=2)
    if (diagonal < 0).any():
        raise LocalizationError(f"{name}: a variance is negative")
    return np.asarray(np.nan_to_num(covariance, nan=0.0, posinf=1e6))
