"""The parts that ``doctor --compile`` runs to compile their loops."""

from __future__ import annotations

import json

import pytest

from commonground.cli.main import run
from commonground.story.compiling import PARTS


def test_every_part_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--compile", "--json"]) == 0
    seconds = json.loads(capsys.readouterr().out)["seconds"]
    assert set(seconds) == set(PARTS)
    assert all(value > 0 for value in seconds.values())
