"""What networks of torch are shown: squares cut out of images, brought to one size on their device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from commonground.arrays import Floats32


class Preparation(NamedTuple):
    """How a network takes its images."""

    size: tuple[int, int]
    """Height and width that it sees."""
    mean: Sequence[float]
    """Color of the images it was trained on, and how far they spread."""
    std: Sequence[float]


def shown(
    encode: Callable[[Any], Any], crops: Sequence[Floats32], how: Preparation, device: str
) -> Floats32:
    """Return the features (k, d) that a network makes of crops (3, side, side), of any length."""
    import torch
    from torch.nn.functional import interpolate

    mean, std = (torch.tensor(v, device=device)[:, None, None] for v in (how.mean, how.std))
    half = device.startswith("cuda")
    with torch.inference_mode(), torch.autocast("cuda", torch.float16, enabled=half):
        images = [
            interpolate(
                torch.from_numpy(crop).to(device)[None],
                size=how.size,
                mode="bicubic",
                align_corners=False,
                antialias=True,
            ).clamp(0, 1)
            for crop in crops
        ]
        return numbers(encode((torch.cat(images) - mean) / std))


def numbers(features: Any) -> Floats32:
    """Return what a network made as an array."""
    return np.asarray(features.detach().float().cpu().numpy(), np.float32)
