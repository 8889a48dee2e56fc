"""Missions on real robots: reached first, begun from where they stand, and left standing still."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import yaml

from commonground.atomic import write_text
from commonground.config import read_yaml
from commonground.errors import HonestNo
from commonground.live.folders import ROBOTS
from commonground.planning.robots.fleet import live_robots
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.protocol import Point, Status
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.signals import ended_by_signal

BACKENDS = ("nav2", "spot")
LIMIT_S = 4 * 3600.0
"""Missions of real robots are over after four hours."""
LOCALIZED_S = 10.0
"""A robot that does not know where it is after so long has to be relocalized before a mission begins."""


@contextmanager
def reached(
    team: Team, backend: str, folder: Path, commander: str, graph: SceneGraph
) -> Iterator[dict[str, LiveRobot]]:
    """Reach all robots of a team, and leave them standing still and free, whatever happens."""
    robots = live_robots(team, backend, folder, graph)
    taken: list[LiveRobot] = []
    try:
        with ended_by_signal():
            for robot in robots.values():
                robot.take(commander)
                taken.append(robot)
            yield robots
    finally:
        for robot in taken:
            robot.release()


def stand_where_they_are(folder: Path, robots: Mapping[str, LiveRobot]) -> None:
    """Note in a mission's own team file where its robots stand; HonestNo where one does not know it."""
    found: dict[str, Point] = {}
    until = time.monotonic() + LOCALIZED_S
    while True:
        heard = {name: robot.status() for name, robot in robots.items()}
        found = {n: s.position for n, s in heard.items() if s.position is not None}
        if len(found) == len(robots):
            break
        if time.monotonic() > until:
            raise HonestNo(_not_ready(heard))
        time.sleep(0.1)
    values, _ = read_yaml(folder / ROBOTS)
    for name, position in found.items():
        robot = values["robots"][name]
        # in place, it would be the pose of all robots that share one in the file
        values["robots"][name] = {**robot, "pose": [*position, *robot["pose"][3:]]}
    write_text(folder / ROBOTS, yaml.safe_dump(values, sort_keys=False))


def _not_ready(heard: Mapping[str, Status]) -> str:
    lines = [
        f"{name} cannot be reached ({s.detail})"
        if not s.linked
        else f"{name} does not know where it is ({s.detail})"
        + ("; relocalize it before it starts" if "in the map" in s.detail else "")
        for name, s in heard.items()
        if s.position is None
    ]
    return "; ".join(lines)
