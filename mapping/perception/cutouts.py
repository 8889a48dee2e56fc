"""What an image encoder is shown of a thing: its box cut out of the image, the rest of it dimmed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from commonground.arrays import Bools, Bytes, Floats32, Ints


def cut_out(
    rgb: Bytes, mask: Bools, box: Ints, *, margin: float, dim: float, gray: Sequence[float]
) -> Floats32:
    """Return an image (3, side, side) in [0, 1] of the square around a mask's ``box`` x0, y0, x1, y1.

    It is wider than the box by ``margin`` on each side, and gray beyond the image: pressing a box into a
    square makes a slab of a pole.

    Some surroundings help, as encoders learn from whole pictures; too many make neighbors look alike:
    outside of the mask the image goes ``dim`` of the way to ``gray``, a color.
    """
    x0, y0, side = _square(box, margin)
    rows, columns = (slice(max(0, v), max(0, v + side)) for v in (y0, x0))
    inside = mask[rows, columns]
    kept = np.where(inside, np.float32(1), np.float32(1 - dim))
    color = np.asarray(gray, np.float32)[:, None, None]
    crop = np.empty((3, side, side), np.float32)
    crop[:] = color
    high, wide = inside.shape
    top, left = max(0, -y0), max(0, -x0)
    whole = np.asarray(rgb[rows, columns].transpose(2, 0, 1), np.float32) / 255
    crop[:, top : top + high, left : left + wide] = whole * kept + color * (1 - kept)
    return crop


def resized(crop: Floats32, side: int) -> Floats32:
    """Return a square image (3, s, s) in [0, 1] with another side, without what is too fine for it."""
    along = _bicubic(crop.shape[1], side)
    return np.clip(along @ crop @ along.T, 0, 1)


@lru_cache(maxsize=256)
def _bicubic(before: int, after: int) -> Floats32:
    """Return the weight (after, before) of each old pixel of a row in each new one (Keys 1981)."""
    scale = before / after
    middle = scale * (np.arange(after) + 0.5)
    x = np.abs(np.arange(before) + 0.5 - middle[:, None]) / max(scale, 1)
    near, far = (1.5 * x - 2.5) * x * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    weights = np.where(x < 1, near, np.where(x < 2, far, 0))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def _square(box: Ints, margin: float) -> tuple[int, int, int]:
    """Return the first column, the first row and the side of the square around a widened box."""
    x0, y0, x1, y1 = (int(v) for v in box)
    side = max(1, round(max(x1 - x0, y1 - y0) * (1 + 2 * margin)))
    return (x0 + x1 - side) // 2, (y0 + y1 - side) // 2, side
