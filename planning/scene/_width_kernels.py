"""Compiled search for the rim of the ground that outlines cover together, and for what is near it."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.planning.scene._outline_kernels import inside

STEP_M = 0.1
"""Rims are sampled this densely."""
TOUCH_M = 0.02
"""Outlines that are so near to each other touch."""
GAPS_M = (0.1, 0.2, 0.3)
"""How far beyond a rim the outline of a neighbor may begin: maps leave such gaps between their pieces."""

LONG_M = 4.0
"""Lines are held against the rim piece by piece, each no longer than this."""
ASIDE = (0.0, -1.0, 1.0)
"""Gaps are looked across straight, and at 45 degrees to what touches nowhere: openings have corners."""


@compiled
def rim(points: Floats, starts: Ints, indptr: Ints, indices: Ints, borders: Floats) -> Floats:
    """Return where the ground ends, which way is outwards, of which outline, and how wide a gap it is at:

    (m, 7) x, y, z, dx, dy, i, and 0 where no ground begins beyond a gap.

    Outline i has corners ``points[starts[i]:starts[i + 1]]``; places are neighbors as in a sparse matrix,
    across ``borders`` (e, 3): the middle, and how far from it they may reach. A point is on the rim if just
    beyond it lies no outline of a place across a border, two steps away at most, and a little farther beyond
    none of a neighbor.
    """
    found = [(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)][:0]
    for i in range(len(starts) - 1):
        first, last = starts[i], starts[i + 1]
        if last - first < 3:
            continue
        around = _sampled(points, first, last)
        touching = np.zeros(len(indices[indptr[i] : indptr[i + 1]]), np.bool_)
        for x, y, _, nx, ny in around:
            for e in range(len(touching)):
                j = indices[indptr[i] + e]
                if not touching[e] and inside(
                    points, starts[j], starts[j + 1], x + TOUCH_M * nx, y + TOUCH_M * ny
                ):
                    touching[e] = True
        for x, y, z, nx, ny in around:
            if not _goes_on(points, starts, indptr, indices, borders, i, (x, y, nx, ny)):
                near = indices[indptr[i] : indptr[i + 1]]
                gap = _across_a_gap(points, starts, near, touching, (x, y, nx, ny))
                found.append((x, y, z, nx, ny, float(i), gap))
    out = np.empty((len(found), 7))
    for k in range(len(found)):
        for c in range(7):
            out[k, c] = found[k][c]
    return out


@compiled
def _sampled(
    points: Floats, first: int, last: int
) -> list[tuple[float, float, float, float, float]]:
    """Return points all along an outline, and which way is outwards."""
    found = [(0.0, 0.0, 0.0, 0.0, 0.0)][:0]
    turn = 1.0 if _area(points, first, last) > 0.0 else -1.0
    for k in range(first, last):
        a, b = points[k], points[k + 1 if k + 1 < last else first]
        dx, dy = b[0] - a[0], b[1] - a[1]
        meters = np.sqrt(dx * dx + dy * dy)
        if meters < 1e-9:
            continue
        nx, ny = turn * dy / meters, -turn * dx / meters
        pieces = int(np.ceil(meters / STEP_M))
        for s in range(pieces + 1):
            share = s / pieces
            # corners a little inwards, so that beyond them is beyond their own side
            share = min(max(share, 1e-3), 1.0 - 1e-3)
            x, y = a[0] + share * dx, a[1] + share * dy
            found.append((x, y, a[2] + share * (b[2] - a[2]), nx, ny))
    return found


@compiled
def _across_a_gap(
    points: Floats,
    starts: Ints,
    neighbors: Ints,
    touching: Bools,
    ray: tuple[float, float, float, float],
) -> float:
    """Return how far beyond a point a neighbor's outline begins, 0 where none does so near."""
    x, y, nx, ny = ray
    for e in range(len(neighbors)):
        first, last = starts[neighbors[e]], starts[neighbors[e] + 1]
        for aside in ASIDE:
            if aside != 0.0 and touching[e]:
                continue
            for gap in GAPS_M:
                dx, dy = gap * (nx - aside * ny), gap * (ny + aside * nx)
                if inside(points, first, last, x + dx, y + dy):
                    return gap
    return 0.0


