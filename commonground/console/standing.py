"""How things stand at the console, as JSON values for other programs."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from commonground.console.logged import listed
from commonground.console.record import CARRIED

if TYPE_CHECKING:
    from commonground.console.drive import Progress
    from commonground.console.station import Station
    from commonground.robots import Robot

FIELDS = ("number", "name", "state", "by", "approved_by", "reason", "question", "paused")
"""Of a mission's record."""


def status_of(station: Station, heard_s: float | None) -> dict[str, Any]:
    """Return mission, robots, the size of the map and the log; ``heard_s`` is when robots were heard."""
    record, graph = station.record, station.graph
    now = {} if record is None else {name: getattr(record, name) for name in FIELDS}
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
        "robots": _robots(station, heard_s),
        "map": {name: len(layer) for name, layer in graph.layers.items()},
        "missions": list(listed(station.missions).values()),
    }


def _robots(station: Station, heard_s: float | None) -> dict[str, Any]:
    """Return what is known of each robot, by name."""
    record, progress = station.record, station.progress()
    if progress:
        carried = record is not None and record.state in CARRIED
        return {name: _told_by(found, carried=carried) for name, found in progress.items()}
    unheard = {"position": None, "why": "not heard yet"}
    return {
        robot.name: _told_of(robot, heard_s) if station.heard else unheard
        for robot in station.team or ()
    }


def _told_by(found: Progress, *, carried: bool) -> dict[str, Any]:
    """Return what a robot of a mission tells; before somebody approves, it has no order but of a journal."""
    if carried:
        return {**found.status.as_json(), "task": found.task, "left": found.left}
    status = replace(found.status, order="", state="idle")
    return {**status.as_json(), "task": "", "left": found.left}


def _told_of(robot: Robot, heard_s: float | None) -> dict[str, Any]:
    """Return where a robot stands while it has no mission, and of a real one how long ago it told so."""
    at = {"position": robot.position.tolist()}
    return at if heard_s is None else {**at, "told_s_ago": round(time.monotonic() - heard_s, 1)}
