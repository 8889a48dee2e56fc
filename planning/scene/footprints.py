"""What stands on the ground: the footprints of objects, and how near straight ways come to them, exactly."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import from_quat_wxyz
from commonground.planning.scene.footing import under
from commonground.scene import Layer, SceneGraph

FLAT_M = 0.15
"""Objects lower than this are driven over."""
OVER_M = 2.0
"""What hangs higher than this above a way is driven under."""
TOUCH_M = 0.01
"""Touches of less are none."""
REACH_M = 0.55
"""A robot is at a thing from so far, besides its own radius."""


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
    bottom: Floats
    """(k,) heights of the undersides."""

    def __len__(self) -> int:
        return len(self.rows)

    def hits(self, a: Floats, b: Floats, radius_m: float, ends: Floats) -> tuple[Ints, Ints]:
        """Return footprints (n,) and straight ways (n,) of a to b (m, 3) on which a robot would touch them.

        The robot may be as near as ``ends`` (e, 3) are, where it has to be.
        """
        which, ways, meters = self.near(a, b, radius_m)
        known, place = np.unique(which, return_inverse=True)
        allowed = np.full(len(known), radius_m)
        for end in ends:
            at = np.broadcast_to(end, (len(known), 3))
            allowed = np.minimum(allowed, self._apart(known, at, at))
        hit = meters < (allowed - TOUCH_M)[place]
        return which[hit], ways[hit]

    def near(self, a: Floats, b: Floats, within_m: float) -> tuple[Ints, Ints, Floats]:
        """Return footprints and straight ways a to b (m, 3) nearer than a distance, and their meters."""
        from scipy.spatial import cKDTree

        middles, half_m = (a + b)[:, :2] / 2, np.linalg.norm((b - a)[:, :2], axis=1) / 2
        low, high = middles.min(axis=0, initial=np.inf), middles.max(axis=0, initial=-np.inf)
        reach_m = np.hypot(*self.half.T) + within_m + half_m.max(initial=0.0)
        off_m = np.maximum(np.maximum(low - self.centers, self.centers - high), 0.0)
        around = np.flatnonzero(np.linalg.norm(off_m, axis=1) <= reach_m)
        found = cKDTree(middles).query_ball_point(self.centers[around], reach_m[around])
        which = np.repeat(around, [len(some) for some in found])
        ways = np.fromiter(itertools.chain.from_iterable(found), np.int64, len(which))
        meters = self._apart(which, a[ways], b[ways])
        hit = (meters < within_m) & (self.bottom[which] <= np.maximum(a, b)[ways, 2] + OVER_M)
        return which[hit], ways[hit], meters[hit]

    def joined(self, rows: Ints, within_m: float) -> Ints:
        """Return some footprints and those nearer to them than a distance."""
        signs = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
        local = signs * self.half[rows, None]
        flat = self.centers[rows, None] + local @ self.axes[rows].transpose(0, 2, 1)
        p = np.concatenate(
            [flat, np.broadcast_to(self.bottom[rows, None, None], (len(rows), 4, 1))], 2
        )
        q = np.roll(p, 1, axis=1)
        return np.unique(self.near(p.reshape(-1, 3), q.reshape(-1, 3), within_m)[0])

    def meters(self, k: int, a: Floats, b: Floats) -> Floats:
        """Return meters (m,) from straight ways a to b (m, 3) to one footprint, 0 where they touch it."""
        return self._apart(np.full(len(a), k), a, b)

    def _apart(self, which: Ints, a: Floats, b: Floats) -> Floats:
        """Return meters (m,) from straight ways a to b (m, 3), each to a footprint of its own (m,)."""
        centers, axes, half = self.centers[which], self.axes[which], self.half[which]
        p, q = (np.einsum("mi,mij->mj", x[:, :2] - centers, axes) for x in (a, b))
        ends = [np.linalg.norm(np.maximum(np.abs(x) - half, 0.0), axis=1) for x in (p, q)]
        corners = half[:, None] * np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
        along = q - p
        length2 = np.maximum((along**2).sum(axis=1), 1e-18)
        offset = corners - p[:, None]
        share = np.clip((offset * along[:, None]).sum(axis=2) / length2[:, None], 0.0, 1.0)
        beside = np.linalg.norm(offset - share[..., None] * along[:, None], axis=2).min(axis=1)
        return np.where(_enters(p, along, half), 0.0, np.minimum(np.minimum(*ends), beside))


@lru_cache(maxsize=8)
def footprints_of(objects: Layer) -> Footprints:
    boxes = objects.boxes
    if boxes is None:
        none = np.empty((0, 2))
        rows = np.empty(0, np.int64)
        return Footprints(rows, none, np.empty((0, 2, 2)), none, none[:, 0])
    rows = np.flatnonzero(boxes.valid & (boxes.sizes[:, 2] > FLAT_M))
    ahead = from_quat_wxyz(boxes.quat_wxyz[rows])[:, :2, 0]
    x, y = ahead.T / np.linalg.norm(ahead, axis=1)
    axes = np.stack([np.stack([x, -y], axis=1), np.stack([y, x], axis=1)], axis=1)
    bottom = boxes.take(rows).bounds()[0][:, 2]
    return Footprints(rows, boxes.centers[rows, :2], axes, boxes.sizes[rows, :2] / 2, bottom)


def beside_m(graph: SceneGraph, layer: str, radius_m: float, thing: str) -> float:
    """Return how far from the middle of a thing a robot may be at it."""
    at, prints = under(graph, layer, thing), footprints_of(graph.objects)
    known = np.flatnonzero(prints.rows == graph.find(thing)[1])
    size_m = float(np.linalg.norm(prints.half[known], axis=1).max(initial=0.0))
    offset_m = float(np.linalg.norm(prints.centers[known] - at[:2], axis=1).max(initial=0.0))
    to_place_m = float(graph.nearest(layer, at)[0][0, 0])
    return max(radius_m, to_place_m) + REACH_M + size_m + offset_m


def _enters(p: Floats, along: Floats, half: Floats) -> Bools:
    """Return which ways (m, 2) enter a rectangle (m, 2) around the origin: the slabs of both axes overlap."""
    safe = np.where(np.abs(along) > 1e-12, along, 1e-12)
    one, two = (-half - p) / safe, (half - p) / safe
    begin = np.minimum(one, two).max(axis=1)
    end = np.maximum(one, two).min(axis=1)
    return np.asarray((begin <= end) & (end >= 0.0) & (begin <= 1.0))
