"""What every test may use."""

from __future__ import annotations

import gc
import logging
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from commonground.cli.main import GARBAGE, run

# time limits do not belong in tests; the same examples every time, new ones with EXPLORE=1
settings.register_profile("project", deadline=None, derandomize="EXPLORE" not in os.environ)
settings.load_profile("project")


TESTS = Path(__file__).parent
APART = frozenset(("tests/e2e/test_docs_blocks.py",))
"""Long tests that share nothing, but for these."""
NETWORKS = frozenset(
    f"tests/mapping/perception/test_{name}.py"
    for name in ("backends", "hub_encoders", "networks", "small")
)
"""Files whose tests need libraries that take many seconds to load: one worker loads them."""
RECORDED = ("docs/formats.md]", "docs/guides/bag.md]")
"""Pages that begin with the same recording."""
Call = Callable[..., "subprocess.CompletedProcess[str]"]
gc.set_threshold(GARBAGE, 10, 10)  # as the program does


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that slow.txt lists, and put those that are run together longest first."""
    lines = (TESTS / "slow.txt").read_text(encoding="utf-8").splitlines()
    slow_s = {name: float(s) for name, s in (line.rsplit(" ", 1) for line in lines)}
    together_s: Counter[str] = Counter()
    group: dict[pytest.Item, str] = {}
    for item in items:
        name = f"{item.nodeid.partition('::')[0]}::{getattr(item, 'originalname', item.name)}"
        if name in slow_s:
            item.add_marker("slow")
        group[item] = together(item.nodeid)
        together_s[group[item]] += slow_s.get(name, 0.0)
    items.sort(key=lambda item: (-together_s[group[item]], group[item]))


def together(test: str) -> str:
    """Return what a worker runs as a whole: tests of a file, which share what they make, or a single one."""
    file = test.partition("::")[0]
    if file in NETWORKS:
        return "networks"
    if file not in APART:
        return file
    return f"{file}, recorded" if test.endswith(RECORDED) else test


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out whole files, as ``--dist loadfile`` does, and single tests of those that share nothing."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return together(nodeid)

    return Together(config, log)


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
