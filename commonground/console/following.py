"""A live run as the console follows it: how each robot gets on, and the map as it was fused last."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commonground.console.drive import Progress
from commonground.errors import CommongroundError
from commonground.live.team.folder import LiveFolder
from commonground.live.team.state import RobotState, TeamState, read_team
from commonground.mapping import load_meshed
from commonground.planning.robots.protocol import Status
from commonground.run_folder import SCENE, RunFolder
from commonground.scene import SceneGraph


class Follower:
    """Reads the directory of a live run again and again; it may be empty yet."""

    def __init__(self, run: Path) -> None:
        self.run = run
        self._scene = RunFolder(run).fused / SCENE
        self._read: tuple[int, int] | None = None
        """Of the map that was read last: when it was written, and its size."""

    def team(self) -> TeamState | None:
        """Return how the team gets on; None before a robot said anything."""
        try:
            return read_team(self.run)
        except (CommongroundError, KeyError, ValueError):  # nobody yet, or a file half written
            return None

    def fusions(self) -> list[dict[str, Any]]:
        """Return what each fusion came to."""
        return LiveFolder(self.run).fusions()

    def newer_map(self) -> SceneGraph | None:
        """Return the fused map if it was written since it was asked for last."""
        try:
            found = self._scene.stat()
            written = (found.st_mtime_ns, found.st_size)
            if written == self._read:
                return None
            graph = load_meshed(self._scene)
        except (CommongroundError, OSError):  # not there yet, or being written: look again
            return None
        self._read = written
        return graph


def progress_of(team: TeamState) -> Mapping[str, Progress]:
    """Return where robots of a live run are, as the map shows robots of a mission."""
    return {robot.name: Progress(_status(robot), "", 0, 0) for robot in team.robots}


def _status(robot: RobotState) -> Status:
    T = robot.T_map_robot
    position = None if T is None else (float(T[0, 3]), float(T[1, 3]), float(T[2, 3]))
    return Status(position=position, localized=not robot.lost, linked=robot.state != "failed")
