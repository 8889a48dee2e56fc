"""Compiled loops that choose what is kept of a reference image: planes, and pixels with texture."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Floats32, Ints32
from commonground.compiled import compiled

GATE = 0.3
"""Neighbors whose inverse depth differs by a larger share belong to another surface."""
LEAST = 12
"""Pixels that a plane needs among the 25 around."""
ROUGH = 3.0
"""A fit worse by this factor than the noise of depth is of no plane."""


@compiled
def planes_of(inverse: Floats32, lens: Floats, noise: float) -> Floats32:
    """Return (h, w, 4) the unit normal towards the camera and the inverse depth of each pixel's plane.

    A plane n · P = 1 is linear in inverse depth, where the noise of depth cameras is even. All zero
    where there is none.
    """
    h, w = inverse.shape
    fx, fy, cx, cy = lens
    out = np.zeros((h, w, 4), np.float32)
    fit = np.empty(3)
    for i in range(2, h - 2):
        for j in range(2, w - 2):
            if inverse[i, j] <= 0 or not fit_around(inverse, i, j, noise, fit):
                continue
            nx, ny = fit[1] * fx, fit[2] * fy
            nz = fit[0] - nx * (j - cx) / fx - ny * (i - cy) / fy
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            if size > 1e-9 and fit[0] > 0:
                out[i, j, 0], out[i, j, 1], out[i, j, 2] = -nx / size, -ny / size, -nz / size
                out[i, j, 3] = fit[0]
    return out


@compiled
def fit_around(inverse: Floats32, i: int, j: int, noise: float, fit: Floats) -> bool:
    """Put inverse depth and its gradients around a pixel into ``fit`` (3,); False if there is no plane."""
    n = 0
    su = sv = suu = suv = svv = sd = sud = svd = sdd = 0.0
    d0 = inverse[i, j]
    for a in range(i - 2, i + 3):
        for b in range(j - 2, j + 3):
            d = inverse[a, b] - d0
            if inverse[a, b] > 0 and abs(d) < GATE * d0:
                u, v = float(b - j), float(a - i)
                n += 1
                su += u
                sv += v
                suu += u * u
                suv += u * v
                svv += v * v
                sd += d
                sud += u * d
                svd += v * d
                sdd += d * d
    if n < LEAST:
        return False
    cuu, cuv, cvv = suu - su * su / n, suv - su * sv / n, svv - sv * sv / n
    cud, cvd, cdd = sud - su * sd / n, svd - sv * sd / n, sdd - sd * sd / n
    det = cuu * cvv - cuv * cuv
    if det < 1e-3 * max(cuu, cvv) ** 2:
        return False
    gx, gy = (cvv * cud - cuv * cvd) / det, (cuu * cvd - cuv * cud) / det
    fit[0], fit[1], fit[2] = d0 + (sd - gx * su - gy * sv) / n, gx, gy
    return bool(cdd - gx * cud - gy * cvd <= (n - 3) * (ROUGH * noise) ** 2)


@compiled
def textured(picture: Floats32, planes: Floats32, cell: int, least: float) -> Ints32:
    """Return (n, 2) the row and column with the strongest gradient on a plane in each cell of the image."""
    h, w = picture.shape
    margin = 4
    out = np.zeros(((h // cell + 1) * (w // cell + 1), 2), np.int32)
    n = 0
    for top in range(margin, h - margin, cell):
        for left in range(margin, w - margin, cell):
            best, bi, bj = least * least, -1, -1
            for i in range(top, min(top + cell, h - margin)):
                for j in range(left, min(left + cell, w - margin)):
                    gx = 0.5 * (picture[i, j + 1] - picture[i, j - 1])
                    gy = 0.5 * (picture[i + 1, j] - picture[i - 1, j])
                    if gx * gx + gy * gy > best and inner(planes, i, j):
                        best, bi, bj = gx * gx + gy * gy, i, j
            if bi >= 0:
                out[n, 0], out[n, 1] = bi, bj
                n += 1
    return out[:n]


@compiled
def inner(planes: Floats32, i: int, j: int) -> bool:
    """Return whether a pixel lies within a surface: at its edge, what lies behind shines through."""
    low, high = planes[i, j, 3], planes[i, j, 3]
    for a in range(i - 2, i + 3):
        for b in range(j - 2, j + 3):
            low, high = min(low, planes[a, b, 3]), max(high, planes[a, b, 3])
    return bool(low > 0 and high - low <= GATE * high)
