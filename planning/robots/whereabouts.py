"""Where a real robot is in the map, as far as what it tells can be believed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import inverse
from commonground.planning.robots.machine import Pose, Reading
from commonground.planning.robots.poses import Anchor
from commonground.planning.robots.protocol import Point

STALE_S = 2.0
"""A pose older than this is none."""
UNSEEN_M = 30.0
"""A robot that is localized by estimates is lost when it drove so far since the last one."""
JUMP_M = 1.0
"""A pose that moves by more than this beyond what the robot's speed allows cannot be."""
SETTLED_S = 2.0
"""After a pose that cannot be, it has to make sense for so long."""


class Standing(NamedTuple):
    """Where a robot stands in the map."""

    position: Point
    yaw: float
    age_s: float
    """How long ago it told."""


class Whereabouts:
    """The last place of a robot that could be believed, and why it is not known now."""

    def __init__(
        self, position: Floats, speed_mps: float, off_map: Callable[[Floats], str] = lambda _: ""
    ) -> None:
        """``off_map`` says of a point (3,) how far off the map it is; '' for one that is on it."""
        self._off_map = off_map
        self.position = position
        """(3,) in the map."""
        self.yaw = 0.0
        self.stamp_s = float("-inf")
        """When that was told, on this computer's monotonic clock."""
        self.lost = "it has told no pose yet"
        """Why the pose is not known; empty where it is."""
        self._T_map_frame: Floats = np.eye(4)
        self._sensible = _Sensible(speed_mps)
        self._drift = _Drift()

    def take_in(self, anchor: Anchor, reading: Reading, ground_m: float) -> None:
        """Take in what the machine and the localization tell, on ground of a height."""
        self.lost = anchor.why
        if anchor.T_map_frame is None:
            return
        age_s = 0.0 if reading.pose is None else time.monotonic() - reading.pose.stamp_s
        if reading.pose is None or age_s > STALE_S:
            none = "it tells no pose" if reading.pose is None else f"its pose is {age_s:.0f} s old"
            self.lost = f"{none} ({reading.odd})" if reading.odd else none
            return
        if age_s < -STALE_S:
            self.lost = f"its pose is of {-age_s:.0f} s from now, and not by time.monotonic()"
            return
        T, pose = anchor.T_map_frame, reading.pose
        if not np.isfinite([pose.x, pose.y, pose.yaw]).all():
            self.lost = "it tells a pose that is no number"
            return
        there = (T @ [pose.x, pose.y, 0.0, 1.0])[:3]
        self.lost = self._sensible.problem(there[:2], pose) or self._drift.problem(anchor, pose)
        there[2] = ground_m
        if not self.lost and (far := self._off_map(there)):
            x, y = there[:2].tolist()
            self.lost = (
                f"it says that it is at ({x:.1f}, {y:.1f}), {far}; see its frame and T_map_frame"
            )
        if not self.lost:
            self._T_map_frame = T
            self.position, self.stamp_s = there, pose.stamp_s
            self.yaw = math.remainder(pose.yaw + math.atan2(T[1, 0], T[0, 0]), math.tau)

    def in_frame(self, point: Floats) -> Floats:
        """Return a point (3,) of the map in the machine's frame."""
        point_frame: Floats = (inverse(self._T_map_frame) @ np.r_[point, 1.0])[:3]
        return point_frame

    def line_in_frame(self, line: Floats) -> Floats:
        """Return points (k, 3) of the map in the machine's frame (k, 2)."""
        return np.array([self.in_frame(p)[:2] for p in line])


class _Sensible:
    """Notices poses that cannot be: a robot does not jump."""

    def __init__(self, speed_mps: float) -> None:
        self._speed_mps = speed_mps
        self._last: tuple[Floats, float] | None = None
        self._wrong_until_s = 0.0
        self._why = ""

    def problem(self, there: Floats, pose: Pose) -> str:
        """Return why a pose is not believed; empty where it is."""
        if self._last is not None:
            far_m = float(np.hypot(*(there - self._last[0])))
            span_s = max(0.0, pose.stamp_s - self._last[1])
            if far_m > JUMP_M + 3.0 * self._speed_mps * span_s:
                self._wrong_until_s = pose.stamp_s + SETTLED_S
                self._why = f"its pose jumped by {far_m:.1f} m"
        self._last = (there.copy(), pose.stamp_s)
        return self._why if pose.stamp_s < self._wrong_until_s else ""


class _Drift:
    """Counts how far a robot drove by its odometry alone."""

    def __init__(self) -> None:
        self._estimate = 0
        self._last: tuple[float, float] | None = None
        self._gone_m = 0.0

    def problem(self, anchor: Anchor, pose: Pose) -> str:
        """Return why the pose in the map is not believed any more; empty where it is."""
        here = (pose.x, pose.y)
        if anchor.estimate != self._estimate:
            self._estimate, self._gone_m = anchor.estimate, 0.0
        elif self._last is not None:
            self._gone_m += math.dist(here, self._last)
        self._last = here
        if anchor.estimate and self._gone_m > UNSEEN_M:
            return f"it drove {self._gone_m:.0f} m without an estimate of where it is"
        return ""
