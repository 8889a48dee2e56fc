"""The program ``commonground``: its commands, and the one place where errors become exit codes."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import typer

from commonground.errors import CommongroundError

COMMANDS = (
    "demo",
    "run",
    "simulate",
    "data",
    "map",
    "fuse",
    "localize",
    "ground",
    "plan",
    "mission",
    "household",
    "solve",
    "memory",
    "assemble",
    "eval",
    "export",
    "config",
    "doctor",
)
"""Modules of this package, each adding its command or group; the order is that of ``--help``."""

BUG = 70
USAGE = 2
INTERRUPTED = 130


def build() -> typer.Typer:
    """Return the program with every command; importing a command module costs about a millisecond."""
    app = typer.Typer(
        name="commonground",
        help="One shared 3D scene graph for a team of robots, and plain language to tell them what to do.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_version)
    for name in COMMANDS:
        importlib.import_module(f"commonground.cli.{name}").add(app)
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
    args = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(args))


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code; the boundary where every error ends."""
    program = typer.main.get_command(build())
    try:
        code = program.main(args=list(args), prog_name="commonground", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # Typer turns Ctrl-C into an exit code
            raise KeyboardInterrupt
    except CommongroundError as error:
        return _known(str(error), error.exit_code, args)
    except (KeyboardInterrupt, typer.Abort):
        return _known("interrupted; what was finished is kept", INTERRUPTED, args)
    except BrokenPipeError:  # the reader of a pipe has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        from commonground.atomic import write_error

        where = Path(str(error.filename)) if error.filename else Path()
        return _known(str(write_error(where, error)), 1, args)
    except RecursionError:
        return _known("the input is nested more deeply than can be worked with", 1, args)
    except MemoryError:
        return _known("out of memory; try a smaller input or a coarser resolution", 1, args)
    except Exception as error:  # noqa: BLE001 - the outermost boundary
        if hasattr(error, "format_message"):  # typer's own: unknown option, bad value
            return _usage(error)
        return _bug(error, args)
    return code if isinstance(code, int) else 0


def _known(message: str, code: int, args: Sequence[str]) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"commonground: {line}\n")
    if "--json" in args:
        sys.stdout.write(json.dumps({"status": "error", "reason": line, "exit_code": code}) + "\n")
    return code


def _usage(error: Exception) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "commonground"
    message = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    if not message:  # a group named without a command shows its help
        return USAGE
    sys.stderr.write(f"commonground: {message}\nTry '{path} --help'.\n")
    return USAGE


def _bug(error: Exception, args: Sequence[str]) -> int:
    traceback.print_exception(error)
    shown = " ".join(args)
    sys.stderr.write(
        f"\ncommonground: a bug, sorry: {type(error).__name__} in 'commonground {shown}'. "
        "Please report it with the lines above and the output of 'commonground doctor'.\n"
    )
    return BUG


if __name__ == "__main__":
    main()
