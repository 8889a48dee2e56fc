"""How late what a robot tells comes, by the stamps of its own clock, whatever that clock shows."""

from __future__ import annotations

import time

AGREED_S = 30.0
"""After one to two times so long, the least delay is that of a clock which was set, and none of the link."""


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
