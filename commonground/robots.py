"""The team: where each robot stands and what it can do, as ``robots.yaml`` tells it."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import AfterValidator, Field

from commonground.adapters import KINDS, PlanarPose, check_adapter
from commonground.arguments import of_kind, words
from commonground.arrays import Floats
from commonground.atomic import write_text
from commonground.config import read_yaml, validated
from commonground.errors import ConfigError, did_you_mean
from commonground.geometry import from_xyz_yaw, yaw_of
from commonground.given import pose as pose_of
from commonground.names import Name, spoken_apart
from commonground.reading import MOST_ROBOTS
from commonground.settings import Settings

log = logging.getLogger(__name__)
Capability = Literal["goto", "inspect", "pick", "place"]


@dataclass(frozen=True, slots=True, eq=False)
class Robot:
    """One robot of the team."""

    name: str
    T_map_robot: Floats
    """(4, 4) where it stands."""
    capabilities: frozenset[str] = frozenset({"goto"})
    speed_mps: float = 1.0
    radius_m: float = 0.4
    max_slope_deg: float = 30.0
    """Steeper ground is not crossed."""
    max_step_m: float = 0.3
    """Higher steps between neighboring places are not taken."""
    view_m: float = 5.0
    """From so far the robot sees a place; with 0 it explores a region by driving to every place."""
    lifts_m: float = 1.8
    """Things with a longer side are not picked up: a car is no parcel."""
    adapter: dict[str, Any] = field(default_factory=dict)
    """Settings of the interface to the real machine; planning does not look at them."""
    origin: Mapping[Any, str] = field(default_factory=dict)
    """Where each of them was written, as FILE:LINE by its path."""
    placed: bool = True
    """Whether anybody said where it stands; a real robot tells it by itself."""
    fast: bool = False
    """Whether it drives faster than ``FAST_MPS`` indeed."""

    def __post_init__(self) -> None:
        told, where = {name: getattr(self, name) for name in NUMBERS}, f"robot '{self.name}'"
        entry = validated(RobotEntry, told, {}, where)
        _warn_of(self.name, entry)
        T = pose_of(self.T_map_robot, f"T_map_robot of {self.name}", ConfigError)
        object.__setattr__(self, "T_map_robot", T)
        able = frozenset(words(self.capabilities, f"capabilities of {where}", ConfigError))
        for other in sorted(able.difference(get_args(Capability))):
            hint = did_you_mean(other, get_args(Capability))
            raise ConfigError(f"{where}: there is no capability '{other}'.{hint}")
        object.__setattr__(self, "capabilities", able)
        for name in NUMBERS:
            object.__setattr__(self, name, getattr(entry, name))

    @property
    def position(self) -> Floats:
        """Where the robot stands (3,)."""
        return self.T_map_robot[:3, 3]

    def can(self, capability: str) -> bool:
        return capability in self.capabilities


NUMBERS = ("speed_mps", "radius_m", "max_slope_deg", "max_step_m", "view_m", "lifts_m", "fast")
"""What a robot has as its entry in a file has it."""
SIMULATED = "sim"
SLACK_RAD = 0.01
FAST_MPS, WIDE_M = 10.0, 5.0
"""Faster and wider robots are told of: their numbers may be of another unit."""


class RobotEntry(Settings):
    """One robot in ``robots.yaml``."""

    pose: PlanarPose | None = None
    """x, y, z in meters and yaw in radians, in the map frame; real robots tell it by themselves."""
    capabilities: tuple[Capability, ...] = ("goto",)
    speed_mps: Annotated[float, Field(gt=0)] = 1.0
    radius_m: Annotated[float, Field(gt=0)] = 0.4
    max_slope_deg: Annotated[float, Field(ge=0, le=90)] = 30.0
    max_step_m: Annotated[float, Field(ge=0)] = 0.3
    view_m: Annotated[float, Field(ge=0)] = 5.0
    lifts_m: Annotated[float, Field(gt=0)] = 1.8
    fast: bool = False
    """That more than 10 m/s are meant; a real robot is not driven so fast without it."""
    adapter: dict[str, Any] = Field(default_factory=dict)


Entries = Annotated[
    dict[Name, RobotEntry], AfterValidator(spoken_apart), Field(max_length=MOST_ROBOTS)
]
"""Robots by name, as they are written."""


class RobotsFile(Settings):
    """A ``robots.yaml``."""

    robots: Entries


@dataclass(frozen=True, slots=True)
class Team:
    """Robots by name, in the order of the file."""

    robots: dict[str, Robot]

    def __post_init__(self) -> None:
        of_kind(self.robots, dict, "robots of a team", ConfigError, "write {robot.name: robot, …}")

    def __getitem__(self, name: str) -> Robot:
        if name not in self.robots:
            known = ", ".join(self.robots) or "none"
            raise ConfigError(
                f"unknown robot '{name}'. Known: {known}.{did_you_mean(name, self.robots)}"
            )
        return self.robots[name]

    def __contains__(self, name: str) -> bool:
        return name in self.robots

    def __iter__(self) -> Iterator[Robot]:
        return iter(self.robots.values())

    def __len__(self) -> int:
        return len(self.robots)


def load_team(path: str | Path, backend: str = SIMULATED) -> Team:
    """Read ``robots.yaml``; ConfigError with file and line for what is wrong.

    With the backend of real robots, those with an adapter need no pose: they tell it.
    """
    values, lines = read_yaml(path)
    origin = {keys: f"{path}:{line}" for keys, line in lines.items()}
    problems, entries = [], dict[str, RobotEntry]()
    try:
        entries = validated(RobotsFile, values, origin, str(path)).robots
        if not entries:
            problems.append(f"{path}: names no robot; add one under 'robots:'")
    except ConfigError as error:
        problems.append(str(error))
    simulated = backend == SIMULATED
    problems += _problems_of_adapters(values, origin, "" if simulated else backend)
    problems += [
        f"{origin.get(('robots', name), path)}: {_no_pose(name, bool(entry.adapter))}"
        for name, entry in entries.items()
        if entry.pose is None and (simulated or not entry.adapter)
    ]
    if problems:
        raise ConfigError("; ".join(problems))
    for name, entry in entries.items():
        _warn_of(name, entry)
    return Team({name: _robot(name, entry, origin) for name, entry in entries.items()})


def _warn_of(name: str, entry: RobotEntry) -> None:
    """Warn of numbers that may be of another unit."""
    for key, pose in (("pose", entry.pose), ("T_map_frame", entry.adapter.get("T_map_frame"))):
        if pose is not None and abs(float(pose[3])) > math.pi + SLACK_RAD:
            _warn(f"the yaw of {key} of {name} is {float(pose[3]):g} rad; was it meant in degrees?")
    if entry.speed_mps > FAST_MPS and not entry.fast:
        _warn(f"speed_mps of {name} is {entry.speed_mps:g} m/s; was it meant in km/h?")
    if entry.radius_m > WIDE_M:
        _warn(f"radius_m of {name} is {entry.radius_m:g} m; was it meant in cm?")


def _problems_of_adapters(values: Any, origin: Mapping[Any, str], backend: str) -> list[str]:
    """Return what is wrong in the adapters of a file, as far as there are any."""
    robots = values.get("robots") if isinstance(values, dict) else None
    problems = []
    for name, entry in robots.items() if isinstance(robots, dict) else ():
        adapter = entry.get("adapter") if isinstance(entry, dict) else None
        if isinstance(adapter, dict) and adapter:
            try:
                check_adapter(str(name), adapter, _of_adapter(name, origin), backend)
            except ConfigError as error:
                problems.append(str(error))
    return problems


def _no_pose(name: str, is_real: bool) -> str:
    kinds = " or ".join(KINDS)
    real = f"; only missions on real robots go without, --backend {kinds}" if is_real else ""
    return f"robot '{name}' has no pose: write pose: [x, y, z, yaw], in meters and radians{real}"


def _of_adapter(name: Any, origin: Mapping[Any, str]) -> dict[Any, str]:
    """Return the lines of a robot's adapter, by paths inside of it."""
    return {k[3:]: at for k, at in origin.items() if k[:3] == ("robots", name, "adapter")}


