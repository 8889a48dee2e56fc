"""The folder of a live run: what each process says of itself, and maps that are handed over whole.

``live/robots/NAME.json`` is a robot's state, ``live/team.json`` that of the fusion, and
``live/fusions.jsonl`` what each fusion came to;
``live/maps/NAME/NUMBER/NAME`` is a robot's map so far, and ``live/sketches/NAME/NUMBER/NAME`` its objects and
path alone, which are there sooner; each under that name only when all its files are there.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    NonNegativeFloat,
    NonNegativeInt,
    RootModel,
)

from commonground.atomic import write_text, write_with
from commonground.config import validated
from commonground.errors import ConfigError, DataError
from commonground.live.team.waiting import Timed
from commonground.mapping.result import RobotMap
from commonground.names import within
from commonground.reading import parse_json, read_arrays, read_json, read_text

KEPT = 2
"""Maps of a robot that are kept: the newest, and one that may still be read."""
MAPS, SKETCHES = "maps", "sketches"
TEAM = "team.json"
FUSIONS = "fusions.jsonl"
MADE_OF = "made_of.json"


def _pose(rows: list[list[float]]) -> list[list[float]]:
    if np.shape(rows) != (4, 4):
        raise ValueError("a pose has 4 rows of 4 numbers")
    return rows


Pose = Annotated[list[list[float]], AfterValidator(_pose)]


class _Said(BaseModel):
    model_config = ConfigDict(extra="allow", allow_inf_nan=False)


class RobotSaid(_Said):
    """What a robot says of itself, as far as others go by it."""

    robot: str
    state: str = "mapping"
    frames: NonNegativeInt = 0
    dropped: NonNegativeInt = 0
    handed: NonNegativeInt = 0
    stretches: NonNegativeInt = 1
    rate_hz: NonNegativeFloat = 0.0
    delay_s: NonNegativeFloat | None = None
    delay_95_s: NonNegativeFloat | None = None
    cpu_s_per_frame: NonNegativeFloat = 0.0
    peak_memory_mb: NonNegativeFloat = 0.0
    waits: str = ""
    travel_m: NonNegativeFloat = 0.0
    T_odom_robot: Pose | None = None
    error: str = ""


class TeamSaid(_Said):
    """What the fusion says, as far as others go by it."""

    heads: dict[str, str] = {}
    T_map_odom: dict[str, dict[str, Pose]] = {}
    """Robot → how often its odometry had jumped → where its frame is."""
    sketches: dict[str, str] = {}
    joins: list[tuple[str, str, NonNegativeFloat, NonNegativeFloat]] = []
    """Two robots, since when in seconds of the run, and after how many meters of all robots."""
    began_s: NonNegativeFloat = 0.0
    all_joined: bool = False
    fused_all: bool = False
    fusions: NonNegativeInt = 0
    handed: NonNegativeInt = 0
    closures: NonNegativeInt = 0
    objects: NonNegativeInt = 0
    seconds: NonNegativeFloat = 0.0
    notes: list[str] = []


class MadeOf(RootModel[dict[str, str]]):
    """Robot → what the map kept of it is made of."""


class LiveFolder:
    """The part of a run directory that its processes share."""

    def __init__(self, run: Path) -> None:
        self.run = run

    def go_on(self, made_of: Mapping[str, str]) -> None:
        """Note what each robot's map is made of; ConfigError if what was kept is of something else."""
        file = self.run / "live" / MADE_OF
        before = _read(file, MadeOf)
        others = [name for name, what in made_of.items() if before.get(name, what) != what]
        if others:
            raise ConfigError(
                f"{self.run}: holds maps of {', '.join(others)} from other images or with other settings; "
                "choose another --out"
            )
        write_text(file, json.dumps({**before, **made_of}) + "\n")

    def tell(self, robot: str, values: Mapping[str, Any]) -> None:
        """Write a robot's state, which may come from another machine."""
        validated(RobotSaid, values, {}, f"what {robot} says")
        write_text(self._state(robot), json.dumps(values) + "\n")

    def told(self, robot: str) -> dict[str, Any]:
        """Return a robot's state; empty before it said anything."""
        return _read(self._state(robot), RobotSaid)

    def robots(self) -> list[str]:
        """Return the robots that said something, by name."""
        files = (self.run / "live" / "robots").glob("*.json")
        # one that is just being written begins with a dot
        return sorted(file.stem for file in files if not file.name.startswith("."))

    def _state(self, robot: str) -> Path:
        return within(self.run, "live", "robots", f"{robot}.json")

    def beat(self, process: str) -> None:
        file = self._beat(process)
        with suppress(OSError):  # a full disk is told by whoever writes
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()

    def silent_s(self, process: str) -> float | None:
        """Return for how long a process showed no life; None before it ever did."""
        try:
            return max(0.0, time.time() - self._beat(process).stat().st_mtime)
        except OSError:
            return None

    def _beat(self, process: str) -> Path:
        return within(self.run, "live", "beats", process)

    def tell_team(self, values: Mapping[str, Any]) -> None:
        """Write the state of the fusion."""
        write_text(self.run / "live" / TEAM, json.dumps(values) + "\n")

    def note_fusion(self, values: Mapping[str, Any]) -> None:
        """Add a line about a fusion to ``fusions.jsonl``."""
        with (self.run / "live" / FUSIONS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(values) + "\n")

    def fusions(self) -> list[dict[str, Any]]:
        """Return what was said of each fusion; a line that was not finished is none."""
        file = self.run / "live" / FUSIONS
        lines = read_text(file).splitlines(True) if file.is_file() else []
        return [parse_json(line, file) for line in lines if line.endswith("}\n")]

    def told_team(self) -> dict[str, Any]:
        """Return the state of the fusion; empty before the first."""
        return _read(self.run / "live" / TEAM, TeamSaid)

    def hand_over(self, robot: str, result: RobotMap, kind: str = MAPS) -> int:
        """Write a robot's map so far, without its mesh, and return its number."""
        return self.take_over(robot, lambda place: result.save(place, None), kind)

    def take_over(self, robot: str, save: Callable[[Path], object], kind: str = MAPS) -> int:
        """Let a map be written into a folder that is seen when it is whole, and return its number."""
        maps = within(self.run, "live", kind, robot)
        numbers = _numbers(maps)
        number = (numbers[-1] if numbers else 0) + 1
        unfinished = within(maps, f".{number}")
        shutil.rmtree(unfinished, ignore_errors=True)  # a process was killed while it wrote
        save(within(unfinished, robot))
        unfinished.rename(maps / str(number))
        for old in numbers[: 1 - KEPT]:
            shutil.rmtree(maps / str(old), ignore_errors=True)
        return number

    def keep_times(self, robot: str, timed: Collection[Timed]) -> None:
        """Write what each frame of a robot took."""
        columns = {name: [getattr(one, name) for one in timed] for name in Timed._fields}
        times = {name: np.array(values) for name, values in columns.items()}
        write_with(self._times(robot), lambda out: np.savez(out, allow_pickle=False, **times))

    def times(self, robot: str) -> Mapping[str, Any]:
        """Return the columns (n,) of ``Timed`` of a robot whose stream has ended."""
        return read_arrays(self._times(robot))

    def _times(self, robot: str) -> Path:
        return within(self.run, "live", "times", f"{robot}.npz")

    def newest(self, robot: str, kind: str = MAPS) -> tuple[int, Path] | None:
        """Return the number and the folder of the last map a robot handed over."""
        maps = within(self.run, "live", kind, robot)
        numbers = _numbers(maps)
        return (numbers[-1], within(maps, str(numbers[-1]), robot)) if numbers else None


def _numbers(maps: Path) -> list[int]:
    if not maps.is_dir():
        return []
    return sorted(int(p.name) for p in maps.iterdir() if p.name.isdecimal())


def _read(file: Path, kind: type[BaseModel]) -> dict[str, Any]:
    """Return what a file holds; ConfigError where anything that others go by is not what it should be."""
    if not file.is_file():
        return {}
    try:
        values: dict[str, Any] = read_json(file)
        validated(kind, values, {}, str(file))
    except (DataError, ConfigError) as error:
        raise ConfigError(f"{error}; what a live run says of itself may be removed") from error
    return values
