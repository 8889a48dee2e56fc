"""What every command has: where its words go, its settings, its seed; and the decorator that adds them."""

from __future__ import annotations

import functools
import inspect
import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from commonground.errors import CommongroundError, HonestNo

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

    from commonground.story.config import Config

Item = TypeVar("Item")

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
VerboseOption = Annotated[
    int, typer.Option("-v", "--verbose", count=True, help="Say more; -vv everything.")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything random.")]
ConfigOption = Annotated[Path | None, typer.Option("--config", help="YAML file with settings.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", help="One setting, as section.name=value; repeatable.")
]
SHARED: dict[str, tuple[Any, Any]] = {
    "json_": (JsonOption, False),
    "quiet": (QuietOption, False),
    "verbose": (VerboseOption, 0),
    "seed": (SeedOption, 0),
    "config": (ConfigOption, None),
    "set_": (SetOption, None),
}
"""The options of every command: parameter name → (annotation, default)."""


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

    @functools.cached_property
    def config(self) -> Config:
        """The resolved settings: defaults, then ``--config``, then ``--set``."""
        from commonground.config import load_config
        from commonground.story.config import Config

        return load_config(Config, self.config_file, self.overrides)

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
        """Print a line for people. Markup such as ``[bold]`` works; escape text that is not yours."""
        self.console.print(text)

    def note(self, text: str) -> None:
        """Print a line of plain text for people, in passing."""
        self.console.print(text, style="dim", markup=False)

    def lines(self, texts: Iterable[str], style: str | None = None) -> None:
        """Print lines of plain text for people."""
        for text in texts:
            self.console.print(text, style=style, markup=False)

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table for people; numbers stand to the right."""
        from rich.table import Table
        from rich.text import Text

        body = [[str(cell) for cell in row] for row in rows]
        table = Table(title=title or None, title_justify="left", title_style="bold")
        for i, name in enumerate(columns):
            numeric = bool(body) and all(_is_number(row[i]) for row in body)
            table.add_column(name, justify="right" if numeric else "left")
        for row in body:
            table.add_row(*map(Text, row))
        self.console.print(table, soft_wrap=False)

    def result(self, values: Mapping[str, Any]) -> None:
        """Print the one JSON object of ``--json``; without it, nothing."""
        if self.json:
            sys.stdout.write(json.dumps(values, default=_plain, allow_nan=False) + "\n")

    def refuse(
        self,
        status: str,
        reason: str,
        values: Mapping[str, Any],
        failure: type[CommongroundError],
    ) -> NoReturn:
        """Leave with the exit code of a status: 1 for ``error``, else 3 for an honest no."""
        kind = failure if status == "error" else HonestNo
        if self.json:
            self.result(values)
            raise typer.Exit(kind.exit_code)
        raise kind(f"{status}: {reason}")

    def track(self, items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
        """Pass items on, with a progress bar on stderr where that is a terminal."""
        from rich.console import Console
        from rich.progress import track

        silent = self.json or self.quiet or not sys.stderr.isatty()
        console = Console(stderr=True)
        yield from track(items, label, total=total, console=console, disable=silent, transient=True)

    @contextmanager
    def phase(self, label: str) -> Iterator[None]:
        """Say what is going on while it lasts and how long it took, on stderr where that is a terminal."""
        import time

        from rich.console import Console

        if self.json or self.quiet or not sys.stderr.isatty():
            yield
            return
        console, start = Console(stderr=True, highlight=False), time.monotonic()
        with console.status(f"{label} …"):
            yield
        console.print(f"[green]✓[/green] {label} [dim]{time.monotonic() - start:.1f} s[/dim]")


def _is_number(cell: str) -> bool:
    try:
        float(cell.rstrip("%").replace(" ", "") or "x")
    except ValueError:
        return False
    return True


def _plain(value: Any) -> Any:
    """Return JSON's form of paths and of numpy's numbers and arrays."""
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def command(
    app: typer.Typer, name: str, **options: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register ``f(job, …)`` as a command whose options are its own and those of every command."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function, eval_str=True)
        own = list(signature.parameters.values())[1:]
        shared = [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            for key, (kind, default) in SHARED.items()
        ]
        keyword_only = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]

        @functools.wraps(function)
        def wrapper(**values: Any) -> None:
            job = Job(
                json=values.pop("json_"),
                quiet=values.pop("quiet"),
                verbose=values.pop("verbose"),
                seed=values.pop("seed"),
                config_file=values.pop("config"),
                overrides=values.pop("set_") or (),
            )
            _set_up_logging(job)
            function(job, **values)

        wrapper.__signature__ = signature.replace(parameters=[*keyword_only, *shared])  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in [*keyword_only, *shared]}
        app.command(name, **options)(wrapper)
        return function

    return register


def _set_up_logging(job: Job) -> None:
    """Send the library's words to stderr: warnings by default, more with -v, errors only with --quiet."""
    from rich.console import Console
    from rich.logging import RichHandler

    level = (
        logging.ERROR
        if job.quiet
        else [logging.WARNING, logging.INFO, logging.DEBUG][min(job.verbose, 2)]
    )
    handler = RichHandler(
        console=Console(stderr=True), show_time=False, show_path=job.verbose > 1, markup=False
    )
    if not job.verbose:
        handler.addFilter(_Once())
    root = logging.getLogger("commonground")
    root.handlers[:] = [handler]
    root.setLevel(level)
    root.propagate = False


class _Once(logging.Filter):
    """Lets each sentence through once: a damaged file is opened many times and named one time."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether this sentence is new."""
        sentence = record.getMessage()
        fresh = sentence not in self._said
        self._said.add(sentence)
        return fresh
