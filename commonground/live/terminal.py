"""The standard input of a mission: a line answers what is asked, and is said to robots that drive else."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from commonground.errors import RunError
from commonground.live.control import answer, called, control
from commonground.planning.mission.events import StopPressed

if TYPE_CHECKING:
    from commonground.grounding.grounder import Grounder
    from commonground.robots import Team
    from commonground.scene import SceneGraph

LOOK_S = 0.05
MOST_KEPT = 16
"""Answers that a pipe has before they are asked for."""
MOST_LINE = 4096


class Terminal:
    """Whoever sits there, or what a pipe brings."""

    def __init__(
        self, reader: Callable[[SceneGraph, Team], Grounder], write: Callable[[str], None]
    ) -> None:
        self.reader = reader
        """Makes what reads instructions."""
        self._write = write
        self._news = threading.Condition()
        self._answers = deque[str](maxlen=MOST_KEPT)
        self._asking = self._listening = self._ended = False
        self._rest = b""

    def ask(self, question: str) -> bool | StopPressed:
        """Return what is answered; RunError where nobody answers."""
        self._print(question.replace("; ", "\n") + "\n [y/N]: ", nl=False)
        while True:
            if (said := said_yes(self._answer())) is not None:
                return said
            self._print("Error: answer y or n; stop ends the mission\n [y/N]: ", nl=False)

    def warn(self, text: str) -> None:
        """Say what has to be heard, with --quiet and --json as well."""
        self._print(text)

    @contextlib.contextmanager
    def opened(self, hear: Callable[[str], None], left: Callable[[], None]) -> Iterator[None]:
        """Let each line be heard that answers nothing; ``left`` is called where no more come."""
        over = threading.Event()

        def listen() -> None:
            while (line := self._line(over)) is not None and not over.is_set():
                self._take(line, hear)
            with self._news:
                self._ended = not over.is_set()
                self._news.notify_all()
            if self._ended:
                left()

        thread = threading.Thread(target=listen, name="terminal", daemon=True)
        self._listening = True
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(LOOK_S * 10)
            self._listening = False

    def _take(self, line: str, hear: Callable[[str], None]) -> None:
        """Keep a line for what is asked, or let it be heard."""
        plain = answer(line) is not None
        with self._news:
            asking = self._asking
            if (asking and control(line) != "pause") or (plain and not _is_terminal()):
                self._answers.append(line)
                self._news.notify_all()
        if plain and not asking and not _is_terminal():
            time.sleep(LOOK_S)  # it answers what is asked later; a pipe may say yes without an end
        elif not asking or (not plain and called(line) == "pause"):
            hear(line)

    def _answer(self) -> str:
        """Return the next line that answers a question."""
        if not self._listening:
            line = None if self._ended else self._line(threading.Event())
        else:
            with self._news:
                self._asking = True
                try:
                    self._news.wait_for(lambda: self._answers or self._ended)
                finally:
                    self._asking = False
                line = self._answers.popleft() if self._answers else None
        if line is None:
            raise RunError("nobody answers on the standard input; --yes approves every plan")
        return line

    def _line(self, over: threading.Event) -> str | None:
        """Return the next line; None where there is none any more.

        A program in the background of a shell would be held up for reading its terminal, robots and all.
        """
        while b"\n" not in self._rest and not over.is_set():
            try:
                at = sys.stdin.fileno()
                ready = select.select([at], [], [], LOOK_S)[0]
            except (OSError, ValueError, AttributeError):  # no file, or none that can be waited for
                return _read_line()
            if ready and _in_front(at):
                if not (more := os.read(at, MOST_LINE)):
                    last, self._rest = self._rest, b""
                    return last.decode(errors="replace") or None
                self._rest = (self._rest + more)[-(1 << 16) :]
            elif ready:
                over.wait(LOOK_S)
        line, _, self._rest = self._rest.partition(b"\n")
        return None if over.is_set() else line.decode(errors="replace")

    def _print(self, text: str, *, nl: bool = True) -> None:
        with contextlib.suppress(OSError):  # nobody reads it any more
            self._write(text + "\n" * nl)


def said_yes(said: str) -> bool | StopPressed | None:
    """Return whether an answer is yes; None where it is neither, and the question comes again.

    A stop is no answer to what is asked, but ends the mission.
    """
    if called(said) == "stop":
        return StopPressed(f"the operator said “{' '.join(said.split())}”")
    return control(said) == "go on" or (answer(said) if said.strip() else False)


def _read_line() -> str | None:
    try:
        line = sys.stdin.readline()
    except (OSError, ValueError, AttributeError):  # closed, or none
        return None
    return line.rstrip("\n") if line else None


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _in_front(at: int) -> bool:
    """Return whether this program may read a file: a terminal only in front of its shell."""
    try:
        return not os.isatty(at) or os.tcgetpgrp(at) == os.getpgrp()
    except OSError:  # it commands no programs
        return True
