"""Data association of segments and tracks: overlap in image and space, and appearance; optimal in sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.frame import Frame
from commonground.geometry import apply, inverse
from commonground.mapping.objects.fusion import appearance_agreement
from commonground.mapping.objects.lifting import Sighting, depth_sensor
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.track import Track
from commonground.mapping.perception.segments import FrameSegments

LEAST_SIMILARITY = 0.12
"""Below this a segment and a track are never the same thing."""
BOX_WEIGHT = 0.5
"""What box overlap counts where voxels do not overlap, as after a jump of a moving thing."""
MOST_REACH_M = 0.3
"""How near a point must lie to a voxel at most to count as inside, however noisy its depth."""
CHECKED_VOXELS = 600
"""Voxels of an object checked against each image at most, in turn."""

_FORBIDDEN = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What one frame says of the voxels of one track."""

    track: Track
    verdicts: Ints32
    """(n,) mask number of each voxel that is seen, or hidden, passed, unknown."""
    overlap: Ints
    """(k + 2,) seen voxels under each mask; 0 is no mask, k + 1 a surface."""
    sampled: int
    """Voxels projected: every ``step``-th."""
    in_view: int
    seen: int
    hidden: int
    passed: int
    step: int

    def covered(self, segment: int) -> float:
        """Return the share of the seen voxels that lie under a mask."""
        return float(self.overlap[segment] / self.seen) if self.seen else 0.0

    @property
    def seen_share(self) -> float:
        """Return the share of the track's voxels that are seen."""
        return self.seen / self.sampled if self.sampled else 0.0

    @property
    def passed_share(self) -> float:
        """Return the share of the judged voxels that the camera looked through."""
        judged = self.seen + self.passed
        return self.passed / judged if judged else 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """A segment that is a known thing."""

    view: int
    sighting: int
    similarity: float
    inside: float
    """Share of the segment's points that lie in the track."""


def views_of(
    tracks: Sequence[Track],
    frame: Frame,
    masks: Ints32,
    k: int,
    settings: ObjectSettings,
    turn: int,
) -> list[View]:
    """Return what a frame with k masks says of every track that may be in it.

    ``turn`` varies which voxels of large tracks are looked at.
    """
    from commonground.mapping.objects import _voxels

    inside = _in_frustum(tracks, frame, settings.lifting.far_m)
    chosen = [track for track, there in zip(tracks, inside, strict=True) if there]
    camera, sensor = frame.camera.intrinsics, depth_sensor(settings.lifting)
    image = _voxels.SegmentedImage(frame.depth_m, masks, camera, inverse(frame.T_odom_cam), sensor)
    views = []
    for track in chosen:
        cloud = track.cloud
        step = 1 + (cloud.count - 1) // CHECKED_VOXELS
        verdicts = np.empty(cloud.count, np.int32)
        overlap = np.empty(k + 2, np.int64)
        first = turn % step
        in_view, seen, hidden, passed = _voxels.judge_voxels(
            cloud.points, cloud.facts, first, step, image, cloud.voxel_m, verdicts, overlap
        )
        sampled = len(range(first, cloud.count, step))
        views.append(View(track, verdicts, overlap, sampled, in_view, seen, hidden, passed, step))
    return views


def associate(
    views: Sequence[View],
    sightings: Sequence[Sighting],
    segments: FrameSegments,
    stamp_ns: int,
    settings: ObjectSettings,
) -> list[Match]:
    """Return the assignment of segments to tracks with the largest sum of log similarities."""
    from scipy.optimize import linear_sum_assignment

    if not views or not sightings:
        return []
    possible = _overlapping_boxes(views, sightings, stamp_ns)
    similarity, inside = np.zeros(possible.shape), np.zeros(possible.shape)
    for i, j in np.argwhere(possible):
        similarity[i, j], inside[i, j] = _similarity(
            views[i], sightings[j], segments, stamp_ns, settings
        )
    good = similarity >= LEAST_SIMILARITY
    cost = np.where(good, -np.log(np.maximum(similarity, 1e-9)) - 10.0, _FORBIDDEN)
    rows, columns = linear_sum_assignment(cost)
    return [
        Match(int(i), int(j), float(similarity[i, j]), float(inside[i, j]))
        for i, j in zip(rows, columns, strict=True)
        if good[i, j]
    ]


