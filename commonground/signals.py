"""A program that is asked to end, as by systemd, ends in order like one that is told to by Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Let SIGTERM end the program as Ctrl-C does: robots are told to stand, and what is kept is said."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
