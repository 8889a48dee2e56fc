"""What a long call shows of itself on stderr, drawn on a terminal and written elsewhere."""

from __future__ import annotations

import io
import logging
import sys
import threading
import time

import pytest

from commonground.cli import signs
from commonground.cli.command import _set_up_logging
from commonground.cli.job import Job


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def lines_of(capsys: pytest.CaptureFixture[str], job: Job) -> str:
    """What is written of a call that goes on until a line came, or for long enough."""
    told, until = "", time.monotonic() + 20.0
    with job.phase("fusing [west], east"):
        for _ in job.track(range(100_000), "mapping spot", total=100_000):
            time.sleep(0.01)
            told += capsys.readouterr().err
            if ("spot" in told and "east" in told) or time.monotonic() > until:
                break
            if job.quiet or job.json:
                until = min(until, time.monotonic() + 0.2)
    return told


def test_where_stderr_is_no_terminal_lines_say_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signs, "EVERY_S", 0.05)
    before = threading.active_count()
    told = lines_of(capsys, Job())
    assert "fusing [west], east: 0 s" in told
    assert " of 100000 (0%), 0 s" in told
    for quiet in (Job(quiet=True), Job(json=True)):
        assert lines_of(capsys, quiet) == ""
    until = time.monotonic() + 20.0
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert threading.active_count() == before  # nobody speaks for what is over


def test_on_a_terminal_counts_and_seconds_are_drawn_and_warnings_stand_above(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    signs.stderr_console.cache_clear()
    _set_up_logging(job := Job())
    for _ in job.track(range(2), "mapping spot", total=2):
        logging.getLogger("commonground.compiled").warning("compiling loops")
    signs.stderr_console.cache_clear()
    drawn = screen.getvalue()
    assert "mapping spot …" in drawn and "2/2" in drawn and "0:00:00" in drawn
    (line,) = (line for line in drawn.splitlines() if "compiling" in line)
    assert "mapping" not in line.rpartition("\r")[2]


def test_a_terminal_that_cannot_draw_is_written_to_line_by_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Terminal()
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(signs, "EVERY_S", 0.01)
    signs.stderr_console.cache_clear()
    for item in Job().track(range(2), "mapping spot", total=2):
        written = f"mapping spot: {item} of 2"
        assert any(written in screen.getvalue() or time.sleep(0.01) for _ in range(1000))
    signs.stderr_console.cache_clear()


def test_what_goes_into_a_pipe_does_not_go_to_the_terminal_of_the_signs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    signs.stderr_console.cache_clear()
    with (job := Job()).phase("instruct"):
        job.say("a result")
    assert "a result" in capsys.readouterr().out
    assert "a result" not in screen.getvalue() and "✓" in screen.getvalue()
