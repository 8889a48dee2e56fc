"""The tables of localization: small runs that must already be right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from commonground.cli.main import run


def table(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert run(["eval", *args, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.mark.slow
def test_association_is_right_and_accepts_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    found = table(capsys, "association", "--runs", "4")
    assert set(found) >= {"rows", "columns", "settings"}
    assert {"ms", "precision", "wrong"} < set(found["columns"])
    for row in found["rows"]:
        if "pairs" in str(row["problem"]):
            assert row["right"] == 1.0
            assert row["precision"] > 0.97
        if row.get("wrong") is not None:
            assert row["wrong"] <= 0.25
    assert found["settings"]["seed"] == 0


@pytest.mark.slow
def test_lost_robots_are_localized(capsys: pytest.CaptureFixture[str]) -> None:
    found = table(capsys, "relocalization", "--worlds", "1")
    rows = {row["drive"]: row for row in found["rows"]}
    assert set(rows) == {"same way", "opposite way", "any way"}
    for row in rows.values():
        assert row["localized in 60 m"] >= 0.75
        assert row["wrong"] == 0
        assert row["error m"] < 1.0
