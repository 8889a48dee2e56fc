"""Compiled search for patches of a depth image that come near to one another in space."""

from __future__ import annotations

from commonground.arrays import Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.frame import Intrinsics
from commonground.mapping.cell_keys import BITS, cell_key, first_slot


@compiled
def _slot(keys: Ints, key: int) -> int:
    at = first_slot(key, len(keys))
    while keys[at] >= 0 and keys[at] != key:
        at = (at + 1) & (len(keys) - 1)
    return at


@compiled
def neighbors(
    pieces: Ints32,
    depth: Floats32,
    K: Intrinsics,
    cell_m: float,
    keys: Ints,
    owner: Ints32,
    out: Ints32,
) -> int:
    """List pairs of pieces that share a cell of space or have adjoining ones: lower label, higher label.

    ``keys`` (a power of two, all −1) and ``owner`` are room for a hash table of at least twice as many
    cells as there are pixels.
    """
    fx, fy, cx, cy = K
    rows, columns = pieces.shape
    count = 0
    for y in range(rows):
        for x in range(columns):
            s = pieces[y, x]
            if s <= 0:
                continue
            z = depth[y, x]
            key = cell_key((x - cx) / fx * z, (y - cy) / fy * z, z, cell_m)
            at = _slot(keys, key)
            if keys[at] < 0:
                keys[at], owner[at] = key, s
            elif owner[at] != s and count < len(out):
                out[count, 0], out[count, 1] = min(owner[at], s), max(owner[at], s)
                count += 1
    steps = (1, 1 << BITS, 1 << (2 * BITS))
    for at in range(len(keys)):
        if keys[at] < 0:
            continue
        for step in steps:
            other = _slot(keys, keys[at] + step)
            if keys[other] < 0 or owner[other] == owner[at] or count >= len(out):
                continue
            out[count, 0] = min(owner[at], owner[other])
            out[count, 1] = max(owner[at], owner[other])
            count += 1
    return count
