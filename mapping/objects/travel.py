"""How far the robot went, and where it takes submaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.frame import Frame
from commonground.geometry import gravity_aligned

R_BODY_CAM = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
"""Turns optical axes (x right, y down, z forward) into a body's (x forward, y left, z up)."""

STEP_M = 0.05
"""Shorter moves are noise of a robot that stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """A place where a submap is taken."""

    stamp_ns: int
    travel_m: float
    T_odom_submap: Floats
    """(4, 4) at the camera, upright, x along its view."""


class Odometer:
    """Path length of one robot from its cameras' poses; takes a stop every few meters."""

    KEPT = ("travel_m", "last", "path", "leader", "leader_ns", "stops")

    def __init__(self, every_m: float) -> None:
        self.every_m = every_m
        self.travel_m = 0.0
        self.last: dict[str, Floats] = {}
        """Last position of each camera that counted."""
        self.path: dict[str, float] = {}
        """Path length of each camera."""
        self.leader = ""
        """The camera whose poses the submaps have."""
        self.leader_ns = 0
        self.stops: list[Stop] = []

    def move(self, frame: Frame) -> None:
        name, position = frame.camera.name, frame.T_odom_cam[:3, 3]
        if name not in self.last:
            self.last[name], self.path[name] = position.copy(), self.travel_m
        step = float(np.linalg.norm(position - self.last[name]))
        if step >= STEP_M:
            self.last[name] = position.copy()
            self.path[name] += step
            self.travel_m = max(self.travel_m, self.path[name])
        self._lead(name, frame.stamp_ns)
        due = self.stops[-1].travel_m + self.every_m if self.stops else 0.0
        if name == self.leader and self.travel_m >= due:
            upright = gravity_aligned(frame.T_odom_cam @ R_BODY_CAM.T)
            self.stops.append(Stop(frame.stamp_ns, self.travel_m, upright))

    def jump(self) -> None:
        """Forget where the cameras were: the odometry starts anew, and with it a submap."""
        self.last.clear()
        self.path.clear()
        self.travel_m += self.every_m

    def _lead(self, name: str, stamp_ns: int) -> None:
        """Follow the first camera; another takes over when it has been silent for two seconds."""
        if name == self.leader or not self.leader or stamp_ns - self.leader_ns > 2e9:
            self.leader, self.leader_ns = name, stamp_ns
