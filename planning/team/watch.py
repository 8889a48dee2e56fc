"""How planning tells when its time is up: by a clock, or by the work that was done.

By work, equal seeds give equal plans on every machine, however busy it is.
"""

from __future__ import annotations

import math
import time
from typing import Protocol

from commonground.compiled import compiling_s, waited_s
from commonground.planning.result import OutOfTime

STATES_PER_S = 200_000
"""So many joint positions of robots count as a second."""
STEPS_PER_S = 4_000_000
"""So many steps of one robot, looked at in searches over all robots together, count as a second."""
POINTS_PER_S = 400_000
"""So many points that robots are looked for on, each at all times, count as a second."""
ALONE_S = 0.015
"""A plan of one robot as if it were alone counts as so many seconds."""


class Watch(Protocol):
    """Tells how late it is."""

    def now_s(self) -> float:
        """Return seconds since some beginning."""
        ...

    def did(self, seconds: float) -> None:
        """Note work that takes about so many seconds."""
        ...

    def check(self, doing: str, share: float = 1.0) -> None:
        """Raise OutOfTime where even what is always tried has to end, or after a share of that time."""
        ...


class ClockWatch:
    """Goes by the clock, and ends everything after some seconds of processor time; compiling aside in both.

    What is always tried would otherwise depend on how busy the machine is.
    """

    def __init__(self, most_s: float = math.inf) -> None:
        self._begun_s, self._most_s = self._worked_s(), most_s

    @staticmethod
    def _worked_s() -> float:
        return time.thread_time() - compiling_s()

    def now_s(self) -> float:
        """Return the time of the clock, which stands still while loops are compiled."""
        return time.perf_counter() - waited_s()

    def did(self, seconds: float) -> None:
        """The clock goes by itself."""

    def check(self, doing: str, share: float = 1.0) -> None:
        """Raise OutOfTime after the last second."""
        if self._worked_s() > self._begun_s + share * self._most_s:
            raise OutOfTime(doing)


class WorkWatch:
    """Goes on by work alone."""

    def __init__(self) -> None:
        self._s = 0.0

    def now_s(self) -> float:
        """Return about how long the work would have taken on a machine with nothing else to do."""
        return self._s

    def did(self, seconds: float) -> None:
        self._s += seconds

    def check(self, doing: str, share: float = 1.0) -> None:
        """What is always tried is the same on every machine."""
