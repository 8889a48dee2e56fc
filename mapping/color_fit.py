"""How the color images of a recording lie to its depth images, found where both have edges.

A Kinect's two cameras see the world a little apart and with different lenses; where nobody registered them,
the color of a thing lies beside it. A scale and a shift that bring edges together make up for most of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bytes, Floats, Floats32, Ints
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
    changes = [_change(frame.rgb) for frame in frames]
    best, score, as_is = ColorFit(), 0.0, 0.0
    for blur, scales, shifts, reach in SEARCH:
        compared = _Compared.of(edges, [_contrast(change, blur * px) for change in changes], middle)
        (u, v), steps = best.shift, np.arange(-reach, reach + 1)
        shifts_u, shifts_v = u + steps * shifts * px, v + steps * shifts * px
        tried = [
            (compared.score(columns, rows), ColorFit(scale, (float(du), float(dv))))
            for scale in (best.scale + steps * scales).tolist()
            for du, columns in zip(shifts_u, compared.at(0, scale, shifts_u), strict=True)
            for dv, rows in zip(shifts_v, compared.at(1, scale, shifts_v), strict=True)
        ]
        score, best = max(tried, key=itemgetter(0))
        none = np.zeros(1)
        as_is = compared.score(*compared.at(0, 1.0, none), *compared.at(1, 1.0, none))
    return best if score > max(GAIN * as_is, LEAST) else None


def _middle(frame: Frame) -> Floats:
    h, w = frame.depth_m.shape
    return np.array([w / 2, h / 2])


class _Compared(NamedTuple):
    """Edges of depth in several frames, and the contrast of color there may be where they are."""

    edges: Floats
    """(n, 2) pixels, from the middle."""
    frame: Ints
    """(n,) where the contrast of each edge's frame begins."""
    contrast: Floats32
    """Of all frames, row by row, each with a rim of none, the mean."""
    size: tuple[int, int]
    """Width and height of a frame with its rim."""
    middle: Floats

    @classmethod
    def of(cls, edges: Sequence[Floats], contrast: Sequence[Floats32], middle: Floats) -> _Compared:
        images = np.pad(np.stack(contrast), ((0, 0), (1, 1), (1, 1)))
        _, h, w = images.shape
        number = np.repeat(np.arange(len(edges)) * h * w, [len(e) for e in edges])
        return cls(np.concatenate(edges) - middle, number, images.ravel(), (w, h), middle)

    def at(self, axis: int, scale: float, shifts: Floats) -> Ints:
        """Return each edge's column (axis 0) or row (1) in color, (shifts, n); 0 or the last beyond it."""
        found = np.rint(self.middle[axis] + (self.edges[:, axis] - shifts[:, None]) / scale) + 1
        return np.asarray(np.clip(found, 0, self.size[axis] - 1), np.int64)

    def score(self, columns: Ints, rows: Ints) -> float:
        """Return the mean contrast of color where depth has edges; where there is no color, it has none."""
        found = self.contrast.take(rows * self.size[0] + columns + self.frame)
        return float(found.sum()) / max(len(found), 1)


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


def _change(rgb: Bytes) -> Floats32:
    """Return how much brightness changes at each pixel (h, w), in parts of its mean."""
    from scipy.ndimage import gaussian_filter

    bright = gaussian_filter(rgb.astype(np.float32).mean(axis=2), 1.5)
    dy, dx = np.gradient(bright)
    change = np.hypot(dx, dy)
    return np.asarray(np.minimum(change / max(float(change.mean()), 1e-6), 4.0))


def _contrast(change: Floats32, blur: float) -> Floats32:
    """Return how much brightness changes about each pixel (h, w), of mean 0 and deviation 1."""
    from scipy.ndimage import gaussian_filter

    change = gaussian_filter(change, blur)
    return np.asarray((change - change.mean()) / max(float(change.std()), 1e-6), np.float32)
