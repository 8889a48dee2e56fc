"""Distances are kept in a checkpoint that comes when more blocks do than there were at the last update."""

from __future__ import annotations

import numpy as np

from commonground.mapping.settings import MappingSettings
from commonground.mapping.space.distances import Distances
from commonground.mapping.surface.blocks import Blocks


def test_a_checkpoint_may_come_between_two_updates() -> None:
    settings = MappingSettings()
    blocks = Blocks(reach_m=10.0, voxel_m=0.1, slots=4)
    distances = Distances(settings.space.places, settings.surface.min_weight)
    distances._follow(blocks)
    keys = np.array([[x, 0, 0] for x in range(6)], np.int32)
    blocks.claim(keys, 1)
    kept = distances.state(blocks)
    assert len(kept["slots"]) == len(kept["birth"]) == 6
    again = Distances(settings.space.places, settings.surface.min_weight)
    again.restore(kept, blocks)
    again._follow(blocks)
    distances._follow(blocks)
    np.testing.assert_array_equal(again.birth, distances.birth)
