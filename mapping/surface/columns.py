"""Ground read off the distance field: where a column of voxels changes from inside to free, upwards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Floats, Floats32, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.blocks import NO_LABEL, SIDE, BlockGrid, find_slot
from commonground.mapping.surface.settings import SurfaceSettings

MIN_GROUND_WEIGHT = 0.015
"""Evidence that ground needs: it is smooth, so that one look from afar tells where it is."""

LEVEL_M = 0.5
"""Surfaces at one place of the plan that differ less in height are the same level."""
MOST = 16
"""Surfaces kept of one column."""
GRAZED = 0.4
"""A column over the ground is free although a wall beside it reaches into it by this share of a voxel."""


class GroundRules(NamedTuple):
    """What counts as ground."""

    cell: int
    """Columns of voxels along each side of a ground cell."""
    min_weight: float
    clear: int
    """Voxels above the ground that nothing may fill."""
    rise: float
    """Least growth of the distance from voxel to voxel, upwards: less is too steep."""
    grazed_m: float
    """A column over the ground is free although a wall beside it reaches into it by so much."""
    drivable: Bools
    """(classes,) which of them are ground."""


class Surfaces(NamedTuple):
    """Levels of ground, a row for each."""

    place: Ints32
    """(n, 2) ground cell in the plan."""
    height: Floats32
    weight: Floats32
    label: NDArray[np.int16]
    slot: Ints32
    """(n,) of the block."""
    open: NDArray[np.uint8]
    """(n,) quarters of the cell that are ground."""


class Steps(NamedTuple):
    """Where the columns of one ground cell step from inside to free; room for ``MOST`` a column."""

    z: Floats
    """Voxels from the first center of the column, later meters."""
    weight: Floats
    label: Ints32
    slot: Ints32
    quarters: NDArray[np.uint8]


class Column(NamedTuple):
    """A column of voxels through stacked blocks."""

    distance: Floats32
    weight: Floats32
    slots: Ints32
    """Of the blocks, lowest first; −1 where there is none."""


def ground_rules(settings: SurfaceSettings, drivable: Bools) -> GroundRules:
    """Return the rules that settings and the classes (c,) that can be driven on make."""
    s = settings
    # along the normal a distance grows by cos(slope) per meter of height; normals are noisy
    rise = float(np.cos(np.deg2rad(s.max_slope_deg)) * 0.8 * s.voxel_m)
    clear = int(np.ceil(s.headroom_m / s.voxel_m))
    return GroundRules(s.cell_voxels, MIN_GROUND_WEIGHT, clear, rise, GRAZED * s.voxel_m, drivable)


@compiled
def surfaces_of(
    columns: Ints32, low: int, high: int, grid: BlockGrid, rules: GroundRules
) -> Surfaces:
    """Return all levels of ground in block columns (n, 2), read from the lowest to the highest block."""
    cell = rules.cell
    per, size, blocks = SIDE // cell, cell * cell, high - low + 1
    room = len(columns) * per * per * 4
    out = Surfaces(
        np.empty((room, 2), np.int32), np.empty(room, np.float32), np.empty(room, np.float32),
        np.empty(room, np.int16), np.empty(room, np.int32), np.empty(room, np.uint8),
    )  # fmt: skip
    column = Column(
        np.empty(blocks * SIDE, np.float32), np.empty(blocks * SIDE, np.float32),
        np.empty(blocks, np.int32),
    )  # fmt: skip
    steps = Steps(
        np.empty(MOST * size), np.empty(MOST * size), np.empty(MOST * size, np.int32),
        np.empty(MOST * size, np.int32), np.empty(MOST * size, np.uint8),
    )  # fmt: skip
    n = 0
    for c in range(len(columns)):
        for b in range(blocks):
            column.slots[b] = find_slot(
                grid.table, grid.keys, columns[c, 0], columns[c, 1], low + b
            )
        for ci in range(per):
            for cj in range(per):
                found = 0
                for sub in range(size):
                    v = ((ci * cell + sub // cell) * SIDE + cj * cell + sub % cell) * SIDE
                    before = found
                    read_column(grid, v, column)
                    found = steps_up(column, v, grid.label, rules, steps, found)
                    steps.quarters[before:found] = quarters(sub // cell, sub % cell, cell)
                for a in range(found):
                    steps.z[a] = (low * SIDE + steps.z[a] + 0.5) * grid.voxel_m
                x, y = columns[c, 0] * per + ci, columns[c, 1] * per + cj
                n = levels(steps, found, x, y, out, n)
    return Surfaces(
        out.place[:n], out.height[:n], out.weight[:n], out.label[:n], out.slot[:n], out.open[:n]
    )


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
def read_column(grid: BlockGrid, v: int, out: Column) -> None:
    """Copy a column of voxels, the lowest of each block being ``v``; where there is none it is unknown."""
    d, w, slots = out
    distance, weight = grid.distance, grid.weight
    for b in range(len(slots)):
        slot = slots[b]
        for k in range(SIDE):
            d[b * SIDE + k] = distance[slot, v + k] if slot >= 0 else 0.0
            w[b * SIDE + k] = weight[slot, v + k] if slot >= 0 else 0.0


@compiled
def steps_up(
    column: Column, v: int, label: NDArray[np.int16], rules: GroundRules, out: Steps, found: int
) -> int:
    """Append the surfaces of a column with room above them; return the new count."""
    d, w, slots = column
    least, rise, drivable = rules.min_weight, rules.rise, rules.drivable
    for k in range(len(d) - 1):
        if w[k] < least or w[k + 1] < least or d[k] >= 0 or d[k + 1] < 0:
            continue
        if d[k + 1] - d[k] < rise or found == len(out.z):
            continue
        if not free_above(column, k + 2, rules):
            continue
        nearest = k if -d[k] < d[k + 1] else k + 1
        slot = slots[nearest // SIDE]
        kind = label[slot, v + nearest % SIDE]
        below = label[slots[k // SIDE], v + k % SIDE]
        # past a voxel over the ground one looks at the wall behind it, past one in it at the ground before it
        if is_one_of(drivable, below) and not is_one_of(drivable, kind):
            kind, slot = below, slots[k // SIDE]
        out.z[found], out.weight[found] = k + d[k] / (d[k] - d[k + 1]), w[k]
        out.label[found], out.slot[found] = kind, slot
        found += 1
    return found


@compiled
def is_one_of(chosen: Bools, label: int) -> bool:
    """Return whether a class is among the chosen."""
    return bool(0 <= label < len(chosen) and chosen[label])


@compiled
def free_above(column: Column, start: int, rules: GroundRules) -> bool:
    """Return whether nothing is known to fill the ``clear`` voxels from start on.

    What reaches in by less than ``grazed_m`` is a wall beside them, unless there is space above or below it.
    """
    d, w, _ = column
    least, grazed_m = rules.min_weight, rules.grazed_m
    for k in range(start, min(len(d), start + rules.clear)):
        if w[k] < least or d[k] >= 0:
            continue
        if d[k] < -grazed_m or max(d[max(k - 1, start)], d[min(k + 1, len(d) - 1)]) > grazed_m:
            return False
    return True


@compiled
def unfilled(
    places: Ints32, heights: Floats, grid: BlockGrid, rules: GroundRules
) -> NDArray[np.uint8]:
    """Return the quarters (n,) of cells (n, 2) where nothing is known to stand on ground of these heights."""
    cell, high = rules.cell, rules.clear // SIDE + 2
    per = SIDE // cell
    column = Column(
        np.empty(high * SIDE, np.float32), np.empty(high * SIDE, np.float32),
        np.empty(high, np.int32),
    )  # fmt: skip
    out = np.full(len(places), 15, np.uint8)
    for n in range(len(places)):
        x, y = places[n, 0], places[n, 1]
        below = int(np.floor(heights[n] / grid.voxel_m - 0.5))
        low = below // SIDE
        for b in range(high):
            column.slots[b] = find_slot(grid.table, grid.keys, x // per, y // per, low + b)
        for sub in range(cell * cell):
            i, j = sub // cell, sub % cell
            read_column(grid, ((x % per * cell + i) * SIDE + y % per * cell + j) * SIDE, column)
            if not free_above(column, below - low * SIDE + 2, rules):
                out[n] &= ~quarters(i, j, cell)
    return out


@compiled
def levels(steps: Steps, found: int, x: int, y: int, out: Surfaces, n: int) -> int:
    """Append the levels of the columns of a cell, near ones as one; return the new count."""
    z, weight, label, slot, bits_of = steps
    used = np.zeros(found, np.bool_)
    for a in range(found):
        if used[a] or n == len(out.height):
            continue
        total, mean, best, word, bits = 0.0, 0.0, 0.0, NO_LABEL, 0
        for b in range(a, found):
            if used[b] or abs(z[b] - z[a]) >= LEVEL_M / 2:
                continue
            used[b] = True
            total += weight[b]
            mean += weight[b] * z[b]
            bits |= bits_of[b]
            support = 0.0
            for e in range(a, found):
                if label[e] == label[b] and abs(z[e] - z[a]) < LEVEL_M / 2:
                    support += weight[e]
            if label[b] >= 0 and support > best:
                best, word = support, label[b]
        out.place[n, 0], out.place[n, 1] = x, y
        out.height[n], out.weight[n], out.label[n] = mean / total, total, word
        out.slot[n], out.open[n] = slot[a], bits
        n += 1
    return n
