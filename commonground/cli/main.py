"""The program ``commonground``: its commands, and the one place where errors become exit codes."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Sequence

import typer

from commonground.cli.command import join
from commonground.cli.endings import BUG, USAGE, known, system, unforeseen
from commonground.cli.streams import discard_output, finish_streams, prepare_streams
from commonground.errors import CommongroundError
from commonground.signals import Leaving

COMMANDS = (
    "demo", "run", "simulate", "data", "map", "fuse", "live", "localize", "find", "ground",
    "plan", "mission", "console", "household", "solve", "memory", "assemble", "eval", "export",
    "config", "doctor",
)  # fmt: skip
"""Modules of this package, each with its command or group as ``app``; the order is that of ``--help``."""

INTERRUPTED = 130
GARBAGE = 50_000
"""So many new objects are looked through for garbage at a time; Python's 700 cost 0.01 s of imports alone."""


def build(commands: Sequence[str] = COMMANDS) -> typer.Typer:
    """Return the program with some commands; each costs a few milliseconds."""
    app = typer.Typer(
        name="commonground",
        help="One shared 3D scene graph for a team of robots, and plain language to tell them what to do.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_version)
    for name in commands:
        join(app, importlib.import_module(f"commonground.cli.{name}").app)
    return app


def _version(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", is_eager=True, help="Print the version."),
) -> None:
    if version:
        from commonground import __version__

        sys.stdout.write(f"commonground {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")
        raise typer.Exit(USAGE)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave with DESIGN's exit codes: 0, 1 known, 2 usage, 3 an honest no, 70 a bug."""
    leaving = Leaving(BUG)
    args = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(GARBAGE, 10, 10)
    prepare_streams()
    leaving.code = run(args)
    finish_streams()
    sys.exit(leaving.code)


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code; the boundary where every error ends."""
    only = args[:1] if args and args[0] in COMMANDS else COMMANDS
    program = typer.main.get_command(build(only))
    try:
        code = program.main(args=list(args), prog_name="commonground", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # Typer turns Ctrl-C into an exit code
            raise KeyboardInterrupt
    except CommongroundError as error:
        return known(str(error), error.exit_code, args)
    except (KeyboardInterrupt, typer.Abort):
        return known("interrupted; what was finished is kept", INTERRUPTED, args)
    except BrokenPipeError:  # the reader of a pipe has left
        return _unread()
    except OSError as error:
        return system(error, args)
    except (
        SystemExit,
        GeneratorExit,
    ) as error:  # of code that a command was given, as a stream map
        if isinstance(error.__context__, BrokenPipeError):  # Click's own way to end then
            return _unread()
        return known(f"the code that was given ends the program ({error!r:.60})", 1, args)
    except Exception as error:  # noqa: BLE001 - the outermost boundary
        return unforeseen(error, args)
    return code if isinstance(code, int) else 0


def _unread() -> int:
    """End well although nobody reads on."""
    discard_output()
    return 0
