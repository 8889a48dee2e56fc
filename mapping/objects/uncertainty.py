"""The covariance of a box's center: sides that were never seen may be elsewhere."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Floats32
from commonground.geometry import from_yaw
from commonground.mapping.objects.shape import UprightBox
from commonground.mapping.objects.track import BINS

BASE_M = 0.03
"""Standard deviation of a coordinate of the middle, seen from everywhere: poses, voxels."""
SHARE = 0.03
"""What a box edge adds, as a share of it."""
HIDDEN = 0.3
"""Standard deviation of the middle along an edge whose end nobody saw, as a share of the longest edge."""
FACING = 0.35
"""Cosine of the angle from which a side is seen well enough to know where it ends."""


def open_ends(box: UprightBox, points: Floats, open_share: Floats32) -> Bools:
    """Return which ends (3, 2), low and high of each axis, the thing may go on beyond.

    ``open_share`` (n,) says of each point how often that was so in the image.
    """
    local = (points - box.center) @ from_yaw(box.yaw)
    out = np.zeros((3, 2), bool)
    for axis in range(3):
        depth = 0.05 + 0.05 * box.size[axis]
        for side, sign in enumerate((-1.0, 1.0)):
            near = sign * local[:, axis] > 0.5 * box.size[axis] - depth
            out[axis, side] = near.any() and float(open_share[near].mean()) > 0.4
    out[2, 0] = False  # things stand on the ground, which hides nothing of them
    return out


def centroid_covariance(box: UprightBox, views: Floats, ends: Bools) -> Floats:
    """Return the covariance (3, 3) of a box's middle.

    The length of a horizontal edge is known if a side along it was seen, or both its ends. ``views``
    counts sightings by direction (BINS,); ``ends`` (3, 2) are those beyond which the thing may go on.
    """
    angle = 2 * np.pi * (np.flatnonzero(views > 0) + 0.5) / BINS - box.yaw
    toward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    sigma = BASE_M + SHARE * box.size
    unknown: Bools = np.asarray(ends.any(axis=1))
    for axis in (0, 1):
        both_ends = (toward[:, axis] > FACING).any() and (toward[:, axis] < -FACING).any()
        along = (np.abs(toward[:, 1 - axis]) > FACING).any()
        unknown[axis] |= not (both_ends or along)
    sigma = np.where(unknown, np.maximum(sigma, HIDDEN * box.size.max()), sigma)
    R = from_yaw(box.yaw)
    return np.asarray((R * sigma**2) @ R.T)
