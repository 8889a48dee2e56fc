"""The distance to the nearest solid voxel, kept up to date by dynamic brushfire (Lau, Sprunk, Burgard 2013).

Where the world changed, a wave of raising clears what relied on a solid voxel that is gone, and a wave of
lowering spreads from those that are there; each voxel remembers the one it is nearest to. Voxels are numbered
slot × 512 + voxel; distances are in voxels, squared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.space.kinds import MIDDLE, OPEN, SOLID, Kinds
from commonground.mapping.surface.blocks import VOXELS, find_slot

FAR = 1 << 14
"""Squared distance of a voxel that no solid one is near to."""
Offsets = NDArray[np.int8]


def _near() -> Ints32:
    """Return for each voxel of a block its 27 neighbors (512, 27): block of the 27 around × 512 + voxel."""
    v, n = np.arange(VOXELS)[:, None], np.arange(27)[None, :]
    at = [v // 64 + n // 9 - 1, v // 8 % 8 + n // 3 % 3 - 1, v % 8 + n % 3 - 1]
    block = sum((x // 8 + 1) * weight for x, weight in zip(at, (9, 3, 1), strict=True))
    voxel = sum((x % 8) * weight for x, weight in zip(at, (64, 8, 1), strict=True))
    return np.asarray(block * VOXELS + voxel, np.int32)


NEAR = _near()
SELF = 13
"""Which of the 27 neighbors a voxel itself is."""


class Space(NamedTuple):
    """What is known of the space in some blocks, voxel by voxel."""

    kind: Kinds
    """(slots × 512,)"""
    square: Ints32
    """(slots × 512,) squared distance to the nearest solid voxel; FAR beyond reach."""
    offset: Offsets
    """(slots × 512, 3) that voxel, relative to this one."""
    around: Ints32
    """(slots, 27) each block's neighbors."""
    table: Ints32
    keys: Ints32
    """With these any block is found."""


class Queue(NamedTuple):
    """Voxels waiting, by squared distance; those that came last go first."""

    first: Ints32
    """(levels,) the first entry of each level, −1 for none."""
    items: Ints32
    """Voxels."""
    after: Ints32
    """The next entry of the same level."""
    cursor: Ints
    """(2,) how many entries there are, and the lowest level that may hold one."""


@compiled
def update_distances(
    changed: Ints, before: Kinds, space: Space, touched: Bools, reach: int
) -> None:
    """Update the squared distances and offsets of a space after ``changed`` voxels were of kinds ``before``.

    ``touched`` (slots,) is set where anything changed. Distances beyond ``reach`` voxels stay FAR. A wave
    only starts from what is rooted, so that every voxel is raised at most once and the waves come to an end.
    """
    most = reach * reach
    raising = np.zeros(len(space.kind), np.bool_)
    size = 2 * len(changed) + (1 << 14)
    queue = Queue(
        np.full(most + 1, -1, np.int32),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.zeros(2, np.int64),
    )
    seed(queue, changed, before, space, touched, raising)
    for node in changed:
        # space seen for the first time takes what its neighbors know
        new = is_space(space.kind[node]) and not raising[node] and space.square[node] == FAR
        if new and adopt(node, space, raising, most):
            push(queue, node, space.square[node])
    while queue.cursor[1] <= most:
        level = queue.cursor[1]
        k = queue.first[level]
        if k < 0:
            queue.cursor[1] += 1
            continue
        queue.first[level] = queue.after[k]
        node = queue.items[k]
        if queue.cursor[0] + 27 > len(queue.items):
            queue = longer(queue)
        if raising[node]:
            raising[node] = False
            raise_around(queue, node, space, touched, raising)
        elif space.square[node] == level and rooted(node, space):
            lower_around(queue, node, space, touched, raising, most)


