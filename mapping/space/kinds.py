"""What each voxel is to a robot: an obstacle, ground, space its body fits in, or out of its way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.blocks import SIDE, VOXELS, find_slot
from commonground.mapping.surface.cells import bucket

UNKNOWN, ASIDE, OPEN, MIDDLE, SOLID = range(5)
"""OPEN is space for a body over known ground, MIDDLE its middle layer, where places are. Where there is no
ground in view, all free space is MIDDLE. ASIDE is ground itself, and space that is out of the way."""
SWAY = 0.15
"""A voxel turns solid or free when its distance passes zero by this share of a voxel, not by noise."""
BORROW = 3
"""A column without ground takes the height of ground this many cells away to tell what rises above it."""

Kinds = NDArray[np.uint8]


@compiled
def classify(
    columns: Ints32,
    low: int,
    high: int,
    table: Ints32,
    keys: Ints32,
    distance: Floats32,
    weight: Floats32,
    heads: Ints32,
    place: Ints32,
    chain: Ints32,
    height: Floats32,
    ground: Bools,
    bounded: bool,
    cell: int,
    voxel_m: float,
    min_weight: float,
    step_m: float,
    body_m: float,
    kind: Kinds,
) -> tuple[Ints, Kinds]:
    """Bring ``kind`` (slots, 512) of block columns (n, 2) up to date; return what changed, and what it was.

    Changed voxels are numbered slot × 512 + voxel. ``ground`` (rows,) tells which cells are ground;
    ``bounded`` tells that there is ground in view, so that only what is above ground is space.
    """
    changed, before = np.empty(4096, np.int64), np.empty(4096, np.uint8)
    n = 0
    per = SIDE // cell
    slots = np.empty(high - low + 1, np.int32)
    bases = np.empty(8, np.float32)
    for c in range(len(columns)):
        for b in range(high - low + 1):
            slots[b] = find_slot(table, keys, columns[c, 0], columns[c, 1], low + b)
        for i in range(per):
            for j in range(per):
                x, y = columns[c, 0] * per + i, columns[c, 1] * per + j
                floors = floors_at(x, y, heads, place, chain, height, ground, bases, 0)
                own = floors > 0
                if not own and bounded:
                    floors = floors_near(x, y, heads, place, chain, height, ground, bases)
                for u in range((high - low + 1) * cell * cell * SIDE):
                    slot = slots[u // (cell * cell * SIDE)]
                    if slot < 0:
                        continue
                    k, sub = u % SIDE, (u // SIDE) % (cell * cell)
                    v = ((i * cell + sub // cell) * SIDE + j * cell + sub % cell) * SIDE + k
                    up = height_over(
                        ((low + u // (cell * cell * SIDE)) * SIDE + k + 0.5) * voxel_m,
                        bases[:floors],
                    )
                    old = kind[slot, v]
                    new = kind_of(
                        distance[slot, v] / voxel_m, weight[slot, v] >= min_weight, old == SOLID, up, own,
                        bounded, step_m, body_m, voxel_m,
                    )  # fmt: skip
                    if new != old:
                        if n == len(changed):
                            changed = np.concatenate((changed, np.empty(n, np.int64)))
                            before = np.concatenate((before, np.empty(n, np.uint8)))
                        changed[n], before[n] = slot * VOXELS + v, old
                        kind[slot, v] = new
                        n += 1
    return changed[:n].copy(), before[:n].copy()


@compiled
def floors_near(
    x: int,
    y: int,
    heads: Ints32,
    place: Ints32,
    chain: Ints32,
    height: Floats32,
    ground: Bools,
    bases: Floats32,
) -> int:
    """Fill ``bases`` with the heights of the ground around a place; return how many there are."""
    floors = 0
    for dx in range(-BORROW, BORROW + 1):
        for dy in range(-BORROW, BORROW + 1):
            if floors < len(bases):
                floors = floors_at(
                    x + dx, y + dy, heads, place, chain, height, ground, bases, floors
                )
    return floors


@compiled
def floors_at(
    x: int,
    y: int,
    heads: Ints32,
    place: Ints32,
    chain: Ints32,
    height: Floats32,
    ground: Bools,
    bases: Floats32,
    n: int,
) -> int:
    """Append the heights of the ground at one place to ``bases``; return how many there are then."""
    row = heads[bucket(heads, place, x, y)]
    while row >= 0 and n < len(bases):
        if ground[row]:
            bases[n] = height[row]
            n += 1
        row = chain[row]
    return n


@compiled
def height_over(z: float, bases: Floats32) -> float:
    """Return the height over the next floor below, with a voxel's leeway; −1 where there is none."""
    best = -1.0
    for base in bases:
        up = z - base
        if up > -0.3 and (best < 0.0 or up < best):
            best = max(up, 0.0)
    return best


@compiled
def kind_of(
    d: float,
    known: bool,
    was_solid: bool,
    up: float,
    own: bool,
    bounded: bool,
    step_m: float,
    body_m: float,
    voxel_m: float,
) -> int:
    """Return what a voxel is: its distance in voxels, and its height over its own or a borrowed floor."""
    if known and (d < -SWAY or (was_solid and d < SWAY)):
        return ASIDE if 0.0 <= up < step_m else SOLID
    if not bounded:
        return MIDDLE if known else UNKNOWN
    if not own or up < 0.0:
        return ASIDE if known else UNKNOWN
    # over ground that was seen, what was not seen filled is taken to be free
    if 0.0 <= up - 0.5 * body_m + 0.5 * voxel_m < voxel_m:
        return MIDDLE
    return OPEN if step_m <= up <= body_m else ASIDE
