"""Small planning tasks in the manner of the international planning competitions, written for these tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from commonground.planning.pddl import Task, load_task


@pytest.fixture(scope="session")
def classic() -> Callable[[str], Task]:
    """Return the task of a name, such as ``blocks``."""
    folder = Path(__file__).parent / "tasks"
    return lambda name: load_task(folder / f"{name}-domain.pddl", folder / f"{name}-problem.pddl")
