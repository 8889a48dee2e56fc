"""One Prolog for the tests that only ask it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.prolog.base.engine import Engine

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def swipl() -> None:
    """Skip where SWI-Prolog is not installed."""
    if shutil.which("swipl") is None:
        pytest.skip("SWI-Prolog is not installed: sudo apt-get install swi-prolog-nox")


@pytest.fixture(scope="session")
def engine(swipl: None) -> Iterator[Engine]:
    """A Prolog process that many tests ask."""
    with Engine() as shared:
        yield shared


@pytest.fixture(scope="session")
def data() -> Path:
    """Bases that belong to the tests."""
    return DATA
