"""Ground cut into evenly sized convex-ish patches of one class and one region: the true surface places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.datasets.world.model import World

GRID_M = 0.5
"""Resolution of the ground when it is cut."""
PATCH_M = 5.0
"""Edge length of a patch, about."""
SMALLEST_M2 = 1.0
ROUNDS = 6
"""Rounds of Lloyd's algorithm; more change little."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches in columns."""

    centers: Floats
    """(n, 3)"""
    labels: Ints32
    """(n,)"""
    regions: Ints32
    """(n,) rows of the world's regions, −1 for none."""
    areas: Floats
    """(n,) square meters."""
    edges: Ints
    """(m, 2) patches that share a border one can cross."""
    outlines: list[Floats]
    """(k, 3) convex outline of each, counter-clockwise."""


def patches_of(world: World) -> Patches:
    """Return the patches of a world's free navigable ground."""
    labels, regions, centers = _grid(world)
    kind = np.where(
        labels > 0, labels.astype(np.int64) * (len(world.regions) + 1) + regions + 1, -1
    )
    owner = _cut(kind, centers)
    return _described(world, owner, labels, regions, centers)


def _grid(world: World) -> tuple[Ints32, Ints32, Floats]:
    """Return class (0 where blocked), region and center of each half-meter cell (nx, ny[, 2])."""
    ground = world.ground
    count = np.maximum(1, np.floor(ground.extent / GRID_M).astype(int))
    x = ground.origin[0] + (np.arange(count[0]) + 0.5) * GRID_M
    y = ground.origin[1] + (np.arange(count[1]) + 0.5) * GRID_M
    centers = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    flat = centers.reshape(-1, 2)
    labels = ground.surface_at(flat).reshape(count).astype(np.int32)
    labels[_blocked(world, centers)] = 0
    return labels, ground.region_at(flat).reshape(count), centers


def _blocked(world: World, centers: Floats) -> Bools:
    """Return which cells (nx, ny) lie under a thing that stands on the ground."""
    from commonground.datasets.world.site import footprint_discs
    from commonground.geometry import yaw_of

    blocked = np.zeros(centers.shape[:2], bool)
    origin = centers[0, 0]
    for thing in world.things:
        T = thing.T_world_thing
        for x, y, r in footprint_discs(thing.shape, T[:2, 3], float(yaw_of(T))):
            low = np.floor((np.array([x, y]) - r - origin) / GRID_M).astype(int)
            high = np.ceil((np.array([x, y]) + r - origin) / GRID_M).astype(int) + 1
            low, high = np.maximum(low, 0), np.minimum(high, blocked.shape)
            window = (slice(low[0], high[0]), slice(low[1], high[1]))
            near = np.linalg.norm(centers[window] - [x, y], axis=-1) < r
            blocked[window] |= near
    return blocked


def _cut(kind: Ints, centers: Floats) -> Ints:
    """Return the patch (nx, ny) of each cell, −1 for none: Lloyd's algorithm within each kind of ground."""
    from scipy.ndimage import find_objects
    from scipy.ndimage import label as components

    owner = np.full(kind.shape, -1, np.int64)
    values, dense = np.unique(kind, return_inverse=True)
    dense = dense.reshape(kind.shape) + 1
    total = 0
    for number, window in enumerate(find_objects(dense), start=1):
        if values[number - 1] < 0 or window is None:
            continue
        parts, count = components(dense[window] == number)
        rows, cols = np.nonzero(parts)
        order = np.argsort(parts[rows, cols], kind="stable")
        bounds = np.searchsorted(parts[rows, cols][order], np.arange(1, count + 2))
        for k in range(count):
            own = order[bounds[k] : bounds[k + 1]]
            if len(own) * GRID_M**2 >= SMALLEST_M2:
                nearest = _lloyd(centers[window][rows[own], cols[own]])
                owner[window][rows[own], cols[own]] = total + nearest
                total += int(nearest.max()) + 1
    return owner


def _lloyd(points: Floats) -> Ints:
    """Return the patch (n,) of each point (n, 2) of one connected piece of ground."""
    from scipy.spatial import cKDTree

    seeds, nearest = _seeds(points), np.zeros(len(points), np.int64)
    for _ in range(ROUNDS):
        nearest = cKDTree(seeds).query(points)[1]
        weight = np.bincount(nearest, minlength=len(seeds))
        nearest = (np.cumsum(weight > 0) - 1)[nearest]  # seeds that lost all their points are gone
        weight = weight[weight > 0]
        seeds = np.stack([np.bincount(nearest, points[:, a]) / weight for a in (0, 1)], axis=1)
    return nearest


