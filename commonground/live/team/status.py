"""How a team gets on, in a line every so often, for whoever watches the command."""

from __future__ import annotations

import time
from pathlib import Path

from commonground.errors import CommongroundError
from commonground.live.team.state import RobotState, TeamState, read_team
from commonground.reporter import Reporter

EVERY_S = 10.0


class Status:
    """Says every so often how the run in a folder gets on."""

    def __init__(
        self, run: Path, reporter: Reporter, every_s: float = EVERY_S, *, fused_here: bool = True
    ) -> None:
        self._run, self._reporter, self._every_s = run, reporter, every_s
        self._fused_here = fused_here
        self._began_s = self._said_s = time.monotonic()

    def look(self) -> None:
        """Say it if it is time for that."""
        now = time.monotonic()
        if now - self._said_s < self._every_s:
            return
        self._said_s = now
        try:
            line = status_line(read_team(self._run), fused_here=self._fused_here)
        except CommongroundError:  # nobody has said anything yet; what is damaged others tell
            return
        minutes, seconds = divmod(round(now - self._began_s), 60)
        self._reporter.note(f"{minutes}:{seconds:02}  {line}")


def status_line(team: TeamState, *, fused_here: bool = True) -> str:
    """Return how each robot gets on, and what there is of the shared map if it is made here."""
    robots = "; ".join(f"{robot.name} {_of(robot)}{_where(team, robot)}" for robot in team.robots)
    if not fused_here:
        return f"{robots}; the base fuses"
    return f"{robots}; {f'{team.objects} objects in the map' if team.fusions else 'no map yet'}"


def _where(team: TeamState, robot: RobotState) -> str:
    if robot.T_map_robot is None or not team.in_map(robot):
        return ""
    x, y = robot.T_map_robot[:2, 3]
    return f", in the map at {x:.0f}, {y:.0f}"


def _of(robot: RobotState) -> str:
    if robot.state == "failed":
        return "given up"
    dropped = f", {100 * robot.dropped / robot.frames:.0f} % dropped" if robot.dropped else ""
    frames = f"{robot.frames} frames{dropped}, {robot.travel_m:.0f} m"
    if robot.state != "mapping":
        frames = f"done, {frames}"
    elif robot.silent:
        frames = f"{frames}, nothing from its process for {robot.told_s_ago:.0f} s"
    elif robot.waits:
        frames = f"waits, {frames}"
    elif robot.frames and robot.delay_s is not None:
        frames = f"{frames}, {robot.delay_s:.2f} s late"
    return frames
