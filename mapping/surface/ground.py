"""The map of the ground: where a robot could stand, at which height, on what kind of surface."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Floats, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.surface.blocks import LIVE, SIDE, UNUSED, Blocks, find_slot
from commonground.mapping.surface.cells import Cells, bucket
from commonground.mapping.surface.columns import LEVEL_M, surfaces_of
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
        found = surfaces_of(
            columns, int(low), int(high), blocks.table, blocks.keys, blocks.distance, blocks.weight,
            blocks.label, s.cell_voxels, s.voxel_m, s.min_ground_weight, s.headroom_m, s.max_slope_deg,
            ground_kinds,
        )  # fmt: skip
        self.cells.reserve(len(found[1]))
        c = self.cells
        c.count = write_cells(
            *found, c.heads, c.place, c.next, c.height, c.weight, c.label, c.open, c.live, c.first_seen_ns,
            c.last_seen_ns, c.count, blocks.first_seen_ns, blocks.last_seen_ns,
        )  # fmt: skip
        void_lost(
            columns, self.cells_per_block, c.heads, c.place, c.next, c.height, c.weight, c.live,
            c.count, found[0], found[1], blocks.table, blocks.keys, blocks.state, s.voxel_m,
        )  # fmt: skip

    def finish(self, keys: Ints32) -> None:
        """Make the cells within blocks (n, 3) final: the blocks are about to go."""
        if len(keys):
            c = self.cells
            finish_cells(
                keys,
                self.cells_per_block,
                c.heads,
                c.place,
                c.next,
                c.height,
                c.live,
                self.settings.voxel_m * SIDE,
            )

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

    def state(self) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        return self.cells.state()

    def restore(self, arrays: dict[str, Any]) -> None:
        """Continue from a checkpoint."""
        self.cells.restore(arrays)


@compiled
def write_cells(
    place_new: Ints32,
    height_new: Floats32,
    weight_new: Floats32,
    label_new: NDArray[np.int16],
    slot: Ints32,
    open_new: NDArray[np.uint8],
    heads: Ints32,
    place: Ints32,
    chain: Ints32,
    height: Floats32,
    weight: Floats32,
    label: NDArray[np.int16],
    open_: NDArray[np.uint8],
    live: Bools,
    first_ns: Ints,
    last_ns: Ints,
    count: int,
    block_first: Ints,
    block_last: Ints,
) -> int:
    """Write surfaces into the rows of their level, new rows where there are none; return the row count."""
    for n in range(len(height_new)):
        b = bucket(heads, place, place_new[n, 0], place_new[n, 1])
        row, tail = heads[b], -1
        while row >= 0 and abs(height[row] - height_new[n]) > LEVEL_M:
            tail, row = row, chain[row]
        if row >= 0 and not live[row] and weight[row] > 0:
            continue
        if row < 0:
            row = count
            count += 1
            place[row, 0], place[row, 1] = place_new[n, 0], place_new[n, 1]
            chain[row] = -1
            if tail >= 0:
                chain[tail] = row
            else:
                heads[b] = row
        if weight[row] == 0:
            first_ns[row] = block_first[slot[n]]
        height[row], weight[row], label[row] = height_new[n], weight_new[n], label_new[n]
        live[row], open_[row] = True, open_new[n]
        last_ns[row] = block_last[slot[n]]
    return count


@compiled
def void_lost(
    columns: Ints32,
    per: int,
    heads: Ints32,
    place: Ints32,
    chain: Ints32,
    height: Floats32,
    weight: Floats32,
    live: Bools,
    count: int,
    place_new: Ints32,
    height_new: Floats32,
    table: Ints32,
    keys: Ints32,
    state: NDArray[np.uint8],
    voxel_m: float,
) -> None:
    """Void the live rows of columns whose surface is no longer there, though their block still is."""
    kept = np.zeros(count, np.bool_)
    for n in range(len(height_new)):
        row = heads[bucket(heads, place, place_new[n, 0], place_new[n, 1])]
        while row >= 0:
            if abs(height[row] - height_new[n]) < 1e-3:
                kept[row] = True
            row = chain[row]
    for c in range(len(columns)):
        for i in range(per):
            for j in range(per):
                row = heads[bucket(heads, place, columns[c, 0] * per + i, columns[c, 1] * per + j)]
                while row >= 0:
                    if live[row] and not kept[row] and weight[row] > FAINT:
                        z = int(np.floor(height[row] / (voxel_m * SIDE)))
                        slot = find_slot(table, keys, columns[c, 0], columns[c, 1], z)
                        if slot >= 0 and state[slot] == LIVE:
                            weight[row] = 0.0
                    row = chain[row]


@compiled
def finish_cells(
    keys: Ints32,
    per: int,
    heads: Ints32,
    place: Ints32,
    chain: Ints32,
    height: Floats32,
    live: Bools,
    block_m: float,
) -> None:
    """Make the rows within blocks final."""
    for n in range(len(keys)):
        for i in range(per):
            for j in range(per):
                row = heads[bucket(heads, place, keys[n, 0] * per + i, keys[n, 1] * per + j)]
                while row >= 0:
                    if np.floor(height[row] / block_m) == keys[n, 2]:
                        live[row] = False
                    row = chain[row]