def _seeds(points: Floats) -> Floats:
    """Return one seed for each square of the patch size that holds points."""
    squares = np.floor(points / PATCH_M).astype(np.int64)
    _, first = np.unique(squares[:, 0] * 1_000_003 + squares[:, 1], return_inverse=True)
    weight = np.bincount(first)
    return np.stack([np.bincount(first, points[:, a]) / weight for a in (0, 1)], axis=1)


def _described(
    world: World, owner: Ints, labels: Ints32, regions: Ints32, centers: Floats
) -> Patches:
    rows, cols = np.nonzero(owner >= 0)
    patch = owner[rows, cols]
    order = np.argsort(patch, kind="stable")
    n = int(patch.max()) + 1 if len(patch) else 0
    bounds = np.searchsorted(patch[order], np.arange(n + 1))
    points = centers[rows, cols][order]
    first = order[bounds[:-1]]
    middle = np.empty((n, 2))
    for k in range(n):
        own = points[bounds[k] : bounds[k + 1]]
        away = own - own.mean(axis=0)
        middle[k] = own[np.linalg.norm(away, axis=1).argmin()]  # a point of the patch itself
    return Patches(
        centers=np.c_[middle, world.ground.height(middle)],
        labels=labels[rows[first], cols[first]].astype(np.int32),
        regions=regions[rows[first], cols[first]].astype(np.int32),
        areas=np.diff(bounds) * GRID_M**2,
        edges=_borders(owner, world, centers),
        outlines=_outlines(points, patch[order], world),
    )


def _outlines(points: Floats, patch: Ints, world: World) -> list[Floats]:
    """Return the convex outline of each patch of cells, which are given patch by patch, column by column."""
    from scipy.spatial import ConvexHull

    if not len(points):
        return []
    h = GRID_M / 2
    # of each column of cells only the first and the last reach outwards
    turns = (np.diff(points[:, 0], append=np.nan) != 0) | (np.diff(patch, append=-1) != 0)
    ends = np.flatnonzero(turns)
    lows, highs = points[np.r_[0, ends[:-1] + 1]], points[ends]
    corners = np.stack([c + [dx, dy] for c, dy in ((lows, -h), (highs, h)) for dx in (-h, h)])
    columns = np.split(corners, np.flatnonzero(np.diff(patch[ends])) + 1, axis=1)
    hulls = [c[ConvexHull(c).vertices] for c in (own.reshape(-1, 2) for own in columns)]
    cuts = np.cumsum([len(hull) for hull in hulls])[:-1]
    hull = np.concatenate(hulls)
    return np.split(np.concatenate([hull, world.ground.height(hull)[:, None]], axis=1), cuts)


def _borders(owner: Ints, world: World, centers: Floats) -> Ints:
    """Return the pairs of patches with a common border of at least a meter; at doors half a meter do."""
    pairs, at = [], []
    for a, b in ((np.s_[:-1], np.s_[1:]), (np.s_[:, :-1], np.s_[:, 1:])):
        meet = (owner[a] >= 0) & (owner[b] >= 0) & (owner[a] != owner[b])
        p, q = centers[a][meet], centers[b][meet]
        leads = _is_open(world, p, q)
        pairs.append(np.sort(np.stack([owner[a][meet], owner[b][meet]], axis=1)[leads], axis=1))
        at.append((p + q)[leads] / 2)
    found, first, count = np.unique(
        np.concatenate(pairs), axis=0, return_index=True, return_counts=True
    )
    narrow = world.is_inside(np.concatenate(at)[first])
    return np.asarray(found[count * GRID_M >= np.where(narrow, 0.5, 1.0)], np.int64)


def _is_open(world: World, a: Floats, b: Floats) -> Bools:
    """Tell from which points (n, 2) ground leads straight to others: walls are thinner than cells."""
    steps = np.linspace(0.0, 1.0, 1 + round(GRID_M / world.ground.cell_m))
    return np.asarray(np.all([world.ground.surface_at(a + t * (b - a)) > 0 for t in steps], axis=0))
