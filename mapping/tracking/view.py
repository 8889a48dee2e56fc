"""What registration needs of a frame: inverse depth and brightness at a common, small size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats32
from commonground.compiled import compiled
from commonground.frame import Frame, Intrinsics
from commonground.mapping.tracking.settings import TrackingSettings

NEAREST_M = 0.2
LEVELS = 2
"""The image, and one half its size, where a correction of several pixels is still found."""
SMOOTH_PX = 0.7
EDGE = 0.2
"""Pixels of a tile whose inverse depths differ by a larger share lie at an edge."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A frame made small."""

    inverse_m: Floats32
    """(h, w) 1 / depth; 0 where there is none."""
    pictures: tuple[Floats32, ...]
    """Brightness (h, w), then (h / 2, w / 2)."""
    intrinsics: Intrinsics
    """Of the small image."""
    noise: float
    """Standard deviation of the inverse depth of a pixel."""


def view_of(frame: Frame, settings: TrackingSettings) -> View:
    """Reduce a frame by the whole factor that leaves ``settings.width_px`` or more."""
    step = max(1, frame.camera.width // settings.width_px)
    depth = np.ascontiguousarray(frame.depth_m, np.float32)
    inverse = reduced(depth, step, NEAREST_M, settings.max_range_m)
    noise = settings.depth_noise * (1.25 / step if step > 1 else 1.0)
    intrinsics = frame.camera.intrinsics.reduced(step)
    return View(inverse, _pictures(frame, inverse.shape), intrinsics, noise)


@compiled
def reduced(depth: Floats32, step: int, nearest: float, farthest: float) -> Floats32:
    """Return the mean inverse depth of each step × step tile; 0 at edges and where much is missing.

    Inverse depth is linear in the pixel on a plane, so its mean is that of the tile's center; a median of few
    pixels would lean to one side and shorten every distance a little.
    """
    h, w = depth.shape[0] // step, depth.shape[1] // step
    out = np.zeros((h, w), np.float32)
    for i in range(h):
        for j in range(w):
            n, total, low, high = 0, 0.0, 1e9, 0.0
            for a in range(i * step, i * step + step):
                for b in range(j * step, j * step + step):
                    z = depth[a, b]
                    if z >= nearest and z <= farthest:  # false for NaN
                        q = 1.0 / z
                        n += 1
                        total += q
                        low, high = min(low, q), max(high, q)
            if 4 * n >= 3 * step * step and high - low <= EDGE * high:
                out[i, j] = total / n
    return out


def _pictures(frame: Frame, size: tuple[int, ...]) -> tuple[Floats32, ...]:
    import cv2

    gray = cv2.cvtColor(frame.rgb, cv2.COLOR_RGB2GRAY).astype(np.float32)
    h, w = size
    step = frame.camera.width // w
    whole = gray[: h * step, : w * step]
    sizes = [(w >> level, h >> level) for level in range(LEVELS)]
    small = [
        cv2.resize(whole, s, interpolation=cv2.INTER_AREA) if s != (w * step, h * step) else whole
        for s in sizes
    ]
    return tuple(
        np.ascontiguousarray(cv2.GaussianBlur(image, (3, 3), SMOOTH_PX)) for image in small
    )
