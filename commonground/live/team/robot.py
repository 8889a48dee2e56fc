"""The process of one robot: its frames mapped as they come, its map handed over whenever it has grown."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.errors import CommongroundError
from commonground.geometry import gravity_aligned
from commonground.live.team.folder import LiveFolder
from commonground.live.team.settings import RobotSource
from commonground.live.team.sources import open_source
from commonground.live.team.stream import Stream
from commonground.mapping.checkpoint import Progress
from commonground.mapping.odometry import Verdict
from commonground.mapping.perception import make_perception
from commonground.mapping.pipeline import Mapper
from commonground.mapping.run import map_robot
from commonground.mapping.settings import MappingSettings
from commonground.names import within

TELL_EVERY_S = 1.0
GROWN = 0.1
"""Share of its keyframes by which a robot's map has to grow before it is handed over again. As that takes
time in proportion to the map, it takes about the same share of the robot's time however far it has driven.
"""


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
    parent: int
    """The process that this one ends with."""


def map_live(job: RobotJob) -> None:
    """Map one robot to the end of its stream; what goes wrong is told in its state."""
    voice = Voice(LiveFolder(job.out), job.name)
    try:
        _map(job, voice)
    except (CommongroundError, OSError) as error:
        voice.say("failed", error=" ".join(str(error).split()))
    else:
        voice.say("done")


def _map(job: RobotJob, voice: Voice) -> None:
    source = open_source(job.source)
    perception = make_perception(job.settings.perception, labels=source.labels)
    stream = Stream(source.frames, None if source.live else job.rate, job.waiting)
    voice.stream = stream
    map_robot(
        stream,
        perception,
        within(job.out, "robots", job.name),
        job.settings,
        robot=job.name,
        fingerprint=job.fingerprint,
        on_frame=voice.frame,
        on_checkpoint=voice.checkpoint,
    )


class Voice:
    """Says of a robot how it gets on, and hands its map over."""

    def __init__(self, folder: LiveFolder, robot: str) -> None:
        self.folder, self.robot = folder, robot
        self.stream: Stream | None = None
        self._known: dict[str, Any] = {}
        self._said_s = 0.0

    def frame(self, frames: int, verdict: Verdict) -> None:
        """Take note of a frame that was taken in."""
        self._known |= {"taken": frames}
        if verdict is Verdict.CUT:
            self._known["stretches"] = self._known.get("stretches", 1) + 1
        if time.monotonic() - self._said_s >= TELL_EVERY_S:
            self.say("mapping")

    def checkpoint(self, mapper: Mapper, progress: Progress) -> None:
        """Hand the map over if it has grown enough."""
        keys = len(mapper.keyframes.keys)
        pose = gravity_aligned(np.asarray(mapper.keyframes.poses[-1])[None])[0]
        if keys > (1.0 + GROWN) * self._known.get("handed", 0):
            self.folder.hand_over(self.robot, mapper.snapshot())
            self._known["handed"] = keys
        self._known |= {
            "keyframes": keys,
            "travel_m": round(mapper.keyframes.travel_m, 2),
            "stretches": len(mapper.segments),
            "T_odom_robot": pose.tolist(),
            "stamp_ns": progress.stamp_ns,
        }
        self.say("mapping")

    def say(self, state: str, **more: Any) -> None:
        """Write the state of the robot."""
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
