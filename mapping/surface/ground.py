"""The map of the ground: where a robot could stand, at which height, on what kind of surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.blocks import LIVE, SIDE, UNUSED, BlockGrid, Blocks, find_slot
from commonground.mapping.surface.cells import Cells, CellTable, bucket, head_at
from commonground.mapping.surface.columns import LEVEL_M, Surfaces, ground_rules, surfaces_of
from commonground.mapping.surface.settings import SurfaceSettings

FAINT = 2.0**-10  # exact in single precision
"""Evidence of ground that was driven over but not seen: any look at it counts more."""


class GroundMap:
    """Ground cells read from the distance field; near the robot they follow it, behind it they are final.

    Ground seen again after it became final is left as it was, unless its height tells it to be another
    level: with drifting odometry, mixing an old and a new look blurs both.
    """

    def __init__(self, settings: SurfaceSettings) -> None:
        self.settings = settings
        self.cell_m = settings.voxel_m * settings.cell_voxels
        self.cells_per_block = SIDE // settings.cell_voxels
        self.cells = Cells()

    def update(self, blocks: Blocks, ground_kinds: Bools) -> None:
        """Read the ground again in the block columns that changed.

        ``ground_kinds`` (c,) tells which classes can be driven on.
        """
        due = np.flatnonzero(blocks.ground_due & (blocks.state == LIVE))
        blocks.ground_due[:] = False
        if len(due) == 0:
            return
        columns = np.unique(blocks.keys[due, :2], axis=0)
        live = blocks.state != UNUSED
        low, high = blocks.keys[live, 2].min(), blocks.keys[live, 2].max()
        s = self.settings
        rules = ground_rules(s, ground_kinds)
        found = surfaces_of(columns, int(low), int(high), blocks.grid, rules)
        self.cells.reserve(len(found.height))
        table = self.cells.table
        self.cells.count = write_cells(
            found, table, self.cells.count, blocks.first_seen_ns, blocks.last_seen_ns
        )
        void_lost(columns, self.cells_per_block, table, self.cells.count, found, blocks.grid)

    def finish(self, keys: Ints32) -> None:
        """Make the cells within blocks (n, 3) final: the blocks are about to go."""
        if len(keys):
            block_m = self.settings.voxel_m * SIDE
            finish_cells(keys, self.cells_per_block, self.cells.table, block_m)

    def rows(self) -> Ints:
        """Return the rows that hold ground."""
        return np.flatnonzero(self.cells.weight[: self.cells.count] > 0)

    def positions(self, rows: Any) -> Floats:
        """Return the centers (n, 3) of cells."""
        c = self.cells
        at = np.empty((len(rows), 3))
        at[:, :2] = (c.place[rows] + 0.5) * self.cell_m
        at[:, 2] = c.height[rows]
        return at


@compiled
def write_cells(
    found: Surfaces, cells: CellTable, count: int, block_first: Ints, block_last: Ints
) -> int:
    """Write surfaces into the rows of their level, new rows where there are none; return the row count."""
    heads, place, chain, live = cells.heads, cells.place, cells.next, cells.live
    height, weight = cells.height, cells.weight
    for n in range(len(found.height)):
        b = bucket(heads, place, found.place[n, 0], found.place[n, 1])
        row, tail = heads[b], -1
        while row >= 0 and abs(height[row] - found.height[n]) > LEVEL_M:
            tail, row = row, chain[row]
        if row >= 0 and not live[row] and weight[row] > 0:
            continue
        if row < 0:
            row = count
            count += 1
            place[row, 0], place[row, 1] = found.place[n, 0], found.place[n, 1]
            chain[row] = -1
            if tail >= 0:
                chain[tail] = row
            else:
                heads[b] = row
        if weight[row] == 0:
            cells.first_seen_ns[row] = block_first[found.slot[n]]
        height[row], weight[row] = found.height[n], found.weight[n]
        cells.label[row], cells.open[row], live[row] = found.label[n], found.open[n], True
        cells.last_seen_ns[row] = block_last[found.slot[n]]
    return count


@compiled
def void_lost(
    columns: Ints32, per: int, cells: CellTable, count: int, found: Surfaces, grid: BlockGrid
) -> None:
    """Void the live rows of columns whose surface is no longer there, though their block still is."""
    chain, height, weight = cells.next, cells.height, cells.weight
    kept = np.zeros(count, np.bool_)
    for n in range(len(found.height)):
        row = head_at(cells, found.place[n, 0], found.place[n, 1])
        while row >= 0:
            if abs(height[row] - found.height[n]) < 1e-3:
                kept[row] = True
            row = chain[row]
    for c in range(len(columns)):
        x, y = columns[c, 0], columns[c, 1]
        for i in range(per):
            for j in range(per):
                row = head_at(cells, x * per + i, y * per + j)
                while row >= 0:
                    if cells.live[row] and not kept[row] and weight[row] > FAINT:
                        z = int(np.floor(height[row] / (grid.voxel_m * SIDE)))
                        slot = find_slot(grid.table, grid.keys, x, y, z)
                        if slot >= 0 and grid.state[slot] == LIVE:
                            weight[row] = 0.0
                    row = chain[row]


@compiled
def finish_cells(keys: Ints32, per: int, cells: CellTable, block_m: float) -> None:
    """Make the rows within blocks final."""
    for n in range(len(keys)):
        for i in range(per):
            for j in range(per):
                row = head_at(cells, keys[n, 0] * per + i, keys[n, 1] * per + j)
                while row >= 0:
                    if np.floor(cells.height[row] / block_m) == keys[n, 2]:
                        cells.live[row] = False
                    row = cells.next[row]
