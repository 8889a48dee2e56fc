"""Registration of an image to reference images: robust Gauss–Newton, coarse to fine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from commonground.arrays import Floats
from commonground.mapping.tracking._terms import (
    Equations,
    Marks,
    Picture,
    Planes,
    PosedImage,
    brightness_terms,
    shape_terms,
)
from commonground.mapping.tracking.motion import HEADING, PLACE, SIZE, TILT, Motion
from commonground.mapping.tracking.reference import Reference
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.mapping.tracking.view import LEVELS, View

BRIGHTNESS_NOISE = 4.0
"""Standard deviation of brightness, in steps of 255."""

ROUNDS = 5
"""Gauss–Newton steps at most, at each size of the image."""
STILL_M, STILL_RAD = 5e-4, 1e-4
"""Steps smaller than this end the search."""
SHAPE_SHARE, BRIGHTNESS_SHARE = 8.0, 3.0
"""Neighboring pixels and images a few centimeters apart err alike: so many of them tell as much as one."""
FLOOR = np.diag(np.array([1e-3, 1e-3, 1e-3, 3e-4, 3e-4, 3e-4]) ** 2)
"""Covariance of errors that all terms share, in meters and radians."""
FEWEST = 100
"""Terms with which a pose can be corrected."""
FEWEST_TELLING = 50
"""Fewer terms than this are no reason for doubt."""
SHAPES_FIT, COLORS_FIT = 0.6, 0.75
"""Share of the terms that have to fit; else what is seen is not what was seen before.

Where colors alone do not, the light changed, or color and depth images do not lie on one another.
"""
GATE = 30.0
"""Squared Mahalanobis length beyond which a correction is not believed."""
APART_M = 10.0
TURNED_M = 3.0
"""Meters to which a reference that looks the other way (a half turn) is farther than one alike."""

TWIST = np.zeros((6, SIZE))
TWIST[PLACE, PLACE] = np.eye(3)
TWIST[3:5, TILT] = np.eye(2)
TWIST[5, HEADING] = 1.0
"""From the state with an image's roll and pitch to the twist of its pose."""


class Doubt(Enum):
    """Why a pose was not corrected."""

    LITTLE = "too little to see"
    UNLIKE = "unlike what was seen before"
    FAR = "farther off than the odometry can be"


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """A correction and how sure it is."""

    x: Floats
    """(10,) of the state, and roll and pitch of the image."""
    information: Floats
    """(10, 10)"""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Normal equations at a pose."""

    H: Floats
    """(6, 6)"""
    g: Floats
    """(6,)"""
    shapes: Floats
    """(3,) terms used, those that can tell a wrong pose, those of them that fit."""
    colors: Floats
    """(3,)"""

    @property
    def used(self) -> float:
        """How many there are of both kinds."""
        return float(self.shapes[0] + self.colors[0])


def register(
    view: View,
    T: Floats,
    motion: Motion,
    references: Sequence[Reference],
    settings: TrackingSettings,
) -> Registration | Doubt:
    """Return the correction of the motion under which a view at T fits the references, if it is sure."""
    near = nearest(references, T)
    found = _search(view, T, motion, near, settings)
    if found is not None and not found.colors_fit:
        found = _search(view, T, motion, near, settings.model_copy(update={"pictures": 0}))
    if found is None:
        return Doubt.LITTLE
    if not found.shapes_fit:
        return Doubt.UNLIKE
    if found.length2 > GATE:
        return Doubt.FAR
    return Registration(found.x, found.information)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    x: Floats
    information: Floats
    length2: float
    """Squared Mahalanobis length of the correction."""
    shapes_fit: bool
    colors_fit: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """The points of the references in reach, one after another."""

    planes: Planes
    marks: tuple[Marks, ...]
    """At each size of the image, those of the nearest references."""

    @staticmethod
    def of(near: Sequence[Reference], pictures: int) -> _Kept:
        best = near[:pictures]
        points = np.concatenate([np.empty((0, 3)), *(r.marks for r in best)])
        values = np.concatenate([np.empty((LEVELS, 0)), *(r.values for r in best)], axis=1)
        starts = np.cumsum([0, *(len(r.marks) for r in best)])
        return _Kept(
            Planes(
                np.concatenate([r.points for r in near]),
                np.concatenate([r.normals for r in near]),
                np.concatenate([r.depths for r in near]),
            ),
            tuple(Marks(points, row, starts) for row in values),
        )


def _search(
    view: View, T: Floats, motion: Motion, near: Sequence[Reference], settings: TrackingSettings
) -> _Found | None:
    """Return where Gauss–Newton ends; None if there is too little to see."""
    if not near:
        return None
    kept = _Kept.of(near, settings.pictures)
    gains = np.ones(min(len(near), settings.pictures))
    prior, x = motion.prior(), np.zeros(SIZE)
    information = prior
    terms = _terms(view, T, motion.p, kept, gains, LEVELS - 1, settings)  # brings the gains
    if terms.used < FEWEST:
        return None
    for level in reversed(range(LEVELS)):
        for _ in range(ROUNDS):
            pivot = motion.p + x[PLACE]
            terms = _terms(view, motion.turned(T, x), pivot, kept, gains, level, settings)
            shared = np.linalg.inv(np.eye(6) + terms.H @ FLOOR)
            information = TWIST.T @ (shared @ terms.H) @ TWIST + prior
            step = -np.linalg.solve(information, TWIST.T @ (shared @ terms.g) + prior @ x)
            x = x + step
            twist = abs(TWIST @ step)
            if twist[:3].max() < STILL_M and twist[3:].max() < STILL_RAD:
                break
        if settings.pictures == 0:
            break
    if terms.used < FEWEST:
        return None
    return _Found(
        x,
        0.5 * (information + information.T),
        float(x @ prior @ x),
        _fits(terms.shapes, SHAPES_FIT),
        _fits(terms.colors, COLORS_FIT),
    )


def nearest(references: Sequence[Reference], T: Floats) -> list[Reference]:
    """Return the references in reach, those seen from the most similar pose first."""

    def gap(reference: Reference) -> float:
        apart = float(np.linalg.norm(reference.T[:3, 3] - T[:3, 3]))
        return apart + TURNED_M * 0.5 * (1.0 - float(reference.T[:3, 2] @ T[:3, 2]))

    return sorted((r for r in references if gap(r) < APART_M), key=gap)


def _terms(
    view: View,
    T: Floats,
    pivot: Floats,
    kept: _Kept,
    gains: Floats,
    level: int,
    settings: TrackingSettings,
) -> Terms:
    H, g, counts = np.zeros((2, 6, 6)), np.zeros((2, 6)), np.zeros((2, 3))
    shapes, colors = (Equations(H[k], g[k], counts[k]) for k in range(2))
    image = PosedImage(view.inverse_m, view.intrinsics, np.ascontiguousarray(T), pivot)
    picture = Picture(view.pictures[level], 2.0**level, BRIGHTNESS_NOISE)
    shape_terms(kept.planes, image, view.noise, settings.roughness_m, shapes)
    brightness_terms(kept.marks[level], picture, image, gains, colors)
    share = np.array([SHAPE_SHARE, BRIGHTNESS_SHARE])
    return Terms(
        (H / share[:, None, None]).sum(axis=0),
        (g / share[:, None]).sum(axis=0),
        counts[0],
        counts[1],
    )


def _fits(counts: Floats, share: float) -> bool:
    _, telling, fitting = counts
    return bool(telling < FEWEST_TELLING or fitting >= share * telling)
