"""The object map of the tracks so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Bools, Floats, Floats32
from commonground.geometry import from_yaw, quat_wxyz
from commonground.looks import SPREAD, WEIGHT
from commonground.mapping.objects._voxels import OPEN
from commonground.mapping.objects.fusion import fused_embedding, fused_labels, look_spread
from commonground.mapping.objects.seen_box import seen_box
from commonground.mapping.objects.settings import ObjectSettings, SubmapSettings
from commonground.mapping.objects.shape import UprightBox, even_rows, face_fill, shape_statistics
from commonground.mapping.objects.track import BINS, EYES, Track
from commonground.mapping.objects.travel import Stop
from commonground.objects import ObjectMap, Submap
from commonground.scene import Boxes
from commonground.symbols import node_ids

if TYPE_CHECKING:
    from commonground.mapping.objects.mapper import ObjectMapper

POINTS_KEPT = 128
"""Points of each object in the map that is handed out."""


WALL_FILL = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What the map says of one track's geometry; computed once per version of the track."""

    version: int
    center: Floats
    covariance: Floats
    size: Floats
    yaw: float
    shape: Floats
    """(4,) linearity, planarity, scattering, volume."""
    fill: float
    """Share of the largest face of the box that is covered."""
    points: Floats32
    """(points_kept, 3) NaN beyond those there are."""
    eyes: Floats32
    """(EYES, 3) from where it was seen, NaN in directions it was not."""


def object_map(mapper: ObjectMapper) -> ObjectMap:
    """Return the confirmed, resting, probable things as columns, and the submaps so far."""
    settings = mapper.settings
    tracks, summaries = _things(mapper)
    words = mapper.vocabulary or ()
    embeddings = _stack([fused_embedding(t) for t in tracks], (mapper.embedding_size,))
    return ObjectMap(
        ids=node_ids("O", [t.number for t in tracks]),
        centroids=_stack([s.center for s in summaries], (3,)),
        covariances=_stack([s.covariance for s in summaries], (3, 3)),
        boxes=_boxes(summaries),
        shapes=_stack([s.shape for s in summaries], (4,)).astype(np.float32),
        embeddings=embeddings.astype(np.float32),
        label_scores=_stack([fused_labels(t) for t in tracks], (len(words),)).astype(np.float32),
        observations=np.array([t.sightings for t in tracks], np.int64),
        first_seen_ns=np.array([t.first_ns for t in tracks], np.int64),
        last_seen_ns=np.array([t.last_ns for t in tracks], np.int64),
        existence=np.array([t.existence for t in tracks], np.float32),
        vocabulary=words,
        embedding_model=mapper.embedding_model,
        frame="odom",
        submaps=_submaps(tracks, summaries, mapper.odometer.stops, settings.submaps, mapper.robot),
        columns=_columns(tracks, summaries, settings),
        metadata=_metadata(mapper),
    )


def _things(mapper: ObjectMapper) -> tuple[list[Track], list[Summary]]:
    """Return the tracks that the map shows, and what it says of their geometry."""
    tracks, summaries = [], []
    for track in mapper.tracks.values():
        if not _shown(track, mapper.settings):
            continue
        summary = _summary(track, mapper.summaries, mapper.settings)
        if is_sized(summary, mapper.settings):
            tracks.append(track)
            summaries.append(summary)
    return tracks, summaries


def _shown(track: Track, settings: ObjectSettings) -> bool:
    return (
        track.confirmed
        and not track.motion.moving
        and track.existence >= settings.least_existence
        and track.cloud.count > 0
    )


def is_sized(summary: Summary, settings: ObjectSettings) -> bool:
    """Return whether a thing is neither tiny nor a wall, nor too large to be one."""
    thin, middle, long = np.sort(summary.size)
    wall = settings.wall_m
    is_wall = long > wall[0] and middle > wall[1] and thin < wall[2] and summary.fill > WALL_FILL
    most = np.inf if settings.most_extent_m is None else settings.most_extent_m
    return bool(settings.least_extent_m <= long <= most) and not is_wall


def _summary(track: Track, known: dict[int, Summary], settings: ObjectSettings) -> Summary:
    summary = known.get(track.number)
    if summary is None or summary.version != track.version:
        summary = known[track.number] = summarize(track, settings)
    return summary


