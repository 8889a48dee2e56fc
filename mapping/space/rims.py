"""Where known ground ends: at a wall, or only because nobody looked farther."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.scene import Layer, Ragged

JOINT_M = 0.45
"""Outlines of neighbors are nearer to one another than this."""
STEP_M = 0.25
CLEAR_M = 0.5
"""Ground ends in the open where nothing stands within this of its edge,"""
NEAR_M = 1.0
"""and at something where a place this near knows no such room."""


def rims(surface: Layer, places: Layer) -> tuple[Ints, Ints]:
    """Return how many points of each surface place's outline (n,) are in the open, and how many at a wall.

    What a place has around it is known from its clearance, so an edge within that is in the open. Points
    that border on another piece of ground count for neither.
    """
    from scipy.spatial import cKDTree

    n = len(surface)
    if surface.boundaries is None or not n or not len(places):
        return np.zeros(n, np.int64), np.zeros(n, np.int64)
    outline, owner = _along(surface.boundaries)
    joint = cKDTree(outline).query_pairs(JOINT_M, output_type="ndarray")
    joint = joint[owner[joint[:, 0]] != owner[joint[:, 1]]]
    outer = np.setdiff1d(np.arange(len(outline)), joint)
    near, room = _room(outline[outer], places)
    ends = owner[outer]
    free = np.bincount(ends[room > CLEAR_M], minlength=n)
    return free, np.bincount(ends[(room <= CLEAR_M) & (near < NEAR_M)], minlength=n)


def _along(outlines: Ragged) -> tuple[Floats, Ints]:
    """Return points (m, 2) at even distances along outlines, and whose outline each is on."""
    points = outlines.points[:, :2]
    size = np.diff(outlines.starts)
    after = np.arange(1, len(points) + 1)
    after[outlines.starts[1:][size > 0] - 1] = outlines.starts[:-1][size > 0]
    step = points[after] - points
    count = np.maximum(np.ceil(np.linalg.norm(step, axis=1) / STEP_M).astype(np.int64), 1)
    edge = np.repeat(np.arange(len(points)), count)
    share = (np.arange(len(edge)) - (np.cumsum(count) - count)[edge]) / count[edge]
    return points[edge] + share[:, None] * step[edge], np.repeat(np.arange(len(size)), size)[edge]


def _room(points: Floats, places: Layer) -> tuple[Floats, Floats]:
    """Return how far points (m, 2) are from the nearest place, and from anything by what places know."""
    from scipy.spatial import cKDTree

    k = min(8, len(places))
    away, which = cKDTree(places.positions[:, :2]).query(points, k=[*range(1, k + 1)])
    return away[:, 0], (places.columns["clearance_m"][which] - away).max(axis=1)
