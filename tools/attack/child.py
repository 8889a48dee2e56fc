"""One command in a process of its own, with bounds of time and memory, and told on where it writes."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.attack.operator import operate
from tools.attack.straits import Strait

LIMIT_S = 20
"""Seconds of a processor; a hang is more."""
WAIT_S = 20.0
"""Seconds in which nothing of it runs or wants to, however busy the machine is: it waits for nothing."""
_LOOK_S = 0.1
"""How often it is looked whether a command waits."""
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
    killed: bool = False
    """Whether it was killed as asked for."""


def carried_out(
    arguments: Sequence[str],
    folder: Path,
    wait_s: float = WAIT_S,
    *,
    until: str = "",
    limit_s: float = LIMIT_S,
    kill_after_s: float | None = None,
    strait: Strait | None = None,
) -> Ending:
    """Run a command in a folder, whose parent takes what it says; Ctrl-C once it has said ``until``.

    It may take ``limit_s`` of a processor, and ``wait_s`` of waiting for anything else; after
    ``kill_after_s`` it is killed, if it has not ended. A ``strait`` is what it is put into before.
    """
    output, told = folder.parent / "output.txt", folder.parent / "outside.txt"
    for file in (output, told):
        file.write_bytes(b"")
    began, number = time.monotonic(), os.fork()
    if number == 0:
        _become(arguments, folder, output, told, int(limit_s), strait)
    hung = killed = False
    idle_s, looked = 0.0, began
    try:
        while True:
            done, status, usage = os.wait4(number, os.WNOHANG)
            if done:
                break
            now = time.monotonic()
            if now - looked > _LOOK_S:
                idle_s += 0.0 if _works(number) else now - looked
                looked = now
            late = idle_s > wait_s
            killed = kill_after_s is not None and now - began > kill_after_s
            if until and until.encode() in output.read_bytes():
                until = ""
                os.kill(number, signal.SIGINT)
            if late or killed or _megabytes(number) > MOST_MB:
                hung = late
                _end_group(number)
                _, status, usage = os.wait4(number, 0)
                break
            time.sleep(0.02 if kill_after_s is None else 0.002)
    finally:
        _end_group(number)  # what helped it ends with it, and it ends with whoever began it
    code = os.waitstatus_to_exitcode(status)
    return Ending(
        code,
        time.monotonic() - began,
        usage.ru_maxrss / 1024,
        hung or code in (-signal.SIGXCPU, -signal.SIGKILL),
        output.read_text(encoding="utf-8", errors="replace"),
        tuple(sorted(set(told.read_text(encoding="utf-8", errors="replace").split("\n")) - {""})),
        killed,
    )


def _megabytes(number: int) -> float:
    try:
        pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
    except (OSError, IndexError):  # it is over
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _works(number: int) -> bool:
    """Return whether a process, or one that it started, runs, is about to, or waits for a disk."""
    for task in Path(f"/proc/{number}/task").glob("*"):
        try:
            state = (task / "stat").read_text().rpartition(")")[2].split()[0]
            children = (task / "children").read_text().split()
        except (OSError, IndexError):  # it is over
            continue
        if state in "RD" or any(_works(int(child)) for child in children):
            return True
    return False


def _end_group(number: int) -> None:
    try:
        os.killpg(number, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _become(
    arguments: Sequence[str],
    folder: Path,
    output: Path,
    told: Path,
    limit_s: int,
    strait: Strait | None,
) -> None:
    """Become the program; does not return."""
    code = 70
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
        os.chdir(folder)
        said = os.open(output, os.O_WRONLY | os.O_APPEND)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _tell_on_writes(folder, os.open(told, os.O_WRONLY | os.O_APPEND))
        from commonground.cli.main import main

        if strait is not None:
            strait()
        operate(arguments) if arguments[0].startswith("@") else main(arguments)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        with contextlib.suppress(OSError):  # the output may be what is broken
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
