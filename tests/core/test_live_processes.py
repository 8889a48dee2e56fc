"""Processes of a live run: those that die go on, and those without room wait for it."""

from __future__ import annotations

import errno
import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from commonground.live.team import processes
from commonground.live.team.processes import Lines, Watched, is_full, watch
from commonground.reporter import Reporter


@dataclass(frozen=True)
class Job:
    out: Path


class Heard(Reporter):
    """Keeps what is noted."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def note(self, text: str) -> None:
        self.said.append(text)


def twice(job: Job, lines: Lines) -> None:
    """There is no room the first time."""
    mark = job.out / "tried"
    if not mark.exists():
        mark.touch()
        raise OSError(errno.ENOSPC, "No space left on device") from None
    lines.put("it is written now")


def reading(job: Job, lines: Lines) -> None:
    """There is no room the first time, and images are still read."""
    import cv2

    def read() -> None:
        while True:
            cv2.GaussianBlur(np.zeros((2000, 2000, 3), np.uint8), (31, 31), 5)

    threading.Thread(target=read, daemon=True).start()
    time.sleep(0.2)
    twice(job, lines)


def dies(job: Job, lines: Lines) -> None:
    os._exit(9)


def test_a_full_disk_ends_nothing_and_one_that_always_dies_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "LOOK_FOR_ROOM_S", 0.1)
    heard, given_up = Heard(), []
    job = Job(tmp_path)
    watched = [Watched("spot", twice, job, 0), Watched("husky", dies, job, 1)]
    watch(watched, heard, lambda one: given_up.append(one.name))
    assert given_up == ["husky"]
    spot = [line for line in heard.said if line.startswith("spot")]
    assert "there is no room" in spot[0] and spot[1:] == ["spot: there is room again; it goes on"]
    assert "it is written now" in heard.said
    assert sum("husky" in line for line in heard.said) == 2


def waits(job: Job, lines: Lines) -> None:
    while not (job.out / "go on").exists():
        time.sleep(0.01)


def test_a_frozen_process_is_told_and_that_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SILENT_S", 4.0)
    heard, job = Heard(), Job(tmp_path)
    husky = Watched("husky", waits, job, 0)
    assert husky.process.pid is not None
    os.kill(husky.process.pid, signal.SIGSTOP)

    def look() -> None:
        if len(heard.said) == 1:
            os.kill(husky.process.pid or 0, signal.SIGCONT)
        if len(heard.said) == 2:
            (tmp_path / "go on").touch()

    watch([husky], heard, lambda one: None, look)
    frozen, again = heard.said
    assert "nothing from husky's process for 4 s" in frozen
    assert f"kill -9 {husky.process.pid}" in frozen
    assert again == "husky: its process shows life again"


def test_one_that_still_reads_images_ends_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python aborts a process whose thread comes out of compiled code behind its end."""
    pytest.importorskip("cv2")
    monkeypatch.setattr(processes, "LOOK_FOR_ROOM_S", 0.1)
    heard = Heard()
    watch([Watched("spot", reading, Job(tmp_path), 0)], heard, lambda one: None)
    assert heard.said[1:] == ["spot: there is room again; it goes on", "it is written now"]


def test_no_room_is_known_behind_other_errors() -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    behind = RuntimeError("cannot be written")
    behind.__cause__ = full
    assert is_full(full) and is_full(behind)
    assert not is_full(OSError(errno.EACCES, "Permission denied"))
