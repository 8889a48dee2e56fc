"""The shape of a point set: how line-, plane- or ball-like it is, and how much of a box face it covers."""

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


def even_rows(count: int, most: int) -> Ints:
    """Return at most ``most`` of ``count`` rows, evenly spaced: where points are dense, more of them."""
    return np.linspace(0, count - 1, min(most, count)).round().astype(np.int64)


def _turn(xy: Floats, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(xy @ np.array([[c, s], [-s, c]]))
