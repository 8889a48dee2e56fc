"""Cells of a grid packed into one number each, and where a hash table looks for them."""

from __future__ import annotations

import numpy as np

from commonground.compiled import compiled

BITS, HALF = 21, 1 << 20
"""Bits of a coordinate, and what makes it positive: a grid spans ±2²⁰ cells."""
MASK = (1 << BITS) - 1


@compiled
def packed(i: int, j: int, k: int) -> int:
    """Return the key of a cell by its coordinates from ``HALF`` on."""
    return ((i & MASK) << (2 * BITS)) | ((j & MASK) << BITS) | (k & MASK)


@compiled
def cell_key(x: float, y: float, z: float, cell_m: float) -> int:
    """Return the key of the cell a point lies in."""
    i = int(np.floor(x / cell_m)) + HALF
    j = int(np.floor(y / cell_m)) + HALF
    k = int(np.floor(z / cell_m)) + HALF
    return packed(i, j, k)


@compiled
def coarser(key: int) -> int:
    """Return the key of the cell of twice the size around a cell."""
    i = ((key >> (2 * BITS)) & MASK) - HALF
    j = ((key >> BITS) & MASK) - HALF
    k = (key & MASK) - HALF
    return packed((i >> 1) + HALF, (j >> 1) + HALF, (k >> 1) + HALF)


@compiled
def first_slot(key: int, size: int) -> int:
    """Return where a table of ``size`` slots, a power of two, is searched first (Fibonacci hashing)."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return int(np.int64((mixed >> np.uint64(20)) & np.uint64(size - 1)))
