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
from commonground.scene import Layer
from commonground.scene.parts import connected, eldest, stars

SLIVER_REACH_M = 4.0
"""A neighbor is at most this far away."""

SAME_LEVEL_M = 0.5
"""Ground that lies higher or lower is another level, and not the same area across a gap."""
OUTLINE_STEP_M = 0.5
"""Distances between outlines are those of points so far apart along them."""
REACH_M = 10.0
"""A street's direction at a place is that of the road within this distance."""
STRAIGHT = 0.3
"""Across a street the road spreads at most this share of what it spreads along it; more is a crossing."""
TURN_DEG = 25.0
"""Neighbors whose directions differ by less are of one street, and so are pieces in one line."""
ASIDE_M = 4.0
"""Pieces in one line are at most this far beside it."""
LEAST_M = 15.0
"""A shorter piece is no street of its own."""


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
    gaps, width = _gaps(surface, area, max(settings.bridge_m, SLIVER_REACH_M))
    bridged = (kind[gaps[:, 0]] == kind[gaps[:, 1]]) & (width <= settings.bridge_m)
    area = connected(n, np.concatenate([stars(area), gaps[bridged]]))
    into = _slivers(surface, area, kind, touching, gaps[width <= SLIVER_REACH_M], settings)
    links = np.concatenate([touching, gaps[bridged]])
    return _with_streets(surface, eldest(into[area]), roads, links)


def _with_streets(surface: Layer, area: Ints, roads: Bools, links: Ints) -> Ints:
    """Return the areas (n,) with those that are mostly of ``roads`` (n,) cut into streets."""
    size = surface.area_m2
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
    size = np.bincount(area, surface.area_m2)
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


# ---- streets ----


def streets(at: Floats, area_m2: Floats, edges: Ints) -> Ints:
    """Return the street (n,) of each place of one network of roads.

    ``at`` (n, 3) are the places, ``edges`` (m, 2) join neighbors. A network without crossings is one street,
    winding as it may be.
    """
    direction, straight = _directions(at[:, :2], area_m2)
    a, b = edges.T
    along = np.abs((direction[a] * direction[b]).sum(axis=1)) > np.cos(np.radians(TURN_DEG))
    piece = connected(len(at), edges[straight[a] & straight[b] & along])
    long = [k for k in np.unique(piece[straight]) if _length(at[piece == k]) >= LEAST_M]
    if len(long) < 2:
        return np.zeros(len(at), np.int64)
    lines = [_line(at[piece == k]) for k in long]
    pairs = [(i, j) for j in range(len(long)) for i in range(j) if _in_line(lines[i], lines[j])]
    street = connected(len(long), np.array(pairs, np.int64).reshape(-1, 2))
    out = np.full(len(at), -1, np.int64)
    for k, number in zip(long, street, strict=True):
        out[piece == k] = number
    return _filled(out, at[:, :2], lines, street)


def _directions(xy: Floats, weight: Floats) -> tuple[Floats, Bools]:
    """Return the unit direction (n, 2) of the road about each place, and whether it is clear (n,)."""
    from scipy.spatial import cKDTree

    tree = cKDTree(xy)
    direction, ratio = np.zeros_like(xy), np.ones(len(xy))
    for k, near in enumerate(tree.query_ball_point(xy, REACH_M)):
        w = weight[near] / weight[near].sum()
        d = xy[near] - w @ xy[near]
        size, axes = np.linalg.eigh((d * w[:, None]).T @ d)
        direction[k], ratio[k] = axes[:, 1], size[0] / max(size[1], 1e-9)
    return direction, ratio <= STRAIGHT


def _line(at: Floats) -> tuple[Floats, Floats]:
    """Return the middle (2,) and the unit direction (2,) of a piece of road."""
    middle = at[:, :2].mean(axis=0)
    d = at[:, :2] - middle
    return middle, np.linalg.eigh(d.T @ d)[1][:, 1]


def _length(at: Floats) -> float:
    middle, direction = _line(at)
    return float(np.ptp((at[:, :2] - middle) @ direction))


def _in_line(one: tuple[Floats, Floats], two: tuple[Floats, Floats]) -> bool:
    """Return whether two pieces lie on one straight line."""
    (p, u), (q, v) = one, two
    across = [
        abs(float(u[0] * (q - p)[1] - u[1] * (q - p)[0])),
        abs(float(v[0] * (q - p)[1] - v[1] * (q - p)[0])),
    ]
    return abs(float(u @ v)) > np.cos(np.radians(TURN_DEG)) and max(across) < ASIDE_M


def _filled(street: Ints, xy: Floats, lines: list[tuple[Floats, Floats]], of_line: Ints) -> Ints:
    """Return the streets with crossings and stumps given to the street whose middle line is nearest."""
    rest = np.flatnonzero(street < 0)
    away = np.stack([np.abs((xy[rest] - p) @ [-u[1], u[0]]) for p, u in lines])
    near = _nearest(xy, street, rest, of_line)
    street = street.copy()
    street[rest] = of_line[np.where(near, away, np.inf).argmin(axis=0)]
    return street


def _nearest(xy: Floats, street: Ints, rest: Ints, of_line: Ints) -> Bools:
    """Return which lines (l, r) belong to a street that comes near each of the rest."""
    from scipy.spatial import cKDTree

    gaps = np.stack([cKDTree(xy[street == s]).query(xy[rest])[0] for s in of_line])
    return np.asarray(gaps <= np.maximum(gaps.min(axis=0) + 3.0, REACH_M))
