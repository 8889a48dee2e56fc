"""What a robot behind rosbridge tells of its battery, and when that is too old to go by."""

from __future__ import annotations

import time

GAPS = 3.0
"""A battery that was silent for so many times the longest gap heard before is told to be."""


class Battery:
    """The last word of a battery; how old one may be follows how often they came."""

    def __init__(self, topic: str, silent_s: float) -> None:
        self.topic, self._silent_s = topic, silent_s
        self._share: float | None = None
        self._heard_s = time.monotonic()
        self._longest_s = 0.0
        self._told = False
        """Whether it was told since somebody listens."""

    @property
    def share(self) -> float:
        """What is left of it as it was told last; all of it where it was never told."""
        return 1.0 if self._share is None else self._share

    @property
    def known(self) -> bool:
        """Whether it was told, or nobody asked for it."""
        return not self.topic or self._share is not None

    def tell(self, share: object) -> None:
        if (
            isinstance(share, bool)
            or not isinstance(share, float | int)
            or not 0.0 <= share <= 100.0
        ):
            return
        now_s = time.monotonic()
        if self._told:
            self._longest_s = max(self._longest_s, now_s - self._heard_s)
        # some drivers tell it in percent, against the definition
        self._share = float(share) if share <= 1.0 else float(share) / 100.0
        self._heard_s, self._told = now_s, True

    def listen(self) -> None:
        """Begin to count how long it is silent; what was before is no gap."""
        self._heard_s, self._told = time.monotonic(), False

    def stale(self) -> str:
        """Return how old its last word is, where that is older than it may be; else ''."""
        age_s = time.monotonic() - self._heard_s
        if not self.topic or age_s <= max(self._silent_s, GAPS * self._longest_s):
            return ""
        last = "" if self._share is None else f"; it was at {self._share:.0%}"
        return f"nothing was heard of its battery ({self.topic}) for {age_s:.0f} s{last}"
