"""Kinds of voxels: an obstacle, ground, space its body fits in, or out of its way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
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


class Surfaces(NamedTuple):
    """What was measured in each voxel, and how its block is found."""

    table: Ints32
    keys: Ints32
    distance: Floats32
    """(slots, 512) meters to the nearest surface, negative inside."""
    weight: Floats32


class Floors(NamedTuple):
    """The ground cells, and the hash that finds those at a place."""

    heads: Ints32
    place: Ints32
    chain: Ints32
    height: Floats32
    ground: Bools
    """(rows,) which cells are ground."""


class BodySpace(NamedTuple):
    """What makes space a robot's."""

    bounded: bool
    """There is ground in view, so that only what is above ground is space."""
    cell_voxels: int
    """Voxels along a ground cell."""
    voxel_m: float
    min_weight: float
    """With less, a voxel is not known."""
    step_m: float
    body_m: float


@compiled
def classify(
    columns: Ints32,
    levels: tuple[int, int],
    surfaces: Surfaces,
    floors: Floors,
    body: BodySpace,
    kind: Kinds,
) -> tuple[Ints, Kinds]:
    """Bring ``kind`` (slots, 512) of block columns (n, 2) up to date; return what changed, and what it was.

    Changed voxels are numbered slot × 512 + voxel. Blocks lie at ``levels`` from the first to the last.
    """
    changed, before = np.empty(4096, np.int64), np.empty(4096, np.uint8)
    n = 0
    cell = body.cell_voxels
    low, count = levels[0], levels[1] - levels[0] + 1
    slots = np.empty(count, np.int64)
    bases, ups = np.empty(8, np.float32), np.empty((count, SIDE))
    for c in range(len(columns)):
        for b in range(count):
            slots[b] = find_slot(
                surfaces.table, surfaces.keys, columns[c, 0], columns[c, 1], low + b
            )
        for i in range(SIDE // cell):
            for j in range(SIDE // cell):
                x, y = columns[c, 0] * (SIDE // cell) + i, columns[c, 1] * (SIDE // cell) + j
                found = floors_at(x, y, floors, bases, 0)
                own = found > 0
                if not own and body.bounded:
                    found = floors_near(x, y, floors, bases)
                for b in range(count * SIDE):
                    z = (low * SIDE + b + 0.5) * body.voxel_m
                    ups[b // SIDE, b % SIDE] = height_over(z, bases, found)
                if n + ups.size * cell * cell > len(changed):
                    size = len(changed) + ups.size * cell * cell
                    changed = np.concatenate((changed, np.empty(size, np.int64)))
                    before = np.concatenate((before, np.empty(size, np.uint8)))
                for b in range(count):
                    if slots[b] >= 0:
                        first = (i * SIDE + j) * cell * SIDE
                        n = classify_cell(
                            slots[b], first, ups[b], own, surfaces, body, kind, changed, before, n
                        )
    return changed[:n].copy(), before[:n].copy()


@compiled
def classify_cell(
    slot: int,
    first: int,
    ups: Floats,
    own: bool,
    surfaces: Surfaces,
    body: BodySpace,
    kind: Kinds,
    changed: Ints,
    before: Kinds,
    n: int,
) -> int:
    """Bring one block's voxels over one ground cell up to date; return how many have changed so far.

    ``first`` is the cell's first voxel, ``ups`` (8,) the heights over the floor, ``own`` whether it is the
    cell's own.
    """
    for s in range(body.cell_voxels * body.cell_voxels):
        bottom = first + (s // body.cell_voxels * SIDE + s % body.cell_voxels) * SIDE
        for v in range(bottom, bottom + SIDE):
            old = kind[slot, v]
            known = surfaces.weight[slot, v] >= body.min_weight
            up = ups[v - bottom]
            new = kind_of(surfaces.distance[slot, v], known, old == SOLID, up, own, body)
            if new != old:
                changed[n], before[n] = slot * VOXELS + v, old
                kind[slot, v] = new
                n += 1
    return n


@compiled
def floors_near(x: int, y: int, floors: Floors, bases: Floats32) -> int:
    """Fill ``bases`` with the heights of the ground around a place; return how many there are."""
    n = 0
    for dx in range(-BORROW, BORROW + 1):
        for dy in range(-BORROW, BORROW + 1):
            if n < len(bases):
                n = floors_at(x + dx, y + dy, floors, bases, n)
    return n


@compiled
def floors_at(x: int, y: int, floors: Floors, bases: Floats32, n: int) -> int:
    """Append the heights of the ground at one place to ``bases``; return how many there are then."""
    row = floors.heads[bucket(floors.heads, floors.place, x, y)]
    while row >= 0 and n < len(bases):
        if floors.ground[row]:
            bases[n] = floors.height[row]
            n += 1
        row = floors.chain[row]
    return n


@compiled
def height_over(z: float, bases: Floats32, n: int) -> float:
    """Return the height over the next of n floors below, with a voxel's leeway; −1 where there is none."""
    best = -1.0
    for k in range(n):
        up = z - bases[k]
        if up > -0.3 and (best < 0.0 or up < best):
            best = max(up, 0.0)
    return best


@compiled
def kind_of(
    distance: float, known: bool, was_solid: bool, up: float, own: bool, body: BodySpace
) -> int:
    """Return what a voxel is: its distance, and its height over its own or a borrowed floor."""
    if known:
        d = distance / body.voxel_m
        if d < -SWAY or (was_solid and d < SWAY):
            return ASIDE if 0.0 <= up < body.step_m else SOLID
    if not body.bounded:
        return MIDDLE if known else UNKNOWN
    if not own or up < 0.0:
        return ASIDE if known else UNKNOWN
    # over ground that was seen, what was not seen filled is taken to be free
    if 0.0 <= up - 0.5 * body.body_m + 0.5 * body.voxel_m < body.voxel_m:
        return MIDDLE
    return OPEN if body.step_m <= up <= body.body_m else ASIDE
