"""Which masks of a class-agnostic segmenter can be things, and how overlapping ones share the image."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.frame import Frame
from commonground.mapping.perception.settings import FastSamSettings

NEAR_SHARE = 0.25
"""Masks with a smaller share of pixels within ``far_m`` are dropped."""
PLANE_M = (3.0, 1.0, 0.2)
"""Masks longer and wider than the first two and thinner than the third are surfaces, not things."""
PART_SHARE = 0.85
"""A mask with this share inside a larger thing at its depth is a part of it."""

SAMPLES = 400
"""Points a mask's extent is measured with."""


@dataclass(frozen=True, slots=True, eq=False)
class MaskFacts:
    """What is measured of k masks."""

    area: Floats
    """(k,) pixels."""
    boxes: Ints
    """(k, 4) x, y of the first and behind the last pixel."""
    border: Floats
    """(k,) share of the box outline's pixels on the image border that the mask fills."""
    near: Floats
    """(k,) share of pixels with depth in range."""
    extent: Floats
    """(k, 3) size along its own axes, largest first; NaN without depth."""
    depth: Floats
    """(k,) median depth; NaN without."""

    def take(self, rows: Bools) -> MaskFacts:
        return MaskFacts(
            self.area[rows],
            self.boxes[rows],
            self.border[rows],
            self.near[rows],
            self.extent[rows],
            self.depth[rows],
        )


def measure(masks: Bools, frame: Frame, settings: FastSamSettings) -> MaskFacts:
    """Return size, border contact, depth and extent of masks (k, h, w)."""
    k = len(masks)
    area = masks.sum(axis=(1, 2)).astype(float)
    boxes = np.zeros((k, 4), np.int64)
    border, near = np.zeros(k), np.zeros(k)
    extent, depth = np.full((k, 3), np.nan), np.full(k, np.nan)
    usable = np.isfinite(frame.depth_m) & (frame.depth_m <= settings.far_m)
    for i, mask in enumerate(masks):
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        if len(rows) == 0:
            continue
        boxes[i] = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
        edge = mask[0].sum() + mask[-1].sum() + mask[:, 0].sum() + mask[:, -1].sum()
        outline = 2 * (len(rows) + len(columns))
        border[i] = edge / outline
        pixels = np.flatnonzero(mask & usable)
        near[i] = len(pixels) / area[i]
        if len(pixels) >= 10:
            extent[i], depth[i] = _extent(frame, pixels)
    return MaskFacts(area, boxes, border, near, extent, depth)


def plausible(facts: MaskFacts, frame: Frame, settings: FastSamSettings) -> Bools:
    """Return which masks (k,) are neither too small nor without depth."""
    least = settings.least_side**2 * frame.camera.width * frame.camera.height
    return np.asarray((facts.area >= least) & (facts.near >= NEAR_SHARE))


def surface_like(facts: MaskFacts, frame: Frame, settings: FastSamSettings) -> Bools:
    """Return which masks (k,) are too large or too flat and wide for a thing."""
    most = settings.most_side**2 * frame.camera.width * frame.camera.height
    long, wide, thin = PLANE_M
    with np.errstate(invalid="ignore"):
        flat = (
            (facts.extent[:, 0] > long) & (facts.extent[:, 1] > wide) & (facts.extent[:, 2] < thin)
        )
    return np.asarray((facts.area > most) | flat | (facts.border > settings.most_border))


def without_parts(masks: Bools, facts: MaskFacts) -> Bools:
    """Return which masks (k,) are no part of a larger one at their depth.

    A segmenter asked for everything gives a car, its door and its wheel. What lies on a wide flat thing,
    as a mug on a table, is no part of it.
    """
    kept = np.ones(len(masks), bool)
    tray = (facts.extent[:, 1] > 0.5) & (facts.extent[:, 2] < 0.15)
    order = np.argsort(-facts.area, kind="stable")
    for place, small in enumerate(order):
        for large in order[:place]:
            if (
                not kept[large]
                or tray[large]
                or not _within(facts.boxes[small], facts.boxes[large])
            ):
                continue
            inside = (masks[small] & masks[large]).sum() / max(facts.area[small], 1)
            gap = abs(facts.depth[small] - facts.depth[large])
            if inside >= PART_SHARE and gap < 0.1 + 0.5 * facts.extent[large, 0]:
                kept[small] = False
                break
    return kept


def label_image(masks: Bools, area: Floats) -> Ints32:
    """Return masks (k, h, w) as one image of numbers 1 … k, smaller masks on top."""
    out = np.zeros(masks.shape[1:], np.int32)
    for i in np.argsort(-area, kind="stable"):
        out[masks[i]] = i + 1
    return out


def _within(inner: Ints, outer: Ints, slack: int = 4) -> bool:
    return bool((inner[:2] >= outer[:2] - slack).all() and (inner[2:] <= outer[2:] + slack).all())


def _extent(frame: Frame, pixels: Ints) -> tuple[Floats, float]:
    """Return the size (3,) along the principal axes of the points of some pixels, and their median depth."""
    chosen = pixels[:: max(1, len(pixels) // SAMPLES)]
    depth: Floats32 = frame.depth_m.ravel()[chosen]
    v, u = np.divmod(chosen, frame.camera.width)
    K = frame.camera.K
    points = np.c_[
        (u - K[0, 2]) / K[0, 0] * depth, (v - K[1, 2]) / K[1, 1] * depth, depth.astype(float)
    ]
    centered = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centered.T @ centered)
    low, high = np.percentile(centered @ axes, (3, 97), axis=0)
    return np.sort(high - low)[::-1], float(np.median(depth))
