"""What every test may use."""

from __future__ import annotations

import gc
import logging
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from commonground.cli.main import GARBAGE, run

# time limits do not belong in tests; the same examples every time, new ones with EXPLORE=1
settings.register_profile("project", deadline=None, derandomize="EXPLORE" not in os.environ)
settings.load_profile("project")


TESTS = Path(__file__).parent
Call = Callable[..., "subprocess.CompletedProcess[str]"]
gc.set_threshold(GARBAGE, 10, 10)  # as the program does


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that slow.txt lists, which tools/slow_tests.py writes from measured durations."""
    slow = set((TESTS / "slow.txt").read_text(encoding="utf-8").split())
    for item in items:
        function = getattr(item, "originalname", item.name)
        if f"{item.path.relative_to(TESTS.parent).as_posix()}::{function}" in slow:
            item.add_marker("slow")
    # the files with the longest tests first, so that no worker is left with one of them at the end
    slow_in = Counter(item.path for item in items if item.get_closest_marker("slow"))
    items.sort(key=lambda item: ("e2e" not in item.path.parts, -slow_in[item.path], item.path))


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, not among all that was imported for them."""
    gc.freeze()


@pytest.fixture(autouse=True)
def logs_reach_whoever_listens() -> Iterator[None]:
    """Undo what commands did to the loggers: those of fixtures before a test, its own after it."""
    undo_logging()
    yield
    undo_logging()


def undo_logging() -> None:
    logger = logging.getLogger("commonground")
    logger.handlers.clear()
    logger.propagate = True
    logger.setLevel(logging.NOTSET)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Development data beside the checkout; a test that needs it is skipped where it is absent."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no development data beside this checkout")
    return folder


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """What runs a command line here: a process of its own begins for longer than most of them run."""

    def called(*arguments: object) -> subprocess.CompletedProcess[str]:
        words = [*map(str, arguments)]
        capfd.readouterr()
        code = run(words)
        return subprocess.CompletedProcess(words, code, *capfd.readouterr())

    return called
