"""The program, run in the process of the tests."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from commonground.cli.main import run

Call = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """What runs a command line here: a process of its own begins for longer than most of them run."""

    def called(*arguments: object) -> subprocess.CompletedProcess[str]:
        words = [*map(str, arguments)]
        capfd.readouterr()
        code = run(words)
        return subprocess.CompletedProcess(words, code, *capfd.readouterr())

    return called
