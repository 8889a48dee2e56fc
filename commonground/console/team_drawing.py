"""The robots, their plan and what is spoken of in a viser scene: the same for all who look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats
from commonground.console.drive import Progress
from commonground.console.words import hue
from commonground.robots import Team
from commonground.scene import batches
from commonground.scene.glb import glb_bytes

if TYPE_CHECKING:
    from viser import ViserServer

    from commonground.planning.mission.task import Task

MOST_LABELS = 40
LOST = (150, 150, 150)
"""A robot that does not know where it is, or is not reached."""
TRAIL = 4000
"""Points of a trail that are kept."""
PROFILE = ((0.0, 0.0), (0.45, 0.9), (0.72, 1.4), (0.75, 1.7), (0.6, 2.05), (0.33, 2.3), (0.0, 2.4))
"""Radius and height, from the point to the top."""
SIDES = 14
HIGH = PROFILE[-1][1]


class TeamDrawing:
    """Robots with their trails, the plan's ways, and what was chosen."""

    def __init__(self, server: ViserServer, team: Team | None, width_m: float) -> None:
        self._scene = server.scene
        self._size_m = float(np.clip(width_m / 70, 0.5, 5.0))
        """Of pins, so that they are seen on the whole map."""
        self._bodies: dict[str, tuple[Any, Any]] = {}
        self._said: dict[str, str] = {}
        self._trails: dict[str, list[Floats]] = {}
        self._colors: dict[str, tuple[int, int, int]] = {}
        for robot in team or ():
            self._add(robot.name, robot.position)

    def _add(self, name: str, at: Floats) -> None:
        """Draw a robot that was not there before."""
        color = batches.rgb(hue(len(self._bodies)))
        body = self._scene.add_glb(
            f"/robots/{name}", pin(color, self._size_m), position=tuple(at),
            cast_shadow=False, receive_shadow=False,
        )  # fmt: skip
        label = self._scene.add_label(
            f"/robots/{name}/name", name, position=(0.0, 0.0, HIGH * self._size_m),
            anchor="bottom-center",
        )  # fmt: skip
        self._bodies[name] = (body, label)
        self._colors[name], self._trails[name] = color, []

    def place(self, progress: Mapping[str, Progress]) -> None:
        """Move the robots to where they are, as far as they know it."""
        for name, found in progress.items():
            if name not in self._bodies:
                if found.status.position is None:
                    continue  # of a live run, and nobody knows where
                self._add(name, np.array(found.status.position))
            body, label = self._bodies[name]
            where, known = found.status.position, found.status.localized and found.status.linked
            text = (
                name
                if known
                else f"{name} ({'not localized' if found.status.linked else 'not reached'})"
            )
            if self._said.get(name, name) != text:
                label.text = text
                body.glb_data = pin(self._colors[name] if known else LOST, self._size_m)
                self._said[name] = text
            if where is None:
                continue
            at = np.array(where)
            body.position = tuple(at)
            trail = self._trails[name]
            if not trail or float(np.linalg.norm(trail[-1] - at)) > 0.3:
                trail.append(at)
                del trail[:-TRAIL]
                if len(trail) > 1:
                    self._line(f"/trails/{name}", np.array(trail), self._colors[name], 0.12)

    def forget(self) -> None:
        """Begin new trails."""
        for name, trail in self._trails.items():
            trail.clear()
            self._scene.remove_by_name(f"/trails/{name}")

    def plan(self, tasks: Sequence[Task]) -> None:
        """Draw the ways of a plan, all of a robot as one."""
        for name, color in self._colors.items():
            lines = [
                np.array(t.path) for t in tasks if t.robot == name and t.moves and len(t.path) > 1
            ]
            pale = tuple(int(0.5 * c + 120) for c in color)
            if lines:
                pairs = np.concatenate([np.stack([x[:-1], x[1:]], axis=1) for x in lines])
                self._scene.add_line_segments(
                    f"/plan/{name}", (pairs + (0, 0, 0.3)).astype(np.float32), pale, thickness=0.3
                )
            else:
                self._scene.remove_by_name(f"/plan/{name}")

    def chosen(self, nodes: Mapping[str, Floats]) -> None:
        """Mark what an instruction is about, by symbol and position."""
        self._scene.remove_by_name("/chosen")
        if not nodes:
            return
        points = np.array(list(nodes.values())).reshape(-1, 3)
        ring = np.linspace(0, 2 * np.pi, 25)
        circle = np.stack([1.4 * np.cos(ring), 1.4 * np.sin(ring), 0 * ring + 0.4], axis=1)
        pairs = np.stack([circle[:-1], circle[1:]], axis=1)
        lines = (points[:, None, None, :] + pairs[None]).reshape(-1, 2, 3)
        self._scene.add_line_segments(
            "/chosen", lines.astype(np.float32), (255, 255, 255), thickness=0.35
        )
        for symbol, point in list(nodes.items())[:MOST_LABELS]:
            self._scene.add_label(
                f"/chosen/{symbol}", symbol, position=tuple(point),
                anchor="top-center", font_screen_scale=0.8,
            )  # fmt: skip

    def _line(self, name: str, points: Floats, color: Any, thickness: float) -> None:
        pairs = np.stack([points[:-1], points[1:]], axis=1) + (0, 0, 0.25)
        self._scene.add_line_segments(name, pairs.astype(np.float32), color, thickness=thickness)


def pin(color: tuple[int, int, int], size_m: float) -> bytes:
    """Return a pin as binary glTF, its point at the origin."""
    turn = np.linspace(0.0, 2 * np.pi, SIDES, endpoint=False)
    rings = np.array(
        [[(r * np.cos(a), r * np.sin(a), z) for a in turn] for r, z in PROFILE]
    ).reshape(-1, 3)
    k = np.arange(SIDES)
    here = k[None] + SIDES * np.arange(len(PROFILE) - 1)[:, None]
    beside = (k + 1)[None] % SIDES + SIDES * np.arange(len(PROFILE) - 1)[:, None]
    a, b, c, d = (x.ravel() for x in (here, beside, beside + SIDES, here + SIDES))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    colors = np.tile(np.array(color, np.uint8), (len(rings), 1))
    found = batches.shaded(batches.Surface(size_m * rings, faces, colors))
    return glb_bytes(found.vertices, found.colors, found.faces, turned=False, lit=False)
