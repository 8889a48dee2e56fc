"""The decorator of every compiled loop, and why it is set as it is.

What was compiled is kept in ``__pycache__`` until its own file changes. After editing a compiled function
that others call from another file, delete the ``*.nbi`` there: its callers go on with the one of before.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, overload

log = logging.getLogger(__name__)
EVERY_S = 20.0
"""Seconds after which it is said again how many loops are compiled."""

Loop = TypeVar("Loop", bound=Callable[..., Any])


@overload
def compiled(loop: Loop) -> Loop: ...


@overload
def compiled(*, fastmath: bool = ..., inline: bool = ...) -> Callable[[Loop], Loop]: ...


def compiled(
    loop: Loop | None = None, *, fastmath: bool = False, inline: bool = False
) -> Loop | Callable[[Loop], Loop]:
    """Compile a function of numbers, arrays and NamedTuples of them with numba, on its first call.

    ``fastmath`` lets sums be taken in any order, several terms at a time: last digits then depend on the
    processor, and no value may be infinite or NaN. ``inline`` pastes the function into its callers before
    their types are known, which pays for a few lines only.
    """
    from numba import njit

    _announce_compiling()
    decorator: Callable[[Loop], Loop] = njit(
        cache=True,  # compiling takes seconds, reading what was compiled milliseconds
        nogil=True,  # robots are mapped and places matched in threads
        # x / 0 is inf as in NumPy: a check at each division would keep loops from being vectorized
        error_model="numpy",
        fastmath=fastmath,
        inline="always" if inline else "never",
    )
    return decorator if loop is None else decorator(loop)


@functools.cache
def _announce_compiling() -> None:
    """Have a process say, once, that it pauses to compile; loops found on disk are not compiled."""
    from numba.core import event

    class Announcement(event.Listener):  # type: ignore[misc]  # numba has no types
        def __init__(self) -> None:
            self.begun_s: list[float] = []
            self.since_s = 0.0

        def on_start(self, event: Any) -> None:
            if not self.begun_s:
                self.since_s = time.perf_counter()
                _say_compiling()
            self.begun_s.append(time.thread_time())

        def on_end(self, event: Any) -> None:
            begun_s = self.begun_s.pop()
            if not self.begun_s:  # loops are compiled while those that call them are
                _spent.seconds += time.thread_time() - begun_s
                _spent.waited_s += time.perf_counter() - self.since_s
                _spent.loops += 1

    event.register("numba:compile", Announcement())


def announced_by(first: Callable[[], bool]) -> None:
    """Let this process tell that it compiles only if ``first`` says that no other one has."""
    _spent.first = first


def was_announced() -> bool:
    """Return whether this process told that it compiles."""
    return _spent.told_s > 0.0


@contextmanager
def unannounced() -> Iterator[None]:
    """Compile without a word in this thread: nobody waits for it."""
    _quiet.on = True
    try:
        yield
    finally:
        _quiet.on = False


class _Quiet(threading.local):
    on = False


_quiet = _Quiet()


class _Spent:
    first: Callable[[], bool] = staticmethod(lambda: True)
    seconds = 0.0
    waited_s = 0.0
    loops = 0
    told_s = 0.0
    speaks = True


_spent = _Spent()


def compiling_s() -> float:
    """Return the seconds of processor time that went into compiling in this process."""
    return _spent.seconds


def waited_s() -> float:
    """Return the seconds by the clock that went into compiling in this process."""
    return _spent.waited_s


def _say_compiling() -> None:
    """Say at the first loop what is going on, and later how far it has come."""
    now = time.monotonic()
    if _quiet.on:
        return
    if not _spent.told_s:
        _spent.told_s = now
        _spent.speaks = _spent.first()
    if not _spent.speaks:
        return
    if not _spent.loops:
        log.warning(
            "compiling inner loops before their first use, once after an installation: some 40 for a map, a "
            "second or two each; 'commonground doctor --compile' does all ahead"
        )
    elif now - _spent.told_s >= EVERY_S:
        log.warning("%d inner loops compiled in %.0f s", _spent.loops, _spent.seconds)
        _spent.told_s = now
