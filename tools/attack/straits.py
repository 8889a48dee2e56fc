"""What goes wrong around a program: streams that take nothing, an alphabet too small, too little memory."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

Strait = Callable[[], None]


def full() -> None:
    """Print to a device without room."""
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def closed() -> None:
    """Have no output at all, as after ``>&-``."""
    os.close(1)
    sys.stdout = None  # type: ignore[assignment]


def left() -> None:
    """Print into a pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)
    sys.stdout = os.fdopen(
        1, "w", encoding="utf-8"
    )  # the one of before remembers a place in a file


def alphabet() -> None:
    """Print letters of ASCII only."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="ascii", errors="strict")  # type: ignore[union-attr]


def starved(megabytes: int) -> Strait:
    """Return what leaves that much memory to be asked for, as ``ulimit -v`` does."""

    def starve() -> None:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + (megabytes << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    return starve


def short_of_room() -> None:
    """Have no file grow beyond 64 KB, which stands for a disk that fills while a file is written."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, 64 << 10))


STRAITS: dict[str, Strait] = {
    "full": full,
    "closed": closed,
    "left": left,
    "alphabet": alphabet,
    "16 MB": starved(16),
    "128 MB": starved(128),
    "512 MB": starved(512),
    "room": short_of_room,
}