def _in_frustum(tracks: Sequence[Track], frame: Frame, far_m: float) -> Bools:
    """Return which tracks' bounding spheres may meet the camera's view."""
    if not tracks:
        return np.zeros(0, bool)
    low = np.array([t.low for t in tracks])
    high = np.array([t.high for t in tracks])
    radius = 0.5 * np.linalg.norm(high - low, axis=1)
    c = apply(inverse(frame.T_odom_cam), 0.5 * (low + high))
    camera = frame.camera
    z = c[:, 2]
    near_enough = (z > -radius) & (z < far_m + radius)
    fx, fy, cx, cy = camera.intrinsics
    # signed distances to the four side planes through the camera center
    inside = near_enough
    for slope, axis, sign in (
        (cx / fx, 0, 1.0),
        ((camera.width - 1 - cx) / fx, 0, -1.0),
        (cy / fy, 1, 1.0),
        ((camera.height - 1 - cy) / fy, 1, -1.0),
    ):
        distance = (slope * z + sign * c[:, axis]) / np.hypot(1.0, slope)
        inside = inside & (distance > -radius)
    return np.asarray(inside)


def _overlapping_boxes(
    views: Sequence[View], sightings: Sequence[Sighting], stamp_ns: int, margin_m: float = 0.15
) -> Bools:
    """Return which (view, sighting) pairs have boxes that meet, moving things where they should be now."""
    boxes = [_predicted_box(v.track, stamp_ns) for v in views]
    low = np.array([b[0] for b in boxes]) - margin_m
    high = np.array([b[1] for b in boxes]) + margin_m
    s_low = np.array([s.low for s in sightings])
    s_high = np.array([s.high for s in sightings])
    return np.asarray(
        (low[:, None] <= s_high[None]).all(axis=2) & (s_low[None] <= high[:, None]).all(axis=2)
    )


def _predicted_box(track: Track, stamp_ns: int) -> tuple[Floats, Floats]:
    motion = track.motion
    if not motion.moving:
        return track.low, track.high
    shift = motion.velocity * min((stamp_ns - motion.stamp_ns) / 1e9, 2.0)
    return track.low + shift, track.high + shift


def _similarity(
    view: View, sighting: Sighting, segments: FrameSegments, stamp_ns: int, settings: ObjectSettings
) -> tuple[float, float]:
    """Return the similarity in [0, 1] of a track and a segment, and the share of the segment inside."""
    track = view.track
    covered = view.covered(sighting.segment)
    inside = track.cloud.share_inside(sighting.points, reach_m(sighting, settings))
    # intersection over union, counted on what both can see: the track's far side is no disagreement
    overlap = 1.0 / (1.0 / covered + 1.0 / inside - 1.0) if covered and inside else 0.0
    boxes = _box_iou(_predicted_box(track, stamp_ns), (sighting.low, sighting.high))
    geometry = max(overlap, BOX_WEIGHT * boxes)
    row = sighting.segment - 1
    appearance = appearance_agreement(track, segments.embeddings[row], segments.label_scores[row])
    return geometry * appearance, inside


def reach_m(sighting: Sighting, settings: ObjectSettings) -> float:
    """Return how far the segment's points may lie from the voxels they belong to: two sigma of its depth."""
    lifting = settings.lifting
    sigma = lifting.noise_m + lifting.noise_growth * sighting.depth_m**2
    return float(np.clip(2 * sigma, lifting.voxel_m, MOST_REACH_M))


def _box_iou(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> float:
    """Return the intersection over union of two axis-aligned boxes, thin ones given 10 cm."""
    edge = np.minimum(a[1], b[1]) - np.maximum(a[0], b[0])
    if (edge <= -0.1).any():
        return 0.0
    both = float(np.prod(np.maximum(edge, 0.0) + 0.1))
    size_a = float(np.prod(a[1] - a[0] + 0.1))
    size_b = float(np.prod(b[1] - b[0] + 0.1))
    return both / (size_a + size_b - both)
