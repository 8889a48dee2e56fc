"""The box of a thing of which robots saw some sides: hidden halves of what is round are completed.

A camera that drives past sees the front of a bin, not its back. How far a set of points reaches is known
in the directions it was seen from; if a circle explains these extents better than any rectangle, the far
side is where the circle ends. That is asked of slices by height, so that a round post under a flat board
is completed and the board is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.mapping.objects.shape import UprightBox

TRIM = 0.005
"""Share of the points of one robot that may stick out at each side."""
FOOT_M, TALL_M = 0.05, 0.4
"""What lies this low under a thing of some height may be the ground before it: its outline is taken above."""
SLICE_M = 0.2
SLICES = 12
"""Height of a slice, and how many there are at most."""
LEAST = 10
"""A slice of fewer points tells no shape."""
ROUNDER = 0.8
"""A slice is round if its best rectangle fits worse than its circle by this factor."""
ROUGH = 0.12
"""Residual of a circle as a share of its radius up to which it explains a slice."""
COMPLETED = 0.1
"""Weight of a direction known by completion only."""
AS_GOOD, AS_GOOD_M = 1.2, 0.003
"""A direction of the sides that fits worse than the best by this factor and meters fits as well."""
SEEN, AWAY = 0.3, -0.2
"""Cosines of the angle of view: from one on a side of the box was seen, below the other it is turned away."""
EDGE, BEYOND = 0.03, 0.1
"""Shares of its edge by which a box goes on beyond the last that was seen of it: at an end seen only from
aside, where the view is too grazing to see all, and at an end turned away."""
UPPER_M, LOWER_M = 0.02, 0.01
"""What the means of the highest and lowest voxels lack to the ends."""
STEP_DEG, TURN_DEG = 5.0, 2.0
"""Steps between directions of an outline, and between those tried for its sides."""
GRAZING = 0.15
"""Cosine of the angle of view under which a side is not seen."""
FULL = 0.5
"""Cosine of the angle of view from which on a direction counts fully."""
STIFFNESS = 1e-3
"""Pull on a rectangle to be no larger than what was seen asks for: hidden sides would be anywhere."""

_STEP = float(np.deg2rad(STEP_DEG))
_ANGLES = np.deg2rad(np.arange(0, 360, STEP_DEG))
DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
TURNS = np.deg2rad(np.arange(0, 90, TURN_DEG))


def seen_box(points: Floats, eyes: Floats, trim: float = TRIM) -> UprightBox:
    """Return the upright box of points (n, 3) on the surface of a thing seen from ``eyes`` (m, 3)."""
    foot, top = float(points[:, 2].min()) - LOWER_M, float(points[:, 2].max()) + UPPER_M
    points, over = _above_foot(points), _looks_over(points, eyes)
    xy, eyes = points[:, :2], eyes[:, :2]
    hidden = hidden_rounds(points, eyes)
    outline = outline_of(xy, eyes, trim)
    yaw = _direction(_completed(outline, hidden), eyes)
    axes = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    low, high = _ends(xy @ axes.T, trim)
    edge = (high - low) * (not over)
    low = low - edge * _unseen(faced(-axes, outline.middle, eyes))
    high = high + edge * _unseen(faced(axes, outline.middle, eyes))
    if len(hidden):
        local = hidden @ axes.T
        low, high = np.minimum(low, local.min(axis=0)), np.maximum(high, local.max(axis=0))
    return _laid(low, high, yaw, foot, top)


def _looks_over(points: Floats, eyes: Floats) -> bool:
    """Return whether some eye saw all of the upper side, so that nothing of a thing goes on behind it."""
    if len(eyes) == 0:
        return False
    off = eyes - [*points[:, :2].mean(axis=0), points[:, 2].max()]
    return bool((off[:, 2] > GRAZING * np.linalg.norm(off, axis=1)).any())


def _unseen(facing: Floats) -> Floats:
    """Return the share of an edge missing at its ends, by the cosine of the angle they were seen at."""
    return np.where(facing < AWAY, BEYOND, np.where(facing < SEEN, EDGE, 0.0))


def _above_foot(points: Floats) -> Floats:
    height = points[:, 2] - points[:, 2].min()
    above = height > FOOT_M
    enough = above.sum() >= max(LEAST, 0.5 * len(points))
    return points[above] if enough and height.max() > TALL_M else points


def hidden_rounds(points: Floats, eyes: Floats) -> Floats:
    """Return plan points (k, 2) on the far side of the round slices of a thing, and of all of it."""
    if len(eyes) == 0:
        return np.empty((0, 2))
    z = points[:, 2]
    count = int(np.clip(np.ceil(np.ptp(z) / SLICE_M), 1, SLICES))
    level = np.minimum(((z - z.min()) / max(np.ptp(z), 1e-6) * count).astype(np.int64), count - 1)
    found = [_far_side(points[level == k, :2], eyes) for k in range(count)]
    if count > 1:
        found.append(_far_side(points[:, :2], eyes))
    return np.concatenate(found)


def _far_side(xy: Floats, eyes: Floats) -> Floats:
    """Return points (k, 2) where nobody looked, on the circle that a slice is part of, if it is of one."""
    if len(xy) < LEAST:
        return np.empty((0, 2))
    outline = outline_of(xy, eyes, 0.0)
    center, radius, rest = outline.circle()
    if rest >= ROUGH * radius or outline.rectangles().min() <= ROUNDER * rest:
        return np.empty((0, 2))
    rim = _rim(xy, outline)
    off = np.hypot(*(rim - center).T) - radius
    if _straight(rim, xy) <= ROUNDER * float(np.sqrt(np.mean(off**2))):
        return np.empty((0, 2))
    return np.asarray(center + radius * DIRECTIONS[outline.weights == 0])


def _rim(xy: Floats, outline: Outline) -> Floats:
    """Return the outermost points (k, 2) of a slice in the directions it was seen from.

    How far a slice reaches hides what is missing in it: of a crate whose near corner was out of view, two
    pieces of its sides are left, and what they reach is that of a large circle. Its points lie on lines.
    """
    away = xy - outline.middle
    at = np.round(np.arctan2(away[:, 1], away[:, 0]) / _STEP).astype(np.int64) % len(_ANGLES)
    order = np.lexsort((-np.hypot(*away.T), at))
    way, first = np.unique(at[order], return_index=True)
    return np.asarray(xy[order[first[outline.weights[way] > 0]]])


def _straight(rim: Floats, xy: Floats) -> float:
    """Return the residual in meters of a rim to the sides of the best upright rectangle around its slice."""
    axes = np.stack([np.cos(TURNS), np.sin(TURNS)]), np.stack([-np.sin(TURNS), np.cos(TURNS)])
    gaps = [
        np.minimum(rim @ a - (xy @ a).min(axis=0), (xy @ a).max(axis=0) - rim @ a) for a in axes
    ]
    return float(np.sqrt(np.mean(np.minimum(*gaps) ** 2, axis=0)).min())


def _completed(outline: Outline, hidden: Floats) -> Outline:
    """Return the outline around what was seen and what was completed."""
    if len(hidden) == 0:
        return outline
    beyond = ((hidden - outline.middle) @ DIRECTIONS.T).max(axis=0)
    weights = np.where(outline.weights > 0, outline.weights, COMPLETED)
    return Outline(outline.middle, np.maximum(outline.extents, beyond), weights)


def _direction(outline: Outline, eyes: Floats) -> float:
    """Return the yaw of the sides: what fits best, or along the robots' path where several fit as well.

    Along streets and corridors things stand along the way; what is round has no direction of its own.
    """
    rest = outline.rectangles()
    good = TURNS[rest <= AS_GOOD * rest.min() + AS_GOOD_M]
    spread = eyes - eyes.mean(axis=0) if len(eyes) else eyes
    if len(eyes) < 2 or np.abs(spread).max() < 0.2:
        return float(TURNS[rest.argmin()])
    along = np.linalg.svd(spread, full_matrices=False)[2][0]
    off = (good - np.arctan2(along[1], along[0]) + np.pi / 4) % (np.pi / 2) - np.pi / 4
    return float(good[np.abs(off).argmin()])


def _ends(values: Floats, trim: float) -> tuple[Floats, Floats]:
    """Return the lowest and highest (2,) of values (n, 2) without the outermost share ``trim``."""
    skip = min(int(trim * len(values)), (len(values) - 1) // 2)
    ordered = np.sort(values, axis=0)
    return ordered[skip], ordered[len(values) - 1 - skip]


def _laid(low: Floats, high: Floats, yaw: float, foot: float, top: float) -> UprightBox:
    """Return the box between ends (2,) along axes turned by ``yaw``; its x is the longer one."""
    middle, size = 0.5 * (low + high), high - low
    c, s = np.cos(yaw), np.sin(yaw)
    center = np.array(
        [c * middle[0] - s * middle[1], s * middle[0] + c * middle[1], 0.5 * (foot + top)]
    )
    if size[1] > size[0]:
        size, yaw = size[::-1], yaw + np.pi / 2
    yaw = (yaw + np.pi / 2) % np.pi - np.pi / 2  # a box turned by half a turn is the same box
    return UprightBox(center, np.maximum([*size, top - foot], 1e-3), float(yaw))


# ---- outlines in plan: a circle or a rectangle ----


def _sides() -> Floats:
    """Return how far (turns, directions, 4) a rectangle reaches per unit of each of its four sides."""
    turned = _ANGLES[None] - TURNS[:, None]
    c, s = np.cos(turned), np.sin(turned)
    return np.stack([np.maximum(v, 0.0) for v in (c, -c, s, -s)], axis=2)


_SIDES = _sides()
_OPPOSITE = STIFFNESS * np.kron(np.eye(2), np.ones((2, 2))) + 1e-9 * np.eye(4)


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """How far a point set reaches in every direction of the plan."""

    middle: Floats
    """(2,) that extents are measured from."""
    extents: Floats
    """(directions,)"""
    weights: Floats
    """(directions,) how well each extent is known; 0 where nobody looked."""

    def circle(self) -> tuple[Floats, float, float]:
        """Return center (2,) and radius of the circle that fits best, and the residual in meters."""
        design = np.column_stack([DIRECTIONS, np.ones(len(DIRECTIONS))])
        w = self.weights
        found = np.linalg.lstsq(design * w[:, None], self.extents * w, rcond=None)[0]
        rest = w * (self.extents - design @ found)
        return self.middle + found[:2], float(found[2]), float(np.sqrt(rest @ rest / _sum2(w)))

    def rectangles(self) -> Floats:
        """Return the residual in meters (turns,) of the rectangle that fits best in each of ``TURNS``."""
        w2 = self.weights**2
        weighted = _SIDES * w2[None, :, None]
        normal = np.swapaxes(weighted, 1, 2) @ _SIDES + _OPPOSITE
        pull = np.swapaxes(weighted, 1, 2) @ self.extents
        sides = np.linalg.solve(normal, pull[..., None])
        rest = self.extents[None] - (_SIDES @ sides)[..., 0]
        return np.asarray(np.sqrt(rest**2 @ w2 / _sum2(self.weights)))


def outline_of(xy: Floats, eyes: Floats, trim: float) -> Outline:
    """Return the outline of points (n, 2) seen from ``eyes`` (m, 2); ``trim`` of them may stick out.

    Without eyes, every direction counts as seen.
    """
    middle = 0.5 * (xy.min(axis=0) + xy.max(axis=0))
    reach = (xy - middle) @ DIRECTIONS.T
    skip = min(int(trim * len(xy)), (len(xy) - 1) // 2)
    top = len(xy) - 1 - skip
    extents = np.partition(reach, top, axis=0)[top]
    facing = faced(DIRECTIONS, middle, eyes)
    return Outline(middle, extents, np.where(facing > GRAZING, np.minimum(facing, FULL), 0.0))


def faced(directions: Floats, at: Floats, eyes: Floats) -> Floats:
    """Return the cosine (k,) between each direction (k, 2) and that towards the eye (m, 2) nearest to it."""
    if len(eyes) == 0:
        return np.ones(len(directions))
    toward = eyes - at
    toward = toward / np.maximum(np.linalg.norm(toward, axis=1, keepdims=True), 1e-6)
    return np.asarray((directions @ toward.T).max(axis=1))


def _sum2(weights: Floats) -> float:
    return max(float(weights @ weights), 1e-12)
