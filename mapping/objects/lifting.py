"""Masks become points: each segment of a frame as voxels in the odometry frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.depth_pieces import DepthNoise, DepthSensor
from commonground.mapping.objects.settings import LiftingSettings
from commonground.mapping.perception.segments import FrameSegments

if TYPE_CHECKING:
    from commonground.mapping.objects._lift import Voxels

LEAST_PIECE = 0.25
"""Pieces of a mask apart in depth, smaller than this share of its largest piece, are spill."""
LEAST_AREA_PX = 60
"""Smaller masks are not used."""
LEAST_POINTS = 12
"""Masks with fewer points are not used."""
LEAST_VALID = 0.2
"""Masks with a smaller share of usable depth are not used."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One segment of one frame, lifted."""

    segment: int
    """Its number in the label image, 1 … k."""
    points: Floats
    """(n, 3) mean point of each voxel it touches, odometry frame."""
    weights: Floats32
    """(n,)"""
    ranges: Floats32
    """(n,) distance along the optical axis."""
    low: Floats
    """(3,) lowest corner of its box, outliers left out."""
    high: Floats
    area_px: float
    """Pixels of the mask."""
    depth_m: float
    """Mean depth of the mask."""
    border: bool
    """Whether the image border cuts it."""
    open_share: Floats32
    """(n,) 1 where the thing may go on beyond a voxel: at the border, behind an occluder."""

    @property
    def center(self) -> Floats:
        """The middle (3,) of its box."""
        return 0.5 * (self.low + self.high)


def lift(
    frame: Frame, segments: FrameSegments, settings: LiftingSettings
) -> tuple[list[Sighting], Ints32]:
    """Return the segments with enough usable depth as voxels, and what each pixel shows.

    That is the label image without spills, and k + 1 where there is ground or structure.
    """
    from commonground.mapping.objects import _lift

    _check(frame, segments)
    depth, k = frame.depth_m, len(segments)
    masks = np.zeros_like(segments.masks)
    if k == 0:
        return [], _with_surfaces(masks, segments)
    sensor = depth_sensor(settings)
    _lift.clean(segments.masks, depth, sensor, LEAST_PIECE, masks)
    stats = np.zeros((k + 1, _lift.STATS))
    _lift.measure(segments.masks, masks, depth, stats)
    kept = _usable(stats[:, _lift.AREA], stats[:, _lift.VALID])
    strides = np.where(kept, _strides(stats[:, _lift.VALID], settings.most_points), 0)
    room = int(stats[kept, _lift.VALID].sum())
    points = _lift.Points(
        np.empty(room, np.int32), np.empty((room, 3)), np.empty(room, np.float32),
        np.empty(room, np.bool_),
    )  # fmt: skip
    count = _lift.back_project(
        masks, depth, frame.camera.intrinsics, np.ascontiguousarray(frame.T_odom_cam),
        strides.astype(np.int32), settings.supporters, sensor, points,
    )  # fmt: skip
    starts, order = np.empty(k + 2, np.int64), np.empty(count, np.int32)
    _lift.group(points.segments, count, starts, order)
    voxels = _lift.Voxels(
        np.empty(k + 2, np.int64), np.empty((count, 3)), np.empty(count, np.float32),
        np.empty(count, np.float32), np.empty(count, np.float32),
    )  # fmt: skip
    _lift.voxelize(points, order, starts, settings.voxel_m, voxels)
    found = []
    for s in np.flatnonzero(kept & (np.diff(starts) >= LEAST_POINTS)):
        rows = slice(voxels.starts[s], voxels.starts[s + 1])
        found.append(_sighting(int(s), voxels, rows, stats[s]))
    return found, _with_surfaces(masks, segments)


def _with_surfaces(masks: Ints32, segments: FrameSegments) -> Ints32:
    from commonground.mapping.objects import _lift

    if segments.surfaces is not None:
        _lift.mark_surfaces(masks, segments.surfaces, len(segments) + 1)
    return masks


def depth_sensor(settings: LiftingSettings) -> DepthSensor:
    """Return what settings say of depth, as compiled loops take it."""
    noise = DepthNoise(settings.noise_m, settings.noise_growth, settings.slope)
    return DepthSensor(settings.near_m, settings.far_m, noise)


def _check(frame: Frame, segments: FrameSegments) -> None:
    if segments.masks.shape != frame.depth_m.shape:
        (h, w), (rows, columns) = segments.masks.shape, frame.depth_m.shape
        raise MappingError(
            f"frame {frame.stamp_ns} of {frame.robot}/{frame.camera.name}: masks are {w}×{h}, "
            f"depth {columns}×{rows}; segment the frame that is integrated"
        )
    highest = int(segments.masks.max(initial=0))
    if highest > len(segments):
        raise MappingError(
            f"frame {frame.stamp_ns}: the label image names segment {highest}, there are {len(segments)}"
        )


def _usable(area: Floats, valid: Floats) -> Bools:
    """Return which segments are large enough and have depth on enough of their pixels."""
    kept = (area >= LEAST_AREA_PX) & (valid >= LEAST_VALID * area)
    kept &= valid >= LEAST_POINTS
    kept[0] = False
    return np.asarray(kept)


def _strides(valid: Floats, most_points: int) -> Ints:
    """Return the pixel stride that leaves about ``most_points`` points of each segment."""
    return np.asarray(np.maximum(1, np.floor(np.sqrt(valid / most_points))).astype(np.int64))


def _sighting(number: int, voxels: Voxels, rows: slice, stats: Floats) -> Sighting:
    from commonground.mapping.objects._lift import AREA, BORDER, DEPTH_SUM, VALID

    points = voxels.points[rows]
    ordered = np.sort(points, axis=0)
    outer = len(points) // 50
    return Sighting(
        segment=number,
        points=points,
        weights=voxels.weights[rows],
        ranges=voxels.ranges[rows],
        low=ordered[outer],
        high=ordered[-1 - outer],
        area_px=float(stats[AREA]),
        depth_m=float(stats[DEPTH_SUM] / max(stats[VALID], 1)),
        border=bool(stats[BORDER] > 0),
        open_share=voxels.open_share[rows],
    )
