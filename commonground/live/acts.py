"""Who did what about a mission, and when by the clock: beside its journal, the same in each replay."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from commonground.atomic import write_error
from commonground.errors import MALFORMED, RunError
from commonground.live.terminal import Terminal
from commonground.planning.mission.events import StopPressed
from commonground.planning.mission.explain import Telling
from commonground.planning.mission.journal import FILE, JOURNAL_MB, Step, read_clocks, read_steps
from commonground.reading import parse_json, read_bytes

ACTS = "acts.jsonl"


class Desk(NamedTuple):
    """Where a mission is commanded from."""

    by: str
    """Who sits there."""
    ask: Callable[[str], bool | StopPressed]
    tell: Callable[[str], None]
    terminal: Terminal | None = None
    """Where more is said while robots drive."""

    def answer(self, folder: Path, question: str) -> bool | StopPressed:
        """Return what is answered there, and note it."""
        said = self.ask(question)
        stops = isinstance(said, StopPressed)
        note(folder, self.by, "says stop" if stops else "says yes" if said else "says no")
        return said

    def broke_off(self, folder: Path, error: BaseException, left: str) -> None:
        """Note and tell that something ended a mission before its end, and how robots were left."""
        failed = isinstance(error, Exception) and not isinstance(
            error.__context__, KeyboardInterrupt
        )  # else it was asked, and somebody at the terminal interrupts that
        by, what = ("an error", f"ends it: {error}") if failed else (self.by, "interrupts it")
        note_down(folder, by, f"{what}; {left}" if left else what)
        if left:
            with contextlib.suppress(OSError, SystemExit):
                self.tell(left)

    def hear(self, step: Step) -> None:
        """Tell what was noticed in a step."""
        for decided in step.decided:
            if decided["kind"] == "note":
                with contextlib.suppress(OSError, SystemExit):  # nobody listens any more
                    self.tell(f"{step.time_s:.0f} s: {decided['text']}")


def note(folder: Path, by: str, what: str) -> None:
    """Add what somebody does now, with the time by the clock and how many steps the mission has had."""
    file = folder / FILE
    steps = read_bytes(file, JOURNAL_MB).count(b"\n") - 1 if file.exists() else 0
    clock = datetime.datetime.now().astimezone().isoformat(" ", timespec="seconds")
    act = {"clock": clock, "step": max(steps, 0), "by": by, "what": what}
    try:
        with (folder / ACTS).open("a+b") as written:
            end = written.seek(0, os.SEEK_END)
            written.seek(max(end - 1, 0))
            torn = written.read(1) not in (b"", b"\n")  # by a program that was killed
            written.write(b"\n" * torn + json.dumps(act).encode() + b"\n")
    except OSError as error:
        raise write_error(folder / ACTS, error) from error


def note_down(folder: Path, who: str, what: str) -> None:
    """Note what somebody did; a full disk holds up nobody who stops robots."""
    with contextlib.suppress(RunError, OSError):
        note(folder, who, what)


def happened(folder: Path) -> Iterator[str]:
    """Yield what happened in a mission, why and by whom, a line each."""
    acts, clocks, telling = list(_acts(folder)), read_clocks(folder), Telling(orders=True)
    for number, step in enumerate(read_steps(folder)):
        while acts and acts[0]["step"] <= number:
            yield _line(acts.pop(0))
        clock = f"{clocks[number][11:19]}  " if number in clocks else ""
        yield from (clock + line for line in telling.of(step))
    yield from map(_line, acts)


def _acts(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what was noted; lines that a killed program left half are passed over."""
    if not (folder / ACTS).exists():  # of a mission of before
        return
    for line in read_bytes(folder / ACTS, JOURNAL_MB).splitlines():
        try:
            act = parse_json(line, ACTS)
            yield {**act, "step": int(act["step"])}
        except MALFORMED:
            continue


def _line(act: dict[str, Any]) -> str:
    return f"{str(act.get('clock'))[:19]}  {act.get('by')} {act.get('what')}"
