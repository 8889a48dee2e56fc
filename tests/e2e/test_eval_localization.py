"""The tables of localization: small runs that must already be right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from commonground.cli.main import run
from commonground.localization.evaluation.relocalization import Start, until_localized


def table(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert run(["eval", *args, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_association_is_right_and_accepts_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    found = table(capsys, "association", "--runs", "4")
    assert set(found) >= {"rows", "columns", "settings"}
    assert {"ms", "precision", "wrong"} < set(found["columns"])
    assert sum("calibration error" in row for row in found["rows"]) == 4
    for row in found["rows"]:
        assert ("right" in row) != ("calibration error" in row)
        if "pairs" in str(row["problem"]):
            assert row["right"] == 1.0
            assert row["precision"] > 0.97
        if row.get("wrong") is not None:
            assert row["wrong"] <= 0.25
    assert found["settings"]["seed"] == 0


def test_lost_robots_are_localized(capsys: pytest.CaptureFixture[str]) -> None:
    found = table(capsys, "relocalization", "--worlds", "1")
    rows = {row["drive"]: row for row in found["rows"]}
    assert set(rows) == {"same way", "opposite way", "any way", "beside the map"}
    beside = rows.pop("beside the map")
    assert beside["starts"] > 0 and beside["wrong fixes"] == beside["fixes"] == 0
    for row in rows.values():
        assert row["in 60 m"] >= 0.75
        assert row["wrong fixes"] == 0
        assert 0.1 < row["NEES"] < 6.0
        assert row["error m"] < 1.0


def test_rendered_robots_meet_from_every_side(capsys: pytest.CaptureFixture[str]) -> None:
    quick = [
        "--set",
        "simulation.driving.frame_rate_hz=2",
        "--set",
        "simulation.driving.speed_mps=2",
    ]
    args = ["--rendered", "--worlds", "1", "--length", "70", "--size", "128x96", "--seed", "12"]
    found = table(capsys, "relocalization", *args, *quick)
    rows = {row["views"]: row for row in found["rows"]}
    assert set(rows) == {"same way", "perpendicular", "opposite way"}
    for row in rows.values():
        assert row["pairs"] >= 2 * 7 * 7
        assert row["accepted"] >= 0.2 * row["pairs"]
        assert row["wrong"] == row["wrong fixes"] == 0
        assert row["in 60 m"] >= 0.7
        assert row["KB per km"] < 1000
    assert rows["same way"]["demanded"] + rows["opposite way"]["demanded"] > 5
    for views in ("same way", "opposite way"):
        assert rows[views]["5 m, 10°"] >= 0.9
        assert rows[views]["1 m, 5°"] >= 0.7


def test_a_start_that_is_never_localized_is_not_left_out_of_the_median() -> None:
    def start(meters: float | None) -> Start:
        return Start(meters, 0, 0, (), (), (), ())

    assert until_localized([start(0.0), start(10.0), start(20.0)]) == 10.0
    assert until_localized([start(0.0), start(10.0), start(None), start(None), start(20.0)]) == 20.0
    assert until_localized([start(0.0), start(None), start(None)]) is None
