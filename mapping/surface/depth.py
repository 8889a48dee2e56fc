"""A depth image as the field wants it: as coarse as voxels, inverse, with the plane at each pixel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.frame import Frame

GATE = 0.3
"""Neighbors whose inverse depth differs by a larger share belong to another surface."""


@dataclass(frozen=True, slots=True, eq=False)
class DepthView:
    """A frame reduced to about one pixel per voxel at the far end of the range."""

    inverse_m: Floats32
    """(h, w) 1 / depth; 0 where there is none."""
    scale_m: Floats32
    """(h, w) distance from the camera to the plane at each pixel: (1 − z · inverse) · scale is the
    distance of the point at depth z on the pixel's ray from that plane, positive before it."""
    rgb: Bytes
    """(h, w, 3)"""
    labels: Ints32
    """(h, w) class per pixel; −1 for none."""
    K: Floats
    """(3, 3) intrinsics of the reduced image."""


def depth_view(
    frame: Frame, labels: Ints32 | None, voxel_m: float, min_range_m: float, max_range_m: float
) -> DepthView:
    """Reduce a frame by the whole factor that leaves a voxel at ``max_range_m`` about a pixel and a half."""
    focal = min(frame.camera.K[0, 0], frame.camera.K[1, 1])
    step = int(max(1, min(focal * voxel_m / max_range_m / 1.2, min(frame.depth_m.shape) // 24)))
    depth = median_tiles(np.ascontiguousarray(frame.depth_m), step, min_range_m)
    h, w = depth.shape
    K = frame.camera.K.copy()
    K[:2] /= step
    K[:2, 2] += 0.5 / step - 0.5  # pixel centers are integers
    inverse = np.where(depth > 0, 1 / np.maximum(depth, 1e-6), 0).astype(np.float32)
    scale = plane_distances(inverse, K[0, 0], K[1, 1], K[0, 2], K[1, 2])
    pick = (
        slice(step // 2, step // 2 + step * h, step),
        slice(step // 2, step // 2 + step * w, step),
    )
    seen = labels[pick] if labels is not None else np.full((h, w), -1, np.int32)
    return DepthView(inverse, scale, frame.rgb[pick], np.ascontiguousarray(seen, np.int32), K)


@compiled
def median_tiles(depth: Floats32, step: int, nearest: float) -> Floats32:
    """Return the lower median depth of each step × step tile; 0 where most pixels have none.

    A median keeps edges sharp and drops the flying pixels between near and far.
    """
    h, w = depth.shape[0] // step, depth.shape[1] // step
    out = np.zeros((h, w), np.float32)
    values = np.empty(step * step, np.float32)
    for i in range(h):
        for j in range(w):
            n = 0
            for a in range(step):
                for b in range(step):
                    d = depth[i * step + a, j * step + b]
                    if d >= nearest and d < 1e6:  # false for NaN
                        k = n
                        while k > 0 and values[k - 1] > d:
                            values[k] = values[k - 1]
                            k -= 1
                        values[k] = d
                        n += 1
            if 2 * n > step * step:
                out[i, j] = values[(n - 1) // 2]
    return out


@compiled
def plane_distances(inverse: Floats32, fx: float, fy: float, cx: float, cy: float) -> Floats32:
    """Return the distance of the camera from the plane fitted around each pixel.

    A plane n · P = 1 is linear in inverse depth, 1/z = n_x x + n_y y + n_z with x, y the normalized
    pixel, and the noise of depth cameras is even there: least squares over nine pixels of the same surface.
    """
    h, w = inverse.shape
    out = np.zeros((h, w), np.float32)
    for i in range(h):
        for j in range(w):
            d0 = inverse[i, j]
            if d0 <= 0:
                continue
            n = 0
            su = sv = suu = suv = svv = sd = sud = svd = 0.0
            for a in range(max(i % 2, i - 2), min(h, i + 3), 2):
                for b in range(max(j % 2, j - 2), min(w, j + 3), 2):
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
            cuu, cuv, cvv = (
                suu - su * su / max(n, 1),
                suv - su * sv / max(n, 1),
                svv - sv * sv / max(n, 1),
            )
            cud, cvd = sud - su * sd / max(n, 1), svd - sv * sd / max(n, 1)
            det = cuu * cvv - cuv * cuv
            nx = ny = 0.0
            if n >= 5 and det > 1e-3 * max(cuu, cvv) ** 2:
                nx = (cvv * cud - cuv * cvd) / det * fx
                ny = (cuu * cvd - cuv * cud) / det * fy
            nz = d0 - nx * (j - cx) / fx - ny * (i - cy) / fy
            out[i, j] = 1.0 / max(math.sqrt(nx * nx + ny * ny + nz * nz), 1e-9)
    return out
