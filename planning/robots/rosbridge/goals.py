"""Goals of Nav2 and move_base: the one that a robot has, and how it ended, in words."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from commonground.planning.robots.machine import DONE, RUNNING, Outcome, Pose

CREPT_M = 0.05
NO_WAY = {104: "it lost patience", 105: "it makes no progress", 106: "there is no way through"}
"""Error codes of Nav2's controller which say that something is in the way."""


class Goal:
    """The goal that a robot has, or had last."""

    def __init__(self, job: str, outcome: Outcome = RUNNING, action: str = "") -> None:
        self.job, self.outcome, self.action = job, outcome, action
        self.heard_s = time.monotonic()
        self._at: tuple[float, float] | None = None

    def crept(self, pose: Pose) -> bool:
        """Return whether the robot moved since it was last asked and said yes."""
        at = (pose.x, pose.y)
        if self._at is None or math.dist(at, self._at) > CREPT_M:
            moved, self._at = self._at is not None, at
            return moved
        return False


_PREEMPTED = Outcome(
    "failed", "stuck", "another goal, or somebody else, took the place of its goal"
)
_ABORTED = Outcome("failed", "blocked", "its controller found no way")
STATUS_2 = {4: DONE, 5: _PREEMPTED, 6: _ABORTED}
STATUS_1 = {
    2: _PREEMPTED,
    3: DONE,
    4: _ABORTED,
    5: Outcome("failed", "stuck", "its goal was rejected"),
    8: _PREEMPTED,
    9: Outcome("failed", "stuck", "its goal was lost"),
}


def why(values: Any) -> str:
    """Return what Nav2 or the bridge tells of a goal that was not taken, in words."""
    if not isinstance(values, dict):
        return f": {str(values)[:120]}" if values else ""
    code, said = values.get("error_code"), str(values.get("error_msg") or "")[:120]
    known = NO_WAY.get(code, f"error {code} of Nav2") if isinstance(code, int) and code else ""
    return "".join(f": {part}" for part in (known, said) if part)


def judged(status: int, code: int, known: Mapping[int, Outcome]) -> Outcome:
    """Return how a goal ended, by its status and Nav2's error code."""
    outcome = known.get(status, Outcome("failed", "stuck", f"its goal ended with status {status}"))
    if outcome is not _ABORTED or not code:
        return outcome
    if code in NO_WAY:
        return Outcome("failed", "blocked", NO_WAY[code])
    return Outcome("failed", "stuck", f"Nav2 gave up with error {code}")
