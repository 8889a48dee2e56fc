"""Whether images of a recording agree about where surfaces are.

What one image shows must lie on what the next one shows, wherever both look. With the intrinsics of another
camera, depth in other units, or poses of something else, it does not, and the map is wrong without a word.
Along a floor that fills the image nothing shows that: the floor lies on itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from commonground.frame import Frame
from commonground.geometry import angle_between, apply, inverse

ACROSS = 80
"""So many pixels of a row are looked at, and as many of a column as lie as far apart."""
FAR_M = 4.0
"""Farther off, depth errs by itself."""
MOVED, TURNED = 0.3, np.deg2rad(30.0)
"""Images farther apart, as a share of how far they see, hide too much from one another."""
BACK = 6
"""A frame is held against one of so many before it."""
LEAST_PIXELS, LEAST_PAIRS = 200, 4
MOST = 0.03
"""Share of its range by which half of the pixels may be off: good recordings have 0.5 to 1 %."""


def disagreement(frames: Sequence[Frame]) -> float | None:
    """Return by which share of the range surfaces of nearby frames lie apart; None if too few tell."""
    last: dict[str, list[Frame]] = {}
    found: list[float] = []
    for frame in frames:
        before = last.setdefault(frame.camera.name, [])
        # those that look from as far away as may be tell most
        near = next((f for f in before[-BACK:] if _near(f, frame)), None)
        if near is not None:
            found.extend(_apart(near, frame))
        before.append(frame)
    return float(np.median(found)) if len(found) >= LEAST_PAIRS else None


def _near(one: Frame, two: Frame) -> bool:
    T_two_one = inverse(two.T_odom_cam) @ one.T_odom_cam
    if not np.isfinite(T_two_one).all() or angle_between(np.eye(4), T_two_one) > TURNED:
        return False
    z = one.depth_m[::8, ::8]
    z = z[np.isfinite(z) & (z > 0) & (z < FAR_M)]
    return bool(len(z) and np.linalg.norm(T_two_one[:3, 3]) < MOVED * np.median(z))


def _apart(one: Frame, two: Frame) -> Iterator[float]:
    """Yield how far apart what two frames show lies in the median, if enough of both is the same."""
    T_two_one = inverse(two.T_odom_cam) @ one.T_odom_cam
    step = max(1, one.camera.width // ACROSS)
    depth = one.depth_m[::step, ::step].astype(float)
    v, u = np.nonzero(np.isfinite(depth) & (depth > 0) & (depth < FAR_M))
    z = depth[v, u]
    fx, fy, cx, cy = one.camera.intrinsics
    x, y, z = apply(T_two_one, np.c_[(step * u - cx) / fx * z, (step * v - cy) / fy * z, z]).T
    x, y, z = (part[z > 0.1] for part in (x, y, z))
    fx, fy, cx, cy = two.camera.intrinsics
    column, row = np.rint(fx * x / z + cx), np.rint(fy * y / z + cy)
    h, w = two.depth_m.shape
    inside = (column >= 0) & (column < w) & (row >= 0) & (row < h)
    shown = two.depth_m[row[inside].astype(int), column[inside].astype(int)].astype(float)
    known = np.isfinite(shown) & (shown > 0)
    if known.sum() >= LEAST_PIXELS:
        z = z[inside][known]
        yield float(np.median(np.abs(shown[known] - z) / z))
