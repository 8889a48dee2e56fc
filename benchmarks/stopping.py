"""How soon a robot stands still after Stop: real drivers against loopback servers with kinematic robots.

    python benchmarks/stopping.py [--times 20] [--seed 0]

A robot is sent along a way of 12 m and told to stop at a random moment; what counts is the time until the
server behind it has stopped the robot. The target is 0.5 s.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from commonground.adapters import Nav2Settings, SpotSettings
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.rosbridge.nav2 import Nav2Machine
from commonground.planning.robots.spot.machine import SpotMachine

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import taken, until
from tests.planning.robots.fake_spot import SECRET, USER, FakeSpot
from tests.planning.robots.kinematic import Kinematic

SPEED_MPS = 0.5
GIVEN_UP_S = 10.0


@contextmanager
def nav2(robot: Kinematic, ros: int) -> Iterator[LiveRobot]:
    """Return a robot behind rosbridge."""
    with BridgeServer(robot, ros=ros) as server:
        settings = Nav2Settings(address=server.address, ros=ros)
        with taken(Nav2Machine("husky", settings, SPEED_MPS), "husky", SPEED_MPS) as driven:
            yield driven


@contextmanager
def spot(robot: Kinematic) -> Iterator[LiveRobot]:
    """Return a Spot by its real API."""
    os.environ |= {"BOSDYN_CLIENT_USERNAME": USER, "BOSDYN_CLIENT_PASSWORD": SECRET}
    with tempfile.TemporaryDirectory() as folder, FakeSpot(robot, Path(folder)) as server:
        settings = SpotSettings(
            address="127.0.0.1", port=server.port, certificate=server.certificate
        )
        machine = SpotMachine("spot", settings, SPEED_MPS, Path(folder))
        with taken(machine, "spot", SPEED_MPS) as driven:
            yield driven


def standing_after(
    driven: LiveRobot, robot: Kinematic, times: int, rng: np.random.Generator
) -> list[float]:
    """Return how long each stop took."""
    took: list[float] = []
    for time_ in range(times):
        here = robot.x, robot.y, 0.0
        driven.follow(f"way {time_}", (here, (robot.x + 12.0, robot.y, 0.0)), 12.0)
        until(driven, lambda _: robot.moving)
        time.sleep(rng.uniform(0.1, 0.9))
        began = time.monotonic()
        driven.stop()
        while robot.moving and time.monotonic() - began < GIVEN_UP_S:
            time.sleep(0.002)
        took.append(time.monotonic() - began)
    return took


def main() -> None:
    """Print for each kind of robot how soon it stood."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    rng = np.random.default_rng(told.seed)
    for name in ("nav2 (ROS 2)", "move_base (ROS 1)", "spot"):
        robot = Kinematic(0.0, 0.0, speed_mps=SPEED_MPS)
        server = spot(robot) if name == "spot" else nav2(robot, 2 if "2)" in name else 1)
        with server as driven:
            took = standing_after(driven, robot, told.times, rng)
        print(f"{name}: {len(took)} stops, median {np.median(took):.3f} s, most {max(took):.3f} s")


if __name__ == "__main__":
    main()
