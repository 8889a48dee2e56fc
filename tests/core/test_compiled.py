"""What is said while loops are compiled: at once what is going on, later how far it has come."""

from __future__ import annotations

import logging

import pytest

from commonground import compiled


def test_compiling_is_announced_once_and_counted_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [100.0]
    monkeypatch.setattr(compiled, "_spent", compiled._Spent())
    monkeypatch.setattr(compiled.time, "monotonic", lambda: now[0])
    with caplog.at_level(logging.WARNING):
        for loops, moment in ((0, 100.0), (1, 105.0), (7, 125.0), (8, 130.0), (20, 146.0)):
            compiled._spent.loops, now[0] = loops, moment
            compiled._say_compiling()
    first, *later = [record.getMessage() for record in caplog.records]
    assert "a second or two each" in first and "doctor --compile" in first
    assert [line.split()[0] for line in later] == ["7", "20"]


def test_one_process_of_a_program_tells_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compiled, "_spent", compiled._Spent())
    compiled.announced_by(lambda: False)
    with caplog.at_level(logging.WARNING):
        compiled._say_compiling()
    assert not caplog.records


def test_what_nobody_waits_for_is_not_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compiled, "_spent", compiled._Spent())
    with caplog.at_level(logging.WARNING):
        compiled.unannounced()(compiled._say_compiling)()
    assert not caplog.records
    compiled._say_compiling()
    assert caplog.records
