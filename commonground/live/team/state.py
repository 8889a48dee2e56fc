"""How a live run gets on, read from its folder by whoever listens: the console, missions, a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.errors import RunError
from commonground.live.team.folder import LiveFolder

SILENT_S = 20.0
"""A process that showed no life for so long is told to be silent."""


@dataclass(frozen=True, slots=True, eq=False)
class RobotState:
    """One robot of a live run."""

    name: str
    state: str = "mapping"
    """``mapping``, ``done`` or ``failed``."""
    T_map_robot: Floats | None = None
    """(4, 4) where it is in the shared map; None while nothing joins it to the others."""
    rate_hz: float = 0.0
    frames: int = 0
    dropped: int = 0
    """Frames of which only the pose was used."""
    delay_s: float | None = None
    """Median from image to map; None before any is known."""
    travel_m: float = 0.0
    error: str = ""
    delay_95_s: float | None = None
    """What 95 of 100 images take less than."""
    cpu_s_per_frame: float = 0.0
    """Processor time for each frame, of all that the robot's process does."""
    peak_memory_mb: float = 0.0
    waits: str = ""
    """What its stream waits for; empty while it comes."""
    told_s_ago: float | None = None
    """For how long its process showed no life; None where it is mapped on another computer."""

    @property
    def silent(self) -> bool:
        """Whether its process is there, or should be, and shows no life."""
        return self.told_s_ago is not None and self.told_s_ago > SILENT_S

    @property
    def lost(self) -> bool:
        """Whether nobody knows where it is in the shared map."""
        return self.T_map_robot is None


@dataclass(frozen=True, slots=True, eq=False)
class TeamState:
    """A live run at one instant."""

    robots: tuple[RobotState, ...]
    fusions: int
    closures: int
    objects: int
    seconds: float
    """What the last fusion took."""
    notes: tuple[str, ...]
    joins: tuple[tuple[str, str, float], ...] = ()
    """Two robots each, and after how many seconds of the run they were joined."""

    def in_map(self, robot: RobotState) -> bool:
        """Return whether a robot and another one know where they are to each other."""
        # one that nothing joins is in a map of its own, which is nobody's news
        joined = {name for one, two, _ in self.joins for name in (one, two)}
        alone = len(self.robots) == 1
        return not robot.lost and robot.state != "failed" and (alone or robot.name in joined)

    @property
    def ended(self) -> bool:
        """Whether no robot maps any more."""
        return all(robot.state != "mapping" for robot in self.robots)


def read_team(run: str | Path) -> TeamState:
    """Return how a live run gets on; RunError if the folder is none."""
    folder = LiveFolder(Path(run))
    names = folder.robots()
    if not names:
        raise RunError(f"{run}: is no live run; commonground live … --out {run} makes one")
    team = folder.told_team()
    frames = team.get("T_map_odom", {})
    return TeamState(
        robots=tuple(_robot(folder.told(name), frames, folder.silent_s(name)) for name in names),
        fusions=team.get("fusions", 0),
        closures=team.get("closures", 0),
        objects=team.get("objects", 0),
        seconds=team.get("seconds", 0.0),
        notes=tuple(team.get("notes", ())),
        joins=tuple((one, two, at_s) for one, two, at_s, _ in team.get("joins", ())),
    )


def _robot(
    told: Mapping[str, Any], frames: Mapping[str, Any], silent_s: float | None
) -> RobotState:
    name, pose = told["robot"], None
    # after a jump of its odometry a robot is in a frame of its own until the last stretch is joined
    frame = frames.get(name, {}).get(str(told.get("stretches", 1)))
    if frame is not None and told.get("T_odom_robot") is not None:
        pose = np.array(frame, float) @ np.array(told["T_odom_robot"], float)
    said = {f.name: told[f.name] for f in fields(RobotState) if f.name in told}
    ago = (
        None
        if silent_s is None or said.get("state", "mapping") != "mapping"
        else round(silent_s, 1)
    )
    return RobotState(**{**said, "name": name, "T_map_robot": pose, "told_s_ago": ago})
