"""What a real robot did, kept beside the mission, so that a base station that was killed repeats no deed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NamedTuple

from commonground.atomic import write_text
from commonground.errors import MALFORMED
from commonground.planning.robots.protocol import Failure, Point, RobotError, State
from commonground.reading import read_json
from commonground.reasons import reason

EMPTY_S = 1.0
"""A gripper that tells for so long that it holds nothing has lost what it took."""


class Ended(NamedTuple):
    """How an order ended."""

    state: State
    gone_m: float
    failure: Failure
    detail: str


class Kept:
    """The orders that a robot ended, the deed it began last, and what it holds; in a file if one is named."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.holding = ""
        self.begun = ""
        self.ended: dict[str, Ended] = {}
        self.empty: tuple[float, Point] | None = None
        """Since when, and where, the gripper tells that it holds nothing of what it took."""
        if path is not None and path.exists():
            self._read(path)

    def end(self, key: str, state: State, gone_m: float, failure: Failure, detail: str) -> None:
        self.ended[key] = Ended(state, gone_m, failure, detail)
        self.write()

    def write(self) -> None:
        if self.path is None:
            return
        values = {"holding": self.holding, "begun": self.begun, "ended": self.ended}
        write_text(self.path, json.dumps(values) + "\n")

    def fallen(self, holds: bool | None, position: Point) -> tuple[str, Point] | None:
        """Return what is not in the gripper any more, and where the robot was when it told so first."""
        if holds is not False or not self.holding or self.begun:
            self.empty = None
            return None
        self.empty = since_s, there = self.empty or (time.monotonic(), position)
        if time.monotonic() - since_s <= EMPTY_S:
            return None
        fell, self.holding, self.empty = self.holding, "", None
        self.write()
        return fell, there

    def _read(self, path: Path) -> None:
        try:
            values = read_json(path)
            self.holding, self.begun = str(values["holding"]), str(values["begun"])
            for key, (state, gone_m, failure, detail) in values["ended"].items():
                self.ended[str(key)] = Ended(state, float(gone_m), failure, str(detail))
        except (OSError, *MALFORMED) as error:
            raise RobotError(
                f"{path}: what the robot did cannot be read: {reason(error)}"
            ) from error
