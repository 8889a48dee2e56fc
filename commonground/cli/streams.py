"""Standard streams as they may come: closed, full, without letters beyond ASCII, or read by a terminal."""

from __future__ import annotations

import os
import sys


def prepare_streams() -> None:
    """Have three open streams that print whatever they are given."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the next file that is opened would be taken for the stream
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def finish_streams() -> None:
    """Write out what is left; a stream that takes nothing any more is not complained about twice."""
    try:
        sys.stdout.flush()
    except OSError:
        discard_output()


def discard_output() -> None:
    """Send what is still to be printed nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def shown(text: str) -> str:
    """Return a text as one line that a terminal only shows: what would steer it is spelled out."""
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """Return a text whose control characters, but for ends of lines, are spelled out."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
