"""The decorator that makes a function a command with the options every command has."""

from __future__ import annotations

import copy
import functools
import inspect
import logging
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from commonground.cli.job import Job
from commonground.cli.outputs import check_outputs
from commonground.cli.signs import stderr_console
from commonground.cli.streams import printable
from commonground.errors import ConfigError
from commonground.reading import MOST_SEED

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
VerboseOption = Annotated[
    int, typer.Option("-v", "--verbose", count=True, min=0, max=9, help="Say more; -vv everything.")
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=MOST_SEED, help="Seed of everything random.")
]
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
            _check_finite(values)
            check_outputs(values)
            function(job, **values)

        wrapper.__signature__ = signature.replace(parameters=[*keyword_only, *shared])  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in [*keyword_only, *shared]}
        app.command(name, **options)(wrapper)
        return function

    return register


def join(program: typer.Typer, part: typer.Typer) -> None:
    """Add a module's commands to a program; a group, which has a name, comes as a whole."""
    if part.info.name:
        program.add_typer(part)
    else:
        program.registered_commands += part.registered_commands


def _check_finite(values: Mapping[str, Any]) -> None:
    """Raise ConfigError for a number that is none, or has no end; ranges let what is not a number pass."""
    for name, value in values.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ConfigError(f"--{name.replace('_', '-')} {value}: is no number to work with")


def _set_up_logging(job: Job) -> None:
    """Send the library's words to stderr: warnings by default, more with -v, errors only with --quiet."""
    level = (
        logging.ERROR
        if job.quiet
        else [logging.WARNING, logging.INFO, logging.DEBUG][min(job.verbose, 2)]
    )
    handler = _ToStderr(job.verbose > 1)
    if not job.verbose:
        handler.addFilter(_Once())
    everybody = logging.getLogger()
    if not (job.verbose or everybody.handlers):  # what other libraries say on their own is for -v
        everybody.addHandler(logging.NullHandler())
    root = logging.getLogger("commonground")
    root.handlers[:] = [handler]
    root.setLevel(level)
    root.propagate = False


class _ToStderr(logging.Handler):
    """Prints with Rich, which is loaded only when there is something to print."""

    def __init__(self, show_path: bool) -> None:
        super().__init__()
        self.show_path = show_path

    @functools.cached_property
    def printer(self) -> logging.Handler:
        """Who prints."""
        from rich.logging import RichHandler

        return RichHandler(
            console=stderr_console(), show_time=False, show_path=self.show_path, markup=False
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record, with what would steer the terminal spelled out."""
        shown = copy.copy(record)
        shown.msg, shown.args = printable(record.getMessage()), None
        self.printer.emit(shown)


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
