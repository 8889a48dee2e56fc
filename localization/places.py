"""Places: the objects around one spot of a map, in an upright frame, as association compares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Floats, Ints
from commonground.errors import LocalizationError
from commonground.geometry import apply, from_yaw, gravity_aligned, inverse, transform
from commonground.localization.association.side import Side
from commonground.localization.settings import PlaceSettings
from commonground.objects import ObjectMap, Submap

SIDE_BIAS = 0.1
"""Share of an object's extent by which its center moves with the side it is seen from."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """The objects around one spot, in an upright frame there."""

    T_map_place: Floats
    """(4, 4) upright."""
    points: Floats
    """(k, 3) in the place's frame."""
    side: Side
    """The same, as association takes it: with what the viewing side adds to the covariances."""
    rows: Ints
    """(k,) rows of the object map."""
    robot: str = ""
    stamp_ns: int = 0
    travel_m: float = 0.0
    """How far the robot had driven in the map: what drift between two places grows with."""

    def __len__(self) -> int:
        return len(self.rows)


def submap_place(
    objects: ObjectMap, submap: Submap, settings: PlaceSettings, travel_m: float = 0.0
) -> Place:
    T = gravity_aligned(submap.T_map_submap)
    place = _place(objects, T, submap.rows, settings)
    return replace(place, robot=submap.robot, stamp_ns=submap.stamp_ns, travel_m=travel_m)


def submap_places(objects: ObjectMap, settings: PlaceSettings) -> list[Place]:
    """Return every submap of one robot's map as a place, in the map's order."""
    return [
        submap_place(objects, submap, settings, travel)
        for submap, travel in zip(objects.submaps, travel_between(objects.submaps), strict=True)
    ]


def wide_places(objects: ObjectMap, settings: PlaceSettings) -> list[Place]:
    """Return every submap of one robot's map as a place, with what it saw shortly before and after."""
    travel = travel_between(objects.submaps)
    return [
        wide_place(
            objects,
            submap,
            [(abs(to - here), s) for to, s in zip(travel, objects.submaps, strict=True)],
            settings,
            here,
        )
        for here, submap in zip(travel, objects.submaps, strict=True)
    ]


def wide_place(
    objects: ObjectMap,
    submap: Submap,
    others: Sequence[tuple[float, Submap]],
    settings: PlaceSettings,
    travel_m: float = 0.0,
) -> Place:
    """Return a submap as a place; one that holds few objects takes those of its neighbors too.

    ``others`` are submaps of the same drive, each with the travel to it: the nearest come first, until
    there are enough objects. What is farther away may have slipped by the odometry in between.
    """
    slip = np.full(len(objects), np.inf)
    slip[submap.rows] = 0.0
    for gap, other in sorted(others, key=lambda pair: pair[0]):
        if gap > settings.context_m or np.isfinite(slip).sum() >= settings.enough_objects:
            break
        slip[other.rows] = np.minimum(slip[other.rows], settings.drift_m_per_m * gap)
    T = gravity_aligned(submap.T_map_submap)
    place = _place(objects, T, np.flatnonzero(np.isfinite(slip)), settings, slip)
    return replace(place, robot=submap.robot, stamp_ns=submap.stamp_ns, travel_m=travel_m)


def travel_between(submaps: Sequence[Submap]) -> list[float]:
    """Return how far the robot had driven at each submap."""
    spots = np.array([s.T_map_submap[:3, 3] for s in submaps]).reshape(-1, 3)
    steps = np.linalg.norm(np.diff(spots, axis=0, prepend=spots[:1]), axis=1)
    return [float(m) for m in np.cumsum(steps)]


def map_places(objects: ObjectMap, settings: PlaceSettings) -> list[Place]:
    """Return places that cover a fused map: all objects around spots where robots were, evenly spread.

    A map without submaps is covered around its objects.
    """
    spots = np.array([s.T_map_submap[:3, 3] for s in objects.submaps]).reshape(-1, 3)
    if not len(spots):
        spots = objects.centroids
    usable = np.flatnonzero(_usable(objects, settings, np.arange(len(objects))))
    xy = objects.centroids[usable, :2]
    out = []
    for spot in _spread(spots, settings.spacing_m):
        far = np.hypot(*(xy - spot[:2]).T)
        near = usable[far < _radius(far, settings)]
        out.append(_place(objects, transform(from_yaw(0.0), spot), near, settings))
    return out


