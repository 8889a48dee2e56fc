"""A descriptor without weights: the colors of a segment's upper and lower half, its width and height.

Unit vectors whose cosine is near one for two views of a thing and low for things that differ. Hue and
relative chroma do not change with exposure; upper and lower stay so from whichever side a thing is seen.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Floats32, Ints32
from commonground.frame import Frame

MODEL = "color-size-1"
"""Name of this descriptor in ``embedding_model``; it changes whenever the numbers do."""

SIZE_BINS = 8
SIZE_CENTERS = np.log(0.1) + np.arange(SIZE_BINS) * np.log(100.0) / (SIZE_BINS - 1)
"""Log sizes from 10 cm to 10 m, each bin about twice the one before."""
SIZE_WEIGHT = 0.35
"""Share of the squared length that width and height have."""
MOST_PX = 3000


def color_descriptors(frame: Frame, masks: Ints32, count: int) -> Floats32:
    """Return a unit vector (k, DIMENSION) for each of ``count`` segments; NaN for one without pixels."""
    from commonground.mapping.perception import _descriptor

    up_cam = frame.T_odom_cam[2, :3]  # the odometry frame's vertical in camera axes
    flat = float(np.hypot(up_cam[0], up_cam[1]))
    up_u, up_v = (up_cam[:2] / flat) if flat > 1e-3 else (0.0, -1.0)
    low, high = np.full(count + 1, np.inf), np.full(count + 1, -np.inf)
    area = np.zeros(count + 1)
    _descriptor.extents(masks, float(up_u), float(up_v), low, high, area)
    strides = np.maximum(1, np.sqrt(area / MOST_PX)).astype(np.int32)
    colors = np.zeros((count + 1, _descriptor.LAYERS, _descriptor.BINS), np.float32)
    rgb = np.require(frame.rgb, requirements=("C", "W"))  # the loop is compiled for each kind
    _descriptor.histograms(rgb, masks, float(up_u), float(up_v), low, high, strides, colors)
    limits = np.tile(np.array([np.inf, -np.inf, np.inf, -np.inf]), (count + 1, 1))
    intrinsics, up = frame.camera.intrinsics, np.ascontiguousarray(up_cam)
    _descriptor.spans(masks, frame.depth_m, count, intrinsics, up, limits)
    size = np.stack([limits[:, 1] - limits[:, 0], limits[:, 3] - limits[:, 2]], axis=1)
    return _unit(colors[1:], size[1:])


def _unit(colors: Floats32, size: Floats) -> Floats32:
    """Return color histograms (k, LAYERS, BINS) and width and height (k, 2) as one unit vector each."""
    k, bins = len(colors), colors.shape[1] * colors.shape[2]
    mass = colors.sum(axis=2, keepdims=True)
    hellinger = np.sqrt(
        colors / np.maximum(mass, 1e-9)
    )  # cosine is then the Bhattacharyya coefficient
    color = hellinger.reshape(k, bins)
    color *= np.sqrt((1 - SIZE_WEIGHT) / colors.shape[1])
    log_size = np.log(np.clip(np.nan_to_num(size, posinf=1.0, neginf=1.0), 0.05, 20.0))
    bump = np.exp(-0.5 * ((log_size[:, :, None] - SIZE_CENTERS) / 0.45) ** 2)
    bump /= np.linalg.norm(bump, axis=2, keepdims=True)
    extent = bump.reshape(k, 2 * SIZE_BINS) * np.sqrt(SIZE_WEIGHT / 2)
    out = np.concatenate([color, extent], axis=1)
    out[mass[:, :, 0].sum(axis=1) == 0] = np.nan
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), np.float32)
