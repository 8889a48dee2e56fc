"""A base station as a process of its own: it may be killed, and robots and world go on without it.

The world stays with who started the station. Everything that the station says to robots, hears of them and
waits for goes over one connection, call by call.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from commonground.errors import RunError
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import End
from commonground.planning.mission.journal import FILE, Journal, read_steps
from commonground.planning.mission.made_up import make_mission
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Runner, replayed
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.robots.protocol import Point, RobotError, Status
from commonground.planning.robots.simulated import SimWorld

WORLD = ""
"""Calls under this name are to the world, all others to a robot."""
OVER = "over"
"""The last call of a station: its end."""


class Line:
    """A connection to the world, one call at a time from any thread."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._lock = connection, threading.Lock()

    def call(self, robot: str, method: str, *args: Any) -> Any:
        """Return what a robot, or the world, answers."""
        with self._lock:
            self._connection.send((robot, method, args))
            failed, answer = self._connection.recv()
        if failed:
            raise RobotError(answer)
        return answer


class FarRobot:
    """A robot at the other end of a line."""

    def __init__(self, line: Line, name: str) -> None:
        self._line, self._name = line, name

    @property
    def name(self) -> str:
        """The robot's name in the team."""
        return self._name

    def take(self, commander: str) -> None:
        """Become the one who commands it."""
        self._line.call(self._name, "take", commander)

    def release(self) -> None:
        """Let others command it."""
        self._line.call(self._name, "release")

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        """Drive along a path as far as allowed."""
        self._line.call(self._name, "follow", key, path_map, upto_m)

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None:
        """Do something with things."""
        self._line.call(self._name, "act", key, skill, things, point)

    def stop(self) -> None:
        """Stand still and give up the order."""
        self._line.call(self._name, "stop")

    def status(self) -> Status:
        """Return what it tells of itself now."""
        told: Status = self._line.call(self._name, "status")
        return told


class FarClock:
    """The world's time."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def now_s(self) -> float:
        """Return the world's time."""
        return float(self._line.call(WORLD, "now_s"))

    def wait(self, seconds: float) -> None:
        """Let the world go on."""
        self._line.call(WORLD, "advance", seconds)


def station(connection: Connection, folder: Path, seed: int, places: int, most_faults: int) -> None:
    """Begin the mission of a seed, or go on with it where its journal ends, and tell its end."""
    graph, team, goals, _ = make_mission(seed, places, most_faults=most_faults)
    line = Line(connection)
    mission = Mission(SceneBelief.of(graph, team, goals))
    begun = (folder / FILE).exists() and bool((folder / FILE).stat().st_size)
    wrong = replayed(mission, list(read_steps(folder))) if begun else -1
    if wrong >= 0:
        raise RunError(f"{folder}: step {wrong + 1} is decided otherwise now")
    journal = Journal(folder, None if begun else {"mission": folder.name})
    robots = {robot.name: FarRobot(line, robot.name) for robot in team}
    runner = Runner(
        mission, ScenePlanner(seed), robots, FarClock(line), lambda _: True, journal, folder.name
    )
    limit_s = float(line.call(WORLD, "limit_s"))
    end = runner.resume(limit_s) if begun else runner.run(limit_s)
    journal.close()
    line.call(WORLD, OVER, end, tuple(task.key for task in mission.done))


class Served:
    """The world's end of a line."""

    def __init__(self, world: SimWorld, limit_s: float) -> None:
        self.world, self._limit_s = world, limit_s
        self.end: End | None = None
        self.done: tuple[str, ...] = ()
        """Keys of the tasks that the station knows to be finished."""

    def answer(self, call: tuple[str, str, tuple[Any, ...]]) -> tuple[bool, Any]:
        """Do what a station says, and return whether that failed, and the answer."""
        robot, method, args = call
        if robot == WORLD:
            return False, self._world(method, args)
        try:
            return False, getattr(self.world.robots[robot], method)(*args)
        except RobotError as error:
            return True, str(error)

    def _world(self, method: str, args: tuple[Any, ...]) -> float:
        if method == "advance":
            self.world.advance(*args)
        elif method == OVER:
            self.end, self.done = args
        return self._limit_s if method == "limit_s" else self.world.now_s


def finished(world: SimWorld) -> Mapping[str, int]:
    """Return task → how often a robot brought it to its end, whatever the station knows of that."""
    counts: dict[str, int] = {}
    for robot in world.robots.values():
        for order, (state, *_) in robot.ended.items():
            if state == "done":
                task = order.rpartition("#")[0]
                counts[task] = counts.get(task, 0) + 1
    return counts
