"""The end of a program: in order when it is asked to, and with its code whatever its threads are at."""

from __future__ import annotations

import atexit
import math
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_AGAIN_S = 1.0
_MOST_RINGS = 5
"""An alarm repeats, in case that what it is to end catches everything; then the program ends."""


def endings() -> tuple[signal.Signals, ...]:
    """Return the signals, beside that of Ctrl-C, that ask a program to end: a terminal that closes does, too.

    One that whoever began the program has it ignore, as nohup does, is none.
    """
    found = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))  # Windows has no SIGHUP
    return tuple(one for one in found if one and signal.getsignal(one) is not signal.SIG_IGN)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Let those end the program as Ctrl-C does: robots are told to stand, and what is kept is said."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, signal.default_int_handler) for one in endings()}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


class Leaving:
    """Ends this process with a code after all else that is done at its end, if it still has threads.

    Python lets a thread that is inside compiled code end where it asks for the interpreter again. C++ that
    asks for it in a destructor, as OpenCV and all that is made with pybind11 does, aborts the program then.
    Make it first thing: what is registered for the end later is done before.
    """

    def __init__(self, code: int) -> None:
        self.code = code
        """What the process ends with, as far as is known by now."""
        atexit.register(self._leave)

    def _leave(self) -> None:
        if threading.active_count() == 1:  # threads that are waited for have ended by now
            return
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, full or none
                stream.flush()
        os._exit(self.code)


class Late(BaseException):
    """The time is over."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise Late in this block after some seconds; never, outside the main thread or without alarms.

    What catches it again and again, as a loop around ``except BaseException`` does, ends with the program.
    """
    usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not usable or math.isinf(seconds):
        yield
        return
    rings = 0

    def ring(_signal: int, _frame: FrameType | None) -> None:
        nonlocal rings
        rings += 1
        if rings > _MOST_RINGS:
            sys.stderr.write("commonground: the time is over, and what was called does not end\n")
            sys.stderr.flush()
            os._exit(1)
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3), _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
