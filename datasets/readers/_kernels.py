"""Compiled loop of depth registration."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.compiled import compiled
from commonground.geometry.kernels import transformed


@compiled
def register(depth: Floats32, K_depth: Floats, K_color: Floats, T: Floats, out: Floats32) -> None:
    """Splat depth (h, w) into ``out`` (H, W), which starts at inf: the nearest point of each pixel wins."""
    height, width = out.shape
    # half the size of a depth pixel in color pixels, at equal distance from both cameras
    half_u = 0.5 * K_color[0, 0] / K_depth[0, 0]
    half_v = 0.5 * K_color[1, 1] / K_depth[1, 1]
    for i in range(depth.shape[0]):
        for j in range(depth.shape[1]):
            z = depth[i, j]
            if not (z > 0 and np.isfinite(z)):
                continue
            x = (j - K_depth[0, 2]) / K_depth[0, 0] * z
            y = (i - K_depth[1, 2]) / K_depth[1, 1] * z
            xc, yc, zc = transformed(T, x, y, z)
            if zc <= 0.01:
                continue
            u = xc / zc * K_color[0, 0] + K_color[0, 2]
            v = yc / zc * K_color[1, 1] + K_color[1, 2]
            if not (-1e6 < u < 1e6 and -1e6 < v < 1e6):
                continue
            scale = z / zc
            u0 = max(0, int(np.ceil(u - half_u * scale - 1e-6)))
            v0 = max(0, int(np.ceil(v - half_v * scale - 1e-6)))
            u1 = min(width - 1, int(np.floor(u + half_u * scale + 1e-6)))
            v1 = min(height - 1, int(np.floor(v + half_v * scale + 1e-6)))
            for q in range(v0, v1 + 1):
                for p in range(u0, u1 + 1):
                    if zc < out[q, p]:
                        out[q, p] = zc
