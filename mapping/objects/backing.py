"""Walls that things stand at: a thing ends there, however round its front looks.

Of what stands at a wall one side is seen. Where that side is curved or uneven, as of sheets or of several
things, a circle explains it, and would complete it far into the wall. Surfaces beside the thing say where the
wall is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import apply
from commonground.mapping.objects.album import Page
from commonground.mapping.objects.seen_box import FOOT_M, hidden_rounds
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.track import Track

VIEWS = 8
"""Views of a thing that are searched for walls, at most."""
STEP = 3
"""Every so many pixels are."""
TURNS = np.deg2rad(np.arange(0.0, 180.0, 3.0))
NORMALS = np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)
LEAST, MOSTLY = 30, 0.5
"""Points of surfaces about a thing, and their share in one upright plane, for that to be a wall."""
SIGMAS = 2.0
"""Of the noise of depth, within which points lie in a wall."""
AWAY_M = 1.0
"""How far behind a thing the place is put from which a wall shows where it ends."""


def end_at_wall(track: Track, views: Sequence[Page], settings: ObjectSettings) -> None:
    """Let a thing end where it was seen to end if its completed far side would lie in a wall."""
    points = track.cloud.points[track.cloud.surface(settings.seldom)]
    eyes = track.eyes[np.isfinite(track.eyes[:, 0])]
    hidden = hidden_rounds(points, eyes[:, :2])
    if not len(hidden):
        return
    lifting = settings.lifting
    far = float(np.linalg.norm(eyes - track.center, axis=1).mean())
    noise = lifting.noise_m + lifting.noise_growth * far**2
    tolerance = max(lifting.voxel_m, SIGMAS * noise)
    wall = _wall(_surfaces(track, views, lifting.far_m), tolerance)
    if wall is None:
        return
    normal, offset = wall
    if eyes[:, :2].mean(axis=0) @ normal > offset:
        normal, offset = -normal, -offset
    before = np.median(points[:, :2] @ normal) < offset + tolerance
    if before and (hidden @ normal).max() > offset + tolerance:
        track.ends_toward(normal, AWAY_M)


def _surfaces(track: Track, views: Sequence[Page], far_m: float) -> Floats:
    """Return the points (n, 2) of surfaces beside a thing, at its height, in plan."""
    middle = track.center
    reach = float(np.linalg.norm(track.high[:2] - track.low[:2]))
    found = [np.empty((0, 2))]
    for page in views[:: max(1, -(-len(views) // VIEWS))]:
        depth = page.depth[::STEP, ::STEP]
        v, u = np.nonzero((page.masks[::STEP, ::STEP] == page.count + 1) & (depth < far_m))
        fx, fy, cx, cy = page.intrinsics
        z = depth[v, u].astype(float)
        rays = np.stack([(STEP * u - cx) / fx, (STEP * v - cy) / fy, np.ones(len(u))], axis=1)
        seen = apply(page.T_odom_cam, rays * z[:, None])
        level = (seen[:, 2] > track.low[2] + FOOT_M) & (seen[:, 2] < track.high[2])
        near = np.hypot(*(seen[:, :2] - middle[:2]).T) < reach
        found.append(seen[level & near, :2])
    return np.concatenate(found)


def _wall(xy: Floats, tolerance: float) -> tuple[Floats, float] | None:
    """Return normal (2,) and offset of the upright plane that most points (n, 2) lie in, if most do."""
    if len(xy) < LEAST:
        return None
    along = xy @ NORMALS.T
    bins = np.floor((along - along.min(axis=0)) / tolerance).astype(np.int64)
    counts = np.zeros((len(NORMALS), int(bins.max()) + 2), np.int64)
    np.add.at(counts, (np.arange(len(NORMALS))[None], bins), 1)
    pairs = counts[:, :-1] + counts[:, 1:]
    turn, first = np.unravel_index(int(pairs.argmax()), pairs.shape)
    if pairs[turn, first] < MOSTLY * len(xy):
        return None
    inside = (bins[:, turn] == first) | (bins[:, turn] == first + 1)
    return NORMALS[turn], float(np.median(along[inside, turn]))
