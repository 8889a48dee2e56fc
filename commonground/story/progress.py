"""How far the mapping of each robot is: its process writes it down, and the story's tells it in passing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.atomic import write_text
from commonground.errors import MALFORMED
from commonground.reading import read_text

if TYPE_CHECKING:
    from commonground.datasets import Reader
    from commonground.story.spec import Drive

EVERY_S = 10.0
"""Between two lines about the same robot."""
WRITTEN_S = 2.0


@dataclass(frozen=True, slots=True)
class HowFar:
    """How many of a drive's frames are mapped."""

    frames: int
    total: int
    before: int = 0
    """How many of them were when the program began: it goes on from a checkpoint."""

    def told(self, robot: str) -> str:
        share = min(self.frames / max(self.total, 1), 1.0)
        on = f", going on from a checkpoint at frame {self.before}" if self.before else ""
        return f"map: {robot}, {self.frames} of {self.total} frames ({share:.0%}){on}"


def frames_of(reader: Reader, robot: str, drive: Drive) -> int:
    """Return about how many frames a robot's part of a drive has."""
    after_s = (reader.stamps_ns(robot) - reader.first_ns(robot)) / 1e9
    stop_s = float("inf") if drive.stop_s is None else drive.stop_s
    within = (after_s >= (drive.start_s or 0.0)) & (after_s <= stop_s)
    return round(reader.length(robot) * float(within.mean())) if len(within) else 0


class Diary:
    """Writes down how far a robot is, every few seconds."""

    def __init__(self, file: Path, total: int) -> None:
        self.file, self.total, self.before = file, total, 0
        self._next_s = 0.0

    def note(self, frames: int) -> None:
        now = time.monotonic()
        if now < self._next_s:
            return
        self._next_s = now + WRITTEN_S
        how_far = HowFar(frames, max(self.total, frames), self.before)
        with suppress(OSError):  # mapping does not fail for that
            write_text(self.file, json.dumps(asdict(how_far)))


def read_diary(file: Path) -> HowFar | None:
    """Return how far a robot is; None where nothing tells."""
    try:
        return HowFar(**json.loads(read_text(file)))
    except (OSError, *MALFORMED):
        return None


class Teller:
    """Tells of each robot only what is new."""

    def __init__(self) -> None:
        self._told: dict[str, HowFar] = {}

    def news(self, files: dict[str, Path]) -> Iterator[str]:
        """Yield a line for each robot that got on."""
        for robot, file in files.items():
            how_far = read_diary(file)
            if how_far is not None and how_far != self._told.get(robot):
                self._told[robot] = how_far
                yield how_far.told(robot)
