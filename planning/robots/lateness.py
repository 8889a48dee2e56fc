"""How late what a robot tells comes: by the stamps of its own clock, and by how long it is asked."""

from __future__ import annotations

import time

AGREED_S = 30.0
"""After one to two times so long, the least delay is that of a clock which was set, and none of the link."""
STEADY_S = 2.0
"""Who did not answer in time is back once it has answered quickly for so long."""


class Lateness:
    """Compares how long each message took with the quickest of late; the quickest came at once."""

    def __init__(self) -> None:
        self._quickest = [float("inf"), float("inf")]
        """How far our clock was ahead of a stamp at least: in this span of time, and in the one before."""
        self._since_s = time.monotonic()

    def sent_s(self, stamp_s: float) -> float:
        """Return when what was heard just now was sent, on this computer's monotonic clock."""
        now_s = time.monotonic()
        if stamp_s == 0.0:  # it is told without a time
            return now_s
        if now_s - self._since_s > AGREED_S:
            self._quickest, self._since_s = [float("inf"), self._quickest[0]], now_s
        ahead_s = now_s - stamp_s
        self._quickest[0] = min(self._quickest[0], ahead_s)
        return now_s - (ahead_s - min(self._quickest))


class Promptness:
    """Whether who is asked answers in time; between in time and too late it stays as it was."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._down = ""
        """Why it is out of reach; empty while it is not."""
        self._quick_since_s = float("inf")

    def failed(self, why: str) -> str:
        """Take in that no answer came; return why it is out of reach."""
        self._down, self._quick_since_s = why, float("inf")
        return self._down

    def answered(self, asked_s: float, now_s: float) -> str:
        """Take in an answer; return why it is out of reach all the same, '' where it is not."""
        if not self._down:
            return ""
        took_s, quick_s = now_s - asked_s, self._limit_s / 2.0
        if took_s > quick_s:
            return self.failed(
                f"its answers take {took_s:.1f} s, and {quick_s:g} s at most is safe"
            )
        self._quick_since_s = min(self._quick_since_s, now_s)
        if now_s - self._quick_since_s >= STEADY_S:
            self._down = ""
        return self._down
