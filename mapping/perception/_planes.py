"""Compiled loops over a depth image and the planes in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.mapping.depth_pieces import DepthNoise


class Bounds(NamedTuple):
    """How near to a plane a pixel lies on it."""

    least_m: float
    sigma: float
    """Of the noise of its depth, as it shows across the plane."""
    facing: float
    """Least product of the normals."""


@compiled
def points(depth: Floats32, K: Intrinsics, T: Floats, out: Floats) -> None:
    """Write where the pixels lie (h, w, 3)."""
    fx, fy, cx, cy = K
    rows, columns = depth.shape
    for y in range(rows):
        for x in range(columns):
            a, b, z = (x - cx) / fx, (y - cy) / fy, depth[y, x]
            for r in range(3):
                out[y, x, r] = (T[r, 0] * a + T[r, 1] * b + T[r, 2]) * z + T[r, 3]


@compiled
def nearest(
    depth: Floats32,
    normal: Floats32,
    K: Intrinsics,
    T: Floats,
    noise: DepthNoise,
    shapes: Floats,
    bounds: Bounds,
    out: Ints32,
) -> None:
    """Write the plane (h, w) that each pixel lies on, the nearest of several, −1 where it lies on none.

    ``shapes`` (p, 10) are normal, offset, and the box that the plane is within.
    """
    fx, fy, cx, cy = K
    rows, columns = depth.shape
    ray, at, face = np.empty(3), np.empty(3), np.empty(3)
    for y in range(rows):
        for x in range(columns):
            out[y, x] = -1
            z = depth[y, x]
            if np.isnan(z):
                continue
            a, b = (x - cx) / fx, (y - cy) / fy
            for r in range(3):
                ray[r] = T[r, 0] * a + T[r, 1] * b + T[r, 2]
                at[r] = ray[r] * z + T[r, 3]
                face[r] = (
                    T[r, 0] * normal[y, x, 0]
                    + T[r, 1] * normal[y, x, 1]
                    + T[r, 2] * normal[y, x, 2]
                )
            sigma = bounds.sigma * (noise.near_m + noise.growth * z * z)
            best = np.inf
            for p in range(len(shapes)):
                off = abs(_along(shapes[p], at) - shapes[p, 3])
                if off >= best or off >= max(bounds.least_m, sigma * abs(_along(shapes[p], ray))):
                    continue
                if _along(shapes[p], face) < bounds.facing:  # of no normal nothing is known
                    continue
                if _within(shapes[p], at):
                    best = off
                    out[y, x] = p


@compiled
def _along(shape: Floats, vector: Floats) -> float:
    return float(shape[0] * vector[0] + shape[1] * vector[1] + shape[2] * vector[2])


@compiled
def _within(shape: Floats, at: Floats) -> bool:
    return bool(
        shape[4] < at[0] < shape[7] and shape[5] < at[1] < shape[8] and shape[6] < at[2] < shape[9]
    )
