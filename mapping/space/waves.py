"""The distance to the nearest solid voxel, kept up to date by waves from where the world changed.

Dynamic brushfire (Lau, Sprunk, Burgard 2013): a wave of raising clears what relied on a solid voxel that is
gone, a wave of lowering spreads from those that are there; each voxel remembers the one it is nearest to.
Voxels are numbered slot × 512 + voxel; distances are in voxels, squared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.space.kinds import MIDDLE, OPEN, SOLID, Kinds
from commonground.mapping.surface.blocks import SIDE, VOXELS, find_slot

FAR = 1 << 14
"""Squared distance of a voxel that no solid one is near to."""
Offsets = NDArray[np.int8]


Queue = tuple[Ints, Ints, Ints, Ints]
"""Voxels waiting, by squared distance: first of each level, voxels, the next after each; and how many there
are, and the lowest level that may hold one."""


@compiled
def update_distances(
    changed: Ints,
    before: Kinds,
    kind: Kinds,
    square: Ints32,
    offset: Offsets,
    around: Ints32,
    table: Ints32,
    keys: Ints32,
    touched: Bools,
    reach: int,
) -> None:
    """Update squared distances (slots, 512) and offsets to the nearest solid voxel (slots, 512, 3).

    ``around`` (slots, 27) holds each block's neighbors, ``table`` and ``keys`` find any block; ``touched``
    (slots,) is set where anything changed. Distances beyond ``reach`` voxels stay FAR. A wave only starts
    from what is rooted, so that every voxel is raised at most once and the waves come to an end.
    """
    most = reach * reach
    raising = np.zeros(kind.size, np.bool_)
    queue = seeded(changed, before, kind, square, offset, touched, raising, most)
    for node in changed:
        # space seen for the first time takes what its neighbors know
        slot, v = node // VOXELS, node % VOXELS
        new = is_space(kind[slot, v]) and not raising[node] and square[slot, v] == FAR
        if new and adopt(slot, v, kind, square, offset, around, table, keys, raising, most):
            queue = push(queue, node, square[slot, v])
    while queue[3][1] <= most:
        level = queue[3][1]
        k = queue[0][level]
        if k < 0:
            queue[3][1] += 1
            continue
        queue[0][level] = queue[2][k]
        node = queue[1][k]
        if raising[node]:
            raising[node] = False
            queue = raise_around(
                queue, node, kind, square, offset, around, table, keys, touched, raising
            )
        elif square[node // VOXELS, node % VOXELS] == level and rooted(
            node // VOXELS, node % VOXELS, kind, offset, table, keys
        ):
            queue = lower_around(queue, node, kind, square, offset, around, touched, raising, most)


@compiled
def seeded(
    changed: Ints,
    before: Kinds,
    kind: Kinds,
    square: Ints32,
    offset: Offsets,
    touched: Bools,
    raising: Bools,
    most: int,
) -> Queue:
    """Return the queue of the solid voxels that came and went."""
    queue = (
        np.full(most + 1, -1, np.int64),
        np.empty(1 << 14, np.int64),
        np.empty(1 << 14, np.int64),
        np.zeros(2, np.int64),
    )
    for c in range(len(changed)):
        node = changed[c]
        slot, v = node // VOXELS, node % VOXELS
        touched[slot] = True
        if kind[slot, v] == SOLID:
            square[slot, v] = 0
            offset[slot, v, :] = 0
            queue = push(queue, node, 0)
        else:
            square[slot, v] = FAR
            if before[c] == SOLID:
                raising[node] = True
                queue = push(queue, node, 0)
    return queue


@compiled
def raise_around(
    queue: Queue,
    node: int,
    kind: Kinds,
    square: Ints32,
    offset: Offsets,
    around: Ints32,
    table: Ints32,
    keys: Ints32,
    touched: Bools,
    raising: Bools,
) -> Queue:
    """Clear the neighbors that relied on a solid voxel that is gone; the others will lower this one."""
    for n in range(27):
        slot, v = neighbor(node // VOXELS, node % VOXELS, n, around)
        other = slot * VOXELS + v
        if n == 13 or slot < 0 or square[slot, v] == FAR or raising[other]:
            continue
        d = square[slot, v]
        if not rooted(slot, v, kind, offset, table, keys):
            raising[other] = touched[slot] = True
            square[slot, v] = FAR
        queue = push(queue, other, d)
    return queue


@compiled
def lower_around(
    queue: Queue,
    node: int,
    kind: Kinds,
    square: Ints32,
    offset: Offsets,
    around: Ints32,
    touched: Bools,
    raising: Bools,
    most: int,
) -> Queue:
    """Hand on the nearest solid voxel to the neighbors that it is nearer to than what they have."""
    root = offset[node // VOXELS, node % VOXELS]
    for n in range(27):
        slot, v = neighbor(node // VOXELS, node % VOXELS, n, around)
        if n == 13 or slot < 0 or not is_space(kind[slot, v]) or raising[slot * VOXELS + v]:
            continue
        x, y, z = root[0] - n // 9 + 1, root[1] - (n // 3) % 3 + 1, root[2] - n % 3 + 1
        d = x * x + y * y + z * z
        if d < square[slot, v] and d <= most:
            square[slot, v] = d
            offset[slot, v, 0], offset[slot, v, 1], offset[slot, v, 2] = x, y, z
            touched[slot] = True
            queue = push(queue, slot * VOXELS + v, d)
    return queue


@compiled
def push(queue: Queue, node: int, level: int) -> Queue:
    """Put a voxel into the queue; its storage grows as needed."""
    first, items, after, cursor = queue
    if cursor[0] == len(items):
        items = np.concatenate((items, np.empty(len(items), np.int64)))
        after = np.concatenate((after, np.empty(len(after), np.int64)))
    items[cursor[0]], after[cursor[0]] = node, first[level]
    first[level] = cursor[0]
    cursor[0] += 1
    cursor[1] = min(cursor[1], level)
    return first, items, after, cursor


@compiled
def is_space(kind: int) -> bool:
    """Return whether distances are kept for a voxel of this kind."""
    return kind in (OPEN, MIDDLE)


@compiled
def neighbor(slot: int, v: int, n: int, around: Ints32) -> tuple[int, int]:
    """Return the slot and voxel of neighbor n (0 … 26); slot −1 where there is no block."""
    x, y, z = v // 64 + n // 9 - 1, (v // 8) % 8 + (n // 3) % 3 - 1, v % 8 + n % 3 - 1
    if 0 <= x < SIDE and 0 <= y < SIDE and 0 <= z < SIDE:
        return slot, (x * SIDE + y) * SIDE + z
    b = ((x + SIDE) // SIDE) * 9 + ((y + SIDE) // SIDE) * 3 + (z + SIDE) // SIDE
    return int(around[slot, b]), ((x % SIDE) * SIDE + y % SIDE) * SIDE + z % SIDE


@compiled
def at_offset(
    slot: int, v: int, dx: int, dy: int, dz: int, table: Ints32, keys: Ints32
) -> tuple[int, int]:
    """Return the slot and voxel at an offset; slot −1 if there is no such block.

    The answer depends on the place alone, not on the way there: waves that ask from different sides and
    hear different things would chase each other without end.
    """
    x, y, z = v // 64 + dx, (v // 8) % 8 + dy, v % 8 + dz
    u = ((x % SIDE) * SIDE + y % SIDE) * SIDE + z % SIDE
    if 0 <= x < SIDE and 0 <= y < SIDE and 0 <= z < SIDE:
        return slot, u
    kx, ky, kz = keys[slot, 0] + x // SIDE, keys[slot, 1] + y // SIDE, keys[slot, 2] + z // SIDE
    return find_slot(table, keys, kx, ky, kz), u


@compiled
def rooted(slot: int, v: int, kind: Kinds, offset: Offsets, table: Ints32, keys: Ints32) -> bool:
    """Return whether the solid voxel that a voxel is nearest to is still there; one in a block gone is."""
    o = offset[slot, v]
    other, u = at_offset(slot, v, o[0], o[1], o[2], table, keys)
    return other < 0 or kind[other, u] == SOLID


@compiled
def adopt(
    slot: int,
    v: int,
    kind: Kinds,
    square: Ints32,
    offset: Offsets,
    around: Ints32,
    table: Ints32,
    keys: Ints32,
    raising: Bools,
    most: int,
) -> bool:
    """Take the nearest of the solid voxels the neighbors know; tell whether there was any."""
    best = FAR
    for n in range(27):
        other, u = neighbor(slot, v, n, around)
        if n == 13 or other < 0 or square[other, u] == FAR or raising[other * VOXELS + u]:
            continue
        if not rooted(other, u, kind, offset, table, keys):
            continue
        dx, dy, dz = (
            offset[other, u, 0] + (n // 9 - 1),
            offset[other, u, 1] + ((n // 3) % 3 - 1),
            offset[other, u, 2] + (n % 3 - 1),
        )
        d = dx * dx + dy * dy + dz * dz
        if d < best and d <= most:
            best = d
            square[slot, v] = d
            offset[slot, v, 0], offset[slot, v, 1], offset[slot, v, 2] = dx, dy, dz
    return best < FAR
