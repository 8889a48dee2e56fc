"""What a real robot did, kept beside the mission, so that a base station that was killed repeats no deed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from commonground.atomic import write_text
from commonground.errors import MALFORMED
from commonground.planning.robots.protocol import Failure, RobotError, State
from commonground.reading import read_json
from commonground.reasons import reason


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
