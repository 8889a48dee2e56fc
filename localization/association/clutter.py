"""Where unrelated objects stand: the density against which a coincidence is judged."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.localization.association.problem import Side

CENTRES = 256
"""Objects that estimate the density; more would not sharpen it."""
UNIFORM = 0.1
"""Share of the density that is spread evenly over the map's extent."""


def log_clutter(side: Side, upright: bool) -> Floats:
    """Return the log density (n,) per cubic metre of an unrelated object at each object's place.

    It is estimated without the object itself, horizontally and vertically apart where up is known:
    a row of lamp posts or a hedge is dense, and agreeing with it proves less.
    """
    p = side.points
    if len(p) < 2:
        return np.zeros(len(p))
    if not upright:
        return _log_kde(p, float(np.median(side.var_h)))
    horizontal = _log_kde(p[:, :2], float(np.median(side.var_h)))
    return horizontal + _log_kde(p[:, 2:], float(np.median(side.var_v)))


def extent(side: Side, upright: bool) -> tuple[float, float]:
    """Return the radius of the disc (or ball) with the objects' spread, and their vertical deviation."""
    if len(side) < 2:
        return 0.0, 0.0
    variance = side.points.var(axis=0)
    if upright:
        return float(2.0 * np.sqrt(variance[:2].mean())), float(np.sqrt(variance[2]))
    return float(np.sqrt(5.0 * variance.mean())), float(np.sqrt(variance.mean()))


def _log_kde(p: Floats, noise2: float) -> Floats:
    """Return the log density at each of the points (n, d), leaving it out.

    Each point's bandwidth is its distance to a near neighbour: objects cluster, and a bandwidth from
    their overall spread would call the cluster sparse.
    """
    n, d = p.shape
    chosen = np.unique(np.linspace(0, n - 1, min(n, CENTRES)).astype(np.int64))
    x = p.astype(np.float32)
    squares = (x**2).sum(axis=1)[:, None] + (x[chosen] ** 2).sum(axis=1)[None, :]
    squares = np.maximum(squares - 2.0 * (x @ x[chosen].T), 0.0)
    squares[chosen, np.arange(len(chosen))] = np.inf
    others = np.full(n, len(chosen))
    others[chosen] -= 1
    near = min(max(2, round(others.min() ** 0.5)), int(others.min()))
    h2 = np.partition(squares, near - 1, axis=1)[:, near - 1] / d + noise2
    kernel = np.exp(-0.5 * squares / h2[:, None]).sum(axis=1)
    kde = kernel / others / (2.0 * np.pi * h2) ** (d / 2)
    sd = np.sqrt(p.var(axis=0) + noise2)
    uniform = 1.0 / np.prod(sd * np.sqrt(12.0))  # a box with the same spread
    return np.asarray(np.log((1 - UNIFORM) * kde + UNIFORM * uniform))
