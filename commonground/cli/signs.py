"""Signs of life on stderr: what is being done, how far it is, and for how long already."""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from commonground.cli.streams import printable

if TYPE_CHECKING:
    from rich.console import Console

EVERY_S = 10.0
"""Between two lines where stderr is no terminal."""
Advance = Callable[[], object]
"""Told of each item that is done."""


@functools.cache
def stderr_console() -> Console:
    """Return the one console of stderr: lines go above what it draws, not into it."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def signs(
    label: str, total: int | None = None, *, counted: bool = False, silent: bool = False
) -> AbstractContextManager[Advance]:
    """Return a context that shows what goes on: drawn on a terminal, else a line every few seconds."""
    if silent:
        return nullcontext(lambda: None)
    return (_drawn if sys.stderr.isatty() else _written)(printable(label), total, counted)


@contextmanager
def _drawn(label: str, total: int | None, counted: bool) -> Iterator[Advance]:
    from rich import progress as rich
    from rich.markup import escape

    named = rich.TextColumn("{task.description} …", markup=False)
    columns: list[rich.ProgressColumn] = [rich.SpinnerColumn(), named]
    if counted:
        columns += [rich.BarColumn(), rich.MofNCompleteColumn()]
    columns.append(rich.TimeElapsedColumn())
    # what is printed meanwhile goes above, but into a pipe if that is where it should go
    piped = not sys.stdout.isatty()
    with rich.Progress(
        *columns, console=stderr_console(), transient=True, redirect_stdout=not piped
    ) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)
    if not counted:
        took = f"{bar.tasks[0].elapsed or 0.0:.1f} s"
        stderr_console().print(f"[green]✓[/green] {escape(label)} [dim]{took}[/dim]")


@contextmanager
def _written(label: str, total: int | None, counted: bool) -> Iterator[Advance]:
    done, over, start = [0], threading.Event(), time.monotonic()

    def advance() -> None:
        done[0] += 1

    def tell() -> None:
        while not over.wait(EVERY_S):
            of = f" of {total} ({done[0] / total:.0%})" if total else ""
            how_far = f"{done[0]}{of}, " if counted else ""
            sys.stderr.write(f"{label}: {how_far}{time.monotonic() - start:.0f} s\n")
            sys.stderr.flush()

    threading.Thread(target=tell, daemon=True).start()
    try:
        yield advance
    finally:
        over.set()
