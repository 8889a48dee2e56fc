"""The shape of a point set: a tight upright box, and how line-, plane- or ball-like it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints

FACE_CELLS = 8


class UprightBox(NamedTuple):
    """A box whose only rotation is about the vertical."""

    center: Floats
    """(3,)"""
    size: Floats
    """(3,) along its own axes; x is the longer horizontal one."""
    yaw: float


def upright_box(points: Floats, trim: float = 0.005) -> UprightBox:
    """Return the box of least ground area around points (n, 3); ``trim`` of them may stick out at each side.

    The least rectangle around a planar set has a side on its convex hull, so its directions are tried.
    """
    xy = points[:, :2]
    best, best_area = 0.0, np.inf
    for angle in _hull_directions(xy):
        turned = _turn(xy, -angle)
        low, high = _trimmed_range(turned, trim)
        area = float(np.prod(np.maximum(high - low, 0.01)))
        if area < best_area * (1 - 1e-9):
            best, best_area = float(angle), area
    turned = np.c_[_turn(xy, -best), points[:, 2]]
    low, high = _trimmed_range(turned, trim)
    middle, size = 0.5 * (low + high), high - low
    if size[1] > size[0]:
        size = size[[1, 0, 2]]
        center_xy = _turn(middle[None, :2], best)[0]
        best += np.pi / 2
    else:
        center_xy = _turn(middle[None, :2], best)[0]
    yaw = (best + np.pi / 2) % np.pi - np.pi / 2  # a box turned by half a turn is the same box
    return UprightBox(np.array([*center_xy, middle[2]]), np.maximum(size, 1e-3), float(yaw))


def shape_statistics(points: Floats) -> Floats:
    """Return linearity, planarity and scattering (3,) of points (n, 3), from the spread e1 ≥ e2 ≥ e3.

    (e1 − e2)/e1, (e2 − e3)/e1, e3/e1; they sum to one.
    """
    if len(points) < 3:
        return np.array([1.0, 0.0, 0.0])
    e3, e2, e1 = np.maximum(np.linalg.eigvalsh(np.cov(points.T)), 0.0)
    if e1 <= 0:
        return np.array([0.0, 0.0, 1.0])
    return np.array([(e1 - e2) / e1, (e2 - e3) / e1, e3 / e1])


def face_fill(points: Floats, box: UprightBox) -> float:
    """Return how much of the box's largest face points (n, 3) cover, seen against it: of a wall, nearly all.

    A post with an arm spans as large a face and covers little of it.
    """
    local = np.c_[_turn(points[:, :2] - box.center[:2], -box.yaw), points[:, 2] - box.center[2]]
    axes = np.argsort(box.size)[1:]
    share = local[:, axes] / box.size[axes] + 0.5
    cells = np.clip(np.floor(share * FACE_CELLS), 0, FACE_CELLS - 1).astype(np.int64)
    return len(np.unique(cells[:, 0] * FACE_CELLS + cells[:, 1])) / FACE_CELLS**2


def spread_rows(points: Floats, most: int) -> Ints:
    """Return rows of at most ``most`` points (n, 3) spread over the set: farthest points first."""
    if len(points) <= most:
        return np.arange(len(points))
    step = max(1, len(points) // (8 * max(most, 1)))
    candidates = np.arange(0, len(points), step)
    p = points[candidates]
    chosen = np.empty(most, np.int64)
    distance = np.full(len(p), np.inf)
    last = int(((p - p.mean(axis=0)) ** 2).sum(axis=1).argmin())
    for i in range(most):
        chosen[i] = last
        distance = np.minimum(distance, ((p - p[last]) ** 2).sum(axis=1))
        last = int(distance.argmax())
    return np.asarray(np.sort(candidates[chosen]))


def _turn(xy: Floats, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(xy @ np.array([[c, s], [-s, c]]))


def _hull_directions(xy: Floats) -> Floats:
    """Return the directions of the hull's sides, folded into a quarter turn and thinned to 2° steps."""
    from scipy.spatial import ConvexHull, QhullError

    if len(xy) < 3:
        d = xy[-1] - xy[0] if len(xy) == 2 else np.array([1.0, 0.0])
        return np.array([np.arctan2(d[1], d[0]) % (np.pi / 2)])
    try:
        corners = xy[ConvexHull(xy).vertices]
    except QhullError:  # all on one line
        d = xy[xy[:, 0].argmax()] - xy[xy[:, 0].argmin()]
        d = d if np.linalg.norm(d) > 1e-9 else np.array([0.0, 1.0])
        return np.array([np.arctan2(d[1], d[0]) % (np.pi / 2)])
    sides = np.roll(corners, -1, axis=0) - corners
    angles = np.arctan2(sides[:, 1], sides[:, 0]) % (np.pi / 2)
    _, first = np.unique(np.round(angles / np.deg2rad(2)), return_index=True)
    return np.asarray(angles[first])


def _trimmed_range(values: Floats, trim: float) -> tuple[Floats, Floats]:
    """Return the lowest and highest value of each column without the outermost share ``trim``."""
    n = len(values)
    skip = min(int(trim * n), (n - 1) // 2)
    if skip == 0:
        return values.min(axis=0), values.max(axis=0)
    ordered = np.sort(values, axis=0)
    return ordered[skip], ordered[n - 1 - skip]
