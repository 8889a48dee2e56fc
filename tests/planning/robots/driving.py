"""A live robot in a test: taken as a mission takes it, and asked until something is true of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from commonground.geometry import from_xyz_yaw
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.machine import Machine
from commonground.planning.robots.poses import Fixed
from commonground.planning.robots.protocol import Status
from commonground.robots import Robot

WAY = ((0.0, 0.0, 0.0), (12.0, 0.0, 0.0))
MOST_S = 30.0
"""What does not happen within this does not happen; a loaded machine is slow."""


@contextmanager
def taken(machine: Machine, name: str, speed_mps: float) -> Iterator[LiveRobot]:
    """Return the robot on a machine, taken by a mission; it stands and is given back at the end."""
    body = Robot(name, from_xyz_yaw([0, 0, 0, 0]), speed_mps=speed_mps)
    robot = LiveRobot(body, machine, Fixed())
    robot.take("test")
    try:
        yield robot
    finally:
        robot.stop()
        robot.release()


def until(robot: LiveRobot, true: Callable[[Status], bool]) -> Status:
    """Ask a robot for its status until something is true of it, which has to last or the test may miss it."""
    end = time.monotonic() + MOST_S
    while not true(status := robot.status()):
        assert time.monotonic() < end, status
        time.sleep(0.02)
    return status


def soon(true: Callable[[], object]) -> None:
    """Wait until something is true of the world, without asking any robot."""
    end = time.monotonic() + MOST_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def ended(status: Status) -> bool:
    """Return whether an order is over."""
    return status.state in ("done", "failed")
