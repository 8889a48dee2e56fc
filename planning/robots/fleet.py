"""The real robots of a team, each on the machine that its adapter names."""

from __future__ import annotations

import importlib
from pathlib import Path

from commonground.adapters import KINDS, AdapterSettings, adapter_of
from commonground.errors import ConfigError
from commonground.names import within
from commonground.planning.robots.kept import Kept
from commonground.planning.robots.live import LiveRobot
from commonground.planning.robots.machine import Machine
from commonground.planning.robots.poses import EstimateFile, Fixed, Poses
from commonground.robots import FAST_MPS, Robot, Team
from commonground.scene import SceneGraph
from commonground.scene.strangers import off_map

KEPT = "robots"
"""Folder beside a mission's journal with what each robot did."""
PICTURES = "pictures"
"""Folder beside it with what robots saw of the things they inspected."""


def live_robots(
    team: Team, backend: str, folder: Path, graph: SceneGraph, *, commands: bool = True
) -> dict[str, LiveRobot]:
    """Return a team's real robots, not connected yet; ConfigError for what their adapters lack.

    A robot whose adapter names a backend of its own is driven by that one. One that is nowhere near the map
    does not know where it is. Without ``commands`` they are only heard.
    """
    robots = {}
    for body in team:
        if body.speed_mps > FAST_MPS and not body.fast:
            raise ConfigError(
                f"{_line(body)}speed_mps of {body.name} is {body.speed_mps:g} m/s; was it meant in km/h? A "
                "real robot is only driven so fast with fast: true beside it"
            )
        machine, settings = _machine(body, backend, folder, commands)
        kept = Kept(within(folder, KEPT, f"{body.name}.json"))
        near = off_map(graph, body.radius_m)
        robots[body.name] = LiveRobot(body, machine, _poses(settings), kept, near)
    return robots


def _line(body: Robot) -> str:
    """Return where a robot's adapter is written."""
    return f"{body.origin[()]}: " if () in body.origin else ""


def _machine(
    body: Robot, backend: str, folder: Path, commands: bool
) -> tuple[Machine, AdapterSettings]:
    kind = KINDS[body.adapter.get("backend") or backend]
    settings = adapter_of(body, kind.settings)
    module, _, name = kind.machine.partition(":")
    made = getattr(importlib.import_module(module), name)
    pictures = within(folder, PICTURES)
    machine: Machine = made(
        body.name, settings, body.speed_mps, pictures=pictures, commands=commands
    )
    return machine, settings


def _poses(settings: AdapterSettings) -> Poses:
    if settings.localization is not None:
        return EstimateFile(settings.localization)
    return Fixed(settings.T_map_frame)
