"""Ground that leans with the camera tells of a mount that is not as it is said to be."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.geometry import exp_so3, transform
from commonground.mapping.leaning import Leaning


@pytest.fixture(scope="module")
def frames(request: pytest.FixtureRequest) -> list[Any]:
    """A robot that drives most of a circle and looks where it goes."""
    stage, looking = (request.getfixturevalue(name) for name in ("stage", "looking"))
    out = []
    for k, a in enumerate(np.linspace(0.0, 5.0, 44)):
        at = np.array([3 * np.cos(a), 3 * np.sin(a), 0.8])
        ahead = at + [-np.sin(a), np.cos(a), -0.3]
        out.append(stage.frame([], looking(at, ahead), k))
    return out


def told(frames: list[Any]) -> str:
    leaning = Leaning()
    return next(filter(None, [*map(leaning.add, frames), leaning.judged()]), "")


def turned(frames: list[Any], R: Any, *, world: bool) -> list[Any]:
    T = transform(R, np.zeros(3))
    moved = [T @ f.T_odom_cam if world else f.T_odom_cam @ T for f in frames]
    return [replace(f, T_odom_cam=pose) for f, pose in zip(frames, moved, strict=True)]


def test_level_ground_and_slopes_of_the_world_are_not_doubted(frames: list[Any]) -> None:
    assert told(frames) == ""
    assert told(turned(frames, exp_so3(np.deg2rad([9.0, 0, 0])), world=True)) == ""


@pytest.mark.parametrize(
    "axis, side", [((1, 0, 0), "ahead of"), ((-1, 0, 0), "behind"), ((0, 0, 1), "to the left of")]
)
def test_a_camera_that_is_mounted_otherwise_is_told(
    frames: list[Any], axis: Any, side: str
) -> None:
    line = told(turned(frames, exp_so3(np.deg2rad(12.0) * np.array(axis)), world=False))
    assert re.match(f"the ground rises by 1[12]° {side} the camera wherever it looks", line), line


def test_a_slope_that_is_driven_straight_ahead_is_the_slope_of_the_world(
    stage: Any, looking: Any
) -> None:
    ways = [np.array([0.35 * k, 0.0, 0.8]) for k in range(24)]
    straight = [stage.frame([], looking(at, at + [1, 0, -0.3]), k) for k, at in enumerate(ways)]
    assert told(turned(straight, exp_so3(np.deg2rad([9.0, 0, 0])), world=True)) == ""