@cache
def _warn(text: str) -> None:
    """Warn once: a file of robots is read several times."""
    log.warning(text)


def team_of(entries: Mapping[str, RobotEntry]) -> Team:
    """Return the team of checked entries, as a file that has robots among other things gives them."""
    return Team({name: _robot(name, entry, {}) for name, entry in entries.items()})


def save_team(team: Team, path: str | Path) -> None:
    """Write a team as ``robots.yaml`` has it."""
    robots = {robot.name: _entry(robot).model_dump(mode="json") for robot in team}
    write_text(path, yaml.safe_dump({"robots": robots}, sort_keys=False))


def _entry(robot: Robot) -> RobotEntry:
    x, y, z = robot.position.tolist()
    told = {
        "pose": (x, y, z, float(yaw_of(robot.T_map_robot))) if robot.placed else None,
        "capabilities": sorted(robot.capabilities),
        **{name: getattr(robot, name) for name in NUMBERS},
        "adapter": dict(robot.adapter),
    }
    return validated(RobotEntry, told, {}, f"robot '{robot.name}'")


def _robot(name: str, entry: RobotEntry, origin: Mapping[Any, str]) -> Robot:
    return Robot(
        name=name,
        T_map_robot=from_xyz_yaw(entry.pose or (0.0, 0.0, 0.0, 0.0)),
        capabilities=frozenset({"goto", *entry.capabilities}),
        adapter=dict(entry.adapter),
        origin=_of_adapter(name, origin),
        placed=entry.pose is not None,
        **{n: getattr(entry, n) for n in NUMBERS},
    )
