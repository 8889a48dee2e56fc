"""One command in a process of its own, with bounds of time and memory, and told on where it writes."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIMIT_S = 20
"""Seconds of a processor; a hang is more."""
WAIT_S = 20.0
"""Seconds of the clock, of which a busy machine needs more."""
MOST_MB = 3072
"""What takes more is ended, for the machine's sake."""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CHANGES = {
    "os.mkdir": 0,
    "os.rename": 1,
    "os.remove": 0,
    "os.rmdir": 0,
    "os.symlink": 1,
    "os.link": 1,
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended."""

    code: int
    """Its exit code; of a signal below 0."""
    seconds: float
    megabytes: float
    hung: bool
    text: str
    outside: tuple[str, ...]
    """What it wrote elsewhere than in its folder."""


def carried_out(arguments: Sequence[str], folder: Path, wait_s: float = WAIT_S) -> Ending:
    """Run a command in a folder, whose parent takes what it says."""
    output, told = folder.parent / "output.txt", folder.parent / "outside.txt"
    for file in (output, told):
        file.write_bytes(b"")
    began, number = time.monotonic(), os.fork()
    if number == 0:
        _become(arguments, folder, output, told)
    hung = False
    while True:
        done, status, usage = os.wait4(number, os.WNOHANG)
        if done:
            break
        late = time.monotonic() - began > wait_s
        if late or _megabytes(number) > MOST_MB:
            hung = late
            _end_group(number)
            _, status, usage = os.wait4(number, 0)
            break
        time.sleep(0.02)
    _end_group(number)  # what helped it ends with it
    code = os.waitstatus_to_exitcode(status)
    return Ending(
        code,
        time.monotonic() - began,
        usage.ru_maxrss / 1024,
        hung or code in (-signal.SIGXCPU, -signal.SIGKILL),
        output.read_text(encoding="utf-8", errors="replace"),
        tuple(sorted(set(told.read_text(encoding="utf-8", errors="replace").split("\n")) - {""})),
    )


def _megabytes(number: int) -> float:
    try:
        pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
    except (OSError, IndexError):  # it is over
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _end_group(number: int) -> None:
    try:
        os.killpg(number, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _become(arguments: Sequence[str], folder: Path, output: Path, told: Path) -> None:
    """Become the program; does not return."""
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        said = os.open(output, os.O_WRONLY | os.O_APPEND)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _tell_on_writes(folder, os.open(told, os.O_WRONLY | os.O_APPEND))
        from commonground.cli.main import main

        main(arguments)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
    finally:
        sys.stdout.flush()
        os._exit(code)


def _tell_on_writes(folder: Path, told: int) -> None:
    """Note each path that is opened to be written, made, moved or removed outside of a folder."""
    home = folder.parent
    allowed = (f"{folder}{os.sep}", f"{home / 'tmp'}", f"{home / 'home'}", "/dev/", "/proc/")

    def heard(event: str, values: tuple[Any, ...]) -> None:
        if event == "open":
            path, writes = values[0], isinstance(values[2], int) and values[2] & _WRITES
        elif event in _CHANGES:
            path, writes = values[_CHANGES[event]], True
        else:
            return
        if not writes or not isinstance(path, str | bytes):
            return
        place = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - links are not followed
        if place != str(folder) and not place.startswith(allowed) and "__pycache__" not in place:
            os.write(told, os.fsencode(place.replace("\n", "?") + "\n"))

    sys.addaudithook(heard)
