"""Where frames lie in each other, as TF tells it; planar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import from_quat_xyzw
from commonground.planning.robots.lateness import Lateness

MOST_FRAMES = 1000
LONGEST_CHAIN = 50
MOST_TILT_DEG = 60.0
"""A robot that leans more has fallen; no ground that one drives on is so steep."""


class Frames:
    """The tree of frames."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Floats, Floats, float]] = {}
        """Frame → the frame it is told in, (3, 3) planar pose and rotation in it, when it was told."""
        self.fallen = ""
        """Why what was looked for last has no pose, where it is there and lies on its side."""
        self._late: defaultdict[str, Lateness] = defaultdict(Lateness)

    def tell(self, message: Mapping[str, Any], *, fixed: bool = False) -> None:
        """Take a ``tf2_msgs/TFMessage``; ValueError for a transform that is none."""
        for each in message["transforms"]:
            parent, child = _name(each["header"]["frame_id"]), _name(each["child_frame_id"])
            moved = each["transform"]
            T, R = planar(moved["translation"], moved["rotation"]), turned(moved["rotation"])
            if len(self._parents) < MOST_FRAMES or child in self._parents:
                told_s = float("inf") if fixed else self._late[child].sent_s(stamp_of(each))
                self._parents[child] = (parent, T, R, told_s)

    def forget(self) -> None:
        fixed = {k: v for k, v in self._parents.items() if v[3] == float("inf")}
        self._parents = fixed

    def names(self) -> list[str]:
        """Return all frames that were told of."""
        return sorted({*self._parents, *(parent for parent, *_ in self._parents.values())})

    def find(self, frame: str, child: str) -> tuple[Floats, float] | None:
        """Return the planar pose (3, 3) of a frame in one above it, and when it was heard to move last.

        That is of the lowest transform that moves: above it, localization says something only now and then.
        """
        T, R, heard_s, at = np.eye(3), np.eye(3), float("inf"), _name(child)
        for _ in range(LONGEST_CHAIN):
            if at == _name(frame):
                self.fallen = fallen(R)
                return None if self.fallen else (T, heard_s)
            if at not in self._parents:
                return None
            at, step, turn, told_s = self._parents[at]
            T, R = step @ T, turn @ R
            heard_s = told_s if heard_s == float("inf") else heard_s
        return None


def stamp_of(message: Mapping[str, Any]) -> float:
    """Return the seconds that a message's header tells, as ROS 1 or 2 writes them; 0 where it tells none."""
    stamp = message.get("header", {}).get("stamp", {})
    seconds, rest = (
        stamp.get(a, stamp.get(b, 0)) for a, b in (("sec", "secs"), ("nanosec", "nsecs"))
    )
    return float(seconds) + 1e-9 * float(rest)


def planar(position: Mapping[str, Any], quat_xyzw: Mapping[str, Any]) -> Floats:
    """Return a pose seen from above (3, 3); ValueError where it cannot be one."""
    x, y = float(position["x"]), float(position["y"])
    qx, qy, qz, qw = (float(quat_xyzw[k]) for k in "xyzw")
    norm = float(np.hypot(np.hypot(qx, qy), np.hypot(qz, qw)))
    if not np.isfinite([x, y, norm]).all() or abs(norm - 1.0) > 0.05:
        raise ValueError("a pose that cannot be: not finite, or its quaternion is none")
    yaw = np.arctan2(2.0 * (qw * qz + qx * qy), 1.0 - 2.0 * (qy * qy + qz * qz))
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, x], [s, c, y], [0.0, 0.0, 1.0]])


def turned(quat_xyzw: Mapping[str, Any]) -> Floats:
    """Return the rotation (3, 3) of a quaternion that ``planar`` took."""
    return from_quat_xyzw([float(quat_xyzw[k]) for k in "xyzw"])


def fallen(R: Floats) -> str:
    """Return that a body which is turned so lies on its side or back; '' for one that stands."""
    tilt_deg = float(np.degrees(np.arccos(np.clip(R[2, 2], -1.0, 1.0))))
    return f"it leans by {tilt_deg:.0f}°, and has fallen over" if tilt_deg > MOST_TILT_DEG else ""


def _name(text: Any) -> str:
    """Return a frame's name; ROS 1 writes some with a slash in front."""
    return str(text).lstrip("/")
