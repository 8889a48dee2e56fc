"""Recordings whose images do not agree about where surfaces are must be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.mapping.agreement import MOST, disagreement


@pytest.fixture
def views(stage: Any, looking: Any, block: Any) -> Any:
    things = [
        block(1, (0.2, 0.5, 0.4), (0.5, 0.3, 0.8)),
        block(2, (-0.8, 1.0, 0.3), (0.6, 0.6, 0.6)),
    ]

    def taken(poses: list[Any]) -> list[Any]:
        return [stage.frame(things, looking(*pose), k) for k, pose in enumerate(poses)]

    return taken


@pytest.fixture
def frames(views: Any) -> list[Any]:
    """A camera that looks around."""
    ways = np.linspace(-1.5, 1.5, 12)
    return list(views([((0.2 * x, -1.8, 1.2), (x, 0.6, 0.3 + 0.2 * x)) for x in ways]))


def test_images_that_agree_are_not_doubted(frames: list[Any]) -> None:
    found = disagreement(frames)
    assert found is not None and found < 0.5 * MOST


def test_intrinsics_of_another_camera_show(frames: list[Any]) -> None:
    K = frames[0].camera.K.copy()
    K[0, 0], K[1, 1] = 1.5 * K[0, 0], 1.5 * K[1, 1]
    narrow = [replace(f, camera=replace(f.camera, K=K)) for f in frames]
    assert (disagreement(narrow) or 0.0) > MOST


def test_depth_in_other_units_shows_where_the_camera_moves_on(views: Any) -> None:
    frames = views([((0.0, -2.0, z), (0.0, 0.6, 0.3)) for z in np.linspace(2.0, 1.0, 12)])
    assert (disagreement(frames) or 1.0) < 0.5 * MOST
    assert (disagreement([replace(f, depth_m=0.5 * f.depth_m) for f in frames]) or 0.0) > MOST


def test_too_few_images_tell_nothing(frames: list[Any]) -> None:
    assert disagreement(frames[:3]) is None
    assert disagreement([replace(f, depth_m=0 * f.depth_m) for f in frames]) is None
