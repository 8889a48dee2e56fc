"""Whether images of a recording agree with its odometry about how far the camera moved.

What one image shows must lie on what the next one shows, wherever both look. With the intrinsics of another
camera, depth in other units, or poses of something else, it does not, and the map is wrong without a word.
So many times too near as depth is told, so many times too short the steps are at which surfaces fit: the
steps that fit best tell the unit. A floor tells nothing of that: it lies on itself, whatever the step. With
another focal length surfaces fit worse as soon as the camera turns or moves aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.frame import Camera
from commonground.geometry import angle_between

ACROSS = 80
"""So many pixels of a row are looked at, and as many of a column as lie as far apart."""
LEAST_PIXELS = 200
PASSED = 0.3
"""What comes nearer than this share of its depth is about to be passed by."""
OFF = 0.03
"""Share of its range by which a pixel is off to count as one that does not fit; less counts in proportion."""
MOVED_M, TURNED = 0.2, np.deg2rad(15.0)
"""Between two images that are held against one another, either of it."""


def misfits(
    camera: Camera, depths: tuple[Floats32, Floats32], T_two_one: Floats, steps: Sequence[float]
) -> Floats:
    """Return for each length of the step (k,) how little of one image lies on the other: 0 all, 1 nothing.

    ``depths`` (h, w) are of one camera, first at one, then at two; NaN where too little is seen by both.
    """
    every = max(1, camera.width // ACROSS)
    near = depths[0][::every, ::every].astype(float)
    v, u = np.nonzero(np.isfinite(near) & (near > 0))
    z = near[v, u]
    fx, fy, cx, cy = camera.intrinsics
    rays = np.stack([(every * u - cx) / fx * z, (every * v - cy) / fy * z, z], axis=1)
    points = rays @ T_two_one[:3, :3].T
    moved = (points + k * T_two_one[:3, 3] for k in steps)
    return np.array([_misfit(camera, depths[1], p[p[:, 2] > PASSED * z]) for p in moved])


def focal_misfits(
    camera: Camera, depths: tuple[Floats32, Floats32], T_two_one: Floats, focals: Sequence[float]
) -> Floats:
    """Return the same (k,) for other focal lengths, as shares of the camera's, and the step as it is."""
    found = []
    for share in focals:
        K = camera.K.copy()
        K[0, 0], K[1, 1] = share * K[0, 0], share * K[1, 1]
        found.append(misfits(replace(camera, K=K), depths, T_two_one, (1.0,))[0])
    return np.array(found)


def _misfit(camera: Camera, depth: Floats32, points: Floats) -> float:
    fx, fy, cx, cy = camera.intrinsics
    x, y, z = points.T
    shown = _between(depth, fx * x / z + cx, fy * y / z + cy)
    known = np.isfinite(shown)
    if known.sum() < LEAST_PIXELS:
        return np.nan
    return float(np.minimum(np.abs(z[known] / shown[known] - 1.0) / OFF, 1.0).mean())


def _between(depth: Floats32, column: Floats, row: Floats) -> Floats:
    """Return depth (n,) between pixels, exact on planes; NaN outside and next to pixels without any."""
    left, above = np.floor(column), np.floor(row)
    inside = (left >= 0) & (above >= 0) & (left < depth.shape[1] - 1) & (above < depth.shape[0] - 1)
    out = np.full(len(column), np.nan)
    j, i = left[inside].astype(int), above[inside].astype(int)
    s, t = column[inside] - j, row[inside] - i
    with np.errstate(divide="ignore", invalid="ignore"):
        upper = (1 - s) / depth[i, j] + s / depth[i, j + 1]
        lower = (1 - s) / depth[i + 1, j] + s / depth[i + 1, j + 1]
        inverse = (1 - t) * upper + t * lower
        out[inside] = np.where(inverse > 0, 1.0 / inverse, np.nan)
    return out


def best_step(found: Floats, usual: int) -> tuple[int, float]:
    """Return the column of misfits (pairs, k) that fits best, and its lead in standard errors."""
    known = np.isfinite(found)
    count = known.sum(axis=0)
    mean = np.where(known, found, 0.0).sum(axis=0) / np.maximum(count, 1)
    best = int(np.where(count >= max(2, 0.5 * len(found)), mean, np.inf).argmin())
    gain = found[:, usual] - found[:, best]
    gain = gain[np.isfinite(gain)]
    if len(gain) < 2 or best == usual:
        return best, 0.0
    return best, float(gain.mean() / max(gain.std() / np.sqrt(len(gain)), 1e-9))


def apart(one: Floats, two: Floats) -> bool:
    """Return whether two poses (4, 4) of a camera are far enough from one another to tell something."""
    moved = float(np.linalg.norm(one[:3, 3] - two[:3, 3]))
    return moved >= MOVED_M or bool(angle_between(one, two) >= TURNED)
