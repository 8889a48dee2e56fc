"""Real time, as missions with real robots have it."""

from __future__ import annotations

import time


class WallClock:
    """Seconds since a mission began, all its interruptions left out."""

    def __init__(self, begin_s: float = 0.0) -> None:
        self._zero_s = time.monotonic() - begin_s

    def now_s(self) -> float:
        """Return the time of the mission."""
        return round(time.monotonic() - self._zero_s, 3)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)
