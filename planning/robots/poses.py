"""Where a real robot's own frame lies in the map: fixed, or told by ``localize`` while the robot drives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from commonground.arrays import Floats
from commonground.errors import MALFORMED
from commonground.geometry import from_xyz_yaw
from commonground.reading import MB, BoundError, opened, parse_json
from commonground.reasons import reason

STATES = ("lost", "tentative", "localized")
TAIL_MB = 1
"""So much of the end of a file of estimates is read."""


class Anchor(NamedTuple):
    """Where the robot's frame lies in the map, or why nobody knows."""

    T_map_frame: Floats | None
    """(4, 4), upright."""
    why: str = ""
    estimate: int = 0
    """Which estimate says so; 0 where it always holds."""


class Poses(Protocol):
    """Knows where a robot's own frame lies in the map."""

    def now(self) -> Anchor:
        """Return what is known now."""
        ...


class Fixed:
    """A frame that stays where it is in the map, as of a robot that localizes itself in the same map."""

    def __init__(self, pose: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)) -> None:
        self._anchor = Anchor(from_xyz_yaw(pose))

    def now(self) -> Anchor:
        """Return the frame's pose."""
        return self._anchor


class EstimateFile:
    """Estimates that ``localize --out FILE`` wrote, or another program appends: the last line counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: tuple[int, int] = (-1, -1)
        self._count = 0
        self._anchor = Anchor(None, f"{path} has no estimate yet")

    def now(self) -> Anchor:
        """Return what the last whole line says; what cannot be read says nothing of where it is."""
        try:
            with opened(self.path) as file:
                about = os.fstat(file.fileno())
                stamp = (about.st_mtime_ns, about.st_size)
                if stamp != self._known:
                    file.seek(max(0, about.st_size - TAIL_MB * MB))
                    last = self._last(file.read(TAIL_MB * MB))
                    self._count += 1
                    self._anchor, self._known = last._replace(estimate=self._count), stamp
        except OSError as error:
            return Anchor(None, f"{self.path} cannot be read ({error.strerror})")
        except BoundError as error:
            return Anchor(None, str(error))
        return self._anchor

    def _last(self, text: bytes) -> Anchor:
        whole = text[: text.rfind(b"\n") + 1].splitlines()
        if not whole:
            return Anchor(None, f"{self.path} has no estimate yet")
        try:
            values = parse_json(whole[-1], self.path)
            return anchored(values["state"], values["T_map_odom"])
        except MALFORMED as error:
            return Anchor(None, f"{self.path}: its last line is no estimate ({reason(error)})")


def anchored(state: str, T_map_odom: Any) -> Anchor:
    """Return where a frame lies by an estimate; only one that is localized, and can be, counts."""
    if state != "localized" or T_map_odom is None:
        shown = state if state in STATES else "not localized"
        return Anchor(None, f"it is {shown} in the map")
    T = np.asarray(T_map_odom, float)
    if T.shape != (4, 4) or not np.isfinite(T).all():
        return Anchor(None, "its pose in the map is no pose")
    R = T[:3, :3]
    if np.abs(R @ R.T - np.eye(3)).max() > 1e-3 or np.linalg.det(R) < 0.5 or R[2, 2] < 0.9:
        return Anchor(None, "its pose in the map is not upright")
    return Anchor(T)
