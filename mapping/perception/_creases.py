"""Compiled loops that keep patches apart at creases, and then give the crease back to its sides."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats32, Ints32
from commonground.compiled import compiled
from commonground.mapping.depth_pieces import DepthNoise, step_limit


@compiled
def without_creases(
    depth: Floats32,
    normal: Floats32,
    fx: float,
    noise: DepthNoise,
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
            gap = (2 * reach) * step_limit(z, noise)
            if reach <= x < columns - reach and (
                _turns(depth, normal, y, x, 0, reach, gap, least_cos)
            ):
                out[y, x, :] = np.nan
            if reach <= y < rows - reach and (
                _turns(depth, normal, y, x, reach, 0, gap, least_cos)
            ):
                out[y, x, :] = np.nan


@compiled
def _turns(
    depth: Floats32, normal: Floats32, y: int, x: int, dy: int, dx: int, gap: float, least_cos: float
) -> bool:  # fmt: skip
    """Return whether normals on both sides of a pixel, at the same depth but for ``gap``, differ."""
    z = depth[y, x]
    one, other = abs(depth[y + dy, x + dx] - z), abs(depth[y - dy, x - dx] - z)
    dot = 0.0
    for k in range(3):
        dot += normal[y + dy, x + dx, k] * normal[y - dy, x - dx, k]
    return bool(one <= gap and other <= gap and dot < least_cos)  # false for NaN


@compiled
def grow(pieces: Ints32, depth: Floats32, free: Bools, noise: DepthNoise, rounds: int) -> None:
    """Give free pixels without a piece that of a neighbor on the same surface, a ring at a time."""
    rows, columns = pieces.shape
    before = pieces.copy()
    for _ in range(rounds):
        before[:] = pieces
        for y in range(rows):
            for x in range(columns):
                if before[y, x] > 0 or not free[y, x]:
                    continue
                best, gap = 0, step_limit(depth[y, x], noise)
                for j in range(max(0, y - 1), min(rows, y + 2)):
                    for i in range(max(0, x - 1), min(columns, x + 2)):
                        d = abs(depth[j, i] - depth[y, x])
                        if before[j, i] > 0 and d <= gap:
                            best, gap = before[j, i], d
                pieces[y, x] = best
