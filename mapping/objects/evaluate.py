"""How good an object map is, against the true objects of a simulated world.

An object counts as *seen well* if its longest edge is at least ``least_size_m``, at least ``least_frames``
images show ``least_px`` of its pixels with depth within ``far_m``, and all images together show at least
``least_cover`` of each edge of its true box. What was seen less may be in the map or not: finding it
counts neither for nor against, unless it is there twice or in the wrong place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.frame import Frame
from commonground.geometry import apply, from_quat_wxyz, inverse, transform
from commonground.objects import ObjectMap
from commonground.scene import Boxes, Layer, SceneGraph
from commonground.symbols import indices_of


@dataclass(frozen=True, slots=True)
class SeenWell:
    """What it takes for a true object to be demanded of a map."""

    least_size_m: float = 0.3
    least_frames: int = 5
    least_px: int = 150
    far_m: float = 8.0
    least_cover: float = 0.75


class Seen(Protocol):
    """Which true objects a comparison may demand."""

    @property
    def seen(self) -> Bools:
        """Which true objects (n,) were seen at all."""

    @property
    def well(self) -> Bools:
        """Which true objects (n,) were seen well."""


class Visibility:
    """Collects from the frames of a drive how much of each true object was seen."""

    def __init__(self, truth: SceneGraph, rule: SeenWell | None = None) -> None:
        self.rule = rule or SeenWell()
        self.objects = truth.objects
        self._rows = {int(i): row for row, i in enumerate(indices_of(self.objects.ids))}
        n = len(self.objects)
        self.frames: Ints = np.zeros(n, np.int64)
        """(n,) images that show enough of each object."""
        self.nearest_m: Floats = np.full(n, np.inf)
        self._low: Floats = np.full((n, 3), np.inf)
        self._high: Floats = np.full((n, 3), -np.inf)
        boxes = _boxes(self.objects)
        self._T_world_box = transform(from_quat_wxyz(boxes.quat_wxyz), boxes.centers)
        self._sizes = boxes.sizes

    def add(self, frame: Frame) -> None:
        """Count what one frame with true instances and a true pose shows."""
        if frame.instances is None or frame.T_world_cam is None:
            return
        usable = np.isfinite(frame.depth_m) & (frame.instances > 0)
        pixels = np.flatnonzero(usable.ravel())
        ids = frame.instances.ravel()[pixels]
        order = np.argsort(ids, kind="stable")
        pixels, ids = pixels[order], ids[order]
        if len(ids) == 0:
            return
        values, starts = np.unique(ids, return_index=True)
        for value, part in zip(values, np.split(pixels, starts[1:]), strict=True):
            row = self._rows.get(int(value))
            if row is not None and len(part) >= 40:
                self._add_object(row, part, frame)

    def _add_object(self, row: int, pixels: Ints, frame: Frame) -> None:
        depth = frame.depth_m.ravel()[pixels[:: max(1, len(pixels) // 400)]]
        v, u = np.divmod(pixels[:: max(1, len(pixels) // 400)], frame.camera.width)
        K = frame.camera.K
        points = np.c_[(u - K[0, 2]) / K[0, 0] * depth, (v - K[1, 2]) / K[1, 1] * depth, depth]
        T_world_cam = np.asarray(frame.T_world_cam)
        local = apply(inverse(self._T_world_box[row]) @ T_world_cam, points)
        self.nearest_m[row] = min(self.nearest_m[row], float(depth.min()))
        if float(np.median(depth)) > self.rule.far_m or len(pixels) < self.rule.least_px:
            return
        self.frames[row] += 1
        low, high = np.percentile(local, (2, 98), axis=0)
        self._low[row] = np.minimum(self._low[row], low)
        self._high[row] = np.maximum(self._high[row], high)

    @property
    def cover(self) -> Floats:
        """Share (n, 3) of each edge of each true box between the farthest points seen."""
        half = 0.5 * self._sizes
        low, high = np.maximum(self._low, -half), np.minimum(self._high, half)
        low, high = np.where(self.frames[:, None] > 0, (low, high), 0.0)
        return np.asarray(np.clip((high - low) / np.maximum(self._sizes, 0.05), 0.0, 1.0))

    @property
    def seen(self) -> Bools:
        return np.asarray(np.isfinite(self.nearest_m))

    @property
    def well(self) -> Bools:
        rule = self.rule
        large = self._sizes.max(axis=1) >= rule.least_size_m
        # very thin edges cannot be resolved: a plate of 4 cm counts as covered
        covered = (self.cover >= rule.least_cover) | (self._sizes < 0.15)
        return np.asarray(large & (self.frames >= rule.least_frames) & covered.all(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class ObjectScores:
    """The result of a comparison."""

    precision: float
    """Share of the map's objects that are right, of those that are right or wrong."""
    recall: float
    """Share of the objects seen well that are in the map."""
    center_error_m: float
    """Median distance of matched centers."""
    label_accuracy: float
    """Share of matched objects with the right word; NaN where the map has no words."""
    found: int
    demanded: int
    right: int
    wrong: int
    ignored: int
    match: Ints
    """(objects of the map,) row of the true object each is, −1 none."""
    missed: Ints
    """Rows of the true objects seen well that are not in the map."""


