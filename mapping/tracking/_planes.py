"""Compiled fit of a plane around each pixel of a reference image."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats32
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.geometry.kernels import plane_around

LEAST = 12
"""Pixels that a plane needs among the 25 around."""
ROUGH = 3.0
"""A fit worse by this factor than the noise of depth is of no plane."""


@compiled
def planes_of(inverse_m: Floats32, intrinsics: Intrinsics, noise: float) -> Floats32:
    """Return (h, w, 4) the unit normal towards the camera and the inverse depth of each pixel's plane.

    All zero where there is none.
    """
    h, w = inverse_m.shape
    fx, fy, cx, cy = intrinsics
    out = np.zeros((h, w, 4), np.float32)
    for i in range(2, h - 2):
        for j in range(2, w - 2):
            if inverse_m[i, j] <= 0:
                continue
            n, offset, across, down, squares = plane_around(inverse_m, i, j, 1, LEAST)
            fitted = inverse_m[i, j] + offset
            if n == 0 or fitted <= 0 or squares > (n - 3) * (ROUGH * noise) ** 2:
                continue
            nx, ny = across * fx, down * fy
            nz = fitted - nx * (j - cx) / fx - ny * (i - cy) / fy
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            if size > 1e-9:
                out[i, j, 0], out[i, j, 1], out[i, j, 2] = -nx / size, -ny / size, -nz / size
                out[i, j, 3] = fitted
    return out
