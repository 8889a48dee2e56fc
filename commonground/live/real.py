"""Missions on real robots: reached first, begun from where they stand, and left standing still."""

from __future__ import annotations

import hashlib
import platform
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import yaml

from commonground.adapters import KINDS
from commonground.atomic import write_text
from commonground.config import read_yaml
from commonground.errors import HonestNo
from commonground.geometry import from_xyz_yaw
from commonground.live.folders import ROBOTS
from commonground.planning.robots.fleet import live_robots
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.protocol import RobotError, Status
from commonground.planning.robots.whereabouts import Standing
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.signals import ended_by_signal

REAL = tuple(KINDS)
"""Kinds of real robots that missions drive."""
LIMIT_S = 4 * 3600.0
"""Missions of real robots are over after four hours."""
LOCALIZED_S = 10.0
"""A robot that does not know where it is after so long has to be relocalized before a mission begins."""


@contextmanager
def reached(
    team: Team,
    backend: str,
    folder: Path,
    commander: str,
    graph: SceneGraph,
    *,
    commands: bool = True,
) -> Iterator[dict[str, LiveRobot]]:
    """Reach all robots of a team, and leave them standing still and free, whatever happens.

    Without ``commands`` they are only heard, and whoever commands them goes on.
    """
    robots = live_robots(team, backend, folder, graph, commands=commands)
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


def commander_of(folder: Path) -> str:
    """Return who commands robots in a mission; nobody else has that name, wherever his missions are."""
    where = f"{platform.node()} {folder.resolve()}"
    return f"{folder.name}#{hashlib.sha256(where.encode()).hexdigest()[:12]}"


def checked(robots: Mapping[str, LiveRobot], wanted: Collection[str]) -> list[str]:
    """Return whom robots that are wanted would be taken away from, and who has others of the team.

    RobotError where one may not be taken. Nobody loses one before it gets an order of this mission, and who
    only stands by is taken from nobody.
    """
    told = []
    for name, robot in robots.items():
        try:
            who = robot.check()
        except RobotError as error:
            if name in wanted:
                raise
            told.append(
                f"{name} only stands by, and may be driven meanwhile: {str(error).partition(';')[0]}"
            )
        else:
            if who:
                told.append(
                    f"{name} is taken away from {who}"
                    if name in wanted
                    else f"{name} only stands by, and may be driven meanwhile: {who} has it"
                )
    return told


def await_ready(robots: Mapping[str, LiveRobot]) -> None:
    """Wait for all robots at once until they tell what a mission needs; RobotError says what did not come."""
    pool = ThreadPoolExecutor(max(1, len(robots)), thread_name_prefix="ready")
    try:
        for _ in pool.map(LiveRobot.await_ready, robots.values()):
            pass
    finally:
        pool.shutdown(wait=False)  # who still waits ends when its robot is given back


def where_they_stand(robots: Mapping[str, LiveRobot]) -> dict[str, Standing]:
    """Return where robots stand, as they tell it; HonestNo names each that does not know it."""
    until = time.monotonic() + LOCALIZED_S
    while True:
        heard = {name: robot.status() for name, robot in robots.items()}
        found = {name: robot.standing() for name, robot in robots.items()}
        known = {name: there for name, there in found.items() if there is not None}
        if len(known) == len(robots):
            return known
        if time.monotonic() > until:
            raise HonestNo(_not_ready(heard))
        time.sleep(0.1)


def team_as_heard(team: Team, backend: str, graph: SceneGraph, tell: Callable[[str], None]) -> Team:
    """Return a team where its real robots stand now; words like 'nearest to you' are about that.

    They are only heard for it; HonestNo or RobotError names each that does not know its pose.
    """
    with (
        tempfile.TemporaryDirectory() as nothing,
        reached(team, backend, Path(nothing), "", graph, commands=False) as robots,
    ):
        found = where_they_stand(robots)
    for name, there in found.items():
        x, y, _ = there.position
        tell(f"{name} stands at ({x:.1f}, {y:.1f}), told {there.age_s:.1f} s ago")
    placed = {
        n: replace(team[n], T_map_robot=from_xyz_yaw([*at.position, at.yaw]), placed=True)
        for n, at in found.items()
    }
    return Team(placed)


def stand_where_they_are(folder: Path, robots: Mapping[str, LiveRobot]) -> None:
    """Note in a mission's own team file where its robots stand; HonestNo where one does not know it."""
    values, _ = read_yaml(folder / ROBOTS)
    for name, there in where_they_stand(robots).items():
        # in place, it would be the pose of all robots that share one in the file
        robot = values["robots"][name]
        values["robots"][name] = {**robot, "pose": [*there.position, there.yaw]}
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
