"""How well the middle of a box is known: the sides that were never seen may be elsewhere."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import from_yaw
from commonground.mapping.objects.shape import UprightBox
from commonground.mapping.objects.track import BINS

BASE_M = 0.03
"""Standard deviation of a coordinate of the middle, seen from everywhere: poses, voxels."""
SHARE = 0.02
"""What a box edge adds, as a share of it."""
HIDDEN = 0.3
"""Standard deviation of the middle along an edge nobody saw the end of, as a share of the box."""
FACING = 0.35
"""Cosine of the angle from which a side is seen well enough to know where it ends."""


def centroid_covariance(box: UprightBox, views: Floats, top_known: bool, whole: bool) -> Floats:
    """Return the covariance (3, 3) of a box's middle from the directions it was seen from.

    The length of an edge is known if a side along it was seen, or both its ends. ``views`` counts
    sightings by direction (BINS,), ``whole`` tells whether any sighting was not cut by the image border.
    """
    angle = 2 * np.pi * (np.flatnonzero(views > 0) + 0.5) / BINS - box.yaw
    toward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ends = [(toward[:, k] > FACING).any() and (toward[:, k] < -FACING).any() for k in (0, 1)]
    sides = [(np.abs(toward[:, k]) > FACING).any() for k in (0, 1)]
    sigma = BASE_M + SHARE * box.size
    across = max(box.size[0], box.size[1])
    for axis in (0, 1):
        if not (ends[axis] or sides[1 - axis]):
            sigma[axis] = max(sigma[axis], HIDDEN * across)
        elif not whole:
            sigma[axis] = max(sigma[axis], 0.5 * HIDDEN * box.size[axis])
    if not top_known:
        sigma[2] = max(sigma[2], HIDDEN * box.size[2])
    R = from_yaw(box.yaw)
    return np.asarray((R * sigma**2) @ R.T)
