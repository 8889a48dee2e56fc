"""The trajectories of a fused map: every pose, with the attitude that the robot had."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.geometry import (
    angle_between,
    exp_so3,
    from_yaw,
    gravity_aligned,
    inverse,
    relative,
    transform,
)
from commonground.mapping.fusion.output import driven_path
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph
from commonground.tum import write_tum

LAST = np.iinfo(np.int64).max
EVERY = 10
"""Poses from one keyframe to the next."""


@pytest.fixture
def true() -> Any:
    """A drive over rolling ground, ten poses a second."""
    t = np.arange(201) / 10
    tilts = exp_so3(np.stack([0.1 * np.sin(t), 0.08 * np.cos(1.7 * t), 0 * t], axis=1))
    places = np.stack([10 * np.sin(0.2 * t), 10 - 10 * np.cos(0.2 * t), 0.3 * np.sin(t)], axis=1)
    return transform(from_yaw(0.2 * t) @ tilts, places)


@pytest.fixture
def run(true: Any, tmp_path: Path) -> RobotRun:
    """What odometry makes of it: too far by 5 %, turning off to the left, in a frame of its own."""
    steps = relative(true[:-1], true[1:])
    steps[:, :3, 3] *= 1.05
    odom = [true[0]]
    for k, step in enumerate(steps):
        level = transform(from_yaw(0.002), np.zeros(3))
        T = odom[-1] @ step
        up = inverse(gravity_aligned(true[k + 1])) @ true[k + 1]  # gravity holds roll and pitch
        odom.append(gravity_aligned(T) @ level @ up)
    poses = np.array(odom)
    stamps = np.arange(len(poses), dtype=np.int64) * 10**8
    write_tum(tmp_path / "trajectory.tum", stamps, poses)
    keys = slice(None, None, EVERY)
    upright, nothing = gravity_aligned(poses[keys]), ObjectMap.of(np.empty((0, 3)))
    return RobotRun(
        "rover", tmp_path, SceneGraph(), nothing, stamps[keys], upright, Constraints.none()
    )


def test_every_pose_comes_back_with_its_roll_and_pitch(run: RobotRun, true: Any) -> None:
    stamps, T = driven_path(run, gravity_aligned(true[::EVERY]), LAST)
    assert len(stamps) == len(true)
    assert np.linalg.norm(T[:, :3, 3] - true[:, :3, 3], axis=1).max() < 0.03
    assert np.rad2deg(angle_between(T, true)).max() < 0.3
    assert np.rad2deg(angle_between(gravity_aligned(true), true)).max() > 5


def test_the_tilt_that_optimization_leaves_is_not_the_robots(run: RobotRun, true: Any) -> None:
    tilted = gravity_aligned(true[::EVERY]) @ transform(exp_so3([0.03, 0.0, 0.0]), np.zeros(3))
    _, T = driven_path(run, tilted, LAST)
    assert np.rad2deg(angle_between(T, true)).max() < 0.3


def test_a_part_ends_where_the_next_one_begins(run: RobotRun, true: Any) -> None:
    first = replace(run, stamps_ns=run.stamps_ns[2:5], poses=run.poses[2:5])
    stamps, _ = driven_path(first, gravity_aligned(true[::EVERY][2:5]), int(run.stamps_ns[5]))
    assert stamps.tolist() == [k * 10**8 for k in range(20, 50)]


def test_without_a_recorded_path_keyframes_are_told(run: RobotRun, true: Any) -> None:
    (run.folder / "trajectory.tum").unlink()
    stamps, T = driven_path(run, gravity_aligned(true[::EVERY]), LAST)
    assert stamps.tolist() == run.stamps_ns.tolist()
    assert np.linalg.norm(T[:, :3, 3] - true[::EVERY, :3, 3], axis=1).max() < 1e-6


def test_a_path_of_another_recording_is_not_taken(run: RobotRun, true: Any) -> None:
    write_tum(run.folder / "trajectory.tum", run.stamps_ns + 7, true[::EVERY])
    assert len(driven_path(run, gravity_aligned(true[::EVERY]), LAST)[0]) == len(run.stamps_ns)
