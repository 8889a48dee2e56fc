"""Surface nets (Gibson 1998): a vertex in each cell the surface crosses, a quad over each edge it cuts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats32, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.blocks import NO_EVIDENCE, NO_LABEL, SIDE, BlockGrid, Blocks
from commonground.mapping.surface.mesh_part import EMPTY, MeshPart

PAD = SIDE + 2
"""A block and one voxel of each neighbor."""
BITS = 21
"""Bits of a cell coordinate in a vertex key."""
STEEPEST = 1.5
"""Distances change by a voxel from one to the next; where by more than this, they are of two surfaces."""


class Net(NamedTuple):
    """Vertices and quads of some blocks, as the compiled loops fill them."""

    cells: Ints32
    """(n, 3) coordinates of the cell of each vertex."""
    vertices: Floats32
    """(n, 3)"""
    voxels: Ints32
    """(n, 2) slot and voxel nearest to each vertex."""
    quads: Ints32
    """(m, 4)"""


class PaddedBlock(NamedTuple):
    """A block with one voxel of each neighbor."""

    around: Ints32
    """(27,) slots."""
    key: Ints32
    distance: Floats32
    """(10, 10, 10)"""
    weight: Floats32
    numbers: Ints32
    """The vertex of each cell; −1 for none."""


def room_for(vertices: int, quads: int) -> Net:
    """Return a net to be filled; with no room it is only counted."""
    return Net(
        np.empty((vertices, 3), np.int32),
        np.empty((vertices, 3), np.float32),
        np.empty((vertices, 2), np.int32),
        np.empty((quads, 4), np.int32),
    )


def extract(blocks: Blocks, slots: Ints32, min_weight: float) -> MeshPart:
    """Return the mesh of the given slots, with the seams towards all their neighbors on the low side."""
    if len(slots) == 0:
        return EMPTY
    around = blocks.neighbors(slots)
    nv, nq = nets(around, blocks.grid, min_weight, room_for(0, 0))
    out = room_for(nv, nq)
    nets(around, blocks.grid, min_weight, out)
    slot, voxel = out.voxels.T
    labels = blocks.label[slot, voxel].astype(np.int32)
    packed = out.cells.astype(np.int64) + (1 << (BITS - 1))
    return MeshPart(
        keys=(packed[:, 0] << (2 * BITS)) | (packed[:, 1] << BITS) | packed[:, 2],
        vertices=out.vertices,
        colors=(blocks.rgb[slot, voxel] >> 8).astype(np.uint8),
        labels=np.where(labels == NO_EVIDENCE, NO_LABEL, labels).astype(np.int32),
        first_seen_ns=blocks.first_seen_ns[slot],
        last_seen_ns=blocks.last_seen_ns[slot],
        faces=triangulated(out.vertices, out.quads),
    )


def triangulated(vertices: Floats32, quads: Ints32) -> Ints32:
    """Return two triangles per quad (n, 4), cut along the shorter diagonal."""
    a, b, c, d = quads.T
    across = np.linalg.norm(vertices[a] - vertices[c], axis=1)
    along = np.linalg.norm(vertices[b] - vertices[d], axis=1)
    flip = along < across
    first = np.where(flip[:, None], np.stack([a, b, d], 1), np.stack([a, b, c], 1))
    second = np.where(flip[:, None], np.stack([b, c, d], 1), np.stack([a, c, d], 1))
    return np.concatenate([first, second]).astype(np.int32)


@compiled
def padded(around: Ints32, values: Floats32, fill: float, out: Floats32) -> None:
    """Copy a block's voxels and one layer of each of its 27 neighbors to ``out`` (10, 10, 10)."""
    for i in range(PAD):
        for j in range(PAD):
            for k in range(PAD):
                x, y, z = i - 1, j - 1, k - 1
                n = ((x + SIDE) // SIDE) * 9 + ((y + SIDE) // SIDE) * 3 + (z + SIDE) // SIDE
                slot = around[n]
                if slot < 0:
                    out[i, j, k] = fill
                else:
                    v = ((x % SIDE) * SIDE + y % SIDE) * SIDE + z % SIDE
                    out[i, j, k] = values[slot, v]


@compiled
def nets(around: Ints32, grid: BlockGrid, min_weight: float, out: Net) -> tuple[int, int]:
    """Fill vertices and quads where the outputs have room; return how many there are of each."""
    d = np.empty((PAD, PAD, PAD), np.float32)
    w = np.empty((PAD, PAD, PAD), np.float32)
    index = np.empty((PAD, PAD, PAD), np.int32)
    nv = nq = 0
    for b in range(len(around)):
        padded(around[b], grid.distance, 0.0, d)
        padded(around[b], grid.weight, 0.0, w)
        block = PaddedBlock(around[b], grid.keys[around[b, 13]], d, w, index)
        nv = block_vertices(block, min_weight, STEEPEST * grid.voxel_m, grid.voxel_m, out, nv)
        nq = block_quads(d, index, out.quads, nq)
    return nv, nq


@compiled
def block_vertices(
    block: PaddedBlock, min_weight: float, steepest: float, voxel_m: float, out: Net, nv: int
) -> int:
    """Number the cells that the surface crosses and write their vertices; return the count."""
    around, key, d, w, numbers = block
    cells, vertices, voxels, _ = out
    for i in range(PAD - 1):
        for j in range(PAD - 1):
            for k in range(PAD - 1):
                numbers[i, j, k] = -1
                if not crossed(d, w, i, j, k, min_weight, steepest):
                    continue
                if len(cells):
                    px, py, pz, nearest = crossing(d, i, j, k)
                    x, y, z = key[0] * SIDE + i - 1, key[1] * SIDE + j - 1, key[2] * SIDE + k - 1
                    cells[nv, 0], cells[nv, 1], cells[nv, 2] = x, y, z
                    vertices[nv, 0] = (x + 0.5 + px) * voxel_m
                    vertices[nv, 1] = (y + 0.5 + py) * voxel_m
                    vertices[nv, 2] = (z + 0.5 + pz) * voxel_m
                    x, y, z = i - 1 + nearest // 4, j - 1 + (nearest // 2) % 2, k - 1 + nearest % 2
                    n = ((x + SIDE) // SIDE) * 9 + ((y + SIDE) // SIDE) * 3 + (z + SIDE) // SIDE
                    voxels[nv, 0] = around[n]
                    voxels[nv, 1] = ((x % SIDE) * SIDE + y % SIDE) * SIDE + z % SIDE
                numbers[i, j, k] = nv
                nv += 1
    return nv


@compiled
def crossed(
    d: Floats32, w: Floats32, i: int, j: int, k: int, min_weight: float, steepest_m: float
) -> bool:
    """Return whether the surface crosses a cell all of whose corners are known.

    Where distances jump from one corner to the next, free space ends in what was guessed to lie behind
    another surface, and nothing was seen.
    """
    nearest, deepest = 1e9, -1e9
    for c in range(8):
        x, y, z = i + c // 4, j + (c // 2) % 2, k + c % 2
        if w[x, y, z] < min_weight:
            return False
        if d[x, y, z] < 0:
            deepest = max(deepest, d[x, y, z])
        else:
            nearest = min(nearest, d[x, y, z])
    return nearest - deepest < steepest_m


@compiled
def block_quads(d: Floats32, index: Ints32, quads: Ints32, nq: int) -> int:
    """Write a quad for each edge of the block's own voxels that the surface cuts; return the count."""
    for i in range(1, PAD - 1):
        for j in range(1, PAD - 1):
            for k in range(1, PAD - 1):
                here = d[i, j, k] < 0
                for axis in range(3):
                    if axis == 0:
                        other = d[i + 1, j, k] < 0
                        q0, q1 = index[i, j - 1, k - 1], index[i, j, k - 1]
                        q2, q3 = index[i, j, k], index[i, j - 1, k]
                    elif axis == 1:
                        other = d[i, j + 1, k] < 0
                        q0, q1 = index[i - 1, j, k - 1], index[i - 1, j, k]
                        q2, q3 = index[i, j, k], index[i, j, k - 1]
                    else:
                        other = d[i, j, k + 1] < 0
                        q0, q1 = index[i - 1, j - 1, k], index[i, j - 1, k]
                        q2, q3 = index[i, j, k], index[i - 1, j, k]
                    if here == other or min(q0, q1, q2, q3) < 0:
                        continue
                    if len(quads):  # counter-clockwise seen from the free side
                        quads[nq, 0], quads[nq, 2] = q0, q2
                        quads[nq, 1] = q1 if here else q3
                        quads[nq, 3] = q3 if here else q1
                    nq += 1
    return nq


@compiled
def crossing(d: Floats32, i: int, j: int, k: int) -> tuple[float, float, float, int]:
    """Return the mean of the points where the surface cuts the cell's edges, and the corner nearest to it."""
    px = py = pz = 0.0
    n = 0
    best, nearest = 1e9, 0
    for c in range(8):
        x, y, z = c // 4, (c // 2) % 2, c % 2
        a = d[i + x, j + y, k + z]
        if abs(a) < best:
            best, nearest = abs(a), c
        for axis in range(3):
            e = c | (4 >> axis)
            if e == c:
                continue
            b = d[i + e // 4, j + (e // 2) % 2, k + e % 2]
            if (a < 0) != (b < 0):
                s = a / (a - b)
                px += x + (s if axis == 0 else 0.0)
                py += y + (s if axis == 1 else 0.0)
                pz += z + (s if axis == 2 else 0.0)
                n += 1
    return px / n, py / n, pz / n, nearest
