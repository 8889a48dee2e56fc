"""How the program ends when it does not end well: one line, an exit code, and with a bug what to report."""

from __future__ import annotations

import errno
import json
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from commonground.cli.streams import discard_output, shown

BUG = 70
USAGE = 2
LONGEST = 4000
"""Characters of a message; what was given may be quoted in it, however long it is."""


def known(message: str, code: int, args: Sequence[str]) -> int:
    """Say a known error in one line, as JSON too where that is asked for; return its exit code."""
    line = shown(message)
    line = line if len(line) <= LONGEST else f"{line[:LONGEST]} …"
    sys.stderr.write(f"commonground: {line}\n")
    if "--json" in args:
        try:
            sys.stdout.write(
                json.dumps({"status": "error", "reason": line, "exit_code": code}) + "\n"
            )
        except OSError:  # the output is what failed
            discard_output()
    return code


def system(error: OSError, args: Sequence[str]) -> int:
    """Tell what the system would not do, the output itself among it."""
    from commonground.atomic import write_error

    if not error.filename and (error.errno == errno.ENOSPC or not _output_works()):
        return known(f"the output cannot be written: {error.strerror}", 1, ())
    where = Path(str(error.filename)) if error.filename else Path()
    return known(str(write_error(where, error)), 1, args)


def unforeseen(error: Exception, args: Sequence[str]) -> int:
    """Tell what a user can do something about; all else is a bug."""
    from concurrent.futures import BrokenExecutor

    from commonground.installation import missing_library

    if _out_of_memory(error):
        return known("out of memory; try a smaller input or a coarser resolution", 1, args)
    if isinstance(error, BrokenExecutor):
        return known(
            "a process that helped was ended from outside, as by a lack of memory; give it more, or try "
            "with fewer jobs",
            1,
            args,
        )
    if isinstance(error, RecursionError):
        return known("the input is nested more deeply than can be worked with", 1, args)
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        given = ascii(error.object)[:60]
        return known(f"{given} holds half a character, which cannot be written", 1, args)
    if hasattr(error, "format_message"):  # typer's own: unknown option, bad value
        return _usage(error)
    missing = missing_library(error.name) if isinstance(error, ModuleNotFoundError) else None
    return _bug(error, args) if missing is None else known(missing, 1, args)


def _out_of_memory(error: Exception) -> bool:
    """Return whether an error is what threads and libraries make of memory that they do not get."""
    words = ("can't start new thread", "failed to map segment", "cannot allocate memory")
    return isinstance(error, MemoryError) or any(part in str(error).lower() for part in words)


def _output_works() -> bool:
    try:
        sys.stdout.flush()
    except OSError:
        discard_output()
        return False
    return True


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
