"""The journal of a mission: a line for each step, on the disk before anything of it is sent to a robot."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from commonground.atomic import write_error
from commonground.errors import MALFORMED, DataError, RunError
from commonground.planning.mission.events import (
    Answered,
    Decision,
    Input,
    Planned,
    of_json,
    to_json,
)
from commonground.reading import parse_json, read_bytes

FILE = "events.jsonl"
CLOCK = "clock.jsonl"
"""When by the clock its steps were, where robots are real; a journal itself is the same in each replay."""

LAST_S = 1e9
"""No mission takes thirty years, and a clock that is farther along no longer moves by a step."""


class Step(NamedTuple):
    """One step of a mission: when, what was told, what was decided."""

    time_s: float
    told: tuple[Input, ...]
    decided: tuple[dict[str, Any], ...]
    """As JSON values."""


class Journal:
    """A journal that this process alone may write, until it is closed."""

    def __init__(
        self,
        folder: Path,
        header: Mapping[str, Any] | None = None,
        tell: Callable[[Step], None] = lambda step: None,
    ) -> None:
        """Begin a journal with a header, or go on with the one that is there; it tells of each step."""
        self._tell, self._folder = tell, folder
        self._clock: IO[bytes] | None = None
        self._steps = 0
        self._path = path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # unbuffered: what did not fit on the disk is not tried again when the file is closed
            self._file = path.open("ab+", buffering=0)
        except OSError as error:
            raise write_error(path, error) from error
        if not _locked(self._file):
            self._file.close()
            raise RunError(f"{folder}: another process commands this mission; stop it there first")
        if header is not None:
            if path.stat().st_size:
                self._file.close()
                raise RunError(f"{folder}: there is a mission already; resume it, or name another")
            self._append(dict(header))
        else:
            self._file.truncate(_whole(path))

    def write(self, time_s: float, told: Sequence[Input], decided: Sequence[Decision]) -> None:
        """Write a step; it is on the disk when this returns."""
        step = Step(time_s, tuple(told), tuple(to_json(e) for e in decided))
        self._append(
            {"time_s": time_s, "told": [to_json(e) for e in told], "decided": step.decided}
        )
        if self._clock is not None:
            clock = datetime.datetime.now().astimezone().isoformat(" ", timespec="seconds")
            with contextlib.suppress(OSError):  # a full disk ends the mission by its journal
                self._clock.write(
                    json.dumps({"step": self._steps, "clock": clock}).encode() + b"\n"
                )
            self._steps += 1
        self._tell(step)

    def note_clock(self) -> None:
        """Note from now on when by the clock steps are."""
        try:
            self._clock = (self._folder / CLOCK).open("ab", buffering=0)
        except OSError as error:
            raise write_error(self._folder / CLOCK, error) from error
        self._steps = read_bytes(self._path, JOURNAL_MB).count(b"\n") - 1

    def close(self) -> None:
        """Let others write."""
        self._file.close()
        if self._clock is not None:
            self._clock.close()

    def _append(self, values: Mapping[str, Any]) -> None:
        line = memoryview(json.dumps(values, allow_nan=False).encode() + b"\n")
        try:
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
            there = os.fstat(self._file.fileno()).st_nlink > 0
        except OSError as error:
            raise write_error(self._path, error) from error
        if not there:
            raise RunError(
                f"{self._path}: was removed while the mission ran; all robots stand still"
            )


def _locked(file: IO[bytes]) -> bool:
    """Take a file for oneself; who only looks whether it is taken has it for a moment."""
    for _ in range(10):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.02)
        else:
            return True
    return False


def is_commanded(folder: Path) -> bool:
    """Return whether somebody, be it another process, carries out the mission now."""
    try:
        with (folder / FILE).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # it is not there, or not ours to read
        return False
    return False


JOURNAL_MB = 4096
"""Of what a mission wrote in all its days."""


def _whole(path: Path) -> int:
    """Return how many bytes of a file are whole lines; a process that was killed may leave half a line."""
    return read_bytes(path, JOURNAL_MB).rfind(b"\n") + 1


def read_header(folder: Path) -> dict[str, Any]:
    """Return what a mission was begun with."""
    for values in _lines(folder):
        return values
    raise RunError(f"{folder / FILE}: is empty; the mission never began, and its folder can go")


def read_clocks(folder: Path) -> dict[int, str]:
    """Return when by the clock steps were, as far as that was noted; half a line is none."""
    file, clocks = folder / CLOCK, dict[int, str]()
    for line in read_bytes(file, JOURNAL_MB).splitlines() if file.is_file() else ():
        with contextlib.suppress(*MALFORMED):
            values = parse_json(line, CLOCK)
            clocks[int(values["step"])] = str(values["clock"])
    return clocks


def read_steps(folder: Path) -> Iterator[Step]:
    """Yield the steps of a mission in turn."""
    lines = _lines(folder)
    next(lines, None)
    before_s = 0.0
    for number, values in enumerate(lines, start=2):
        try:
            step = _step(values)
            if not before_s <= step.time_s <= LAST_S:
                raise RunError(f"its time, {step.time_s:g} s, is none after {before_s:g} s")
        except RunError as error:
            raise RunError(f"{folder / FILE}, line {number}: {error}") from error
        before_s = step.time_s
        yield step


def plans_in_force(steps: Iterable[Step]) -> Iterator[Planned]:
    """Yield the plans of a mission in turn; one for more than was wanted before once somebody approved it."""
    joining, offered = set[int](), None
    for step in steps:
        for told in step.told:
            if isinstance(told, Planned) and not told.reason:
                if told.request in joining:
                    offered = told
                else:
                    yield told
            elif isinstance(told, Answered):
                if offered is not None and told.yes:
                    yield offered
                offered = None
        asks = (d for d in step.decided if d["kind"] == "ask")
        joining |= {ask["request"] for ask in asks if ask["rung"] == "join"}


def _step(values: Mapping[str, Any]) -> Step:
    """Return the step of a line; RunError where it is none."""
    time_s = values.get("time_s")
    if isinstance(time_s, bool) or not isinstance(time_s, int | float):
        raise RunError("its time is no number")
    told, _ = (_events(values, part) for part in ("told", "decided"))
    return Step(float(time_s), told, tuple(values["decided"]))  # type: ignore[arg-type]


def _events(values: Mapping[str, Any], part: str) -> tuple[Input | Decision, ...]:
    events = values.get(part)
    if not isinstance(events, list):
        raise RunError(f"'{part}' is no list of events")
    return tuple(of_json(event) for event in events)


def _lines(folder: Path) -> Iterator[dict[str, Any]]:
    path = folder / FILE
    try:
        text = read_bytes(path, JOURNAL_MB)
    except OSError as error:
        raise RunError(f"{path}: there is no such mission ({error.strerror})") from error
    for number, line in enumerate(text[: text.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            values = parse_json(line, f"{path}, line {number}")
        except DataError as error:
            raise RunError(str(error)) from error
        if not isinstance(values, dict):
            raise RunError(f"{path}, line {number} is no event")
        yield values
