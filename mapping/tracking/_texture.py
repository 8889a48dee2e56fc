"""Compiled loops over the brightness of an image: between pixels, and where it changes most."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints
from commonground.compiled import compiled


@compiled
def brightness_at(picture: Floats32, u: float, v: float, out: Floats) -> bool:
    """Put brightness and its gradient between pixels into ``out`` (3,); False outside."""
    h, w = picture.shape
    j, i = math.floor(u), math.floor(v)
    if j < 1 or i < 1 or j + 2 >= w or i + 2 >= h:
        return False
    s, t = u - j, v - i
    a, b, c, d = picture[i, j], picture[i, j + 1], picture[i + 1, j], picture[i + 1, j + 1]
    out[0] = (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d)
    top = (1 - s) * (b - picture[i, j - 1]) + s * (picture[i, j + 2] - a)
    bottom = (1 - s) * (d - picture[i + 1, j - 1]) + s * (picture[i + 1, j + 2] - c)
    out[1] = 0.5 * ((1 - t) * top + t * bottom)
    left = (1 - t) * (c - picture[i - 1, j]) + t * (picture[i + 2, j] - a)
    right = (1 - t) * (d - picture[i - 1, j + 1]) + t * (picture[i + 2, j + 1] - b)
    out[2] = 0.5 * ((1 - s) * left + s * right)
    return True


@compiled
def strongest_gradients(
    picture: Floats32, usable: Bools, taken: Bools, cell: int, margin: int, least: float
) -> Ints:
    """Return (n, 2) the row and column of the strongest gradient among usable pixels of each free cell."""
    h, w = picture.shape
    out = np.zeros((taken.size, 2), np.int64)
    n = 0
    for top in range(margin, h - margin, cell):
        for left in range(margin, w - margin, cell):
            if taken[top // cell, left // cell]:
                continue
            best, bi, bj = least * least, -1, -1
            for i in range(top, min(top + cell, h - margin)):
                for j in range(left, min(left + cell, w - margin)):
                    gx = 0.5 * (picture[i, j + 1] - picture[i, j - 1])
                    gy = 0.5 * (picture[i + 1, j] - picture[i - 1, j])
                    if gx * gx + gy * gy > best and usable[i, j]:
                        best, bi, bj = gx * gx + gy * gy, i, j
            if bi >= 0:
                out[n, 0], out[n, 1] = bi, bj
                n += 1
    return out[:n]
