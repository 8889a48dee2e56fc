"""Processes of a live run: started, watched, and started again from what they kept if they die.

One that finds the disk full ends, and is started again when there is room; that is no fault of its own.
"""

from __future__ import annotations

import errno
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from commonground.live.team.folder import LiveFolder
from commonground.live.team.state import SILENT_S
from commonground.reporter import Reporter
from commonground.signals import Leaving
from commonground.workers import FRAMES, leave_with_parent, starter

LOOK_EVERY_S = 0.2
BEAT_S = 2.0
FULL = 75
"""Exit code of a process that could not write (EX_TEMPFAIL of sysexits.h)."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
ROOM_MB = 64
"""With so much free space a process goes on."""
LOOK_FOR_ROOM_S = 5.0
FUSING = "commonground.live.team.fusing"


class Lines(Protocol):
    """Where processes put lines for whoever watches."""

    def put(self, line: str, /) -> None:
        """Take a line."""


class Job(Protocol):
    """What a process needs to know."""

    @property
    def out(self) -> Path:
        """The run directory."""


Work: TypeAlias = Callable[[Any, Lines], None]


def is_full(error: BaseException | None) -> bool:
    """Return whether an error, or what caused it, says that there is no room on the disk."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return True
        error = error.__cause__
    return False


class Watched:
    """One process of a live run."""

    def __init__(self, name: str, work: Work, job: Job, restarts: int) -> None:
        self.name, self.work, self.job, self.restarts = name, work, job, restarts
        # whichever of a run's processes is the first: fusing needs what it loads besides
        self._context = starter(work.__module__, *FRAMES, FUSING)
        self.lines = self._context.SimpleQueue()
        """What it says."""
        self._full_s: float | None = None
        self._silent = False
        self.process = self._started()

    def _started(self) -> ForkServerProcess:
        beat = partial(LiveFolder(self.job.out).beat, self.name)
        beat()  # how long it is silent counts from here
        process = self._context.Process(target=_alone, args=(self.work, self.job, self.lines, beat))
        process.start()
        return process

    @property
    def ended(self) -> bool:
        return self.process.exitcode == 0

    def look(self, reporter: Reporter) -> bool:
        """Start the process again if it died; return False if it is not to run any more."""
        while not self.lines.empty():
            reporter.note(self.lines.get())
        code = self.process.exitcode
        self._mind_silence(reporter, runs=code is None)
        if code is None:
            return True
        if code == 0:
            return False
        if code == FULL:
            return self._when_there_is_room(reporter)
        if self.restarts == 0:
            reporter.note(f"{self.name}: its process ended ({code}) too often; it is given up")
            return False
        self.restarts -= 1
        reporter.note(f"{self.name}: its process ended ({code}); it goes on in a new one")
        self.process = self._started()
        return True

    def _mind_silence(self, reporter: Reporter, *, runs: bool) -> None:
        """Tell once that nothing comes from the process, and once that it goes on."""
        silent_s = LiveFolder(self.job.out).silent_s(self.name) or 0.0
        if runs and not self._silent and silent_s > SILENT_S:
            self._silent = True
            reporter.note(
                f"nothing from {self.name}'s process for {silent_s:.0f} s; it may be frozen: kill -9 "
                f"{self.process.pid} has it go on in a new one, from what it kept"
            )
        elif self._silent and silent_s <= SILENT_S:
            self._silent = False
            reporter.note(f"{self.name}: its process shows life again")

    def _when_there_is_room(self, reporter: Reporter) -> bool:
        now = time.monotonic()
        if self._full_s is None:
            reporter.note(
                f"{self.name}: there is no room for {self.job.out}; it goes on from what it kept when "
                f"{ROOM_MB} MB are free"
            )
        elif now - self._full_s < LOOK_FOR_ROOM_S:
            return True
        elif shutil.disk_usage(self.job.out).free > ROOM_MB << 20:
            reporter.note(f"{self.name}: there is room again; it goes on")
            self._full_s, self.process = None, self._started()
            return True
        self._full_s = now
        return True


def _alone(work: Work, job: Job, lines: Lines, beat: Callable[[], None]) -> None:
    """Do a process's work; it ends with the one that started it, and Ctrl-C is left to that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leaving = Leaving(1)  # frames may still be read when mapping ends with an error
    leave_with_parent()
    threading.Thread(target=_live, args=(beat,), daemon=True).start()
    try:
        work(job, lines)
    except Exception as error:
        if not is_full(error):
            raise
        leaving.code = FULL
        sys.exit(FULL)
    leaving.code = 0


def _live(beat: Callable[[], None]) -> None:
    """Show from time to time that this process is not frozen, whatever it does."""
    while True:
        beat()
        time.sleep(BEAT_S)


def watch(
    watched: Sequence[Watched],
    reporter: Reporter,
    give_up: Callable[[Watched], None],
    look: Callable[[], None] = lambda: None,
) -> None:
    """Wait for all processes, looking about meanwhile; one that died too often is given up."""
    running = list(watched)
    while running:
        for one in list(running):
            if not one.look(reporter):
                running.remove(one)
                if not one.ended:
                    give_up(one)
        look()
        time.sleep(LOOK_EVERY_S)
