"""Patience for robots in tests: a busy machine may hold up any thread for seconds."""

from __future__ import annotations

import pytest

from commonground.planning.robots import live, whereabouts
from commonground.planning.robots.rosbridge import client, nav2
from commonground.planning.robots.spot import hearing, machine, session

LIMITS = (
    (live, "SILENCE_S"),
    (whereabouts, "STALE_S"),
    (client, "OPEN_S"),
    (client, "PING_S"),
    (nav2, "SILENT_S"),
    (nav2, "FIRST_S"),
    (nav2, "LOST_GOAL_S"),
    (hearing, "HEAR_S"),
    (machine, "HEAR_S"),
    (machine, "RPC_S"),
    (session, "RPC_S"),
    (session, "PROBE_S"),
    (session, "ESTOP_S"),
)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give everything ten times as long as a mission does; a test of one limit sets that one itself."""
    for module, name in LIMITS:
        monkeypatch.setattr(module, name, 10.0 * getattr(module, name))
