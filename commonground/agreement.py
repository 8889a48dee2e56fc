"""Whether images of a recording agree with its odometry about how far the camera moved.

What one image shows must lie on what the next one shows, wherever both look. With the intrinsics of another
camera, depth in other units, or poses of something else, it does not, and the map is wrong without a word.
So many times too near as depth is told, so many times too short the steps are at which surfaces fit: the
steps that fit best tell the unit. A floor tells nothing of that: it lies on itself, whatever the step. With
another focal length surfaces fit worse as soon as the camera turns or moves aside.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    moved = np.repeat(T_two_one[None], len(steps), axis=0)
    moved[:, :3, 3] *= np.asarray(steps)[:, None]
    return _misfits(camera, depths, [(1.0, T) for T in moved])


def focal_misfits(
    camera: Camera, depths: tuple[Floats32, Floats32], T_two_one: Floats, focals: Sequence[float]
) -> Floats:
    """Return the same (k,) for other focal lengths, as shares of the camera's, and the step as it is."""
    T_two_one = np.ascontiguousarray(T_two_one)
    return _misfits(camera, depths, [(share, T_two_one) for share in focals])


def _misfits(
    camera: Camera, depths: tuple[Floats32, Floats32], tried: Sequence[tuple[float, Floats]]
) -> Floats:
    """Return how little fits with focal lengths, as shares of the camera's, and motions T_two_one."""
    from commonground._agreement import Looked, misfit

    one = np.ascontiguousarray(depths[0], np.float32)
    with np.errstate(divide="ignore"):
        inverse_two = 1.0 / np.ascontiguousarray(depths[1], float)
    fx, fy, cx, cy = camera.intrinsics
    how = Looked(max(1, camera.width // ACROSS), PASSED, OFF)
    lenses = ((share * fx, share * fy, cx, cy) for share, _ in tried)
    found = [
        misfit(one, inverse_two, lens, T, how) for lens, (_, T) in zip(lenses, tried, strict=True)
    ]
    return np.array([mean if count >= LEAST_PIXELS else np.nan for mean, count in found])


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
