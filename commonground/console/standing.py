"""How things stand at the console, as JSON values for other programs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from commonground.console.logged import listed

if TYPE_CHECKING:
    from commonground.console.station import Station
    from commonground.robots import Robot

FIELDS = ("number", "name", "state", "by", "approved_by", "reason", "question", "paused")
"""Of a mission's record."""


def status_of(station: Station, heard_s: float | None) -> dict[str, Any]:
    """Return mission, robots, the size of the map and the log; ``heard_s`` is when robots were heard."""
    record, graph = station.record, station.graph
    now = {} if record is None else {name: getattr(record, name) for name in FIELDS}
    robots = {
        name: {**found.status.as_json(), "task": found.task, "left": found.left}
        for name, found in station.progress().items()
    } or {
        robot.name: _told_of(robot, heard_s)
        if station.heard
        else {"position": None, "why": "not heard yet"}
        for robot in station.team or ()
    }
    joining = station.joining
    besides = (
        {"said": joining.said, **{name: getattr(joining, name) for name in FIELDS}}
        if joining is not None and not joining.over
        else None
    )
    mission = {"said": record.said, "joined": list(record.joined)} if record is not None else {}
    return {
        "mission": {**now, **mission, "besides": besides, "now_s": station.now_s()}
        if record
        else None,
        "robots": robots,
        "map": {name: len(layer) for name, layer in graph.layers.items()},
        "missions": list(listed(station.missions).values()),
    }


def _told_of(robot: Robot, heard_s: float | None) -> dict[str, Any]:
    """Return where a robot stands while it has no mission, and of a real one how long ago it told so."""
    at = {"position": robot.position.tolist()}
    return at if heard_s is None else {**at, "told_s_ago": round(time.monotonic() - heard_s, 1)}