def evaluate_objects(
    objects: ObjectMap,
    truth: SceneGraph,
    visibility: Seen,
    *,
    tolerance_m: float = 0.5,
    T_world_map: Floats | None = None,
) -> ObjectScores:
    """Compare a map with the true objects: one-to-one, centers within ``tolerance_m``."""
    there = objects if T_world_map is None else objects.transformed(T_world_map)
    layer = truth.objects
    match, distance = _assign(there.centroids, layer.positions, visibility.seen, tolerance_m)
    well = visibility.well
    hit = np.zeros(len(layer), bool)
    hit[match[match >= 0]] = True
    excused = _excused(there, match, layer, visibility.seen & ~well & ~hit)
    right = int((match >= 0).sum())
    wrong = int(((match < 0) & ~excused).sum())
    return ObjectScores(
        precision=right / max(right + wrong, 1),
        recall=float((hit & well).sum() / max(well.sum(), 1)),
        center_error_m=float(np.median(distance[match >= 0])) if right else float("nan"),
        label_accuracy=_label_accuracy(there, truth, match),
        found=int((hit & well).sum()),
        demanded=int(well.sum()),
        right=right,
        wrong=wrong,
        ignored=int(excused.sum()),
        match=match,
        missed=np.flatnonzero(well & ~hit),
    )


def _assign(
    centers: Floats, true_centers: Floats, seen: Bools, tolerance_m: float
) -> tuple[Ints, Floats]:
    """Return the true row of each center (−1 none) and the distance, with the most matches in sum."""
    from scipy.optimize import linear_sum_assignment

    match = np.full(len(centers), -1, np.int64)
    distance = np.full(len(centers), np.inf)
    if len(centers) == 0 or len(true_centers) == 0:
        return match, distance
    gap = np.linalg.norm(centers[:, None] - true_centers[None], axis=2)
    allowed = (gap <= tolerance_m) & seen[None]
    rows, columns = linear_sum_assignment(np.where(allowed, gap, 1e3))
    good = allowed[rows, columns]
    match[rows[good]] = columns[good]
    distance[rows[good]] = gap[rows[good], columns[good]]
    return match, distance


def _excused(objects: ObjectMap, match: Ints, layer: Layer, candidates: Bools) -> Bools:
    """Return which unmatched objects stand for a true one that was not seen well: one estimate each."""
    out = np.zeros(len(objects), bool)
    boxes, taken = _boxes(layer), np.zeros(len(layer), bool)
    T_box_world = inverse(transform(from_quat_wxyz(boxes.quat_wxyz), boxes.centers))
    for row in np.flatnonzero(match < 0):
        local = apply(T_box_world, objects.centroids[row][None])[:, 0]
        near = (np.abs(local) <= 0.5 * boxes.sizes + 0.2).all(axis=1) & candidates & ~taken
        if near.any():
            out[row] = True
            taken[np.flatnonzero(near)[0]] = True
    return out


def _label_accuracy(objects: ObjectMap, truth: SceneGraph, match: Ints) -> float:
    if not objects.vocabulary or not (match >= 0).any():
        return float("nan")
    words, labels = truth.label_words("objects"), objects.labels
    rows = np.flatnonzero(match >= 0)
    return float(np.mean([labels[i] == words[match[i]] for i in rows]))


def _boxes(layer: Layer) -> Boxes:
    if layer.boxes is None:
        return Boxes.axis_aligned(layer.positions, np.full((len(layer), 3), 0.5))
    return layer.boxes
