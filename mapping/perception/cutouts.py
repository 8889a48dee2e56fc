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
    """Return a torch image (3, *size) in [0, 1] of the square around a mask's ``box`` x0, y0, x1, y1.

    It is wider than the box by ``margin`` on each side, and gray beyond the image: pressing a box into a
    square makes a slab of a pole.

    Some surroundings help, as encoders learn from whole pictures; too many make neighbors look alike:
    outside of the mask the image goes ``dim`` of the way to ``gray`` (3, 1, 1), on whose device it is made.
    """
    import torch

    x0, y0, side = _square(box, margin)
    rows, columns = (slice(max(0, v), max(0, v + side)) for v in (y0, x0))
    whole = torch.from_numpy(np.array(rgb[rows, columns])).to(gray.device)
    inside = torch.from_numpy(np.array(mask[rows, columns])).to(gray.device)
    kept = torch.where(inside, 1.0, 1.0 - dim)
    crop = gray.expand(3, side, side).clone()
    high, wide = inside.shape
    top, left = max(0, -y0), max(0, -x0)
    crop[:, top : top + high, left : left + wide] = whole.permute(
        2, 0, 1
    ).float() / 255.0 * kept + gray * (1 - kept)
    resized = torch.nn.functional.interpolate(
        crop[None], size=size, mode="bicubic", align_corners=False, antialias=True
    )
    return resized[0].clamp(0, 1)


def _square(box: Ints, margin: float) -> tuple[int, int, int]:
    """Return the first column, the first row and the side of the square around a widened box."""
    x0, y0, x1, y1 = (int(v) for v in box)
    side = max(1, round(max(x1 - x0, y1 - y0) * (1 + 2 * margin)))
    return (x0 + x1 - side) // 2, (y0 + y1 - side) // 2, side
