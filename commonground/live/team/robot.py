"""The process of one robot: its frames mapped as they come, its map handed over whenever it has grown."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from commonground.datasets import Reader, Simulation, open_dataset
from commonground.errors import CommongroundError, ConfigError, MappingError
from commonground.frame import Frame
from commonground.geometry import gravity_aligned
from commonground.live.team.folder import MAPS, SKETCHES, LiveFolder
from commonground.live.team.processes import Lines, is_full
from commonground.live.team.ros import RosFrames, Say
from commonground.live.team.settings import RobotSource
from commonground.live.team.spot import SpotFrames
from commonground.live.team.stream import Stream
from commonground.mapping.checkpoint import Progress
from commonground.mapping.odometry import Verdict
from commonground.mapping.perception import make_perception
from commonground.mapping.pipeline import Mapper
from commonground.mapping.result import RobotMap
from commonground.mapping.run import FrameSource, map_robot
from commonground.mapping.settings import MappingSettings
from commonground.mapping.source import RecordedFrames, chosen_robot
from commonground.reasons import reason
from commonground.run_folder import RunFolder

TELL_EVERY_S = 1.0
BLANK = 20
"""After so many images that show nothing it is said."""
SHARE = {SKETCHES: 0.02, MAPS: 0.05}
"""Shares of the robot's time in which its objects and path, and its whole map, may be handed over: the longer
that takes, the more seldom it is done, however far the robot has driven.
"""

KEPT = (
    "stretches", "keyframes", "travel_m", "T_odom_robot", "stamp_ns", "handed", "sketched",
)  # fmt: skip
"""What is said of a robot that comes from its checkpoints."""


@dataclass(frozen=True, slots=True)
class RobotJob:
    """What the process of a robot needs to know; it travels there."""

    name: str
    source: RobotSource
    out: Path
    settings: MappingSettings
    """With checkpoints as often as maps are handed over."""
    rate: float
    waiting: int
    fingerprint: str
    finish: bool = False
    """Whether nothing more is taken in: what was kept is the map."""


def map_live(job: RobotJob, lines: Lines) -> None:
    """Map one robot to the end of its stream; what goes wrong is told in its state, and as a line."""
    voice = Voice(LiveFolder(job.out), job.name, lines)
    try:
        mapped = _map(job, voice)
    except (CommongroundError, OSError) as error:
        if is_full(error):
            raise
        voice.fail(reason(error))
    else:
        voice.end(mapped)


def _map(job: RobotJob, voice: Voice) -> Mapping[str, Any]:
    source = open_source(job.source, voice.waits, voice.remark)
    perception = make_perception(job.settings.perception, labels=source.labels)
    frames = _nothing if job.finish else source.frames
    stream = Stream(frames, None if source.live else job.rate, job.waiting)
    voice.hears(stream)
    return map_robot(
        voice.frames,
        perception,
        RunFolder(job.out).robot(job.name),
        job.settings,
        robot=job.name,
        fingerprint=f"{job.fingerprint} {source.made_of}",
        on_frame=voice.frame,
        on_checkpoint=voice.checkpoint,
    )


def _nothing(done: Progress | None) -> Iterator[Frame]:
    if done is None:
        raise MappingError("nothing was kept of its map")
    return iter(())


class Voice:
    """Says of a robot how it gets on, and hands its map over."""

    def __init__(self, folder: LiveFolder, robot: str, lines: Lines) -> None:
        self.folder, self.robot, self._lines = folder, robot, lines
        self.stream: Stream | None = None
        self._before = folder.told(robot)
        self._known: dict[str, Any] = {}
        self._said_s = 0.0
        self._blank = False
        self._rested_s: dict[str, float] = {}
        """Until when nothing of a kind is handed over."""

    def hears(self, stream: Stream) -> None:
        """Take note of where the robot's frames come from."""
        self.stream = stream
        stream.dropped_before = self._before.get("dropped", 0)

    def frames(self, done: Progress | None) -> Iterator[Frame]:
        """Yield the frames of the stream; of a robot that goes on, what was known of it still holds."""
        if self.stream is None:
            return iter(())
        if done is not None:
            self._known |= {key: self._before[key] for key in KEPT if key in self._before}
            self.remark(f"goes on after frame {done.frames}, from what was kept")
        return self.stream(done)

    def waits(self, why: str) -> None:
        """Say what the robot's stream waits for, once; nothing where it goes on."""
        if why == self._known.get("waits", ""):
            return
        self._known["waits"] = why
        self._lines.put(f"{self.robot}: {why or 'it goes on'}")
        self.say("mapping")

    def remark(self, line: str) -> None:
        """Say something of the robot's stream that keeps nothing from coming."""
        self._lines.put(f"{self.robot}: {line}")

    def frame(self, frames: int, verdict: Verdict) -> None:
        self._known |= {"taken": frames}
        if verdict is Verdict.CUT:
            self._known["stretches"] = self._known.get("stretches", 1) + 1
        blank = self.stream.blank if self.stream is not None else 0
        if blank >= BLANK and not self._blank:
            self.remark(
                f"its last {blank} images show nothing or have no depth; is a lens covered?"
            )
        self._blank = blank >= BLANK
        if time.monotonic() - self._said_s >= TELL_EVERY_S:
            self.say("mapping")

    def checkpoint(self, mapper: Mapper, progress: Progress) -> None:
        """Hand over objects and path, and the whole map, if that did not take too long the last time."""
        keys = len(mapper.keyframes.keys)
        pose = gravity_aligned(np.asarray(mapper.keyframes.poses[-1])[None])[0]
        if self._handed_over(SKETCHES, mapper.sketch):
            self._known["sketched"] = keys
        if self._handed_over(MAPS, mapper.snapshot):
            self._known["handed"] = keys
        self._known |= {
            "keyframes": keys,
            "travel_m": round(mapper.keyframes.travel_m, 2),
            "stretches": len(mapper.segments),
            "T_odom_robot": np.round(pose, 4).tolist(),
            "stamp_ns": progress.stamp_ns,
        }
        self.say("mapping")

    def _handed_over(self, kind: str, result: Callable[[], RobotMap]) -> bool:
        """Hand over what is asked for, if it is time for that; return whether it was."""
        began = time.monotonic()
        if began < self._rested_s.get(kind, 0.0):
            return False
        self.folder.hand_over(self.robot, result(), kind)
        took_s = time.monotonic() - began
        self._rested_s[kind] = began + took_s / SHARE[kind]
        return True

    def fail(self, why: str) -> None:
        """Say that nothing more comes of this robot, and why."""
        self._lines.put(f"{self.robot}: {why}; it is given up, the others go on")
        self.say("failed", error=why)

    def end(self, mapped: Mapping[str, Any]) -> None:
        """Say that the stream has ended, with its way to the end, and keep what each frame took."""
        if self.stream is not None:
            self.folder.keep_times(self.robot, self.stream.timed)
        self.say("done", travel_m=round(mapped["travel_m"], 2))

    def say(self, state: str, **more: Any) -> None:
        self._said_s = time.monotonic()
        used_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        counts = self.stream.metrics() if self.stream else {}
        values = {
            "robot": self.robot,
            "pid": os.getpid(),
            "state": state,
            **self._known,
            **counts,
            **more,
        }
        self.folder.tell(self.robot, {**values, "peak_memory_mb": round(used_mb)})


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
