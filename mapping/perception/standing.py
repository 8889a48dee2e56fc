"""What stands free in one depth image: faces that bend away from one another, and end before what is farther.

The front of a box is as flat, as upright and as wide as a wall seen in part. What tells them apart is where
they end: a wall ends at the next wall, at the ceiling or at the edge of the image; a box ends in the air.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints32
from commonground.mapping.depth_pieces import DepthNoise
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
from commonground.mapping.perception.planes import level_points
from commonground.mapping.perception.roles import (
    FLAT_M,
    GROUND,
    GROUND_M2,
    GROUND_TILT_DEG,
    WALL_TILT_DEG,
    cut_at_corner,
)
from commonground.scene.parts import connected

BEHIND_M, SIGMAS = 0.06, 1.5
"""What lies so far behind the plane of a face, or that many deviations of depth, is not joined to it."""
STEP_PX = 5
"""So few pixels beyond the outline is looked."""
BEND = 0.06
"""One less the cosine by which faces of one body turn at least, to be two faces."""
LEAST_CONTACT = 4
"""Pairs of pixels that are a contact of patches at least."""
RAISED_M = 0.06
"""Level patches so far above the lowest ground may be tops."""
IN_AIR, OF_ALL = 0.6, 0.4
"""Share of the outline that ends in the air: of where its end is known, and of all but where it stands."""
UPRIGHT, TOPPED = 0.15, 0.05
"""Shares of a body's area that are its sides and its top at least. A wall shows no top."""
OF_TOPPED, IN_VIEW = 0.2, 0.5
"""Shares of the outline of a body with sides and a top that end in the air, and that are in view."""
TOP_TILT_DEG = 35.0
"""Normals of a narrow top lean toward the side that it ends in."""
TOP_M2, ABOVE_M = 0.05, 0.03
"""What stands on a top of so much, and rises so far above it, is a thing of its own."""
MOST_M = 2.0
"""What is larger is the room."""

FREE, UNSURE = 1, 2
"""What stands free; and what may, or be the room: the image cuts off too much of it."""


def standing(surfaces: Surfaces, role: Ints32, noise: DepthNoise) -> Ints32:
    """Return which patches (k + 1,) are faces of what stands FREE, and of which one is UNSURE."""
    sums = surfaces.sums
    if len(sums) < 2:
        return np.zeros(len(sums), np.int32)
    flat, up = thickness(sums) < FLAT_M, mean_normals(sums)[:, 2]
    level = flat & (up > np.cos(np.deg2rad(GROUND_TILT_DEG)))
    flat[0] = False
    body = _bodies(surfaces, flat & ~_ground(sums, role))
    free, bound, unknown = _outline(surfaces, body, level, noise)
    whole = free + bound + unknown
    steep = flat & (np.abs(up) < np.sin(np.deg2rad(WALL_TILT_DEG)))
    area, upright, top = (
        np.bincount(body, np.where(kind, sums[:, AREA], 0.0), len(whole))
        for kind in (flat, steep, flat & (up > np.cos(np.deg2rad(TOP_TILT_DEG))))
    )
    small = (_extents(sums, body) < MOST_M) & (free > 0)
    small[0] = False
    airy = free > IN_AIR * (free + bound)
    topped = top > TOPPED * area
    at_wall = topped & (free + bound > IN_VIEW * whole) & (free > OF_TOPPED * whole)
    corner = cut_at_corner(body[surfaces.patches], len(whole))
    alone = airy & (free > np.where(topped, OF_TOPPED, OF_ALL) * whole) & (topped | ~corner)
    stands = small & (upright > UPRIGHT * area) & (at_wall | alone)
    unsure = small & airy & ~stands & (unknown > 0)
    return np.where(stands, FREE, np.where(unsure, UNSURE, 0)).astype(np.int32)[body]


def _ground(sums: Floats, role: Ints32) -> Bools:
    """Return which patches (k + 1,) are surely ground: those at the height of the lowest, and wide ones."""
    height = sums[:, POINT][:, 2] / np.maximum(sums[:, PIXELS], 1)
    ground = role == GROUND
    low = height < height[ground].min(initial=np.inf) + RAISED_M
    return np.asarray(ground & (low | (sums[:, AREA] >= 4 * GROUND_M2)))


def _extents(sums: Floats, body: Ints32) -> Floats:
    """Return the longest edge of each body."""
    count = int(body.max(initial=0)) + 1
    low, high = (np.full((count, 3), limit) for limit in (np.inf, -np.inf))
    np.minimum.at(low, body, sums[:, LOW])
    np.maximum.at(high, body, sums[:, HIGH])
    return np.asarray((high - low).max(axis=1))


