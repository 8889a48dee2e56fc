"""Ground read off the distance field: where a column of voxels changes from inside to free, upwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.blocks import NO_LABEL, SIDE, find_slot

LEVEL_M = 0.5
"""Surfaces at one place of the plan that differ less in height are the same level."""
MOST = 16
"""Surfaces kept of one column."""
GRAZED = 0.4
"""A column over the ground is free although a wall beside it reaches into it by this share of a voxel."""


@compiled
def surfaces_of(
    columns: Ints32,
    low: int,
    high: int,
    table: Ints32,
    keys: Ints32,
    distance: Floats32,
    weight: Floats32,
    label: NDArray[np.int16],
    cell: int,
    voxel_m: float,
    min_weight: float,
    headroom_m: float,
    max_slope_deg: float,
    drivable: Bools,
) -> tuple[Ints32, Floats32, Floats32, NDArray[np.int16], Ints32, NDArray[np.uint8]]:
    """Return place, height, weight, class, slot and open quarters of all levels of ground in columns (n, 2).

    A cell of the ground is ``cell`` × ``cell`` columns of voxels; blocks from ``low`` to ``high`` are read.
    ``drivable`` (c,) tells which classes are ground.
    """
    per = SIDE // cell
    room = len(columns) * per * per * 4
    place = np.empty((room, 2), np.int32)
    height, strength = np.empty(room, np.float32), np.empty(room, np.float32)
    kind, slot_of = np.empty(room, np.int16), np.empty(room, np.int32)
    open_ = np.empty(room, np.uint8)
    slots = np.empty(high - low + 1, np.int32)
    d, w = (
        np.empty((high - low + 1) * SIDE, np.float32),
        np.empty((high - low + 1) * SIDE, np.float32),
    )
    z, zw = np.empty(MOST * cell * cell), np.empty(MOST * cell * cell)
    zk, zs = np.empty(MOST * cell * cell, np.int32), np.empty(MOST * cell * cell, np.int32)
    zq = np.empty(MOST * cell * cell, np.uint8)
    clear = int(np.ceil(headroom_m / voxel_m))
    # along the normal a distance grows by cos(slope) per meter of height; normals are noisy
    rise = np.cos(np.deg2rad(max_slope_deg)) * 0.8 * voxel_m
    n = 0
    for c in range(len(columns)):
        for b in range(high - low + 1):
            slots[b] = find_slot(table, keys, columns[c, 0], columns[c, 1], low + b)
        for ci in range(per):
            for cj in range(per):
                found = 0
                for sub in range(cell * cell):
                    v = ((ci * cell + sub // cell) * SIDE + cj * cell + sub % cell) * SIDE
                    before = found
                    read_column(slots, v, distance, weight, d, w)
                    found = steps_up(
                        d, w, slots, v, label, min_weight, rise, clear, GRAZED * voxel_m, drivable,
                        z, zw, zk, zs, found,
                    )  # fmt: skip
                    zq[before:found] = quarters(sub // cell, sub % cell, cell)
                for a in range(found):
                    z[a] = (low * SIDE + z[a] + 0.5) * voxel_m
                n = levels(
                    z, zw, zk, zs, zq, found, columns[c, 0] * per + ci,
                    columns[c, 1] * per + cj, place, height, strength, kind, slot_of, open_, n,
                )  # fmt: skip
    return place[:n], height[:n], strength[:n], kind[:n], slot_of[:n], open_[:n]


@compiled
def quarters(i: int, j: int, cell: int) -> int:
    """Return the quarters, as bits, of a cell of ``cell`` × ``cell`` columns that column i, j reaches."""
    out = 0
    for a in range(2):
        for b in range(2):
            if (
                2 * i < (a + 1) * cell
                and 2 * i + 2 > a * cell
                and 2 * j < (b + 1) * cell
                and 2 * j + 2 > b * cell
            ):
                out |= 1 << (2 * a + b)
    return out


@compiled
def read_column(
    slots: Ints32, v: int, distance: Floats32, weight: Floats32, d: Floats32, w: Floats32
) -> None:
    """Copy a column of voxels through stacked blocks; where there is no block it is unknown."""
    for b in range(len(slots)):
        for k in range(SIDE):
            d[b * SIDE + k] = distance[slots[b], v + k] if slots[b] >= 0 else 0.0
            w[b * SIDE + k] = weight[slots[b], v + k] if slots[b] >= 0 else 0.0


@compiled
def steps_up(
    d: Floats32,
    w: Floats32,
    slots: Ints32,
    v: int,
    label: NDArray[np.int16],
    min_weight: float,
    rise: float,
    clear: int,
    grazed_m: float,
    drivable: Bools,
    z: Floats,
    zw: Floats,
    zk: Ints32,
    zs: Ints32,
    found: int,
) -> int:
    """Append the surfaces of a column with ``clear`` voxels not filled above; return the new count.

    ``z`` is in voxels from the column's first center.
    """
    for k in range(len(d) - 1):
        if w[k] < min_weight or w[k + 1] < min_weight or d[k] >= 0 or d[k + 1] < 0:
            continue
        if d[k + 1] - d[k] < rise or found == len(z):
            continue
        if not free_above(d, w, min_weight, k + 2, k + 2 + clear, grazed_m):
            continue
        nearest = k if -d[k] < d[k + 1] else k + 1
        z[found], zw[found] = k + d[k] / (d[k] - d[k + 1]), w[k]
        zs[found] = slots[nearest // SIDE]
        zk[found] = label[zs[found], v + nearest % SIDE]
        below = label[slots[k // SIDE], v + k % SIDE]
        # past a voxel over the ground one looks at the wall behind it, past one in it at the ground before it
        if is_one_of(drivable, below) and not is_one_of(drivable, zk[found]):
            zk[found], zs[found] = below, slots[k // SIDE]
        found += 1
    return found


@compiled
def is_one_of(chosen: Bools, label: int) -> bool:
    """Return whether a class is among the chosen."""
    return bool(0 <= label < len(chosen) and chosen[label])


@compiled
def free_above(
    d: Floats32, w: Floats32, min_weight: float, start: int, stop: int, grazed_m: float
) -> bool:
    """Return whether nothing is known to fill the voxels from start to stop.

    What reaches in by less than ``grazed_m`` is a wall beside them, unless there is space above or below it.
    """
    for k in range(start, min(len(d), stop)):
        if w[k] < min_weight or d[k] >= 0:
            continue
        if d[k] < -grazed_m or max(d[max(k - 1, start)], d[min(k + 1, len(d) - 1)]) > grazed_m:
            return False
    return True


@compiled
def levels(
    z: Floats,
    zw: Floats,
    zk: Ints32,
    zs: Ints32,
    zq: NDArray[np.uint8],
    found: int,
    x: int,
    y: int,
    place: Ints32,
    height: Floats32,
    strength: Floats32,
    kind: NDArray[np.int16],
    slot_of: Ints32,
    open_: NDArray[np.uint8],
    n: int,
) -> int:
    """Append the levels of the columns of a cell, near ones as one; return the new count."""
    used = np.zeros(found, np.bool_)
    for a in range(found):
        if used[a] or n == len(height):
            continue
        total, mean, best, word, bits = 0.0, 0.0, 0.0, NO_LABEL, 0
        for b in range(a, found):
            if used[b] or abs(z[b] - z[a]) >= LEVEL_M / 2:
                continue
            used[b] = True
            total += zw[b]
            mean += zw[b] * z[b]
            bits |= zq[b]
            support = 0.0
            for e in range(a, found):
                if zk[e] == zk[b] and abs(z[e] - z[a]) < LEVEL_M / 2:
                    support += zw[e]
            if zk[b] >= 0 and support > best:
                best, word = support, zk[b]
        place[n, 0], place[n, 1] = x, y
        height[n], strength[n], kind[n], slot_of[n] = mean / total, total, word, zs[a]
        open_[n] = bits
        n += 1
    return n
