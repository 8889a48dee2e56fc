"""A mission of the log as it went: where each robot was, and what it told, at any of its moments."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from commonground.console.drive import Progress
from commonground.planning.mission.events import Heard
from commonground.planning.mission.journal import Step
from commonground.planning.robots.protocol import Status


class Replay:
    """What robots told in a mission, by time."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._told: dict[str, tuple[list[float], list[Status]]] = {}
        self.end_s = steps[-1].time_s if steps else 0.0
        for step in steps:
            for told in step.told:
                if isinstance(told, Heard):
                    times, statuses = self._told.setdefault(told.robot, ([], []))
                    times.append(step.time_s)
                    statuses.append(told.status)

    def at(self, time_s: float) -> dict[str, Progress]:
        """Return what was known of each robot at a time."""
        found = {}
        for name, (times, statuses) in self._told.items():
            k = bisect.bisect_right(times, time_s) - 1
            if k >= 0:
                found[name] = Progress(statuses[k], statuses[k].order, 0, 0)
        return found
