"""The planes of a room in one depth image: walls, floors, fronts, and tops that carry things.

A patch shows where a plane lies far better than a pixel does, and the patches of one plane do so together.
What lies within the noise of it is the plane, however the patches were cut; what is left stands before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.mapping.depth_pieces import DepthNoise
from commonground.mapping.perception.patches import (
    AREA,
    HIGH,
    LOW,
    NORMAL,
    OUTER,
    PIXELS,
    POINT,
    Surfaces,
    mean_normals,
    thickness,
)
from commonground.mapping.perception.roles import FLAT_M, GROUND_TILT_DEG, TOP, WALL, WALL_TILT_DEG
from commonground.mapping.perception.segments import NO_SURFACE
from commonground.mapping.perception.settings import ClassicalSettings

MARGIN_M = 0.3
"""A plane goes on so far beyond what is surely part of it: behind the slats of a chair."""
WITHIN_SIGMA = 1.5
"""Of the noise of pixels; depth was smoothed."""
THICK_SIGMA = 1.0
"""A patch with more across its plane is a wall and what stands before it in one."""
TRIES = 48
LEAST_SHARE = 0.3
"""Share of such a patch that is the wall at least; of what is left of a large one, that is the next plane."""
FACING = 0.7
"""Least product of the normals of a plane and of a pixel on it."""


FREE = 0.5
"""An upright plane with more of its outline before something farther is a thing, as a screen is."""
FREE_M, STEP_PX = 0.06, 5
"""What is so much farther, so few pixels beyond."""
UNDER_M, BESIDE_M = 0.03, 0.1
"""What reaches no higher above a top that it comes so near to is a part of it: a leg, an edge."""


MOST_FREE = 4
"""More than so many times the least that is structure is no screen."""


class Planes(NamedTuple):
    """Planes with z up."""

    of: Ints32
    """(k + 1,) the role of each patch, were there no planes."""

    plane: Ints32
    """(k + 1,) the plane that each patch is taken for a part of, −1 for none."""

    role: Ints32
    """(p,)"""
    normal: Floats
    """(p, 3) toward the camera."""
    offset: Floats
    """(p,) points on it have this product with the normal."""
    low: Floats
    """(p, 3) box of its patches."""
    high: Floats


def planes_of(surfaces: Surfaces, role: Ints32, free: Bools, s: ClassicalSettings) -> Planes:
    """Return the level and upright planes of a room, patches that lie in one plane taken together.

    Those of what stands ``free`` (k + 1,) are planes without a role: no part of the room.
    """
    sums = surfaces.sums
    steep = np.abs(mean_normals(sums)[:, 2])
    seeds = straight(steep) & (thickness(sums) < FLAT_M)
    seeds[0] = False
    groups, found = _grouped(sums, seeds, free, s.one_plane_m)
    stands = np.array([free[g[0]] for g in groups], bool)
    roles = np.array([_role(sums, role, steep, g, s) for g in groups], np.int32)
    area = np.array([sums[g, AREA].sum() for g in groups])
    screen = _free(surfaces, groups) & (roles == WALL) & (area < MOST_FREE * s.structure_plane_m2)
    roles[screen | stands] = NO_SURFACE
    rest = role.copy()
    rest[[k for p in np.flatnonzero(screen) for k in groups[p]]] = NO_SURFACE
    good = np.flatnonzero((roles != NO_SURFACE) | (stands & (area >= s.structure_plane_m2)))
    plane = np.full(len(sums), -1, np.int32)
    for row, number in enumerate(good):
        plane[groups[number]] = row
    return Planes(
        rest,
        plane,
        roles[good],
        np.array([found[p][0] for p in good]).reshape(-1, 3),
        np.array([found[p][1] for p in good]),
        np.array([sums[groups[p], LOW].min(axis=0) for p in good]).reshape(-1, 3),
        np.array([sums[groups[p], HIGH].max(axis=0) for p in good]).reshape(-1, 3),
    )


def _grouped(
    sums: Floats, seeds: Bools, free: Bools, least_m: float
) -> tuple[list[list[int]], list[tuple[Floats, float]]]:
    """Return the seeds that lie in one plane, largest first, and normal and offset of each plane."""
    faces, least = mean_normals(sums), np.cos(np.deg2rad(WALL_TILT_DEG))
    groups: list[list[int]] = []
    found: list[tuple[Floats, float]] = []
    for k in np.flatnonzero(seeds)[np.argsort(-sums[seeds, AREA], kind="stable")]:
        middle = sums[k, POINT] / sums[k, PIXELS]
        for p, (n, d) in enumerate(found):
            alike = faces[k] @ n > least and free[k] == free[groups[p][0]]
            if alike and abs(middle @ n - d) < least_m:
                groups[p].append(int(k))
                found[p] = _fitted(sums[groups[p]])
                break
        else:
            groups.append([int(k)])
            found.append(_fitted(sums[[k]]))
    return groups, found


def flattened(surfaces: Surfaces, noise: DepthNoise, s: ClassicalSettings) -> Ints32:
    """Return the patches (h, w), the wall in those that hold more than a wall as new ones behind the others.

    Farther off, depth is so smooth that a wall and the books before it are one patch.
    """
    sums, out = surfaces.sums, surfaces.patches
    middle = surfaces.T_level_cam[:3, 3] - sums[:, POINT] / np.maximum(sums[:, [PIXELS]], 1)
    sigma = noise.near_m + noise.growth * (middle**2).sum(axis=1)
    thick = (thickness(sums) > THICK_SIGMA * sigma) & (sums[:, AREA] > s.structure_plane_m2)
    thick[0] = False
    if not thick.any():
        return out
    out, points = out.copy(), level_points(surfaces)
    count = len(sums)
    for k in np.flatnonzero(thick):
        rest = surfaces.patches == k
        pixel_m2, first = sums[k, AREA] / rest.sum(), True
        while first or rest.sum() * pixel_m2 > MOST_FREE * s.structure_plane_m2:
            v, u = np.nonzero(rest)
            at = points[v, u]
            if _thin(at, sigma[k]):
                break
            on = _most_on_plane(at, WITHIN_SIGMA * sigma[k])
            if on.mean() < LEAST_SHARE:
                break
            plane = np.zeros(rest.shape, bool)
            plane[v[on], u[on]] = True
            # a wall may be in pieces; of what stands before it, others lie in the plane by chance
            plane = plane if first else _largest(plane)
            if plane.sum() < LEAST_SHARE * on.sum():
                break
            out[plane], first = count, False
            rest &= ~plane
            count += 1
    return out


def _largest(mask: Bools) -> Bools:
    """Return the largest piece of an image."""
    from scipy import ndimage

    pieces = ndimage.label(mask)[0]
    return np.asarray(pieces == 1 + np.bincount(pieces.ravel())[1:].argmax())


def _thin(points: Floats, sigma: float) -> bool:
    """Return whether points (n, 3) lie in one plane."""
    few = points[:: max(1, len(points) // 1000)]
    return len(few) < 3 or bool(np.linalg.eigvalsh(np.cov(few.T))[0] <= (THICK_SIGMA * sigma) ** 2)


def _most_on_plane(points: Floats, band_m: float) -> Bools:
    """Return which points (n,) lie on the level or upright plane that most lie on."""
    rng = np.random.default_rng(0)
    some = points[rng.integers(len(points), size=(TRIES, 3))]
    normals = np.cross(some[:, 1] - some[:, 0], some[:, 2] - some[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    normals /= np.maximum(lengths, 1e-9)[:, None]
    steep = np.abs(normals[:, 2])
    good = (lengths > 1e-6) & straight(steep)
    few = points[:: max(1, len(points) // 1000)]
    off = np.abs(few @ normals.T - (some[:, 0] * normals).sum(axis=1))
    counts = np.where(good, (off < band_m).sum(axis=0), 0)
    best = int(np.argmax(counts))
    on = np.abs((points - some[best, 0]) @ normals[best]) < band_m
    for _ in range(2):
        if on.sum() < 3:
            break
        mean = points[on].mean(axis=0)
        normal = np.linalg.svd(np.cov((points[on] - mean).T))[0][:, 2]
        on = np.abs((points - mean) @ normal) < band_m
    return np.asarray(on & (counts[best] > 0))


def straight(steep: Floats) -> Bools:
    """Return which normals, by how far they point up or down, are those of level or upright planes."""
    level = steep > np.cos(np.deg2rad(GROUND_TILT_DEG))
    return np.asarray(level | (steep < np.sin(np.deg2rad(WALL_TILT_DEG))))


def level_points(surfaces: Surfaces) -> Floats:
    """Return where the pixels lie (h, w, 3), with z up."""
    from commonground.mapping.perception import _planes

    out = np.empty((*surfaces.depth.shape, 3))
    _planes.points(surfaces.depth, surfaces.K, surfaces.T_level_cam, out)
    return out


def on_planes(planes: Planes, surfaces: Surfaces, noise: DepthNoise, least_m: float) -> Ints32:
    """Return for each pixel (h, w) the plane it lies on, −1 where it lies on none.

    The noise of depth moves a point along its ray, and so but little across a plane seen at a slant.
    """
    from commonground.mapping.perception import _planes

    shapes = np.concatenate(
        [planes.normal, planes.offset[:, None], planes.low - MARGIN_M, planes.high + MARGIN_M],
        axis=1,
    )
    bounds = _planes.Bounds(least_m, WITHIN_SIGMA, FACING)
    out = np.empty(surfaces.depth.shape, np.int32)
    _planes.nearest(
        surfaces.depth,
        surfaces.normal,
        surfaces.K,
        surfaces.T_level_cam,
        noise,
        shapes,
        bounds,
        out,
    )
    return out


def before_plane(planes: Planes, patches: Ints, sums: Floats, least_m: float) -> Bools:
    """Return which pieces (n,) cut off ``patches`` (n,) stand before the plane of those, on average.

    ``sums`` (n, 20) are those of the pieces. A wall and the papers that stand off it are one patch from afar.
    """
    plane = planes.plane[patches]
    middle = sums[:, POINT] / np.maximum(sums[:, [PIXELS]], 1)
    if len(planes.role) == 0:
        return np.zeros(len(plane), bool)
    off = (middle * planes.normal[plane]).sum(axis=1) - planes.offset[plane]
    return np.asarray((plane >= 0) & (off > least_m))


def _fitted(sums: Floats) -> tuple[Floats, float]:
    """Return the normal (3,) and the offset of the plane through patches."""
    total = sums.sum(axis=0)
    mean = total[POINT] / total[PIXELS]
    second = np.zeros((3, 3))
    i, j = np.triu_indices(3)
    second[i, j] = second[j, i] = total[OUTER] / total[PIXELS]
    normal = np.linalg.eigh(second - np.outer(mean, mean))[1][:, 0]
    normal = normal if normal @ total[NORMAL] > 0 else -normal
    return normal, float(normal @ mean)


def _free(surfaces: Surfaces, groups: list[list[int]]) -> Bools:
    """Return which groups of patches end before something farther at most of the outline in view."""
    of = np.zeros(len(surfaces.sums), np.int32)
    for p, group in enumerate(groups, start=1):
        of[group] = p
    lies, z = of[surfaces.patches], surfaces.depth
    free, flush = np.zeros((2, len(groups) + 1))
    for a, b in (
        ((slice(None), slice(STEP_PX, None)), (slice(None), slice(None, -STEP_PX))),
        ((slice(STEP_PX, None),), (slice(None, -STEP_PX),)),
    ):
        for one, other in ((a, b), (b, a)):
            end = (lies[one] > 0) & (lies[other] != lies[one])
            step = z[other][end] - z[one][end]
            free += np.bincount(lies[one][end], step > FREE_M, len(groups) + 1)
            flush += np.bincount(lies[one][end], np.abs(step) <= FREE_M, len(groups) + 1)
    return np.asarray(free > FREE * np.maximum(free + flush, 1))[1:]


def _role(sums: Floats, role: Ints32, steep: Floats, group: list[int], s: ClassicalSettings) -> int:
    """Return what a plane is: what the largest of its patches with a role is, else what its area says."""
    known = [k for k in group if role[k] != NO_SURFACE]
    if known:
        return int(role[known[0]])
    if sums[group, AREA].sum() < s.structure_plane_m2:
        return NO_SURFACE
    return TOP if steep[group[0]] > 0.5 else WALL


def under_tops(
    things: Ints32, sums: Floats, surfaces: Surfaces, role: Ints32, near: Ints32
) -> Bools:
    """Return which things (k + 1,) touch a top and do not rise above it.

    ``sums`` are those of the things, ``near`` the pairs of patches that come near to one another.
    """
    top = role == TOP
    height = surfaces.sums[:, POINT][:, 2] / np.maximum(surfaces.sums[:, PIXELS], 1)
    of = np.zeros(len(role), np.int32)
    of[surfaces.patches] = things
    out = np.zeros(len(sums), bool)
    for plane, part in (near.T, near.T[::-1]):
        hit = top[plane] & (of[part] > 0)
        thing = of[part[hit]]
        low = sums[thing, HIGH][:, 2] < height[plane[hit]] + UNDER_M
        out[thing[low]] = True
    out[0] = False
    return out
