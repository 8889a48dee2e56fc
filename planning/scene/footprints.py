"""What stands on the ground: the footprints of objects, and how near straight ways come to them, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import from_quat_wxyz
from commonground.scene import Layer

FLAT_M = 0.15
"""Objects lower than this are driven over."""
TOUCH_M = 0.01
"""Touches of less are none."""


@dataclass(frozen=True, slots=True, eq=False)
class Footprints:
    """Rectangles on the ground below the boxes of objects; flat objects have none."""

    rows: Ints
    """(k,) rows of the objects."""
    centers: Floats
    """(k, 2)"""
    axes: Floats
    """(k, 2, 2) of each rectangle, in columns."""
    half: Floats
    """(k, 2) meters from center to sides."""

    def __len__(self) -> int:
        return len(self.rows)

    def hits(
        self, a: Floats, b: Floats, radius_m: float, ends: Floats
    ) -> Iterator[tuple[int, Ints]]:
        """Yield footprints with the straight ways a to b (m, 3) on which a robot would touch them.

        The robot may be as near as ``ends`` (e, 3) are, where it has to be.
        """
        for k, ways, meters in self.near(a, b, radius_m):
            nearest = float(self.meters(k, ends, ends).min(initial=np.inf))
            allowed = min(radius_m, nearest) - TOUCH_M
            hit = ways[meters < allowed]
            if len(hit):
                yield k, hit

    def near(self, a: Floats, b: Floats, within_m: float) -> Iterator[tuple[int, Ints, Floats]]:
        """Yield which straight ways a to b (m, 3) come nearer to a footprint, and how many meters away."""
        low, high = np.minimum(a, b)[:, :2], np.maximum(a, b)[:, :2]
        for k, center in enumerate(self.centers):
            reach = float(np.hypot(*self.half[k])) + within_m
            close = (low <= center + reach) & (high >= center - reach)
            ways = np.flatnonzero(close.all(axis=1))
            meters = self.meters(k, a[ways], b[ways])
            hit = meters < within_m
            if hit.any():
                yield k, ways[hit], meters[hit]

    def meters(self, k: int, a: Floats, b: Floats) -> Floats:
        """Return meters (m,) from straight ways a to b (m, 3) to one footprint, 0 where they touch it."""
        p, q = ((x[:, :2] - self.centers[k]) @ self.axes[k] for x in (a, b))
        half = self.half[k]
        ends = [np.linalg.norm(np.maximum(np.abs(x) - half, 0.0), axis=1) for x in (p, q)]
        corners = half * np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
        along = q - p
        length2 = np.maximum((along**2).sum(axis=1), 1e-18)
        offset = corners[None] - p[:, None]
        share = np.clip((offset * along[:, None]).sum(axis=2) / length2[:, None], 0.0, 1.0)
        beside = np.linalg.norm(offset - share[..., None] * along[:, None], axis=2).min(axis=1)
        return np.where(_enters(p, along, half), 0.0, np.minimum(np.minimum(*ends), beside))


@lru_cache(maxsize=8)
def footprints_of(objects: Layer) -> Footprints:
    """Return the footprints of a layer of objects."""
    boxes = objects.boxes
    if boxes is None:
        none = np.empty(0, np.int64)
        return Footprints(none, np.empty((0, 2)), np.empty((0, 2, 2)), np.empty((0, 2)))
    rows = np.flatnonzero(boxes.valid & (boxes.sizes[:, 2] > FLAT_M))
    ahead = [from_quat_wxyz(boxes.quat_wxyz[row])[:2, 0] for row in rows]
    axes = np.array([[[x, -y], [y, x]] / np.hypot(x, y) for x, y in ahead]).reshape(-1, 2, 2)
    return Footprints(rows, boxes.centers[rows, :2], axes, boxes.sizes[rows, :2] / 2)


def _enters(p: Floats, along: Floats, half: Floats) -> Bools:
    """Return which ways (m, 2) enter a rectangle around the origin: the slabs of both axes overlap."""
    safe = np.where(np.abs(along) > 1e-12, along, 1e-12)
    one, two = (-half - p) / safe, (half - p) / safe
    begin = np.minimum(one, two).max(axis=1)
    end = np.maximum(one, two).min(axis=1)
    return np.asarray((begin <= end) & (end >= 0.0) & (begin <= 1.0))
