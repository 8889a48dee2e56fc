"""What one question may take in all: time and bytes, whatever a server does with them."""

from __future__ import annotations

import threading
import time

from commonground.grounding.model.transport import Meter
from commonground.grounding.settings import ModelSettings


class Budget:
    """The time and bytes that are left for a question with all its retries."""

    def __init__(self, settings: ModelSettings) -> None:
        self.deadline = time.monotonic() + settings.budget_s
        self.most_seconds = settings.timeout_s
        self.meter = Meter(settings.max_bytes)

    @property
    def seconds(self) -> float:
        """What the next answer may take."""
        return min(self.most_seconds, self.deadline - time.monotonic())

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.meter.left <= 0 or time.monotonic() >= self.deadline

    def wait(self, seconds: float, cancelled: threading.Event | None = None) -> None:
        """Wait, but not beyond the deadline."""
        left = max(0.0, min(seconds, self.deadline - time.monotonic()))
        (cancelled or threading.Event()).wait(left)
