"""Which points lie in the outlines of places."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.scene import Ragged


def in_outlines(outlines: Ragged, points: Floats, rows: Ints) -> Bools:
    """Return (m, k): whether points (m, 2 or 3) lie in each of the outlines of their row (m, k)."""
    # compiled loops take half a second to load, and graphs without outlines need none
    from commonground.planning.scene._outline_kernels import inside_each

    corners = np.ascontiguousarray(outlines.points, float)
    starts = outlines.starts.astype(np.int64)
    at = np.ascontiguousarray(points[:, :2], float)
    return np.asarray(inside_each(corners, starts, at, np.ascontiguousarray(rows, np.int64)))
