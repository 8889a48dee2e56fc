"""A depth image reduced to about a pixel a voxel: inverse depth, and the plane at each pixel."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bytes, Floats32, Ints32
from commonground.compiled import compiled
from commonground.frame import Frame, Intrinsics
from commonground.geometry.kernels import plane_around

LEAST = 5
"""Pixels that a plane needs among the nine around; with fewer it faces the camera."""


class DepthView(NamedTuple):
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
    intrinsics: Intrinsics
    """Of the reduced image."""


def depth_view(
    frame: Frame, labels: Ints32 | None, voxel_m: float, min_range_m: float, max_range_m: float
) -> DepthView:
    """Reduce a frame by the whole factor that leaves a voxel at ``max_range_m`` about a pixel and a half."""
    focal = min(frame.camera.intrinsics[:2])
    step = int(max(1, min(focal * voxel_m / max_range_m / 1.2, min(frame.depth_m.shape) // 24)))
    depth = median_tiles(np.ascontiguousarray(frame.depth_m), step, min_range_m)
    h, w = depth.shape
    intrinsics = frame.camera.intrinsics.reduced(step)
    inverse = np.where(depth > 0, 1 / np.maximum(depth, 1e-6), 0).astype(np.float32)
    scale = plane_distances(inverse, intrinsics)
    pick = (
        slice(step // 2, step // 2 + step * h, step),
        slice(step // 2, step // 2 + step * w, step),
    )
    classes = labels[pick] if labels is not None else np.full((h, w), -1)
    classes = np.ascontiguousarray(classes, np.int32)
    rgb = np.require(frame.rgb[pick], requirements=("C", "W"))  # loops are compiled for each kind
    return DepthView(inverse, scale, rgb, classes, intrinsics)


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
def plane_distances(inverse_m: Floats32, intrinsics: Intrinsics) -> Floats32:
    """Return the distance of the camera from the plane fitted around each pixel."""
    h, w = inverse_m.shape
    fx, fy, cx, cy = intrinsics
    out = np.zeros((h, w), np.float32)
    for i in range(h):
        for j in range(w):
            if inverse_m[i, j] <= 0:
                continue
            _, _, across, down, _ = plane_around(inverse_m, i, j, 2, LEAST)
            nx, ny = across * fx, down * fy
            nz = inverse_m[i, j] - nx * (j - cx) / fx - ny * (i - cy) / fy
            out[i, j] = 1.0 / max(math.sqrt(nx * nx + ny * ny + nz * nz), 1e-9)
    return out
