"""Compiled loops for the bends of a surface: leave them out of patches, and give them back to their sides."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.mapping.perception._geometry import slack


@compiled
def without_creases(
    depth: Floats32,
    normal: Floats32,
    fx: float,
    noise: Floats,
    window_m: float,
    least_cos: float,
    out: Floats32,
) -> None:
    """Write the normals (h, w, 3), NaN where they turn by more than ``least_cos`` allows across a window.

    Normals are taken across a window, so near a crease they turn a little from pixel to pixel and patches
    would flow around it; from one side of the window to the other they turn by the whole crease.
    """
    rows, columns = depth.shape
    out[:] = normal
    for y in range(rows):
        for x in range(columns):
            z = depth[y, x]
            if np.isnan(z) or np.isnan(normal[y, x, 0]):
                continue
            reach = max(2, min(6, int(window_m * fx / (2 * z) + 0.5)))
            if reach <= 2:
                continue  # so far away creases are sharp
            gap = (2 * reach) * slack(z, noise)
            for dy, dx in ((0, reach), (reach, 0)):
                j, i, v, u = y + dy, x + dx, y - dy, x - dx
                if v < 0 or u < 0 or j >= rows or i >= columns:
                    continue
                if not (abs(depth[j, i] - z) <= gap and abs(depth[v, u] - z) <= gap):
                    continue
                dot = 0.0
                for k in range(3):
                    dot += normal[j, i, k] * normal[v, u, k]
                if dot < least_cos:  # false for NaN
                    out[y, x, :] = np.nan


@compiled
def grow(pieces: Ints32, depth: Floats32, free: Bools, noise: Floats, rounds: int) -> None:
    """Give free pixels without a piece that of a neighbor on the same surface, a ring at a time."""
    rows, columns = pieces.shape
    before = pieces.copy()
    for _ in range(rounds):
        before[:] = pieces
        for y in range(rows):
            for x in range(columns):
                if before[y, x] > 0 or not free[y, x]:
                    continue
                best, gap = 0, slack(depth[y, x], noise)
                for j in range(max(0, y - 1), min(rows, y + 2)):
                    for i in range(max(0, x - 1), min(columns, x + 2)):
                        d = abs(depth[j, i] - depth[y, x])
                        if before[j, i] > 0 and d <= gap:
                            best, gap = before[j, i], d
                pieces[y, x] = best
