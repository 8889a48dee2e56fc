"""Voxels in blocks of 8 × 8 × 8 around the robot, found through a table that wraps around.

Memory follows the surfaces and the free space near the robot, never the length of the drive: a block
out of reach is frozen, read out once all its neighbors are frozen too, and its slot used again.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.packing import Column, ColumnStore

SIDE = 8
VOXELS = SIDE**3
UNUSED, LIVE, FROZEN, READ = range(4)
"""What a slot holds: nothing; a block being measured; one out of reach; one whose mesh is in the archive."""
NO_LABEL, NO_EVIDENCE = -1, -2

_OF_VOXELS: dict[str, Column] = {
    "distance": (np.float32, (VOXELS,), 0),
    "weight": (np.float32, (VOXELS,), 0),
    "rgb": (np.uint16, (VOXELS, 3), 0),
    "label": (np.int16, (VOXELS,), NO_EVIDENCE),
    "votes": (np.float32, (VOXELS,), 0),
}
_OF_BLOCKS: dict[str, Column] = {
    "keys": (np.int32, (3,), 0),
    "state": (np.uint8, (), UNUSED),
    "first_seen_ns": (np.int64, (), 0),
    "last_seen_ns": (np.int64, (), 0),
    "ground_due": (np.bool_, (), False),
    "space_due": (np.bool_, (), False),
    "birth": (np.int64, (), -1),
}


class BlockGrid(NamedTuple):
    """The arrays of ``Blocks`` that compiled loops read and write."""

    table: Ints32
    keys: Ints32
    state: NDArray[np.uint8]
    distance: Floats32
    weight: Floats32
    rgb: NDArray[np.uint16]
    label: NDArray[np.int16]
    votes: Floats32
    voxel_m: float


class Blocks(ColumnStore):
    """Slots of voxel columns, and the table from block coordinates to slots."""

    COLUMNS: ClassVar = _OF_VOXELS | _OF_BLOCKS

    distance: Floats32
    """(slots, 512) meters to the nearest surface, truncated; negative inside; x slowest, z fastest."""
    weight: Floats32
    """(slots, 512) evidence; 0 is unknown."""
    rgb: NDArray[np.uint16]
    """(slots, 512, 3) color × 256."""
    label: NDArray[np.int16]
    """(slots, 512) the class with most votes so far (Boyer-Moore); NO_LABEL, NO_EVIDENCE."""
    votes: Floats32
    keys: Ints32
    """(slots, 3) block coordinates."""
    state: NDArray[np.uint8]
    first_seen_ns: Ints
    last_seen_ns: Ints
    ground_due: NDArray[np.bool_]
    """(slots,) changed since the ground was last read from it."""
    space_due: NDArray[np.bool_]
    """(slots,) changed since free space was last read from it."""
    birth: Ints
    """(slots,) number of the block among all ever made: with another number it is another block."""

    def __init__(self, reach_m: float, voxel_m: float, slots: int = 512) -> None:
        self.voxel_m = voxel_m
        self.block_m = voxel_m * SIDE
        self.reach_m = reach_m
        side = 2 * int(np.ceil(reach_m / self.block_m)) + 8  # two rings outside wait to be read
        self.table = np.full((side, side, side), -1, np.int32)
        self.born = 0
        self.grow(slots)

    @property
    def grid(self) -> BlockGrid:
        """The arrays as they are now; claiming blocks may replace them."""
        return BlockGrid(
            self.table, self.keys, self.state, self.distance, self.weight, self.rgb, self.label,
            self.votes, self.voxel_m,
        )  # fmt: skip

    def __len__(self) -> int:
        """Return how many slots are in use."""
        return int((self.state != UNUSED).sum())

    def slots_of(self, keys: Ints32) -> Ints32:
        """Return the slots (n,) of block coordinates (n, 3); −1 where there is no such block."""
        return find_slots(self.table, self.keys, np.ascontiguousarray(keys, np.int32))

    def claim(self, keys: Ints32, stamp_ns: int) -> Ints32:
        """Return the slots (n,) of block coordinates (n, 3), making the blocks that are missing."""
        slots = self.slots_of(keys)
        missing = np.flatnonzero(slots < 0)
        if len(missing) == 0:
            return slots
        empty = np.flatnonzero(self.state == UNUSED)
        if len(empty) < len(missing):
            size = len(self.state)
            self.grow(max(2 * size, size + len(missing)))
            empty = np.flatnonzero(self.state == UNUSED)
        fresh = empty[: len(missing)].astype(np.int32)
        for name, (_, _, fill) in _OF_VOXELS.items():
            getattr(self, name)[fresh] = fill
        self.keys[fresh], self.state[fresh] = keys[missing], LIVE
        self.first_seen_ns[fresh] = self.last_seen_ns[fresh] = stamp_ns
        self.birth[fresh] = self.born + np.arange(len(fresh))
        self.born += len(fresh)
        cells = keys[missing] % len(self.table)
        self.table[cells[:, 0], cells[:, 1], cells[:, 2]] = fresh
        slots[missing] = fresh
        return slots

    def freeze_beyond(self, center: Floats) -> None:
        """Freeze the live blocks whose center is out of reach of ``center`` (3,)."""
        live = np.flatnonzero(self.state == LIVE)
        middle = (self.keys[live] + 0.5) * self.block_m
        self.state[live[np.linalg.norm(middle - center, axis=1) > self.reach_m]] = FROZEN

    def freeze_all(self) -> None:
        """Freeze every live block."""
        self.state[self.state == LIVE] = FROZEN

    def unread(self) -> Ints32:
        """Return the slots whose mesh is not in the archive yet."""
        waiting = (self.state == LIVE) | (self.state == FROZEN)
        return np.flatnonzero(waiting).astype(np.int32)

    def readable(self) -> Ints32:
        """Return the frozen slots none of whose neighbors is live any more, in order of their keys."""
        frozen = np.flatnonzero(self.state == FROZEN)
        around = self.neighbors(frozen.astype(np.int32))
        live = (around >= 0) & (self.state[around] == LIVE)
        out = frozen[~live.any(axis=1)]
        return np.asarray(out[np.lexsort(self.keys[out].T)], np.int32)

    def neighbors(self, slots: Ints32) -> Ints32:
        """Return the slots (n, 27) around blocks, themselves in the middle; −1 for none."""
        steps = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3, indexing="ij"), -1).reshape(-1, 3)
        keys = self.keys[slots][:, None, :] + steps.astype(np.int32)
        return self.slots_of(keys.reshape(-1, 3)).reshape(-1, 27)

    def mark_read(self, slots: Ints32) -> None:
        """Note that blocks are in the archive, and free those that no neighbor needs any more."""
        self.state[slots] = READ
        done = np.flatnonzero(self.state == READ).astype(np.int32)
        around = self.neighbors(done)
        needed = (around >= 0) & (self.state[around] != READ)
        free = done[~needed.any(axis=1)]
        cells = self.keys[free] % len(self.table)
        self.table[cells[:, 0], cells[:, 1], cells[:, 2]] = -1
        self.state[free] = UNUSED

    def state_arrays(self) -> dict[str, Any]:
        """Return everything there is, for a checkpoint: the used slots, and where they lie."""
        used = np.flatnonzero(self.state != UNUSED)
        sizes = {"capacity": np.array(len(self.state)), "born": np.array(self.born)}
        return {"slots": used, **sizes, **self.rows(used)}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Take over what ``state_arrays`` returned, slot for slot."""
        self.grow(int(arrays["capacity"]))
        used, self.born = arrays["slots"], int(arrays["born"])
        self.put(used, arrays)
        cells = self.keys[used] % len(self.table)
        self.table[cells[:, 0], cells[:, 1], cells[:, 2]] = used


@compiled
def find_slot(table: Ints32, keys: Ints32, x: int, y: int, z: int) -> int:
    """Return the slot of block x, y, z or −1; a table cell may hold another block one turn away."""
    n = table.shape[0]
    slot = table[x % n, y % n, z % n]
    if slot >= 0 and (keys[slot, 0] != x or keys[slot, 1] != y or keys[slot, 2] != z):
        return -1
    return int(slot)


@compiled
def find_slots(table: Ints32, keys: Ints32, wanted: Ints32) -> Ints32:
    """Return the slots (n,) of block coordinates (n, 3), −1 for none."""
    out = np.empty(len(wanted), np.int32)
    for i in range(len(wanted)):
        out[i] = find_slot(table, keys, wanted[i, 0], wanted[i, 1], wanted[i, 2])
    return out
