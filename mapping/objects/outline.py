"""The outline of a thing in plan, known in the directions from which it was seen: a circle or a rectangle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats

STEP_DEG, TURN_DEG = 5.0, 2.0
"""Steps between directions of an outline, and between those tried for its sides."""
GRAZING = 0.15
"""Cosine of the angle of view under which a side is not seen."""
FULL = 0.5
"""Cosine of the angle of view from which on a direction counts fully."""
STIFFNESS = 1e-3
"""Pull on a rectangle to be no larger than what was seen asks for: hidden sides would be anywhere."""

_ANGLES = np.deg2rad(np.arange(0, 360, STEP_DEG))
DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
TURNS = np.deg2rad(np.arange(0, 90, TURN_DEG))


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
