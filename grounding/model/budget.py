"""What one question may take in all: time and bytes, whatever a server does with them."""

from __future__ import annotations

import threading
import time

from commonground.grounding.settings import ModelSettings


class Budget:
    """The time and bytes that are left for a question with all its retries."""

    def __init__(self, settings: ModelSettings) -> None:
        self.began = time.monotonic()
        self.deadline = self.began + settings.budget_s
        self.most_seconds = settings.timeout_s
        self.bytes_left = settings.max_bytes

    @property
    def seconds(self) -> float:
        """What the next answer may take."""
        return min(self.most_seconds, self.deadline - time.monotonic())

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.bytes_left <= 0 or time.monotonic() >= self.deadline

    @property
    def elapsed_s(self) -> float:
        """The time since the question was put."""
        return time.monotonic() - self.began

    def wait(self, seconds: float, cancelled: threading.Event | None = None) -> None:
        """Wait, but not beyond the deadline."""
        left = max(0.0, min(seconds, self.deadline - time.monotonic()))
        (cancelled or threading.Event()).wait(left)
