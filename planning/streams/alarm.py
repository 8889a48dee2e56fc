"""Time limit for procedures that do not return."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN_S = 1.0
"""The alarm repeats, in case that a procedure catches everything."""


class Late(BaseException):
    """The time is over."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise Late in this block after some seconds; never, outside the main thread or without alarms."""
    usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not usable or math.isinf(seconds):
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3), _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