@compiled
def _goes_on(
    points: Floats,
    starts: Ints,
    indptr: Ints,
    indices: Ints,
    borders: Floats,
    i: int,
    ray: tuple[float, float, float, float],
) -> bool:
    """Return whether the ground goes on beyond a point of outline i, outwards, across a border near it."""
    x, y = ray[0] + TOUCH_M * ray[2], ray[1] + TOUCH_M * ray[3]
    for e in range(indptr[i], indptr[i + 1]):
        j = indices[e]
        if not _is_at(borders[e], x, y):
            continue
        if inside(points, starts[j], starts[j + 1], x, y):
            return True
        for f in range(indptr[j], indptr[j + 1]):
            k = indices[f]
            if k == i or not _is_at(borders[f], x, y):
                continue
            if inside(points, starts[k], starts[k + 1], x, y):
                return True
    return False


@compiled
def _is_at(border: Floats, x: float, y: float) -> bool:
    """Return whether a border may reach to a point."""
    return bool((x - border[0]) ** 2 + (y - border[1]) ** 2 <= border[2] ** 2)


@compiled
def _area(points: Floats, first: int, last: int) -> float:
    """Return twice the signed area of a polygon."""
    total = 0.0
    for k in range(first, last):
        after = k + 1 if k + 1 < last else first
        total += points[k, 0] * points[after, 1] - points[after, 0] * points[k, 1]
    return total


@compiled
def nearest_along(
    points: Floats, starts: Ints, corner: Floats, count: Ints, p: Floats, q: Floats, enough_m: float
) -> Floats:
    """Return the least meters from straight lines p to q (m, 3) to points, never more than ``enough_m``.

    The points of cell (i, j) are ``points[starts[k]:starts[k + 1]]`` for k = i * count[1] + j; ``corner`` is
    the lower corner of the first cell, and how large cells are.
    """
    out = np.full(len(p), enough_m)
    for m in range(len(p)):
        long_m = np.sqrt(((q[m] - p[m]) ** 2).sum())
        if not np.isfinite(long_m):
            continue
        pieces = max(int(np.ceil(long_m / LONG_M)), 1)
        for k in range(pieces):
            a = p[m] + k / pieces * (q[m] - p[m])
            along = (q[m] - p[m]) / pieces
            out[m] = _nearest_to_piece(points, starts, corner, count, a, along, out[m])
    return out


@compiled
def _nearest_to_piece(
    points: Floats,
    starts: Ints,
    corner: Floats,
    count: Ints,
    a: Floats,
    along: Floats,
    enough_m: float,
) -> float:
    """Return the least meters from the straight line from a to a + along (3,) to points."""
    length2 = max((along**2).sum(), 1e-18)
    best2 = enough_m**2
    low_x, high_x = min(a[0], a[0] + along[0]) - enough_m, max(a[0], a[0] + along[0]) + enough_m
    low_y, high_y = min(a[1], a[1] + along[1]) - enough_m, max(a[1], a[1] + along[1]) + enough_m
    if (
        high_x < corner[0]
        or high_y < corner[1]
        or low_x > corner[0] + count[0] * corner[2]
        or low_y > corner[1] + count[1] * corner[2]
    ):
        return enough_m
    first_i = int(max((low_x - corner[0]) / corner[2], 0.0))
    last_i = int(min((high_x - corner[0]) / corner[2], count[0] - 1.0))
    first_j = int(max((low_y - corner[1]) / corner[2], 0.0))
    last_j = int(min((high_y - corner[1]) / corner[2], count[1] - 1.0))
    for i in range(first_i, last_i + 1):
        for k in range(starts[i * count[1] + first_j], starts[i * count[1] + last_j + 1]):
            x, y, z = points[k, 0] - a[0], points[k, 1] - a[1], points[k, 2] - a[2]
            share = (x * along[0] + y * along[1] + z * along[2]) / length2
            share = min(max(share, 0.0), 1.0)
            x, y, z = x - share * along[0], y - share * along[1], z - share * along[2]
            best2 = min(best2, x * x + y * y + z * z)
    return float(np.sqrt(best2))
