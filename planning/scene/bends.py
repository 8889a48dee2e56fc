"""Ways between neighbors that bend: around a corner of the ground that the straight line would cut."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.widths import too_narrow, widths_of
from commonground.scene import Layer

ALONG = (0.25, 0.4, 0.5, 0.6, 0.75)
"""Where ways are looked for that bend: shares of the straight line,"""
ASIDE_M = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
"""and meters beside it, to both sides."""
Bends = Mapping[tuple[int, int], Floats]
"""Pairs of neighbors, in both directions → the point (3,) at which the way between them bends."""


@lru_cache(maxsize=16)
def bends_of(layer: Layer, radius_m: float) -> Bends:
    """Return the neighbors between which a robot gets around a corner only, by the shortest way."""
    widths = widths_of(layer)
    if widths.rim is None or len(layer.edges) == 0:
        return {}
    i, j = layer.edges.rows.T.astype(np.int64)
    fits = widths.fits(radius_m) & widths.outlined
    tight = np.flatnonzero(fits[i] & fits[j] & too_narrow(layer, radius_m))
    if len(tight) == 0:
        return {}
    i, j = i[tight], j[tight]
    p, q = layer.positions[i], layer.positions[j]
    across = np.column_stack([p[:, 1] - q[:, 1], q[:, 0] - p[:, 0], np.zeros(len(p))])
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    aside_m = np.array([sign * m for m in ASIDE_M for sign in (1.0, -1.0)])
    points = np.concatenate(
        [(p + share * (q - p))[:, None] + aside_m[:, None] * across[:, None] for share in ALONG],
        axis=1,
    )
    found: dict[tuple[int, int], Floats] = {}
    for surely_m in (radius_m + widths.doubt_m, radius_m):
        free = widths.is_free(points.reshape(-1, 3), surely_m).reshape(points.shape[:2])
        edge, which = np.nonzero(free)
        via = points[edge, which]
        open_ = widths.fits_straight(p[edge], via, surely_m)
        open_ &= widths.fits_straight(via, q[edge], surely_m)
        edge, via = edge[open_], via[open_]
        meters = np.linalg.norm(via - p[edge], axis=1) + np.linalg.norm(via - q[edge], axis=1)
        for k in np.argsort(meters):
            pair = int(i[edge[k]]), int(j[edge[k]])
            if pair not in found:
                found[pair] = found[pair[::-1]] = via[k]
    return found
