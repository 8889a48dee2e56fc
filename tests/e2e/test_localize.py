"""``commonground localize``, as people and programs call it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from commonground.cli.main import run
from commonground.localization.evaluation.traverses import route, simulate_traverse, true_map
from commonground.localization.evaluation.worlds import campus
from commonground.objects import ObjectMap, save_objects


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fused map, a run of a robot that drives there, and one of a robot that drives elsewhere."""
    out = tmp_path_factory.mktemp("localize")
    world, other = (campus(np.random.default_rng(seed), 120.0) for seed in (1, 2))
    poses = route([(-24.0, -24.0), (24.0, -24.0), (24.0, 20.0)])
    mapper = simulate_traverse(world, poses, np.random.default_rng(3), robot="mapper")
    for name, where, seed in (("here", world, 4), ("there", other, 5)):
        driven = simulate_traverse(where, poses[1:], np.random.default_rng(seed), robot=name)
        (out / f"run/robots/{name}").mkdir(parents=True)
        save_objects(driven.objects, out / f"run/robots/{name}/objects.npz")
    (out / "map/fused").mkdir(parents=True)
    save_objects(true_map([mapper]), out / "map/fused/objects.npz")
    return out


def test_a_robot_is_localized(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["localize", str(folder / "map"), str(folder / "run"), "--robot", "here", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    assert answer["state"] == "localized"
    assert np.array(answer["T_map_odom"]).shape == (4, 4)
    assert np.array(answer["covariance"]).shape == (6, 6)
    assert answer["confidence"] > 0.9
    assert [e["travel_m"] for e in answer["history"]] == sorted(
        e["travel_m"] for e in answer["history"]
    )
    assert answer["history"][0]["state"] in ("lost", "tentative", "localized")


def test_a_robot_that_is_not_in_the_map_says_so(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "estimates.jsonl"
    code = run(
        ["localize", str(folder / "map"), str(folder / "run"), "--robot", "there"]
        + ["--out", str(out)]
    )
    said = capsys.readouterr().out
    assert code == 3
    assert "not localized" in said
    estimates = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(estimates) > 3
    assert all(e["state"] != "localized" for e in estimates)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["nowhere", "run"], "nowhere"),
        (["empty.npz", "run/robots/here"], "0 objects"),
        (["map", "run/robots/gone"], "gone"),
        (["map", "run"], "2 robots"),
    ],
)
def test_bad_input_is_one_line(
    folder: Path, args: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    save_objects(ObjectMap.of(np.empty((0, 3))), folder / "empty.npz")
    code = run(["localize", *(str(folder / a) for a in args)])
    said = capsys.readouterr().err
    assert code == 1
    assert said.count("\n") == 1
    assert expected in said
