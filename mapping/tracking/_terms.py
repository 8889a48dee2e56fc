"""Compiled loops of registration: what points of a reference say of the pose of a later image.

A pose errs by a twist (δp, δθ): points move as y + δp + δθ × (y − pivot). Each loop adds to the normal
equations ``H`` (6, 6) and ``g`` (6,), and counts the terms used, those that can tell a wrong pose, and those
of them that fit.
"""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.compiled import compiled

KERNEL = 2.5
"""Residuals in standard deviations where the weight (Geman and McClure's) is down to a quarter."""
FARTHEST_M = 0.25
"""Points farther from the plane than this are of another surface."""
STEP = 0.2
"""Inverse depths of neighbors that differ by a larger share lie at an edge."""
NEAR = 0.1
"""Depth must agree to this share and this many meters / 4 for a brightness to be of the same point."""
BLUR_PX = 0.3
"""What images from another place and interpolation add to the noise of brightness, in pixels."""


@compiled
def inverse_at(inverse: Floats32, u: float, v: float) -> float:
    """Return the inverse depth at a place between pixels; 0 where there is none, or an edge."""
    h, w = inverse.shape
    j, i = math.floor(u), math.floor(v)
    if j < 0 or i < 0 or j + 1 >= w or i + 1 >= h:
        return 0.0
    a, b, c, d = inverse[i, j], inverse[i, j + 1], inverse[i + 1, j], inverse[i + 1, j + 1]
    low, high = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
    if low <= 0 or high - low > STEP * high:
        return 0.0
    s, t = u - j, v - i
    return float((1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d))


@compiled
def add_term(H: Floats, g: Floats, n: Floats, lever: Floats, r: float, weight: float) -> None:
    """Add a residual r whose derivative by the point is n, at ``lever`` from the pivot."""
    J = np.empty(6)
    J[0], J[1], J[2] = n[0], n[1], n[2]
    J[3] = lever[1] * n[2] - lever[2] * n[1]
    J[4] = lever[2] * n[0] - lever[0] * n[2]
    J[5] = lever[0] * n[1] - lever[1] * n[0]
    for a in range(6):
        g[a] += weight * J[a] * r
        for b in range(6):
            H[a, b] += weight * J[a] * J[b]


@compiled
def shape_terms(
    points: Floats, normals: Floats, depths: Floats, inverse: Floats32, lens: Floats, T: Floats,
    pivot: Floats, noise: float, roughness: float, H: Floats, g: Floats, counts: Floats,
) -> None:  # fmt: skip
    """Compare the planes of a reference with the depth seen along the same rays.

    Residuals are taken along rays of the new image and turned into distances by the reference's normal:
    a distance of points matched to the nearest pixel errs by the normal's noise times the mismatch, and a
    robot that sees mostly ground would be held back by that.
    """
    fx, fy, cx, cy = lens
    d, lever = np.empty(3), np.empty(3)
    for k in range(len(points)):
        for a in range(3):
            d[a] = points[k, a] - T[a, 3]
        z = T[0, 2] * d[0] + T[1, 2] * d[1] + T[2, 2] * d[2]
        if z < 0.1:
            continue
        x = T[0, 0] * d[0] + T[1, 0] * d[1] + T[2, 0] * d[2]
        y = T[0, 1] * d[0] + T[1, 1] * d[1] + T[2, 1] * d[2]
        seen = inverse_at(inverse, fx * x / z + cx, fy * y / z + cy)
        if seen <= 0:
            continue
        n = normals[k]
        to_plane = n[0] * d[0] + n[1] * d[1] + n[2] * d[2]
        stretch = 1.0 / (seen * z)
        r = to_plane * (stretch - 1.0)
        tells = abs(n[2]) < 1.0  # level ground fits wherever the robot is
        counts[1] += tells and abs(r) < 4.0 * FARTHEST_M
        if abs(r) > FARTHEST_M:
            continue
        slant = abs(to_plane) / z
        s2 = (slant * noise) ** 2 * (0.5 / seen**4 + 0.1 * depths[k] ** 4) + roughness**2
        e2 = r * r / s2
        counts[0] += 1
        counts[2] += tells and e2 < KERNEL * KERNEL
        for a in range(3):
            lever[a] = T[a, 3] + stretch * d[a] - pivot[a]
        add_term(H, g, n, lever, r, 1.0 / (s2 * (1.0 + e2 / (KERNEL * KERNEL)) ** 2))


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
def brightness_terms(
    points: Floats, values: Floats, picture: Floats32, shrink: float, inverse: Floats32, lens: Floats,
    T: Floats, pivot: Floats, gain: float, noise: float, H: Floats, g: Floats, counts: Floats,
) -> float:  # fmt: skip
    """Compare the brightness of a reference's points with that seen; return the gain that fits best."""
    fx, fy, cx, cy = lens
    d, lever, slope, seen = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    product = square = 0.0
    for k in range(len(points)):
        for a in range(3):
            d[a] = points[k, a] - T[a, 3]
        z = T[0, 2] * d[0] + T[1, 2] * d[1] + T[2, 2] * d[2]
        if z < 0.1:
            continue
        x = T[0, 0] * d[0] + T[1, 0] * d[1] + T[2, 0] * d[2]
        y = T[0, 1] * d[0] + T[1, 1] * d[1] + T[2, 1] * d[2]
        u, v = fx * x / z + cx, fy * y / z + cy
        q = inverse_at(inverse, u, v)
        if q <= 0 or abs(1.0 / q - z) > NEAR * z + 0.25 * NEAR:
            continue
        if not brightness_at(picture, (u + 0.5) / shrink - 0.5, (v + 0.5) / shrink - 0.5, seen):
            continue
        r = seen[0] - gain * values[k]
        s2 = noise * noise + BLUR_PX * BLUR_PX * (seen[1] * seen[1] + seen[2] * seen[2])
        e2 = r * r / s2
        weight = 1.0 / (s2 * (1.0 + e2 / (KERNEL * KERNEL)) ** 2)
        counts[0] += 1
        counts[1] += 1
        counts[2] += e2 < KERNEL * KERNEL
        product += weight * seen[0] * values[k]
        square += weight * values[k] * values[k]
        # a camera that moves by δ sees the point move by −δ
        gx, gy = -seen[1] / shrink * fx / z, -seen[2] / shrink * fy / z
        gz = -(gx * x + gy * y) / z
        for a in range(3):
            slope[a] = T[a, 0] * gx + T[a, 1] * gy + T[a, 2] * gz
            lever[a] = points[k, a] - pivot[a]
        add_term(H, g, slope, lever, r, weight)
    return product / square if square > 0 else gain
