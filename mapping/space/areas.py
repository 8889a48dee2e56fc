"""Areas people speak of: ground of one kind joined over gaps, scraps given to their neighbors.

A street is one street though a robot looked away for a few meters of it, and a lawn is one lawn on both
sides of a path. A square meter of a parking lot seen between two cars has no name of its own.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.mapping.space.settings import RegionSettings
from commonground.mapping.space.streets import streets
from commonground.scene import Layer
from commonground.scene.parts import connected, eldest, stars

SAME_LEVEL_M = 0.5
"""Ground that lies higher or lower is another level, and not the same area across a gap."""
OUTLINE_STEP_M = 0.5
"""Distances between outlines are those of points so far apart along them."""


def areas(surface: Layer, kind: Ints, roads: Bools, settings: RegionSettings) -> Ints:
    """Return the area (n,) of each surface place, as the row of its eldest.

    ``kind`` (n,) is a number for each class of ground and each room: places of different kinds share an
    area only where one of them is too small for one of its own. A network of ``roads`` (n,) is cut into
    streets.
    """
    n = len(surface)
    if n == 0:
        return np.empty(0, np.int64)
    touching = surface.edges.rows[:, :2]
    area = connected(n, touching[kind[touching[:, 0]] == kind[touching[:, 1]]])
    gaps, width = _gaps(surface, area, max(settings.bridge_m, settings.sliver_reach_m))
    bridged = (kind[gaps[:, 0]] == kind[gaps[:, 1]]) & (width <= settings.bridge_m)
    area = connected(n, np.concatenate([stars(area), gaps[bridged]]))
    into = _slivers(surface, area, kind, touching, gaps[width <= settings.sliver_reach_m], settings)
    links = np.concatenate([touching, gaps[bridged]])
    return _with_streets(surface, eldest(into[area]), roads, links)


def _with_streets(surface: Layer, area: Ints, roads: Bools, links: Ints) -> Ints:
    """Return the areas (n,) with those that are mostly of ``roads`` (n,) cut into streets."""
    size = surface.columns.get("area_m2", np.ones(len(area)))
    out = area.copy()
    for network in np.unique(area[roads]):
        rows = np.flatnonzero(area == network)
        if size[rows] @ roads[rows] > 0.5 * size[rows].sum():
            own = np.full(len(area), -1, np.int64)
            own[rows] = np.arange(len(rows))
            edges = own[links][(own[links] >= 0).all(axis=1)]
            out[rows] = rows[eldest(streets(surface.positions[rows], size[rows], edges))]
    return out


def _gaps(surface: Layer, part: Ints, reach_m: float) -> tuple[Ints, Floats]:
    """Return the pairs (k, 2) of places of different parts on one level, and the width (k,) of the gap."""
    from scipy.spatial import cKDTree

    outlines = [_sampled(surface, row) for row in range(len(surface))]
    at = surface.positions
    radius = np.array(
        [np.linalg.norm(o - p[:2], axis=1).max() for o, p in zip(outlines, at, strict=True)]
    )
    most = reach_m + 2 * float(radius.max())
    pairs = cKDTree(at[:, :2]).query_pairs(most, output_type="ndarray").astype(np.int64)
    a, b = pairs.T
    apart = np.linalg.norm(at[a, :2] - at[b, :2], axis=1) - radius[a] - radius[b]
    near = (part[a] != part[b]) & (apart < reach_m)
    pairs = pairs[near & (np.abs(at[a, 2] - at[b, 2]) < SAME_LEVEL_M)]
    first = np.cumsum([0, *map(len, outlines)])
    width = _widths(np.concatenate(outlines), first, np.ascontiguousarray(pairs))
    close = width <= reach_m
    return pairs[close].reshape(-1, 2), width[close]


@compiled
def _widths(points: Floats, first: Ints, pairs: Ints) -> Floats:
    """Return the least distance (k,) of points of two outlines; outline a has those from ``first[a]`` on."""
    out = np.empty(len(pairs))
    for k in range(len(pairs)):
        a, b = pairs[k]
        least = np.inf
        for i in range(first[a], first[a + 1]):
            for j in range(first[b], first[b + 1]):
                dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
                least = min(least, dx * dx + dy * dy)
        out[k] = np.sqrt(least)
    return out


def _sampled(surface: Layer, row: int) -> Floats:
    """Return points (k, 2) along the outline of a place; its center where it has none."""
    outline = surface.boundaries[row][:, :2] if surface.boundaries is not None else np.empty((0, 2))
    if len(outline) == 0:
        return np.asarray(surface.positions[row : row + 1, :2])
    after = np.concatenate([outline[1:], outline[:1]])
    steps = max(1, int(np.ceil(np.linalg.norm(after - outline, axis=1).max() / OUTLINE_STEP_M)))
    share = (np.arange(steps) / steps)[:, None, None]
    return np.asarray((outline + share * (after - outline)).reshape(-1, 2))


def _slivers(
    surface: Layer, area: Ints, kind: Ints, touching: Ints, near: Ints, settings: RegionSettings
) -> Ints:
    """Return the area (k,) each area becomes part of: itself, or for a sliver the neighbor it touches most.

    The smallest go first. A sliver that touches nothing joins what is near, of its own kind if there is any.
    """
    size = np.bincount(area, surface.columns.get("area_m2", np.ones(len(area))))
    of_kind = np.zeros(len(size), np.int64)
    of_kind[area] = kind
    into = np.arange(len(size))
    borders = [_neighbors(area, touching), _neighbors(area, near)]
    for sliver in np.argsort(size, kind="stable").tolist():
        if size[into[sliver]] >= settings.min_area_m2 or into[sliver] != sliver:
            continue
        for neighbors in borders:
            counts = Counter[int]()
            for other, times in neighbors.get(sliver, {}).items():
                counts[int(into[other])] += times
            counts.pop(sliver, None)
            if counts:
                best = max(
                    counts, key=lambda k: (of_kind[k] == of_kind[sliver], counts[k], size[k])
                )
                size[best] += size[sliver]
                into[into == sliver] = best
                for each in borders:
                    each.setdefault(best, Counter()).update(each.get(sliver, Counter()))
                break
    return into


def _neighbors(area: Ints, pairs: Ints) -> dict[int, Counter[int]]:
    """Return for each area how many pairs of places join it to which others."""
    out: dict[int, Counter[int]] = {}
    for a, b in area[pairs].tolist():
        if a != b:
            out.setdefault(a, Counter())[b] += 1
            out.setdefault(b, Counter())[a] += 1
    return out
