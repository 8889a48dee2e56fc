"""The development suite, its grounder, and the paraphrases of its instructions."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from commonground.grounding.grounder import Grounder
from commonground.grounding.model import conversation
from commonground.grounding.suites import Suite, load_suite
from commonground.scene import load_scene


@pytest.fixture(scope="session")
def dev_suite(shared: Path) -> Suite:
    """The suite for development; skipped where it is absent."""
    path = shared / "suites" / "grounding" / "dev" / "suite.yaml"
    if not path.is_file():
        pytest.skip("no development suite beside this checkout")
    return load_suite(path)


@pytest.fixture(scope="session")
def dev_grounder(dev_suite: Suite) -> Grounder:
    """An offline grounder on the development suite's site."""
    return Grounder(load_scene(dev_suite.scene), dev_suite.team)


@pytest.fixture(scope="session")
def paraphrases() -> dict[str, list[str]]:
    """Other wordings, by the id of the instruction they reword."""
    path = Path(__file__).parent / "data" / "paraphrases.yaml"
    found: dict[str, list[str]] = yaml.safe_load(path.read_text())
    return found


@pytest.fixture(autouse=True)
def servers_are_asked_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses before a failing server is asked again: as many of them, doubled as always."""
    monkeypatch.setattr(conversation, "FIRST_WAIT_S", 0.02)
