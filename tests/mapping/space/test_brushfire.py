"""Distances in space stay those of a fresh start, whatever comes, goes, and leaves the robot's reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import distance_transform_edt

from commonground.mapping.space.brushfire import FAR, Space, update_distances
from commonground.mapping.space.kinds import OPEN, SOLID, UNKNOWN
from commonground.mapping.surface.blocks import SIDE, UNUSED, VOXELS, Blocks

SHAPE = (3, 3, 2)
REACH = 12


class World:
    """A few blocks whose voxels are set at will, and the distances kept for them."""

    def __init__(self) -> None:
        self.blocks = Blocks(reach_m=4.0, voxel_m=0.1, slots=64)
        self.size = tuple(SIDE * n for n in SHAPE)
        self.solid = np.zeros(self.size, bool)
        slots = len(self.blocks.state)
        self.kind = np.full((slots, VOXELS), UNKNOWN, np.uint8)
        self.square = np.full((slots, VOXELS), FAR, np.int32)
        self.offset = np.zeros((slots, VOXELS, 3), np.int8)

    def claim(self, keys: Any) -> None:
        """Make blocks (n, 3) that are new to the distances."""
        keys = np.asarray(keys, np.int32).reshape(-1, 3)
        fresh = keys[self.blocks.slots_of(keys) < 0]
        slots = self.blocks.claim(fresh, 0)
        self.kind[slots], self.square[slots], self.offset[slots] = UNKNOWN, FAR, 0

    def drop(self, key: Any) -> None:
        """Let a block go out of the robot's reach."""
        slot = int(self.blocks.slots_of(np.asarray([key], np.int32))[0])
        if slot >= 0:
            self.blocks.table[tuple(np.asarray(key) % len(self.blocks.table))] = -1
            self.blocks.state[slot] = UNUSED

    def voxels(self) -> tuple[Any, Any]:
        """Return slot × 512 + voxel, and the place (n, 3), of all voxels there are."""
        place = np.stack(np.meshgrid(*map(np.arange, self.size), indexing="ij"), -1).reshape(-1, 3)
        slot = self.blocks.slots_of((place // SIDE).astype(np.int32)).astype(np.int64)
        inner = place % SIDE
        node = slot * VOXELS + (inner[:, 0] * SIDE + inner[:, 1]) * SIDE + inner[:, 2]
        return node[slot >= 0], place[slot >= 0]

    def update(self) -> None:
        """Bring the distances up to date with ``solid``."""
        node, place = self.voxels()
        new = np.where(self.solid[tuple(place.T)], SOLID, OPEN).astype(np.uint8)
        flat = self.kind.reshape(-1)
        turned = flat[node] != new
        before = flat[node[turned]].copy()
        flat[node[turned]] = new[turned]
        live = np.flatnonzero(self.blocks.state != UNUSED).astype(np.int32)
        around = np.full((len(self.blocks.state), 27), -1, np.int32)
        around[live] = self.blocks.neighbors(live)
        touched = np.zeros(len(self.blocks.state), np.bool_)
        space = Space(
            flat,
            self.square.reshape(-1),
            self.offset.reshape(-1, 3),
            around,
            self.blocks.table,
            self.blocks.keys,
        )
        update_distances(node[turned], before, space, touched, REACH)


def all_keys() -> Any:
    return np.stack(np.meshgrid(*map(np.arange, SHAPE), indexing="ij"), -1).reshape(-1, 3)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_distances_follow_what_comes_and_goes(seed: int, rounds: int) -> None:
    rng = np.random.default_rng(seed)
    world = World()
    world.claim(all_keys())
    for _ in range(rounds):
        some = rng.random(world.size) < 0.004
        world.solid = (world.solid & (rng.random(world.size) < 0.5)) | some
        world.update()
    node, place = world.voxels()
    square = world.square.reshape(-1)[node]
    exact = (
        distance_transform_edt(~world.solid)[tuple(place.T)]
        if world.solid.any()
        else np.full(len(node), np.inf)
    )
    known = square < FAR
    assert (np.sqrt(square[known]) >= exact[known] - 1e-6).all()
    assert (np.sqrt(square[known]) <= exact[known] + 1.0).all()
    assert known[exact <= REACH - 1].all()
    root = place[known] + world.offset.reshape(-1, 3)[node[known]]
    assert world.solid[tuple(root.T)].all()
    np.testing.assert_array_equal(
        square[known], (world.offset.reshape(-1, 3)[node[known]].astype(int) ** 2).sum(axis=1)
    )


@pytest.mark.parametrize("seed", range(5))
def test_waves_end_where_blocks_are_missing(seed: int) -> None:
    """Paths around a missing block used to disagree on what is behind it, and waves ran for ever."""
    rng = np.random.default_rng(seed)
    world = World()
    for _ in range(30):
        world.solid = rng.random(world.size) < 0.003
        world.claim(all_keys()[rng.random(len(all_keys())) < 0.6])
        world.update()
        for key in all_keys()[rng.random(len(all_keys())) < 0.3]:
            world.drop(key)
    node, place = world.voxels()
    known = world.square.reshape(-1)[node] < FAR
    root = place[known] + world.offset.reshape(-1, 3)[node[known]]
    inside = ((root >= 0) & (root < world.size)).all(axis=1)
    assert inside.all()
