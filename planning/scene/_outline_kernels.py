"""Compiled tests of which outlines points lie in."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled

BORDER_M = 1e-6
"""Points so near to a side are on it, and borders count in."""
DEPTH_M = 0.02
"""Points that are no deeper in some outlines are on their rim."""
AROUND = (
    *((0.0, 0.0), (1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7)),
    *((-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0), (0.7, -0.7)),
)


@compiled
def inside(points: Floats, first: int, last: int, x: float, y: float) -> bool:
    """Return whether a point lies in a simple polygon, by counting crossings."""
    odd = False
    before = last - 1
    for k in range(first, last):
        ya, yb = points[before, 1], points[k, 1]
        if (ya > y) != (yb > y):
            cut = points[before, 0] + (y - ya) / (yb - ya) * (points[k, 0] - points[before, 0])
            if x < cut:
                odd = not odd
        before = k
    return odd


@compiled
def within(points: Floats, starts: Ints, at: Floats, near: Ints, level_m: float) -> Bools:
    """Return which points (m, 3) lie inside one of the outlines in their row of ``near`` (m, k).

    Outlines that are higher or lower than the point by more than a level do not count, nor do negative rows.
    """
    out = np.zeros(len(at), np.bool_)
    for m in range(len(at)):
        for j in near[m]:
            if j < 0:
                continue
            first, last = starts[j], starts[j + 1]
            if last == first or abs(points[first, 2] - at[m, 2]) > level_m:
                continue
            if inside(points, first, last, at[m, 0], at[m, 1]):
                out[m] = True
                break
    return out


@compiled
def inside_each(points: Floats, starts: Ints, at: Floats, rows: Ints) -> Bools:
    """Return (m, k): whether points (m, 2) lie in, or on the border of, each outline of their row (m, k)."""
    out = np.zeros(rows.shape, np.bool_)
    for m in range(len(at)):
        for k in range(rows.shape[1]):
            first, last = starts[rows[m, k]], starts[rows[m, k] + 1]
            if last - first >= 3:
                x, y = at[m, 0], at[m, 1]
                out[m, k] = inside(points, first, last, x, y) or _on_border(
                    points, first, last, x, y
                )
    return out


@compiled
def _on_border(points: Floats, first: int, last: int, x: float, y: float) -> bool:
    """Return whether a point is on a side of a polygon."""
    before = last - 1
    for k in range(first, last):
        px, py = points[before, 0], points[before, 1]
        dx, dy = points[k, 0] - px, points[k, 1] - py
        length2 = max(dx * dx + dy * dy, 1e-18)
        share = min(max(((x - px) * dx + (y - py) * dy) / length2, 0.0), 1.0)
        if (x - px - share * dx) ** 2 + (y - py - share * dy) ** 2 < BORDER_M * BORDER_M:
            return True
        before = k
    return False


@compiled
def deep_inside(
    points: Floats,
    starts: Ints,
    z: Floats,
    grid: tuple[Ints, Ints, Floats, Floats, Ints],
    at: Floats,
    level_m: float,
) -> Bools:
    """Return which points (m, 3) lie in some of the outlines on their level, with all that is around.

    The grid has outlines by cells, where cells begin, its lower and upper corner, and how many cells it has.
    """
    out = np.zeros(len(at), np.bool_)
    for m in range(len(at)):
        out[m] = True
        for dx, dy in AROUND:
            x, y = at[m, 0] + DEPTH_M * dx, at[m, 1] + DEPTH_M * dy
            if not _in_some(points, starts, z, grid, (x, y, at[m, 2]), level_m):
                out[m] = False
                break
    return out


@compiled
def _in_some(
    points: Floats,
    starts: Ints,
    z: Floats,
    grid: tuple[Ints, Ints, Floats, Floats, Ints],
    at: tuple[float, float, float],
    level_m: float,
) -> bool:
    """Return whether a point lies in one of some outlines."""
    cells, cell_starts, low, high, count = grid
    x, y, height = at
    if x < low[0] or y < low[1] or x >= high[0] or y >= high[1]:
        return False
    i = min(int((x - low[0]) / (high[0] - low[0]) * count[0]), count[0] - 1)
    j = min(int((y - low[1]) / (high[1] - low[1]) * count[1]), count[1] - 1)
    cell = i * count[1] + j
    for k in cells[cell_starts[cell] : cell_starts[cell + 1]]:
        if abs(z[k] - height) <= level_m and inside(points, starts[k], starts[k + 1], x, y):
            return True
    return False
