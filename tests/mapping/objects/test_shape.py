"""Boxes and what fills them."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.geometry import from_yaw
from commonground.mapping.objects.seen_box import seen_box
from commonground.mapping.objects.shape import face_fill


@pytest.mark.parametrize("yaw", [0.0, 0.6, 2.0])
def test_a_wall_fills_its_face_and_a_pole_with_arms_does_not(yaw: float) -> None:
    rng = np.random.default_rng(0)
    wall = rng.uniform((-2, -0.05, 0), (2, 0.05, 2.5), (3000, 3))
    pole = rng.uniform((-0.1, -0.1, 0), (0.1, 0.1, 4.5), (900, 3))
    arms = rng.uniform((-0.9, -0.1, 4.1), (0.9, 0.1, 4.3), (300, 3))
    for points, low, high in ((wall, 0.9, 1.0), (np.concatenate([pole, arms]), 0.0, 0.4)):
        turned = points @ from_yaw(yaw).T + [3.0, -2.0, 1.0]
        assert low <= face_fill(turned, seen_box(turned, np.empty((0, 3)))) <= high
