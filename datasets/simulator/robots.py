"""The robots: which cameras they carry where, how fast they go, how they shake."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.settings import SensorSettings
from commonground.frame import Camera
from commonground.geometry import exp_so3, from_yaw, transform

R_BODY_OPTICAL = np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
"""Axes of a camera that looks along the robot's x: right is −y, down is −z."""


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a camera sits on the robot."""

    name: str
    xyz: tuple[float, float, float]
    yaw_deg: float = 0.0
    pitch_down_deg: float = 5.0

    def T_robot_cam(self) -> Floats:
        """Return the camera's pose (4, 4) on the robot, whose x is forward and z up."""
        tilt = exp_so3([0.0, np.deg2rad(self.pitch_down_deg), 0.0])
        return transform(from_yaw(np.deg2rad(self.yaw_deg)) @ tilt @ R_BODY_OPTICAL, self.xyz)


@dataclass(frozen=True, slots=True)
class Body:
    """A kind of robot. Its frame is on the ground between the wheels or feet."""

    mounts: tuple[Mount, ...]
    speed_mps: float
    turn_radps: float
    shake_deg: float
    """Amplitude of roll and pitch while driving."""
    shake_hz: float
    bounce_m: float


BODIES: Mapping[str, Body] = {
    "husky": Body((Mount("forward", (0.45, 0.0, 0.85), 0.0, 4.0),), 1.0, 0.8, 0.35, 4.0, 0.004),
    "spot": Body(
        (
            Mount("front", (0.42, 0.0, 0.68), 0.0, 5.0),
            Mount("left", (0.05, 0.14, 0.70), 80.0, 5.0),
            Mount("right", (0.05, -0.14, 0.70), -80.0, 5.0),
        ),
        0.8,
        1.0,
        0.8,
        2.2,
        0.012,
    ),
}
"""Kind of robot → its body. A robot's name begins with its kind: ``spot``, ``spot2``, ``husky_b``."""


def body_of(robot: str) -> Body:
    """Return the body for a robot's name; a name of no known kind gets the husky's."""
    kind = re.match(r"[a-z]+", robot.lower())
    return BODIES.get(kind[0] if kind else "", BODIES["husky"])


def camera_of(mount: Mount, sensor: SensorSettings) -> Camera:
    f = sensor.width / 2 / np.tan(np.deg2rad(sensor.horizontal_fov_deg) / 2)
    K = np.array([[f, 0, (sensor.width - 1) / 2], [0, f, (sensor.height - 1) / 2], [0, 0, 1]])
    return Camera(mount.name, K, sensor.width, sensor.height)
