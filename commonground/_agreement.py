"""Compiled loop over the pixels of an image that is held against another one."""

from __future__ import annotations

import math
from typing import NamedTuple

from commonground.arrays import Floats, Floats32
from commonground.compiled import compiled
from commonground.geometry.kernels import transformed


class Looked(NamedTuple):
    """Which pixels are looked at, and when one fits."""

    every: int
    """So many pixels of a row, and of a column, lie from one that is looked at to the next one."""
    passed: float
    """What comes nearer than this share of its depth is not looked at."""
    off: float
    """Share of its range by which a pixel is off to count as one that does not fit."""


@compiled
def misfit(
    one: Floats32,
    inverse_two: Floats,
    lens: tuple[float, float, float, float],
    T_two_one: Floats,
    how: Looked,
) -> tuple[float, int]:
    """Return how little of one image lies on the other, and how many of its pixels both show.

    The first is given by its depth, the other one by 1 / depth, which is linear on a plane.
    """
    fx, fy, cx, cy = lens
    height, width = inverse_two.shape
    total, count = 0.0, 0
    for row in range(0, one.shape[0], how.every):
        for column in range(0, one.shape[1], how.every):
            far = float(one[row, column])
            if not 0.0 < far < math.inf:
                continue
            x, y, z = transformed(T_two_one, (column - cx) / fx * far, (row - cy) / fy * far, far)
            if z <= how.passed * far:
                continue
            u, v = fx * x / z + cx, fy * y / z + cy
            if not (0.0 <= u < width - 1 and 0.0 <= v < height - 1):
                continue
            shown = _between(inverse_two, u, v)
            if shown > 0.0:
                total += min(abs(z * shown - 1.0) / how.off, 1.0)
                count += 1
    return total / max(count, 1), count


@compiled
def _between(image: Floats, u: float, v: float) -> float:
    """Return the value between four pixels; NaN next to one without any."""
    j, i = int(u), int(v)
    s, t = u - j, v - i
    upper = (1.0 - s) * image[i, j] + s * image[i, j + 1]
    lower = (1.0 - s) * image[i + 1, j] + s * image[i + 1, j + 1]
    return float((1.0 - t) * upper + t * lower)
