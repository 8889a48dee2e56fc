"""The fixed frames of a robot, from /tf_static."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.readers.bagfiles import connections_of, decoded, messages
from commonground.datasets.readers.messages import pose_of
from commonground.errors import DataError, did_you_mean
from commonground.geometry import inverse

TOPIC = "/tf_static"
BASES = ("base_link", "base", "body", "base_footprint")


@dataclass(frozen=True, slots=True, eq=False)
class StaticFrames:
    """A tree of frames: child → its parent and T_parent_child (4, 4)."""

    parents: dict[str, tuple[str, Floats]] = field(default_factory=dict)

    @staticmethod
    def of(reader: Any) -> StaticFrames:
        """Return the frames of an open bag; none if it has no /tf_static."""
        parents: dict[str, tuple[str, Floats]] = {}
        if TOPIC not in {c.topic for c in reader.connections}:
            return StaticFrames()
        for connection, _, raw in messages(reader, connections_of(reader, [TOPIC], "the bag")):
            try:
                transforms = decoded(reader, raw, connection.msgtype).transforms
            except (DataError, AttributeError):
                continue
            for one in transforms:
                T = pose_of(one)
                if np.isfinite(T).all():
                    child = str(one.child_frame_id).lstrip("/")
                    parents[child] = (str(one.header.frame_id).lstrip("/"), T)
        return StaticFrames(parents)

    def _up(self, frame: str) -> list[tuple[str, Floats]]:
        """Return the ancestors of a frame with T_ancestor_frame, itself first."""
        out = [(frame, np.eye(4))]
        while out[-1][0] in self.parents and len(out) <= len(self.parents):
            parent, T = self.parents[out[-1][0]]
            out.append((parent, T @ out[-1][1]))
        return out

    def between(self, a: str, b: str, *, default: Floats | None = None) -> Floats:
        """Return T_a_b (4, 4); the default, or DataError, if the frames are not connected."""
        above = dict(self._up(a))
        for frame, T_frame_b in self._up(b):
            if frame in above:
                return np.asarray(inverse(above[frame]) @ T_frame_b)
        if default is not None:
            return default
        raise DataError(f"{TOPIC} does not connect '{a}' and '{b}'")

    def on_robot(self, frame: str, base: str, what: str) -> Floats:
        """Return T_robot_frame (4, 4); the robot's frame is the named one, or the first usual one above."""
        above = self._up(frame)
        for name, T in above:
            if name == base or (not base and name.split("/")[-1] in BASES):
                return T
        known = sorted({*self.parents, *(p for p, _ in self.parents.values())})
        hint = did_you_mean(base or "base_link", known)
        there = ", ".join(known[:10]) or "no frames"
        raise DataError(
            f"{what}: where it sits on the robot is not known; give T_robot_color, or base_frame "
            f"({TOPIC} has {there}).{hint}"
        )
