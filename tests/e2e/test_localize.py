"""``commonground localize``, as people and programs call it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from commonground.cli.localize_report import HEADING, line
from commonground.cli.main import run
from commonground.geometry import from_xyz_yaw
from commonground.localization.evaluation.traverses import route, simulate_traverse, true_map
from commonground.localization.evaluation.worlds import campus
from commonground.objects import ObjectMap, save_objects
from commonground.tum import write_tum


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


def test_the_heading_stands_over_its_columns_and_names_the_camera() -> None:
    row = {"travel_m": 1.0, "state": "localized", "position_map": (-12.3, 4.5, 0.0),
           "yaw_deg": -1.5, "sigma_m": 0.25, "confidence": 0.5}  # fmt: skip
    ends = [found.end() for found in re.finditer(r"\S+", line(row))]
    for title, end in zip(
        ("cam x m", "cam y m", "yaw °", "± m", "probability"), ends[2:], strict=True
    ):
        assert HEADING[:end].endswith(title)


def test_fixes_are_scored_where_the_truth_lies_beside(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = copytree(folder, tmp_path / "both")
    asked = ["localize", str(both / "map"), str(both / "run"), "--robot", "here", "--json"]
    assert run(asked) == 0
    assert "accuracy" not in json.loads(capsys.readouterr().out)
    world = campus(np.random.default_rng(1), 120.0)
    poses = route([(-24.0, -24.0), (24.0, -24.0), (24.0, 20.0)])
    mapper = simulate_traverse(world, poses, np.random.default_rng(3), robot="mapper")
    here = simulate_traverse(world, poses[1:], np.random.default_rng(4), robot="here")
    stamps = [np.array([s.stamp_ns for s in d.objects.submaps]) for d in (mapper, here)]
    # the map in a frame that is not the world's
    T = from_xyz_yaw([30.0, -5.0, 0.0, 0.7])
    write_tum(both / "map/fused/trajectories/mapper.tum", stamps[0], mapper.T_world_submaps)
    write_tum(both / "map/robots/mapper/ground_truth.tum", stamps[0], T @ mapper.T_world_submaps)
    write_tum(both / "run/robots/here/ground_truth.tum", stamps[1], T @ here.T_world_submaps)
    assert run(asked) == 0
    answer = json.loads(capsys.readouterr().out)
    localized = [e for e in answer["history"] if e["state"] == "localized"]
    true = here.T_world_submaps[-1]
    own = np.hypot(*(np.array(localized[-1]["position_map"]) - true[:3, 3])[:2])
    found = answer["accuracy"]
    assert found["fixes"] == len(localized) > 1
    assert 0.0 < found["median_m"] <= found["worst_m"] < 1.0
    assert found["worst_m"] >= own - 0.002
    assert 0.05 < found["nees"] < 12.0
    assert run(asked[:-1]) == 0
    assert f"{len(localized)} fixes are off the true poses by" in capsys.readouterr().out


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
