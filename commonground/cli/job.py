"""One call of one command: its settings, its seed, and where its words go."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer

from commonground.cli.signs import can_draw, drawn, written
from commonground.cli.streams import printable
from commonground.errors import CommongroundError, HonestNo

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from rich.console import Console

    from commonground.settings import Settings
    from commonground.story.config import Config

Section = TypeVar("Section", bound="Settings")
Item = TypeVar("Item")

PIPE_COLUMNS = 140
"""Width of tables that do not go to a terminal."""


@dataclass
class Job:
    """One call of one command. Results go to stdout; progress and warnings to stderr."""

    json: bool = False
    quiet: bool = False
    verbose: int = 0
    seed: int = 0
    config_file: Path | None = None
    overrides: Sequence[str] = ()
    told: dict[str, Any] = field(default_factory=dict)
    """What it found, as ``--json`` prints it."""
    figures: Callable[[], Mapping[str, Figure]] | None = None
    """Draws what goes beside a table that is written to a file."""
    caption: Sequence[str] = ()
    """What the columns of a table mean, where it is written to be read."""

    @functools.cached_property
    def config(self) -> Config:
        """The resolved settings: defaults, then ``--config``, then ``--set``."""
        from commonground.config import load_config
        from commonground.story.config import Config

        return load_config(Config, self.config_file, self.overrides)

    def section(self, name: str, model: type[Section]) -> Section:
        """Return one part's settings; all parts' are loaded only where a file or ``--set`` gives some."""
        given = self.config_file is not None or self.overrides
        return getattr(self.config, name) if given else model()

    @property
    def config_yaml(self) -> str:
        """The resolved settings as they are saved in a run directory."""
        from commonground.config import to_yaml

        return to_yaml(self.config)

    def rng(self) -> np.random.Generator:
        """Return a fresh random generator of this job's seed."""
        import numpy as np

        return np.random.default_rng(self.seed)

    @functools.cached_property
    def console(self) -> Console:
        """Where people read; silent with --json and --quiet."""
        from rich.console import Console

        # a file or pipe has no width of its own, and tables should not be squeezed there
        width = None if sys.stdout.isatty() else PIPE_COLUMNS
        quiet = self.json or self.quiet
        return Console(quiet=quiet, width=width, highlight=False, soft_wrap=True)

    def say(self, text: str = "") -> None:
        """Print a line for people, as it is: what maps, files and people say may look like markup."""
        self.console.print(printable(text), markup=False)

    def styled(self, text: str) -> None:
        """Print a line for people in which markup such as ``[bold]`` works; escape text that is not yours."""
        self.console.print(printable(text))

    def note(self, text: str) -> None:
        """Print a line of plain text for people, in passing."""
        self.console.print(printable(text), style="dim", markup=False)

    def lines(self, texts: Iterable[str], style: str | None = None) -> None:
        """Print lines of plain text for people."""
        for text in texts:
            if style is not None:
                self.console.print(printable(text), style=style, markup=False)
            elif not (self.json or self.quiet):  # plain text needs no Rich
                sys.stdout.write(printable(text) + "\n")

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table for people; numbers stand to the right."""
        from rich.table import Table
        from rich.text import Text

        body = [[printable(str(cell)) for cell in row] for row in rows]
        named = Text(title, "bold") if title else None
        table = Table(title=named, title_justify="left")
        for i, name in enumerate(columns):
            numeric = bool(body) and all(_is_number(row[i]) for row in body)
            table.add_column(Text(name), justify="right" if numeric else "left")
        for row in body:
            table.add_row(*map(Text, row))
        self.console.print(table, soft_wrap=False)

    def result(self, values: Mapping[str, Any]) -> None:
        """Keep what was found, and print it as the one JSON object of ``--json``; without it, nothing."""
        self.told = dict(values)
        if self.json:
            from commonground.tables import plain

            sys.stdout.write(json.dumps(values, default=plain, allow_nan=False) + "\n")

    def refuse(
        self, status: str, reason: str, values: Mapping[str, Any], failure: type[CommongroundError]
    ) -> NoReturn:
        """Leave with the exit code of a status: 1 for ``error``, else 3 for an honest no."""
        kind = failure if status == "error" else HonestNo
        if self.json:
            self.result(values)
            raise typer.Exit(kind.exit_code)
        raise kind(f"{status}: {reason}")

    def track(self, items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
        """Pass items on, with signs on stderr of how many were taken."""
        with self._signs(label, total, counted=True) as advance:
            for item in items:
                yield item
                advance()

    def phase(self, label: str) -> AbstractContextManager[object]:
        """Say on stderr what is going on while it lasts; where that is a terminal, how long it took."""
        return self._signs(label)

    def _signs(
        self, label: str, total: int | None = None, *, counted: bool = False
    ) -> AbstractContextManager[Callable[[], object]]:
        if self.json or self.quiet:
            return nullcontext(lambda: None)
        return (drawn if can_draw() else written)(label, total, counted)


def _is_number(cell: str) -> bool:
    try:
        float(cell.rstrip("%").replace(" ", "") or "x")
    except ValueError:
        return False
    return True
