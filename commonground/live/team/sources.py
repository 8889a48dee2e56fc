"""What a robot's images come from, opened: a recording, a simulated world, ROS, a Spot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from commonground.datasets import Reader, Simulation, open_dataset
from commonground.errors import ConfigError
from commonground.live.team.ros import RosFrames, Say
from commonground.live.team.settings import RobotSource
from commonground.live.team.spot import SpotFrames
from commonground.mapping.run import FrameSource
from commonground.mapping.source import RecordedFrames, chosen_robot


class Source(NamedTuple):
    """Frames of one robot, and the words of its label images."""

    frames: FrameSource
    labels: Mapping[int, str]
    live: bool
    """Whether they come at a pace of their own."""
    made_of: str = ""
    """What tells a recording from any other."""


def open_source(source: RobotSource, say: Say, remark: Say) -> Source:
    """Open where a robot's images come from; what keeps them from coming is said, and what else is odd."""
    if source.ros is not None:
        return Source(RosFrames(source.ros, source.robot, say, remark), {}, live=True)
    if source.spot is not None:
        return Source(SpotFrames(source.spot, source.robot, say), {}, live=True)
    if source.simulated is not None:
        world = Simulation((source.robot,), source.simulated)
        return _recorded(world, source.robot)
    if source.recording is None:
        raise ConfigError(f"{source.robot}: nothing says where its images come from")
    recording = open_dataset(source.recording)
    return _recorded(recording, chosen_robot(recording.robots(), source.robot))


def _recorded(recording: Reader, robot: str) -> Source:
    made_of = recording.fingerprint(robot)
    return Source(RecordedFrames(recording, robot), recording.labels(), live=False, made_of=made_of)
