"""What an image encoder is shown of a thing: its box cut out of the image, the rest of it dimmed."""

from __future__ import annotations

from typing import Any

import numpy as np

from commonground.arrays import Bools, Bytes, Ints


def cut_out(
    rgb: Bytes,
    mask: Bools,
    box: Ints,
    size: tuple[int, int],
    *,
    margin: float,
    dim: float,
    gray: Any,
) -> Any:
    """Return a torch image (3, *size) in [0, 1] of a mask's ``box`` x0, y0, x1, y1, widened by ``margin``.

    Some surroundings help, as encoders learn from whole pictures; too many make neighbors look alike:
    outside of the mask the image goes ``dim`` of the way to ``gray`` (3, 1, 1), on whose device it is made.
    """
    import torch

    x0, y0, x1, y1 = _widened(box, rgb.shape, margin)
    whole = torch.from_numpy(np.ascontiguousarray(rgb[y0:y1, x0:x1])).to(gray.device)
    inside = torch.from_numpy(np.ascontiguousarray(mask[y0:y1, x0:x1])).to(gray.device)
    kept = torch.where(inside, 1.0, 1.0 - dim)
    crop = whole.permute(2, 0, 1).float() / 255.0 * kept + gray * (1 - kept)
    resized = torch.nn.functional.interpolate(
        crop[None], size=size, mode="bicubic", align_corners=False, antialias=True
    )
    return resized[0].clamp(0, 1)


def _widened(box: Ints, shape: tuple[int, ...], margin: float) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = (int(v) for v in box)
    dx, dy = int(margin * (x1 - x0)), int(margin * (y1 - y0))
    return max(0, x0 - dx), max(0, y0 - dy), min(shape[1], x1 + dx), min(shape[0], y1 + dy)
