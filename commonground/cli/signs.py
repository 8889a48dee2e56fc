"""Signs of life on stderr: what is being done, how far it is, and for how long already."""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonground.cli.streams import printable

if TYPE_CHECKING:
    from rich.console import Console

EVERY_S = 10.0
"""Between two lines where stderr is no terminal."""


@functools.cache
def stderr_console() -> Console:
    """Return the one console of stderr: lines go above what it draws, not into it."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def can_draw() -> bool:
    """Return whether stderr is a terminal on which what was written can be written over."""
    return sys.stderr.isatty() and not stderr_console().is_dumb_terminal


@contextmanager
def drawn(label: str, total: int | None, counted: bool) -> Iterator[Callable[[], object]]:
    """Draw what goes on on a terminal; yield what is to be called for each item that is done."""
    from rich import progress as rich

    named = rich.TextColumn("{task.description} …", markup=False)
    count = (rich.BarColumn(), rich.MofNCompleteColumn()) if counted else ()
    columns = (rich.SpinnerColumn(), named, *count, rich.TimeElapsedColumn())
    # what is printed meanwhile goes above, but into a pipe if that is where it should go
    shown, above = stderr_console(), sys.stdout.isatty()
    with rich.Progress(*columns, console=shown, transient=True, redirect_stdout=above) as bar:
        task = bar.add_task(printable(label), total=total)
        yield lambda: bar.advance(task)
    if not counted:
        shown.print(f"✓ {printable(label)} {bar.tasks[0].elapsed or 0.0:.1f} s", markup=False)


@contextmanager
def written(label: str, total: int | None, counted: bool) -> Iterator[Callable[[], object]]:
    """Write a line every few seconds; yield what is to be called for each item that is done."""
    done, over, start = [0], threading.Event(), time.monotonic()

    def tell() -> None:
        while not over.wait(EVERY_S):
            of = f" of {total} ({done[0] / total:.0%})" if total else ""
            how_far = f"{done[0]}{of}, " if counted else ""
            sys.stderr.write(f"{printable(label)}: {how_far}{time.monotonic() - start:.0f} s\n")
            sys.stderr.flush()

    threading.Thread(target=tell, daemon=True).start()
    try:
        yield lambda: done.__setitem__(0, done[0] + 1)
    finally:
        over.set()
