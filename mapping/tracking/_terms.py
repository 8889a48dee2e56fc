"""Compiled loops of registration: what points of a reference say of the pose of a later image.

A pose errs by a twist (δp, δθ): points move as y + δp + δθ × (y − pivot).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.geometry.kernels import add_residual, rotated_back
from commonground.mapping.tracking._texture import brightness_at

KERNEL = 2.5
"""Residuals in standard deviations where the weight (Geman and McClure's) is down to a quarter."""
FARTHEST_M = 0.25
"""Points farther from the plane than this are of another surface."""
STEP = 0.2
"""Inverse depths of neighbors that differ by a larger share lie at an edge."""
NEAR = 0.1
"""Depth must agree to this share and this many meters / 4 for a brightness to be of the same point."""
NEAREST_M = 0.1
BLUR_PX = 0.3
"""What images from another place and interpolation add to the noise of brightness, in pixels."""


class PosedImage(NamedTuple):
    """An image at a pose that is tried."""

    inverse_m: Floats32
    """(h, w) inverse depth, 0 where there is none."""
    intrinsics: Intrinsics
    T: Floats
    """(4, 4) pose of the camera."""
    pivot: Floats
    """(3,) the point that the pose turns about."""


class Planes(NamedTuple):
    """Points of references on surfaces, in the frame of the pose."""

    points: Floats
    """(n, 3)"""
    normals: Floats
    """(n, 3)"""
    depths: Floats
    """(n,) in their own images."""


class Marks(NamedTuple):
    """Points with texture of several references, one after another."""

    points: Floats
    """(n, 3)"""
    values: Floats
    """(n,) brightness in their own images."""
    starts: Ints
    """(k + 1,) where those of each reference begin."""


class Picture(NamedTuple):
    """The brightness of an image, of which each pixel covers ``shrink``² of the depth image."""

    brightness: Floats32
    shrink: float
    noise: float
    """Standard deviation of a pixel."""


class Equations(NamedTuple):
    """Normal equations that terms are added to."""

    H: Floats
    """(6, 6)"""
    g: Floats
    """(6,)"""
    counts: Floats
    """(3,) terms used, those that can tell a wrong pose, those of them that fit."""


@compiled
def inverse_at(inverse_m: Floats32, u: float, v: float) -> float:
    """Return the inverse depth at a place between pixels; 0 where there is none, or an edge."""
    h, w = inverse_m.shape
    j, i = math.floor(u), math.floor(v)
    if j < 0 or i < 0 or j + 1 >= w or i + 1 >= h:
        return 0.0
    a, b, c, d = inverse_m[i, j], inverse_m[i, j + 1], inverse_m[i + 1, j], inverse_m[i + 1, j + 1]
    low, high = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
    if low <= 0 or high - low > STEP * high:
        return 0.0
    s, t = u - j, v - i
    return float((1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d))


@compiled
def add_term(out: Equations, n: Floats, lever: Floats, r: float, weight: float) -> None:
    """Add a residual r whose derivative by the point is n, at ``lever`` from the pivot."""
    J = np.empty(6)
    J[0], J[1], J[2] = n[0], n[1], n[2]
    J[3] = lever[1] * n[2] - lever[2] * n[1]
    J[4] = lever[2] * n[0] - lever[0] * n[2]
    J[5] = lever[0] * n[1] - lever[1] * n[0]
    add_residual(J, r, weight, out.H, out.g)


@compiled
def shape_terms(
    planes: Planes, image: PosedImage, noise: float, roughness_m: float, out: Equations
) -> None:
    """Compare the planes of references with the depth seen along the same rays.

    Residuals are taken along rays of the new image and turned into distances by the reference's normal:
    a distance of points matched to the nearest pixel errs by the normal's noise times the mismatch, and a
    robot that sees mostly ground would be held back by that. ``noise`` is that of inverse depth.
    """
    fx, fy, cx, cy = image.intrinsics
    inverse_m, T, pivot = image.inverse_m, image.T, image.pivot
    points, normals, depths = planes
    d, lever = np.empty(3), np.empty(3)
    for k in range(len(points)):
        for a in range(3):
            d[a] = points[k, a] - T[a, 3]
        x, y, z = rotated_back(T, d[0], d[1], d[2])
        if z < NEAREST_M:
            continue
        seen = inverse_at(inverse_m, fx * x / z + cx, fy * y / z + cy)
        if seen <= 0:
            continue
        n = normals[k]
        to_plane = n[0] * d[0] + n[1] * d[1] + n[2] * d[2]
        stretch = 1.0 / (seen * z)
        r = to_plane * (stretch - 1.0)
        tells = abs(n[2]) < 1.0  # level ground fits wherever the robot is
        out.counts[1] += tells and abs(r) < 4.0 * FARTHEST_M
        if abs(r) > FARTHEST_M:
            continue
        slant = abs(to_plane) / z
        s2 = (slant * noise) ** 2 * (0.5 / seen**4 + 0.1 * depths[k] ** 4) + roughness_m**2
        e2 = r * r / s2
        out.counts[0] += 1
        out.counts[2] += tells and e2 < KERNEL * KERNEL
        for a in range(3):
            lever[a] = T[a, 3] + stretch * d[a] - pivot[a]
        add_term(out, n, lever, r, 1.0 / (s2 * (1.0 + e2 / (KERNEL * KERNEL)) ** 2))


@compiled
def brightness_terms(
    marks: Marks, picture: Picture, image: PosedImage, gains: Floats, out: Equations
) -> None:
    """Compare the brightness of references' points with that seen, and write the gain that fits each."""
    points, values, starts = marks
    for k in range(len(gains)):
        one, end = starts[k], starts[k + 1]
        gains[k] = _add_brightness(points[one:end], values[one:end], picture, image, gains[k], out)


@compiled
def _add_brightness(
    points: Floats, values: Floats, picture: Picture, image: PosedImage, gain: float, out: Equations
) -> float:
    """Compare the brightness (n,) of one reference's points (n, 3); return the gain that fits."""
    fx, fy, cx, cy = image.intrinsics
    inverse_m, T, pivot = image.inverse_m, image.T, image.pivot
    brightness, shrink, noise = picture
    lever, slope, seen = np.empty(3), np.empty(3), np.empty(3)
    product = square = 0.0
    for k in range(len(points)):
        x, y, z = rotated_back(
            T, points[k, 0] - T[0, 3], points[k, 1] - T[1, 3], points[k, 2] - T[2, 3]
        )
        if z < NEAREST_M:
            continue
        u, v = fx * x / z + cx, fy * y / z + cy
        q = inverse_at(inverse_m, u, v)
        if q <= 0 or abs(1.0 / q - z) > NEAR * z + 0.25 * NEAR:
            continue
        u, v = (u + 0.5) / shrink - 0.5, (v + 0.5) / shrink - 0.5
        if not brightness_at(brightness, u, v, seen):
            continue
        r = seen[0] - gain * values[k]
        steep2 = seen[1] * seen[1] + seen[2] * seen[2]
        s2 = noise * noise + BLUR_PX * BLUR_PX * steep2
        e2 = r * r / s2
        weight = 1.0 / (s2 * (1.0 + e2 / (KERNEL * KERNEL)) ** 2)
        out.counts[0] += 1
        out.counts[1] += 1
        out.counts[2] += e2 < KERNEL * KERNEL
        product += weight * seen[0] * values[k]
        square += weight * values[k] * values[k]
        # a camera that moves by δ sees the point move by −δ
        gx, gy = -seen[1] / shrink * fx / z, -seen[2] / shrink * fy / z
        gz = -(gx * x + gy * y) / z
        for a in range(3):
            slope[a] = T[a, 0] * gx + T[a, 1] * gy + T[a, 2] * gz
            lever[a] = points[k, a] - pivot[a]
        add_term(out, slope, lever, r, weight)
    return product / square if square > 0 else gain
