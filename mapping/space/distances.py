"""Distances in free space near the robot, and the ridge of that space, as the world is seen and changes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.mapping.packing import Column, ColumnStore
from commonground.mapping.space.brushfire import FAR, Space, update_distances
from commonground.mapping.space.kinds import UNKNOWN, BodySpace, Floors, Surfaces, classify
from commonground.mapping.space.ridge import clearances, mark_ridge
from commonground.mapping.space.settings import PlaceSettings
from commonground.mapping.surface.blocks import LIVE, UNUSED, VOXELS, Blocks
from commonground.mapping.surface.ground import GroundMap

MIN_GROUND_M2 = 3.0
"""With less ground in view than this, and none driven over, all free space is a place to be."""
MIN_CLEARANCE_M = 0.25
"""Places and the lines between them keep at least this far from surfaces."""
MAX_CLEARANCE_M = 2.0
"""Distances to surfaces are known up to here."""
MAX_COSINE = 0.2
"""The two nearest surfaces of a ridge lie in directions whose angle has at most this cosine."""

_COLUMNS: dict[str, Column] = {
    "kind": (np.uint8, (VOXELS,), UNKNOWN),
    "square": (np.int32, (VOXELS,), FAR),
    "offset": (np.int8, (VOXELS, 3), 0),
    "ridge": (np.bool_, (VOXELS,), False),
    "birth": (np.int64, (), -1),
}


MIDDLE_KEY = 1 << 31
"""Added to a block's key, it is not negative."""