def summarize(track: Track, settings: ObjectSettings) -> Summary:
    """Return box, center, covariance, shape and a few points of a track's voxels."""
    cloud = track.cloud
    rows = cloud.surface(settings.seldom)
    points = cloud.points[rows]
    box = seen_box(points, track.eyes[np.isfinite(track.eyes[:, 0])])
    ends = open_ends(box, points, cloud.facts[rows, OPEN])
    few = np.full((POINTS_KEPT, 3), np.nan, np.float32)
    chosen = points[even_rows(len(points), POINTS_KEPT)]
    few[: len(chosen)] = chosen
    return Summary(
        version=track.version,
        center=box.center,
        covariance=centroid_covariance(box, track.views, ends),
        size=box.size,
        yaw=box.yaw,
        shape=np.array([*shape_statistics(points), np.prod(box.size)]),
        fill=face_fill(points, box),
        points=few,
        eyes=track.eyes.astype(np.float32),
    )


def _stack(rows: Sequence[Any], shape: tuple[int, ...]) -> Floats:
    return np.asarray(rows, float).reshape(len(rows), *shape)


def _boxes(summaries: Sequence[Summary]) -> Boxes:
    yaw = np.array([s.yaw for s in summaries], float)
    quats = quat_wxyz(from_yaw(yaw)) if len(yaw) else np.empty((0, 4))
    return Boxes(
        _stack([s.center for s in summaries], (3,)),
        _stack([s.size for s in summaries], (3,)),
        quats,
    )


def _submaps(
    tracks: Sequence[Track],
    summaries: Sequence[Summary],
    stops: Sequence[Stop],
    settings: SubmapSettings,
    robot: str,
) -> tuple[Submap, ...]:
    """Return a submap per stop: the nearest objects seen about the time the robot passed there."""
    centers = _stack([s.center for s in summaries], (3,))
    out = []
    for stop in stops:
        low, high = stop.travel_m - settings.window_m, stop.travel_m + settings.window_m
        around = np.array([any(a <= high and b >= low for a, b in t.spans) for t in tracks], bool)
        distance = np.linalg.norm(centers[:, :2] - stop.T_odom_submap[:2, 3], axis=1)
        rows = np.flatnonzero(around & (distance <= settings.radius_m))
        rows = np.sort(rows[np.argsort(distance[rows], kind="stable")[: settings.most]])
        out.append(Submap(stop.stamp_ns, stop.T_odom_submap, rows, robot))
    return tuple(out)


def _columns(
    tracks: Sequence[Track], summaries: Sequence[Summary], settings: ObjectSettings
) -> Mapping[str, Any]:
    """Return sparse points, the history of sightings, and the ranges of detection."""
    n, most = len(tracks), settings.history_kept
    stamps = np.zeros((n, most), np.int64)
    ranges = np.full((n, most), np.nan, np.float32)
    areas = np.zeros((n, most), np.float32)
    for row, track in enumerate(tracks):
        for k, (stamp, distance, area) in enumerate(track.history[-most:]):
            stamps[row, k], ranges[row, k], areas[row, k] = stamp, distance, area
    return {
        SPREAD: np.array([look_spread(t) for t in tracks], np.float32),
        WEIGHT: np.array([t.embedding_weight for t in tracks], np.float32),
        "points": np.array([s.points for s in summaries], np.float32).reshape(n, POINTS_KEPT, 3),
        "viewpoints": np.array([s.eyes for s in summaries], np.float32).reshape(n, EYES, 3),
        "history_stamp_ns": stamps,
        "history_range_m": ranges,
        "history_area_px": areas,
    }


def _metadata(mapper: ObjectMapper) -> Mapping[str, Any]:
    moving = [t for t in mapper.tracks.values() if t.motion.moving and t.confirmed]
    return {
        "robot": mapper.robot,
        "frames": mapper.frames,
        "travel_m": round(mapper.odometer.travel_m, 3),
        "moving": [
            {
                "number": t.number,
                "last_seen_ns": t.last_ns,
                "position": [round(float(x), 3) for x in t.motion.center],
                "velocity": [round(float(x), 3) for x in t.motion.velocity],
            }
            for t in moving
        ],
    }


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