@compiled
def seed(
    queue: Queue, changed: Ints, before: Kinds, space: Space, touched: Bools, raising: Bools
) -> None:
    """Put the solid voxels that came and went into the queue."""
    for c in range(len(changed)):
        node = changed[c]
        touched[node // VOXELS] = True
        if space.kind[node] == SOLID:
            space.square[node] = 0
            space.offset[node, :] = 0
            push(queue, node, 0)
        else:
            space.square[node] = FAR
            if before[c] == SOLID:
                raising[node] = True
                push(queue, node, 0)


@compiled
def raise_around(queue: Queue, node: int, space: Space, touched: Bools, raising: Bools) -> None:
    """Clear the neighbors that relied on a solid voxel that is gone; the others will lower this one."""
    slot, v = node // VOXELS, node % VOXELS
    for n in range(27):
        other = neighbor(slot, v, n, space.around)
        if n == SELF or other < 0 or space.square[other] == FAR or raising[other]:
            continue
        d = space.square[other]
        if not rooted(other, space):
            raising[other] = touched[other // VOXELS] = True
            space.square[other] = FAR
        push(queue, other, d)


@compiled
def lower_around(
    queue: Queue, node: int, space: Space, touched: Bools, raising: Bools, most: int
) -> None:
    """Hand on the nearest solid voxel to the neighbors that it is nearer to than what they have."""
    slot, v = node // VOXELS, node % VOXELS
    a, b, c = int(space.offset[node, 0]), int(space.offset[node, 1]), int(space.offset[node, 2])
    for n in range(27):
        x, y, z = a - n // 9 + 1, b - (n // 3) % 3 + 1, c - n % 3 + 1
        d = x * x + y * y + z * z
        if n == SELF or d > most:
            continue
        other = neighbor(slot, v, n, space.around)
        if other < 0 or d >= space.square[other]:
            continue
        if is_space(space.kind[other]) and not raising[other]:
            space.square[other] = d
            space.offset[other, 0], space.offset[other, 1], space.offset[other, 2] = x, y, z
            touched[other // VOXELS] = True
            push(queue, other, d)


@compiled
def push(queue: Queue, node: int, level: int) -> None:
    """Put a voxel into the queue, which has room for it."""
    k = queue.cursor[0]
    queue.items[k], queue.after[k] = node, queue.first[level]
    queue.first[level] = k
    queue.cursor[0] = k + 1
    queue.cursor[1] = min(queue.cursor[1], level)


@compiled
def longer(queue: Queue) -> Queue:
    """Return the queue with room for twice as many."""
    more = np.empty(len(queue.items), np.int32)
    return Queue(
        queue.first,
        np.concatenate((queue.items, more)),
        np.concatenate((queue.after, more)),
        queue.cursor,
    )


@compiled
def is_space(kind: int) -> bool:
    """Return whether distances are kept for a voxel of this kind."""
    return kind in (OPEN, MIDDLE)


@compiled
def neighbor(slot: int, v: int, n: int, around: Ints32) -> int:
    """Return the number of neighbor n (0 … 26) of a voxel; a negative one where there is no block."""
    near = NEAR[v, n]
    return int(around[slot, near >> 9]) * VOXELS + int(near & (VOXELS - 1))


@compiled
def at_offset(node: int, dx: int, dy: int, dz: int, space: Space) -> int:
    """Return the number of the voxel at an offset; a negative one if there is no such block.

    The answer depends on the place alone, not on the way there: waves that ask from different sides and
    hear different things would chase each other without end.
    """
    slot, v = node // VOXELS, node % VOXELS
    x, y, z = (v >> 6) + dx, ((v >> 3) & 7) + dy, (v & 7) + dz
    bx, by, bz = x >> 3, y >> 3, z >> 3
    if -1 <= bx <= 1 and -1 <= by <= 1 and -1 <= bz <= 1:
        other = int(space.around[slot, (bx + 1) * 9 + (by + 1) * 3 + bz + 1])
    else:
        key = space.keys[slot]
        other = find_slot(space.table, space.keys, key[0] + bx, key[1] + by, key[2] + bz)
    return int(other * VOXELS + ((x & 7) << 6) + ((y & 7) << 3) + (z & 7))


@compiled
def rooted(node: int, space: Space) -> bool:
    """Return whether the solid voxel that a voxel is nearest to is still there; one in a block gone is."""
    o = space.offset[node]
    other = at_offset(node, int(o[0]), int(o[1]), int(o[2]), space)
    return other < 0 or bool(space.kind[other] == SOLID)


@compiled
def adopt(node: int, space: Space, raising: Bools, most: int) -> bool:
    """Take the nearest of the solid voxels the neighbors know; return whether there was any."""
    slot, v = node // VOXELS, node % VOXELS
    best = FAR
    for n in range(27):
        other = neighbor(slot, v, n, space.around)
        if n == SELF or other < 0 or space.square[other] == FAR:
            continue
        dx = int(space.offset[other, 0]) + (n // 9 - 1)
        dy = int(space.offset[other, 1]) + ((n // 3) % 3 - 1)
        dz = int(space.offset[other, 2]) + (n % 3 - 1)
        d = dx * dx + dy * dy + dz * dz
        if d < best and d <= most and not raising[other] and rooted(other, space):
            best = d
            space.square[node] = d
            space.offset[node, 0], space.offset[node, 1], space.offset[node, 2] = dx, dy, dz
    return best < FAR