def _bodies(surfaces: Surfaces, faces: Bools) -> Ints32:
    """Return the body (k + 1,) of each patch, 0 for none: faces that touch and bend away from one another."""
    sums, parts = surfaces.sums, np.where(faces[surfaces.patches], surfaces.patches, 0)
    pairs = _touching(parts, surfaces, BEHIND_M)
    normal = mean_normals(sums)
    middle = sums[:, POINT] / np.maximum(sums[:, [PIXELS]], 1)
    a, b = pairs.T
    way = middle[b] - middle[a]
    beyond_a, beyond_b = (normal[a] * way).sum(axis=1), -(normal[b] * way).sum(axis=1)
    bent = 1 - (normal[a] * normal[b]).sum(axis=1) > BEND
    convex = (beyond_a < 0) & (beyond_b < 0)
    level = np.maximum(np.abs(beyond_a), np.abs(beyond_b)) < BEHIND_M
    group = connected(len(sums), pairs[np.where(bent, convex, level)])
    _, number = np.unique(np.where(faces, group + 1, 0), return_inverse=True)
    return np.asarray(number, np.int32)


def _touching(parts: Ints32, surfaces: Surfaces, step_m: float) -> Ints32:
    """Return the pairs (m, 2) of patches that touch without a step in depth."""
    found = []
    for one, other in (
        ((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
        ((slice(1, None),), (slice(None, -1),)),
    ):
        a, b = parts[one], parts[other]
        near = np.abs(surfaces.depth[one] - surfaces.depth[other]) < step_m
        hit = (a != b) & (a > 0) & (b > 0) & near
        found.append(np.sort(np.stack([a[hit], b[hit]], axis=1), axis=1))
    pairs, count = np.unique(np.concatenate(found), axis=0, return_counts=True)
    return np.asarray(pairs[count >= LEAST_CONTACT], np.int32)


def _outline(
    surfaces: Surfaces, body: Ints32, level: Bools, noise: DepthNoise
) -> tuple[Floats, Floats, Floats]:
    """Return how much of each body's outline ends in the air, at something else, and out of sight.

    Where it stands on what is level it counts as neither.
    """
    patch, z, points = surfaces.patches, surfaces.depth, level_points(surfaces)
    lies, count = body[patch], int(body.max(initial=0)) + 1
    normal = mean_normals(surfaces.sums)
    free, bound, unknown = np.zeros((3, count))
    for edge in (lies[0], lies[-1], lies[:, 0], lies[:, -1]):
        unknown += STEP_PX * np.bincount(edge, minlength=count)
    a, b = slice(STEP_PX, None), slice(None, -STEP_PX)
    full = slice(None)
    for one, other in (((full, a), (full, b)), ((full, b), (full, a)), ((a,), (b,)), ((b,), (a,))):
        end = (lies[one] > 0) & (lies[other] != lies[one])
        mine, there = lies[one][end], patch[other][end]
        off = (normal[patch[one][end]] * (points[other][end] - points[one][end])).sum(axis=1)
        near = z[one][end]
        behind = off < -np.maximum(BEHIND_M, SIGMAS * (noise.near_m + noise.growth * near**2))
        hidden = z[other][end] < near - BEHIND_M
        lost = ~np.isfinite(off) | (there == 0) | (hidden & ~behind)
        free += np.bincount(mine, behind & ~lost, count)
        unknown += np.bincount(mine, lost, count)
        bound += np.bincount(mine, ~lost & ~behind & ~level[there], count)
    return free, bound, unknown


def off_tops(things: Ints32, surfaces: Surfaces, stood: Ints32, least_px: int) -> Ints32:
    """Return things (h, w) with what stands on the top of another apart from it, behind it in number."""
    from scipy import ndimage

    sums, patch = surfaces.sums, surfaces.patches
    level = mean_normals(sums)[:, 2] > np.cos(np.deg2rad(GROUND_TILT_DEG))
    free = np.bincount(patch.ravel(), stood.ravel() == FREE, len(sums)) > 0.5 * sums[:, PIXELS]
    tops = level & free & (thickness(sums) < FLAT_M) & (sums[:, AREA] > TOP_M2)
    tops[0] = False
    out, z = things.copy(), level_points(surfaces)[..., 2]
    for k in np.flatnonzero(tops):
        own = np.bincount(out[patch == k]).argmax()
        if own == 0:
            continue
        above = (out == own) & (z > sums[k, POINT][2] / sums[k, PIXELS] + ABOVE_M)
        pieces = ndimage.label(above)[0]
        for number in 1 + np.flatnonzero(np.bincount(pieces.ravel())[1:] >= least_px):
            out[pieces == number] = out.max() + 1
    return out
