"""A station on the sample scene with two robots, and what is said to it."""

from __future__ import annotations

import time
from pathlib import Path

from commonground.console.record import MissionRecord, State
from commonground.console.station import Station

SCENE = Path(__file__).resolve().parents[3] / "commonground/data/courtyard.json"
ROBOTS = """robots:
  spot: {pose: [6, 30, 0, 0.5], capabilities: [goto, inspect, pick, place]}
  husky: {pose: [60, 20, 0, 3.1], capabilities: [goto, inspect], speed_mps: 1.5}
"""
FAST = 400.0
"""Simulated seconds a second."""
SLOW = 4.0
"""So that a mission does not end before somebody on a busy machine does something about it."""
ERRAND = "Husky, inspect the tree nearest to the flag."


def until(station: Station, *states: State) -> MissionRecord:
    """Wait until the mission is in one of some states; a mission that hangs fails."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        record = station.record
        if record is not None and record.state in states:
            return record
        time.sleep(0.005)
    raise AssertionError(f"the mission is still {station.record}")


def until_besides(station: Station, *states: State) -> MissionRecord:
    """Wait until what is wanted besides is in one of some states."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        joining = station.joining
        if joining is not None and joining.state in states:
            return joining
        time.sleep(0.005)
    raise AssertionError(f"it is still {station.joining}")
