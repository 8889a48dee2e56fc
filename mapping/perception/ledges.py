"""Rows of things on a narrow ledge, as a shelf seen from its edge: they seem one thing by what they share."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints32

HEIGHTS_M = (0.03, 0.06, 0.09)
"""How much of a thing, from below, may be the ledge."""
LEAST = 0.12
"""Share of the pixels above the ledge that each thing of a row has at least."""


def apart(things: Ints32, height: Floats, least_px: int) -> Ints32:
    """Return things (h, w) with those taken apart that are joined only at their feet, others as they are.

    ``height`` (h, w) is that of the pixels in meters.
    """
    from scipy import ndimage

    out = things.copy()
    count = int(things.max(initial=0))
    for number, box in enumerate(ndimage.find_objects(things), start=1):
        if box is None:
            continue
        mine = things[box] == number
        row = _row(mine, height[box], least_px)
        if row is None:
            continue
        out[box][mine] = 0
        for k in range(1, row.max() + 1):
            out[box][row == k] = number if k == 1 else count + k - 1
        count += int(row.max()) - 1
    return out


def _row(mine: Ints32, height: Floats, least_px: int) -> Ints32 | None:
    """Return the things of a row as 1 … k, None if there is but one."""
    from scipy import ndimage

    if mine.sum() < 2 * least_px:
        return None
    foot = np.quantile(height[mine], 0.02)
    whole = 0
    for cut in HEIGHTS_M:
        above = mine & (height > foot + cut)
        if above.sum() < 2 * least_px:
            break
        parts = _sizeable(ndimage.label(above)[0], max(least_px, LEAST * above.sum()))
        if parts.max() <= 1:
            continue
        whole = whole or max(1, _sizeable(ndimage.label(mine)[0], least_px).max())
        if parts.max() > whole:
            return parts
    return None


def _sizeable(labels: Ints32, least_px: float) -> Ints32:
    """Return the labels of so many pixels, numbered anew."""
    good = np.bincount(labels.ravel()) >= least_px
    good[0] = False
    return np.where(good, np.cumsum(good), 0).astype(np.int32)[labels]
