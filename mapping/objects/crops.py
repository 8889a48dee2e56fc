"""The best pictures of a track: cut out of the frames that show it largest, one from each side."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache

import numpy as np

from commonground.arrays import Bytes
from commonground.crops import LARGEST, Crop, best_crops
from commonground.mapping.objects.settings import CropSettings
from commonground.mapping.objects.track import Track

MARGIN = 0.15
"""Share of its box by which a crop is wider."""
BETTER = 1.25
"""A crop is worth so many times the one it replaces: not each frame is encoded anew."""
_QUALITIES = (85, 70, 50, 30)


def is_wanted(kept: Sequence[Crop], crop: Crop, settings: CropSettings) -> bool:
    """Return whether a view is better than what is kept, and pictures are kept at all."""
    if not settings.most or not can_encode():
        return False
    rivals = [c.worth for c in kept if c.side == crop.side]
    if not rivals and len(kept) >= settings.most:
        rivals = [min(c.worth for c in kept)]
    return not rivals or crop.worth > BETTER * rivals[0]


def keep_crop(
    track: Track, rgb: Bytes, box: tuple[int, int, int, int], crop: Crop, settings: CropSettings
) -> None:
    """Cut a view of a track out of an image and keep it; ``crop`` says what it is worth."""
    jpeg = _encoded(rgb, box, settings.size_px, LARGEST // settings.most)
    if jpeg:
        made = Crop(jpeg, crop.worth, crop.stamp_ns, crop.side)
        others = [c for c in track.crops if c.side != crop.side]
        track.crops = best_crops([*others, made], settings.most)


def _encoded(rgb: Bytes, box: tuple[int, int, int, int], size_px: int, most: int) -> bytes:
    """Return a JPEG of a box x0, y0, x1, y1 of an image, b'' if it cannot be made small enough."""
    import cv2

    x0, y0, x1, y1 = box
    dx, dy = int(MARGIN * (x1 - x0)), int(MARGIN * (y1 - y0))
    part = rgb[max(0, y0 - dy) : y1 + dy, max(0, x0 - dx) : x1 + dx]
    scale = size_px / max(part.shape[:2])
    if scale < 1:
        size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
        part = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    bgr = np.ascontiguousarray(part[:, :, ::-1])
    for quality in _QUALITIES:
        done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if done and len(data) <= most:
            return bytes(data)
    return b""


@cache
def can_encode() -> bool:
    """Return whether pictures can be made on this machine."""
    return importlib.util.find_spec("cv2") is not None
