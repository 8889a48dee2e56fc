"""What differs between kinds of real robots: how one is reached, told to move, and heard.

``live.LiveRobot`` makes a robot of the mission out of it. Coordinates here are in its own frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from commonground.arrays import Floats
from commonground.planning.robots.protocol import Failure, State


class Pose(NamedTuple):
    """Where a machine stands in its own frame."""

    x: float
    y: float
    yaw: float
    stamp_s: float
    """When it was told, on this computer's monotonic clock."""


class Outcome(NamedTuple):
    """How a job goes."""

    state: State
    failure: Failure = ""
    detail: str = ""


RUNNING = Outcome("running")
DONE = Outcome("done")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a machine told last."""

    pose: Pose | None
    battery: float = 1.0
    fault: str = ""
    """Why it cannot move now, as an emergency stop or a fault of its own; empty while it can."""
    down: str = ""
    """Why it cannot be reached; empty while it can."""
    odd: str = ""
    """What was wrong with what it told lately."""
    holds: bool | None = None
    """Whether something is in its gripper; None where it does not tell."""
    doubt: str = ""
    """What it should tell and has not told for long; the robot goes on, and operators know."""
    taken: str = ""
    """Who took the command of it away; empty where nobody did."""


class Machine(Protocol):
    """A real robot. Calls do not wait for the robot, but for ``open`` and ``close``."""

    def open(self, commander: str) -> None:
        """Reach it and hear it, and know as whose it will be commanded; RobotError says why not."""
        ...

    def check(self) -> str:
        """RobotError says why it could not be commanded now; takes nothing.

        Returns from whom it would be taken away.
        """
        ...

    def command(self) -> None:
        """Become its commander, if this is not so already; RobotError says why not."""
        ...

    def await_ready(self) -> None:
        """Wait for what a mission needs beside the pose; RobotError says what did not come."""
        ...

    def close(self) -> None:
        """Let it stand, let others command it, and end all that runs here for it."""
        ...

    def reading(self) -> Reading:
        """Return what it told last."""
        ...

    def drive(self, job: str, line: Floats) -> None:
        """Drive along a line (k, 2); it takes the place of any job before."""
        ...

    def look(self, job: str, thing: str, point: Floats) -> None:
        """Turn to a point (3,) and take a picture where there is a camera."""
        ...

    def pick(self, job: str, point: Floats) -> None:
        """Take what lies at a point (3,)."""
        ...

    def place(self, job: str, point: Floats) -> None:
        """Put down what it holds at a point (3,)."""
        ...

    def outcome(self, job: str) -> Outcome:
        """Return how a job goes."""
        ...

    def halt(self) -> None:
        """Stand still now, and give up all jobs."""
        ...
