"""A made-up world of streets and a building: walls hide, and robots drive in and out."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.localization.evaluation.hybrid import hybrid
from commonground.localization.evaluation.traverses import hybrid_route
from commonground.localization.evaluation.worlds import Perception, view


@pytest.mark.parametrize("seed", range(4))
def test_robots_drive_through_the_building_and_out_again(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = hybrid(rng)
    for _ in range(3):
        inside = world.building_at(hybrid_route(rng, 160.0, 24)[:, :2]) > 0
        assert 0.1 < inside.mean() < 0.6
        assert np.diff(inside.astype(int)).any()


def test_walls_hide_what_is_behind_them() -> None:
    rng = np.random.default_rng(1)
    world = hybrid(rng)
    half = world.buildings[0, 2]
    everything = Perception(detects=1.0, spurious=0.0)
    inside = world.building_at(world.centers[:, :2]) > 0
    assert inside.sum() > 40
    for x, indoors in ((half - 4.0, True), (half + 4.0, False)):  # eight meters apart
        seen = view(world, (x, 0.0, 0.0), everything, rng).truth
        assert len(seen) > 8
        assert (inside[seen] == indoors).all()
        near = np.hypot(*(world.centers[:, :2] - [x, 0.0]).T) < 14.0
        assert (near & (inside != indoors)).any()