def _radius(far_m: Floats, settings: PlaceSettings) -> float:
    """Return how far a place reaches, given the distances to all objects: wider where there are few."""
    if len(far_m) <= settings.enough_objects:
        return settings.widest_m
    wanted = float(np.partition(far_m, settings.enough_objects)[settings.enough_objects])
    return float(np.clip(wanted, settings.radius_m, settings.widest_m))


def without(objects: ObjectMap, place: Place, rows: Ints, settings: PlaceSettings) -> Place:
    if not len(rows):
        return place
    kept = np.setdiff1d(place.rows, rows)
    rest = _place(objects, place.T_map_place, kept, settings)
    return replace(rest, robot=place.robot, stamp_ns=place.stamp_ns, travel_m=place.travel_m)


def _spread(spots: Floats, spacing_m: float) -> list[Floats]:
    """Return spots of which none is nearer than the spacing to one before it."""
    kept: list[Floats] = []
    for spot in spots:
        if all(np.linalg.norm(spot - other) >= spacing_m for other in kept):
            kept.append(spot)
    return kept


def _place(
    objects: ObjectMap, T: Floats, rows: Ints, settings: PlaceSettings, slip_m: Floats | None = None
) -> Place:
    """Return the place of some rows; ``slip_m`` (n,) is how far each may have slipped by odometry."""
    rows = rows[_usable(objects, settings, rows)]
    points = apply(inverse(T), objects.centroids[rows])
    near = np.argsort(np.hypot(points[:, 0], points[:, 1]), kind="stable")[: settings.max_objects]
    near.sort()
    rows, points = rows[near], points[near]
    covariances = _covariances(objects, T, rows)
    if slip_m is not None:
        covariances += (slip_m[rows] ** 2)[:, None, None] * np.diag([1.0, 1.0, 0.25])
    side = Side.of(points, settings.noise_m, settings.gravity, covariances)
    return Place(T, points, side, rows)


def _usable(objects: ObjectMap, settings: PlaceSettings, rows: Ints) -> NDArray[np.bool_]:
    """Return which of some rows (k,) of a map a place may hold."""
    finite = np.isfinite(objects.centroids[rows]).all(axis=1)
    return np.asarray(finite & (objects.existence[rows] >= settings.least_existence))


def _covariances(objects: ObjectMap, T: Floats, rows: Ints) -> Floats:
    """Return position covariances in the place's frame, with what the viewing side adds."""
    R = T[:3, :3].T
    own = R @ objects.covariances[rows] @ R.T
    extent = np.nan_to_num(objects.boxes.sizes[rows], nan=0.0)
    across = SIDE_BIAS * extent[:, :2].mean(axis=1)
    up = 0.5 * SIDE_BIAS * extent[:, 2]
    bias = np.stack([across, across, up], axis=1) ** 2
    return np.asarray(own + bias[:, :, None] * np.eye(3))


def comparable(one: ObjectMap, two: ObjectMap) -> tuple[ObjectMap, ObjectMap]:
    """Return both maps with one vocabulary; LocalizationError if their embeddings cannot be compared."""
    models = (one.embedding_model, two.embedding_model)
    widths = (one.embeddings.shape[1], two.embeddings.shape[1])
    if all(widths) and (widths[0] != widths[1] or (all(models) and models[0] != models[1])):
        raise LocalizationError(
            f"the maps' embeddings come from '{models[0]}' ({widths[0]} numbers) and '{models[1]}' "
            f"({widths[1]}): they cannot be compared; map both with one model"
        )
    if one.vocabulary == two.vocabulary:
        return one, two
    words = tuple(dict.fromkeys((*one.vocabulary, *two.vocabulary)))
    return tuple(  # type: ignore[return-value]
        replace(m, vocabulary=words, label_scores=_reworded(m, words)) for m in (one, two)
    )


def _reworded(objects: ObjectMap, words: tuple[str, ...]) -> NDArray[np.float32]:
    column = {word: k for k, word in enumerate(words)}
    out = np.zeros((len(objects), len(words)), np.float32)
    if objects.label_scores.shape[1]:
        out[:, [column[word] for word in objects.vocabulary]] = objects.label_scores
    return out