class Distances(ColumnStore):
    """For each voxel of the blocks, slot for slot: what it is, and the nearest solid voxel."""

    COLUMNS: ClassVar = _COLUMNS

    kind: Any
    """(slots, 512) one of ``kinds``."""
    square: Ints32
    """(slots, 512) squared distance to the nearest solid voxel, in voxels; FAR beyond reach."""
    offset: Any
    """(slots, 512, 3) that voxel, relative to this one."""
    ridge: Bools
    """(slots, 512) on the generalized Voronoi diagram."""
    birth: Ints
    """(slots,) which block this is about."""

    def __init__(self, settings: PlaceSettings, min_weight: float) -> None:
        self.settings = settings
        self.min_weight = min_weight
        self.around: Ints32 = np.empty((0, 27), np.int32)
        self.was_ground: Bools = np.empty(0, np.bool_)
        self.bounded = False
        """There is ground in view: only what is above ground is space then."""
        self.grounded = False
        """There was ground in view at one time."""
        self.grow(0)

    def update(self, blocks: Blocks, ground: GroundMap) -> Bools:
        """Follow the blocks and the ground; return the slots (s,) in which distances changed."""
        self._room_over(blocks, ground)
        self._follow(blocks)
        touched = np.zeros(len(blocks.state), np.bool_)
        columns = self._due(blocks, ground)
        live = np.flatnonzero(blocks.state != UNUSED).astype(np.int32)
        self.around = np.full((len(blocks.state), 27), -1, np.int32)
        self.around[live] = blocks.neighbors(live)
        if len(columns) == 0:
            return touched
        cells, s, voxel_m = ground.cells, self.settings, blocks.voxel_m
        low, high = blocks.keys[live, 2].min(), blocks.keys[live, 2].max()
        changed, before = classify(
            columns,
            (int(low), int(high)),
            Surfaces(blocks.table, blocks.keys, blocks.distance, blocks.weight),
            Floors(cells.heads, cells.place, cells.next, cells.height, self.was_ground),
            BodySpace(
                self.bounded,
                ground.settings.cell_voxels,
                voxel_m,
                self.min_weight,
                s.step_m,
                s.body_m,
            ),
            self.kind,
        )
        space = self.space(blocks)
        update_distances(changed, before, space, touched, int(MAX_CLEARANCE_M / voxel_m))
        least = MIN_CLEARANCE_M / voxel_m
        mark_ridge(
            np.flatnonzero(touched).astype(np.int32),
            space,
            self.ridge.reshape(-1),
            int(np.ceil(least**2)),
            max(2, round(2 * least)),
            MAX_COSINE,
        )
        return touched

    def _room_over(self, blocks: Blocks, ground: GroundMap) -> None:
        """Make the blocks over live ground that no image showed, so that places have voxels to be in."""
        cells = ground.cells
        rows = np.flatnonzero(cells.live[: len(cells)] & (cells.patch[: len(cells)] >= 0))
        per = ground.cells_per_block
        middle = cells.height[rows] + self.settings.body_m / 2
        up = np.floor(middle / blocks.block_m).astype(np.int64)
        x, y = (cells.place[rows] // per).astype(np.int64).T + (1 << 20)
        _, one = np.unique((x << 42) + (y << 21) + up + (1 << 20), return_index=True)
        if len(one):
            keys = np.c_[cells.place[rows[one]] // per, up[one]].astype(np.int32)
            blocks.claim(keys, int(cells.last_seen_ns[rows].max()))

    def _follow(self, blocks: Blocks) -> None:
        """Grow with the blocks, and forget what was known of slots that hold another block now."""
        self.grow(len(blocks.state))
        other = np.flatnonzero((self.birth != blocks.birth) & (blocks.state != UNUSED))
        self.kind[other], self.square[other], self.ridge[other] = UNKNOWN, FAR, False
        self.birth[other] = blocks.birth[other]
        blocks.space_due[other] = True

    def _due(self, blocks: Blocks, ground: GroundMap) -> Ints32:
        """Return the block columns (n, 2) whose voxels changed, or whose ground did."""
        cells, n = ground.cells, len(ground.cells)
        is_ground = (cells.patch[:n] >= 0) & (cells.weight[:n] > 0)
        was = np.zeros(n, np.bool_)
        was[: len(self.was_ground)] = self.was_ground
        turned = np.flatnonzero((is_ground != was) & cells.live[:n])
        self.was_ground = is_ground
        bounded = self._is_bounded(ground, is_ground & cells.live[:n])
        due = (blocks.space_due | (bounded != self.bounded)) & (blocks.state == LIVE)
        self.bounded, self.grounded = bounded, self.grounded or bounded
        blocks.space_due[:] = False
        keys = [blocks.keys[due, :2], cells.place[turned] // ground.cells_per_block]
        x, y = np.concatenate(keys).astype(np.int64).T
        code = np.unique(
            (x << 32) + y + MIDDLE_KEY
        )  # sorting rows of two takes several times as long
        return np.stack([code >> 32, (code & 0xFFFFFFFF) - MIDDLE_KEY], axis=1).astype(np.int32)

    def _is_bounded(self, ground: GroundMap, seen: Bools) -> bool:
        """Return whether the ground in view (rows,) is what the robot moves on, not a scrap of floor."""
        if self.bounded or ground.cells.traversed[: len(seen)][seen].any():
            return bool(seen.any())
        return bool(seen.sum() * ground.cell_m**2 >= MIN_GROUND_M2)

    def release(self) -> None:
        """Give the memory back: nothing more will be seen."""
        for name, (dtype, shape, _) in self.COLUMNS.items():
            setattr(self, name, np.empty((0, *shape), dtype))
        self.around, self.was_ground = np.empty((0, 27), np.int32), np.empty(0, np.bool_)

    def clearance_at(self, nodes: Ints, blocks: Blocks) -> Floats:
        """Return the meters (n,) from voxels, as slot × 512 + voxel, to the nearest surface."""
        return clearances(
            nodes, self.space(blocks), blocks.distance.reshape(-1), blocks.voxel_m, MAX_CLEARANCE_M
        )

    def space(self, blocks: Blocks) -> Space:
        """Return what is known, voxel by voxel, for compiled loops."""
        return Space(
            self.kind.reshape(-1),
            self.square.reshape(-1),
            self.offset.reshape(-1, 3),
            self.around,
            blocks.table,
            blocks.keys,
        )

    def state(self, blocks: Blocks) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        self.grow(len(blocks.state))  # blocks may have come since the last update
        used = np.flatnonzero(blocks.state != UNUSED)
        return {"slots": used, "was_ground": self.was_ground, **self.flags(), **self.rows(used)}

    def flags(self) -> dict[str, Any]:
        """Return what is worth keeping of a stretch that is over."""
        return {"bounded": np.array(self.bounded), "grounded": np.array(self.grounded)}

    def restore(self, arrays: dict[str, Any], blocks: Blocks) -> None:
        """Continue from a checkpoint."""
        self.bounded, self.grounded = bool(arrays["bounded"]), bool(arrays["grounded"])
        if "slots" not in arrays:
            return
        self.grow(len(blocks.state))
        self.was_ground = arrays["was_ground"]
        self.put(arrays["slots"], arrays)
