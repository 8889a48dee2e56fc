"""Processes of a live run: those that die go on, and those without room wait for it."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from commonground.live.team import processes
from commonground.live.team.processes import Lines, Watched, is_full, watch
from commonground.reporter import Reporter


@dataclass(frozen=True)
class Job:
    out: Path
    parent: int


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


def dies(job: Job, lines: Lines) -> None:
    os._exit(9)


def test_a_full_disk_ends_nothing_and_one_that_always_dies_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "LOOK_FOR_ROOM_S", 0.1)
    heard, given_up = Heard(), []
    job = Job(tmp_path, os.getpid())
    watched = [Watched("spot", twice, job, 0), Watched("husky", dies, job, 1)]
    watch(watched, heard, lambda one: given_up.append(one.name))
    assert given_up == ["husky"]
    spot = [line for line in heard.said if line.startswith("spot")]
    assert "there is no room" in spot[0] and spot[1:] == ["spot: there is room again; it goes on"]
    assert "it is written now" in heard.said
    assert sum("husky" in line for line in heard.said) == 2


def test_no_room_is_known_behind_other_errors() -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    behind = RuntimeError("cannot be written")
    behind.__cause__ = full
    assert is_full(full) and is_full(behind)
    assert not is_full(OSError(errno.EACCES, "Permission denied"))
