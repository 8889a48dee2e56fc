"""How the color images of a recording lie to its depth images, found where both have edges.

A Kinect's two cameras see the world a little apart and with different lenses; where nobody registered them,
the color of a thing lies beside it. A scale and a shift that bring edges together make up for most of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32
from commonground.frame import Frame

POINTS = 500
"""Edge points of a depth image that are compared."""
WIDTH_PX = 640
"""All pixels below are those of an image so wide; of others, as many more or fewer."""
STEP_PX, STEP_M, STEP = 3, 0.05, 0.06
"""A depth edge is where the depth so many pixels on is so much, and that share, behind the plane."""
NEAR_M = 6.0
"""Farther away depth is too rough for edges, and what two cameras see hardly differs."""
FEWEST = 100
"""Edge points of a frame on average, to compare at all."""
SEARCH = ((5.0, 0.03, 8.0, 5), (3.0, 0.01, 3.0, 3), (1.5, 0.004, 1.0, 3))
"""Blur of the color's edges, steps of scale and of shift (pixels), and how many either way."""
LEAST_PX = 4.0
"""What is off by less, at the corners of the image, is left as it is."""
AGREE_PX = 6.0
"""Two halves of the frames must say the same to so many pixels at the corners."""
GAIN, LEAST = 1.5, 0.3
"""Color must have so many times more edges there than where it was, and so much more than anywhere else."""


class ColorFit(NamedTuple):
    """Where the color of a pixel of depth is: at c + (p - c - shift) / scale, c the middle of the image."""

    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)

    def depth_pixels(self, pixels: Floats, middle: Floats) -> Floats:
        """Return where in the depth image pixels (n, 2) of the color image are."""
        return np.asarray(middle + (pixels - middle) * self.scale + np.array(self.shift))

    def color_pixels(self, pixels: Floats, middle: Floats) -> Floats:
        """Return where in the color image pixels (n, 2) of the depth image are."""
        return np.asarray(middle + (pixels - middle - np.array(self.shift)) / self.scale)

    def applied(self, frame: Frame) -> Frame:
        """Return a frame with its color laid over its depth."""
        h, w = frame.depth_m.shape
        middle = _middle(frame)
        u = self.color_pixels(np.stack([np.arange(w)] * 2, axis=1), middle)[:, 0]
        v = self.color_pixels(np.stack([np.arange(h)] * 2, axis=1), middle)[:, 1]
        columns = np.clip(np.rint(u), 0, w - 1).astype(int)
        rows = np.clip(np.rint(v), 0, h - 1).astype(int)
        rgb: Bytes = np.ascontiguousarray(frame.rgb[rows[:, None], columns])
        return replace(frame, rgb=rgb)

    def __str__(self) -> str:
        u, v = self.shift
        return f"{self.scale:.3f} times as large and {u:.0f}, {v:.0f} pixels off"


def color_fit(frames: Sequence[Frame]) -> ColorFit | None:
    """Return how color lies to depth in frames of one camera; None if as it should, or if it is not clear."""
    if len(frames) < 4:
        return None
    one, two = _fitted(frames[::2]), _fitted(frames[1::2])
    if one is None or two is None:
        return None
    h, w = frames[0].depth_m.shape
    px = w / WIDTH_PX
    corners, middle = np.array([[0, 0], [w, 0], [0, h], [w, h]], float), _middle(frames[0])
    at_1, at_2 = (fit.depth_pixels(corners, middle) for fit in (one, two))
    if np.linalg.norm(at_1 - at_2, axis=1).max() > AGREE_PX * px:
        return None
    if np.linalg.norm(at_1 - corners, axis=1).max() < LEAST_PX * px:
        return None
    shift = (0.5 * (one.shift[0] + two.shift[0]), 0.5 * (one.shift[1] + two.shift[1]))
    return ColorFit(0.5 * (one.scale + two.scale), shift)


def _fitted(frames: Sequence[Frame]) -> ColorFit | None:
    """Return the scale and shift with most color edges on the edges of depth; None if not much more."""
    edges = [_depth_edges(frame.depth_m) for frame in frames]
    if sum(map(len, edges)) < FEWEST * len(frames):
        return None
    middle, px = _middle(frames[0]), frames[0].depth_m.shape[1] / WIDTH_PX
    best, score, as_is = ColorFit(), 0.0, 0.0
    for blur, scales, shifts, reach in SEARCH:
        contrast = [_contrast(frame.rgb, blur * px) for frame in frames]
        steps = range(-reach, reach + 1)
        tried = [
            ColorFit(
                best.scale + i * scales,
                (best.shift[0] + j * shifts * px, best.shift[1] + k * shifts * px),
            )
            for i, j, k in product(steps, steps, steps)
        ]
        scores = [_score(edges, contrast, fit, middle) for fit in tried]
        best, score = tried[int(np.argmax(scores))], max(scores)
        as_is = _score(edges, contrast, ColorFit(), middle)
    return best if score > max(GAIN * as_is, LEAST) else None


def _middle(frame: Frame) -> Floats:
    h, w = frame.depth_m.shape
    return np.array([w / 2, h / 2])


def _score(
    edges: Sequence[Floats], contrast: Sequence[Floats32], fit: ColorFit, middle: Floats
) -> float:
    """Return the mean contrast of color where depth has edges; none, the mean, where there is no color."""
    total, count = 0.0, 0
    for pixels, image in zip(edges, contrast, strict=True):
        u, v = np.rint(fit.color_pixels(pixels, middle)).astype(int).T
        inside = (u >= 0) & (v >= 0) & (u < image.shape[1]) & (v < image.shape[0])
        total += float(image[v[inside], u[inside]].sum())
        count += len(pixels)
    return total / max(count, 1)


def _depth_edges(depth: Floats32) -> Floats:
    """Return pixels (n, 2) on the near side of depth edges.

    Along a plane inverse depth changes evenly: ground seen at a flat angle has no edges, however steep.
    """
    z = np.where(depth > 0, depth, np.nan)
    inverse = 1.0 / z
    farther = np.zeros(z.shape, bool)
    apart = max(1, round(STEP_PX * depth.shape[1] / WIDTH_PX))
    for axis, step in product((0, 1), (apart, -apart)):
        beyond, before = (np.roll(inverse, way, axis=axis) for way in (step, -step))
        plane = np.minimum(inverse, 2 * inverse - before)  # NaN where nothing lies before it
        farther |= beyond < 1.0 / ((1 + STEP) / np.maximum(plane, 1e-6) + STEP_M)
    farther &= z < NEAR_M
    rim = 2 * apart
    farther[:rim] = farther[-rim:] = False
    farther[:, :rim] = farther[:, -rim:] = False
    v, u = np.nonzero(farther)
    rows = np.arange(len(u))[:: max(1, len(u) // POINTS)]
    return np.stack([u, v], axis=1)[rows].astype(float)


def _contrast(rgb: Bytes, blur: float) -> Floats32:
    """Return how much brightness changes about each pixel (h, w), of mean 0 and deviation 1."""
    from scipy.ndimage import gaussian_filter

    bright = gaussian_filter(rgb.astype(np.float32).mean(axis=2), 1.5)
    dy, dx = np.gradient(bright)
    change = np.hypot(dx, dy)
    change = np.minimum(change / max(float(change.mean()), 1e-6), 4.0)
    change = gaussian_filter(change, blur)
    return np.asarray((change - change.mean()) / max(float(change.std()), 1e-6), np.float32)
