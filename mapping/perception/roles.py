"""What a patch of a depth image is, unless it is part of a thing."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints32
from commonground.mapping.perception.patches import (
    AREA,
    HIGH,
    LOW,
    PIXELS,
    POINT,
    Surfaces,
    mean_normals,
    thickness,
)
from commonground.mapping.perception.segments import NO_SURFACE
from commonground.mapping.perception.settings import ClassicalSettings

WALL_HEIGHT_M = 2.6
"""Upright patches that reach higher above the ground in view are walls, however little is seen."""
FLAT_M = 0.06
"""Standard deviation across its plane below which a patch is flat."""
GROUND_TILT_DEG = 20.0
"""Ground is less steep than this."""
GROUND_M2 = 1.0
"""A level patch at least this large, in view, can be ground."""
FLOOR_M2 = 0.15
"""A level patch so far below the camera that it can be no table is ground from this size on."""
TABLE_BELOW_M = 1.15
"""Tables are at most this far below a camera."""
WALL_TILT_DEG = 12.0
"""Walls lean less than this."""

GROUND, WALL = 0, 1
"""Indices into the surface words."""
TOP = 2
"""What carries things, a table or a counter: no thing, and no surface that has a word."""


def roles_of(surfaces: Surfaces, settings: ClassicalSettings) -> Ints32:
    """Return for each patch GROUND, WALL or NO_SURFACE (part of a thing)."""
    s, sums = settings, surfaces.sums
    role = np.full(len(sums), NO_SURFACE, np.int32)
    if len(sums) < 2:
        return role
    pixels = np.maximum(sums[:, PIXELS], 1)
    normal = mean_normals(sums)
    flat = thickness(sums) < FLAT_M
    height = sums[:, POINT][:, 2] / pixels
    level = flat & (normal[:, 2] > np.cos(np.deg2rad(GROUND_TILT_DEG)))
    eye = surfaces.T_level_cam[2, 3]
    large = sums[:, AREA] >= np.where(eye - height > TABLE_BELOW_M, FLOOR_M2, GROUND_M2)
    broad = level & large
    broad[0] = False
    if broad.any():
        lowest = height[broad].min()
        low = (height < lowest + s.step_m) | (sums[:, AREA] >= 4 * GROUND_M2)
        role[broad & low] = GROUND
        # what little level ground the threshold left out, at the height of the rest
        role[level & (height < lowest + 0.1)] = GROUND
    upright = flat & (np.abs(normal[:, 2]) < np.sin(np.deg2rad(WALL_TILT_DEG)))
    rise = sums[:, HIGH][:, 2] - sums[:, LOW][:, 2]
    wide_open = (sums[:, AREA] >= s.wall_m2) & (rise >= s.wall_rise_m)
    # higher than vehicles and doors, as far as the ground in view tells
    floor = sums[role == GROUND][:, LOW][:, 2].min(initial=np.inf)
    tall = sums[:, HIGH][:, 2] > floor + WALL_HEIGHT_M
    cut = cut_at_corner(surfaces.patches, len(sums)) & (rise >= s.wall_rise_m)
    width = (sums[:, HIGH] - sums[:, LOW])[:, :2].max(axis=1)
    wide = (width >= s.wall_rise_m) & (sums[:, AREA] >= 0.5 * width * rise)
    role[upright & (wide_open | (wide & (tall | cut)))] = WALL
    role[flat & (normal[:, 2] < -0.9) & (sums[:, AREA] >= GROUND_M2)] = WALL
    if s.coplanar_m > 0:
        _extend(role, WALL, upright & (role == NO_SURFACE), sums, s)
    role[0] = NO_SURFACE
    return role


def _extend(role: Ints32, kind: int, open_: Bools, sums: Floats, s: ClassicalSettings) -> None:
    """Give a role to patches that may have it and lie in the plane of one that has."""
    known, rest = np.flatnonzero(role == kind), np.flatnonzero(open_)
    middle = sums[:, POINT] / np.maximum(sums[:, [PIXELS]], 1)
    normal = mean_normals(sums)
    to = middle[rest, None] - middle[None, known]
    off = np.abs((to * normal[known]).sum(axis=2))
    facing = normal[rest] @ normal[known].T > np.cos(np.deg2rad(WALL_TILT_DEG))
    role[rest[(facing & (off < s.coplanar_m)).any(axis=1)]] = kind


def cut_at_corner(patches: Ints32, count: int) -> Bools:
    """Return which patches (count,) run out of the image at its top and at a side."""
    top, sides = np.zeros(count, bool), np.zeros(count, bool)
    top[np.unique(patches[:3])] = True
    sides[np.unique(patches[:, :3])] = True
    sides[np.unique(patches[:, -3:])] = True
    out = top & sides
    out[0] = False
    return out
