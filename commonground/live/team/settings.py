"""Who takes part in a live run, where each robot's images come from, and how late they may be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from commonground.config import read_yaml, validated
from commonground.datasets.settings import SimulationSettings
from commonground.errors import ConfigError
from commonground.live.team.ros import RosSource
from commonground.live.team.spot import SpotSource
from commonground.names import Name
from commonground.reading import MOST_ROBOTS
from commonground.settings import Settings


class RobotSource(Settings):
    """Where one robot's images come from: one of these."""

    recording: Path | None = None
    """Dataset folder or bag, from the folder of this file; it is replayed."""
    simulated: SimulationSettings | None = None
    """It drives in a simulated world while it is mapped."""
    ros: RosSource | None = None
    """A robot behind rosbridge."""
    spot: SpotSource | None = None
    """A Spot that is looked through."""
    remote: Literal[True] | None = None
    """It is mapped on another machine, which sends its maps here."""
    robot: str = ""
    """Its name in the recording or the world, if it is another one there."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = (self.recording, self.simulated, self.ros, self.spot, self.remote)
        if sum(source is not None for source in given) != 1:
            raise ValueError("say one of recording, simulated, ros, spot and remote")
        return self

    @property
    def identity(self) -> str:
        """What a kept map is of: a recording or a world; of a robot's own images, wherever they are got."""
        if self.ros is not None or self.spot is not None:
            return f"{self.robot} itself"
        return str(self)


MOST_MAPPED = 24
"""Robots that one machine maps at a time: each takes a process, and half a gigabyte."""


class LiveTeam(Settings):
    """A ``team.yaml`` for live mapping."""

    robots: dict[Name, RobotSource] = Field(min_length=1, max_length=MOST_ROBOTS)
    waiting: Annotated[int, Field(ge=1, le=1000)] = 8
    """Images of a robot that wait to be mapped at most; of more, those that tell least are dropped."""
    hand_over_s: Annotated[float, Field(gt=0)] = 10.0
    """A robot's map is kept, and handed over if it grew, this often in time of the data."""
    everything: bool = False
    """With a base: bring the finished map there with its mesh, rooms and pictures, tens of megabytes a
    kilometer; else only what fusing needs."""
    restarts: Annotated[int, Field(ge=0, le=1000)] = 5
    """How often a process that was killed is started again."""

    @model_validator(mode="after")
    def _few_enough(self) -> Self:
        here = sum(source.remote is None for source in self.robots.values())
        if here > MOST_MAPPED:
            raise ValueError(
                f"{here} robots are to be mapped here, and one machine maps {MOST_MAPPED} at most; "
                "map the others elsewhere, as 'remote' ones"
            )
        return self


def load_live_team(file: str | Path) -> LiveTeam:
    """Read a team; ConfigError with file and line for what is wrong."""
    values, lines = read_yaml(file)
    origin = {keys: f"{file}:{line}" for keys, line in lines.items()}
    team = validated(LiveTeam, values, origin, str(file))
    robots = {name: _placed(source, name, file) for name, source in team.robots.items()}
    return team.model_copy(update={"robots": robots})


def _placed(source: RobotSource, name: str, file: str | Path) -> RobotSource:
    if source.recording is None:
        return source.model_copy(update={"robot": source.robot or name})
    place = (Path(file).parent / source.recording).resolve()
    if not place.exists():
        raise ConfigError(f"{file}: the recording of {name} is not there: {source.recording}")
    return source.model_copy(update={"recording": place, "robot": source.robot or name})
