"""What mapping follows from a look at a recording: how finely a scene is mapped, by how far is seen and gone.

A campus needs voxels of a decimeter and a submap every ten meters; a hand-held camera at a table sees three
meters far, moves about one, and loses the mugs in such voxels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.frame import Frame
from commonground.mapping.settings import MappingSettings

WIDE_M = 8.0
"""A scene as wide as this, or wider, is mapped by the settings as they stand."""
FINEST = 0.3
"""No scene is mapped finer than this share of them."""
POWERS: dict[str, float] = {
    "surface.voxel_m": 1.3,
    "objects.lifting.voxel_m": 1,
    "objects.least_extent_m": 1,
    "objects.submaps.every_m": 2,
    "odometry.keyframe_m": 1,
    "space.surface_places.size_m": 1,
    "space.places.min_spacing_m": 1,
    "perception.classical.wall_m2": 2.2,
    "perception.classical.wall_rise_m": 1.3,
    "perception.classical.structure_m2": 2,
    "perception.classical.most_m": 1.5,
    "perception.classical.near_m_gap": 0.5,
}
"""What shrinks with the scene, and by which power of its scale: in a small room, a step changes the view."""
LARGEST_M = 4.0
"""The largest thing of a small scene, times its scale."""
SMALL = 0.7
"""Scenes below this scale are looked at closely."""
CLOSELY: dict[str, float | bool] = {
    "perception.classical.coplanar_m": 0.05,
    "perception.classical.standing": True,
    "perception.classical.flat_things": True,
    "perception.classical.most_hidden": 0.3,
    "perception.classical.look_m": 0.015,
    "objects.evidence.least_sightings": 4,
    "objects.evidence.least_change": 0.36,
    "objects.evidence.several": 2.0,
    "objects.evidence.least_inside": 0.5,
    "objects.evidence.most_structure": 0.12,
    "objects.evidence.bare": 1.0,
    "objects.seldom": 0.2,
    "objects.closing.views": 200,
    "surface.mirrors": True,
}
"""What is looked at closely: in a room, walls are near and much lies flat; a campus has none of it."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How wide a scene is, and what follows."""

    seen_m: float
    """Depth that nine of ten pixels stay within."""
    moved_m: float
    """Diagonal of the box about the camera's positions."""

    @property
    def share(self) -> float:
        """By how much the settings shrink."""
        return float(np.clip(max(self.seen_m, self.moved_m) / WIDE_M, FINEST, 1.0))

    def __str__(self) -> str:
        return f"sees {self.seen_m:.1f} m far, moves within {self.moved_m:.1f} m: scale {self.share:.2f}"


def scale_of(frames: Iterable[Frame]) -> Scale:
    """Return the scale of what some frames of a recording show."""
    depths: list[Floats] = [np.empty(0)]
    spots: list[Floats] = []
    for frame in frames:
        depth = frame.depth_m[::8, ::8]
        depths.append(depth[np.isfinite(depth) & (depth > 0)].astype(float))
        spots.append(frame.T_odom_cam[:3, 3])
    seen = np.concatenate(depths)
    good = [s for s in spots if np.isfinite(s).all()]
    if not len(seen) or not good:
        return Scale(WIDE_M, WIDE_M)
    return Scale(float(np.quantile(seen, 0.9)), float(np.linalg.norm(np.ptp(good, axis=0))))


def published(frames: Sequence[Frame]) -> bool:
    """Return whether the poses of frames are those that the data states as true, which no image betters."""
    return bool(frames) and all(
        f.T_world_cam is not None and np.array_equal(f.T_world_cam, f.T_odom_cam) for f in frames
    )


def scaled(settings: MappingSettings, scale: Scale) -> MappingSettings:
    """Return the settings for a scene; what a user set stays as it is."""
    out = settings
    for name, power in POWERS.items():
        out = _with(
            out, name.split("."), lambda value, share: round(value * share, 4), scale.share**power
        )
    if scale.share < SMALL:
        closely = CLOSELY | {"objects.most_extent_m": round(LARGEST_M * scale.share, 4)}
        for name, value in closely.items():
            out = _with(out, name.split("."), lambda _, new: new, value)
    return out


def _with(settings: Any, names: list[str], change: Callable[[Any, Any], Any], by: Any) -> Any:
    """Return settings with one that is as it is by default changed."""
    first, *rest = names
    value = getattr(settings, first)
    if rest:
        new = _with(value, rest, change, by)
    elif value != type(settings).model_fields[first].default:
        return settings
    else:
        new = change(value, by)
    return settings.model_copy(update={first: new})
