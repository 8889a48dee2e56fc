"""The team: where each robot stands and what it can do, as ``robots.yaml`` tells it."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, Field

from commonground.arrays import Floats
from commonground.atomic import write_text
from commonground.config import read_yaml, validated
from commonground.errors import ConfigError, did_you_mean
from commonground.geometry import from_xyz_yaw, yaw_of
from commonground.names import Name
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
    adapter: dict[str, Any] = field(default_factory=dict)
    """Settings of the interface to the real machine; planning does not look at them."""
    origin: Mapping[Any, str] = field(default_factory=dict)
    """Where each of them was written, as FILE:LINE by its path."""

    @property
    def position(self) -> Floats:
        """Where the robot stands (3,)."""
        return self.T_map_robot[:3, 3]

    def can(self, capability: str) -> bool:
        """Return whether the robot has a capability."""
        return capability in self.capabilities


def _in_radians(pose: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    if abs(pose[3]) > 2.0 * math.pi:
        raise ValueError(
            f"the yaw is in radians, within ±2π; {pose[3]:g} degrees are {math.radians(pose[3]):.4g}"
        )
    return pose


PlanarPose = Annotated[tuple[float, float, float, float], AfterValidator(_in_radians)]
"""x, y, z in meters and yaw in radians, as people write it."""
FAST_MPS, WIDE_M = 10.0, 5.0
"""Faster and wider robots are told of: their numbers may be of another unit."""


class RobotEntry(Settings):
    """One robot in ``robots.yaml``."""

    pose: PlanarPose
    """x, y, z in meters and yaw in radians, in the map frame."""
    capabilities: tuple[Capability, ...] = ("goto",)
    speed_mps: Annotated[float, Field(gt=0)] = 1.0
    radius_m: Annotated[float, Field(gt=0)] = 0.4
    max_slope_deg: Annotated[float, Field(ge=0, le=90)] = 30.0
    max_step_m: Annotated[float, Field(ge=0)] = 0.3
    view_m: Annotated[float, Field(ge=0)] = 5.0
    adapter: dict[str, Any] = Field(default_factory=dict)


class RobotsFile(Settings):
    """A ``robots.yaml``."""

    robots: dict[Name, RobotEntry] = Field(max_length=MOST_ROBOTS)


@dataclass(frozen=True, slots=True)
class Team:
    """Robots by name, in the order of the file."""

    robots: dict[str, Robot]

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


def load_team(path: str | Path) -> Team:
    """Read ``robots.yaml``; ConfigError with file and line for what is wrong."""
    values, lines = read_yaml(path)
    origin = {keys: f"{path}:{line}" for keys, line in lines.items()}
    entries = validated(RobotsFile, values, origin, str(path)).robots
    if not entries:
        raise ConfigError(f"{path}: names no robot; add one under 'robots:'")
    for name, entry in entries.items():
        if entry.speed_mps > FAST_MPS:
            _warn(f"speed_mps of {name} is {entry.speed_mps:g} m/s; was it meant in km/h?")
        if entry.radius_m > WIDE_M:
            _warn(f"radius_m of {name} is {entry.radius_m:g} m; was it meant in cm?")
    return Team({name: _robot(name, entry, origin) for name, entry in entries.items()})


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
    return RobotEntry(
        pose=(x, y, z, float(yaw_of(robot.T_map_robot))),
        capabilities=tuple(sorted(robot.capabilities)),  # type: ignore[arg-type]
        speed_mps=robot.speed_mps,
        radius_m=robot.radius_m,
        max_slope_deg=robot.max_slope_deg,
        max_step_m=robot.max_step_m,
        view_m=robot.view_m,
        adapter=dict(robot.adapter),
    )


def _robot(name: str, entry: RobotEntry, origin: Mapping[Any, str]) -> Robot:
    return Robot(
        name=name,
        T_map_robot=from_xyz_yaw(entry.pose),
        capabilities=frozenset({"goto", *entry.capabilities}),
        speed_mps=entry.speed_mps,
        radius_m=entry.radius_m,
        max_slope_deg=entry.max_slope_deg,
        max_step_m=entry.max_step_m,
        view_m=entry.view_m,
        adapter=dict(entry.adapter),
        origin={k[3:]: at for k, at in origin.items() if k[:3] == ("robots", name, "adapter")},
    )
