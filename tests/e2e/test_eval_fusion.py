"""The table of fusion: made-up teams, datasets like Kimera-Multi's, what it prints and writes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from commonground.cli.eval_fusion import print_tables
from commonground.cli.job import Job
from commonground.cli.main import run
from commonground.mapping.fusion.evaluation.methods import COLUMNS, METHODS
from commonground.mapping.fusion.evaluation.table import CAPTION, CLOSURES, MAIN, REST, score_bars
from commonground.mapping.fusion.evaluation.teams import made_up
from commonground.reporter import SILENT
from commonground.story.teams import Wanted, teams_of

ROBOTS = "acl_jackal2,sparkal1"


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["eval", "fusion", *map(str, args), "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def complaint(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    capsys.readouterr()
    assert run(["eval", "fusion", *map(str, args)]) == 1
    told = capsys.readouterr().err.strip()
    assert "\n" not in told
    return told


def test_teams_outdoors_and_in_and_out_are_compared_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "fusion"
    found = answer(capsys, "--robots", 2, "--submaps", 10, "--out", file, "--seed", 8)
    assert found["settings"]["teams"] == ["campus 8", "hybrid 8"]
    assert found["settings"]["tolerances_m"] == [0.5, 1.0, 2.0]
    for team in found["settings"]["teams"]:
        rows = {row["method"]: row for row in found["rows"] if row["team"] == team}
        assert tuple(rows) == METHODS
        assert all(set(row) == set(COLUMNS) for row in rows.values())
        assert rows["+ semantics"]["robots"] == 2
        assert rows["+ semantics"]["ATE m"] < 0.5
        assert all(row["wrong"] == 0 for row in rows.values())
        assert rows["no closures"]["robots"] == rows["own closures"]["robots"] == 1
        # paths in frames of their own are not off by anything in a map they are not in
        assert rows["no closures"]["ATE m"] is None and rows["no closures"]["ATE each m"] > 0.0
        assert rows["+ semantics"]["of"] == 2
        assert rows["+ semantics"]["candidates"] >= rows["+ semantics"]["closures"] > 0
        assert rows["oracle closures"]["closure precision"] == 1.0
        assert rows["oracle closures"]["closure recall"] in (1.0, None)  # None: nothing to close
        assert rows["oracle closures"]["recall 1 m"] > 1.1 * rows["no closures"]["recall 1 m"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "fusion-paths-1.png",
        "fusion-paths-2.png",
        "fusion-scores.png",
        "fusion.csv",
        "fusion.md",
    ]
    assert (tmp_path / "fusion-paths-1.png").read_bytes().startswith(b"\x89PNG")
    lines = (tmp_path / "fusion.md").read_text().splitlines()
    assert sorted(lines[0].strip("| ").split(" | ")) == sorted(COLUMNS)
    assert lines[-3].startswith(" ".join(CAPTION)) and "seeds: [8]; date: 20" in lines[-1]
    told = (tmp_path / "fusion.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in told if not line.startswith("#")))
    assert [row["method"] for row in rows] == [*METHODS, *METHODS]
    assert rows[0]["ATE m"] == ""
    assert float(rows[0]["ATE each m"]) == pytest.approx(found["rows"][0]["ATE each m"])


def test_a_made_up_team_is_the_same_from_python() -> None:
    from commonground.story.config import Config

    wanted = Wanted("campus", 1, "2", 4, (), False, 0.0, "", None, Config(), 5, SILENT)
    (asked,), made = teams_of(wanted), made_up(5, robots=2, submaps=4)
    assert asked.name == made.name
    np.testing.assert_array_equal(asked.boxes.centers, made.boxes.centers)


def test_some_methods_are_compared_over_seeds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "spread.json"
    few = ("--robots", 2, "--submaps", 10, "--world", "campus", "--seed", 8)
    chosen = ("--methods", "no closures,+ semantics", "--seeds", 2, "--out", file)
    found = answer(capsys, *few, *chosen)
    assert [(r["team"], r["method"], r["robots"], r["tables"]) for r in found["rows"]] == [
        ("campus", "no closures", 1, 2),
        ("campus", "+ semantics", 2, 1),  # joined with one seed only: no median is of both
        ("campus", "+ semantics", 1, 1),
    ]
    (error,) = (r["ATE m"] for r in found["every"] if r["robots"] == 2)
    assert found["rows"][1]["ATE m"] == {
        "median": error,
        "least": error,
        "most": error,
        "values": 1,
    }
    assert "ATE m" not in found["rows"][2] and found["rows"][2]["ATE each m"]["median"] > 0.0
    kept = json.loads(file.read_text())
    assert kept["rows"] == found["rows"] and kept["provenance"]["seeds"] == [8, 9]
    assert "there is no such choice" in complaint(capsys, *few, "--methods", "oracle")
    assert "name a file that ends in" in complaint(capsys, *few, "--out", "table.xls")


def two_teams() -> list[Any]:
    """What was measured of two teams, with values as wide as they come."""
    row: dict[str, object] = dict.fromkeys(COLUMNS, 0.98765)
    row |= {
        "closures": 12345,
        "wrong": 123,
        "robots": 9,
        "of": 12,
        "objects": 12345,
        "map kB": 1234.5,
    }
    results: list[Any] = [
        SimpleNamespace(
            team=SimpleNamespace(name=team), method=method, row={**row, "method": method}
        )
        for team in ("campus 0", "12_08")
        for method in METHODS
    ]
    results[0].row["IoU"] = results[0].row["ATE m"] = None
    return results


@pytest.mark.parametrize("width", [80, 100, 200])
def test_tables_fit_terminals_whole(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    job = Job()
    job.__dict__["console"] = Console(width=width, soft_wrap=True)
    print_tables(job, two_teams())
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= max(width, len(max(CAPTION, key=len)))
    for head in (
        *MAIN.values(),
        *CLOSURES.values(),
        *REST.values(),
        *METHODS,
        "9 of 12",
        "campus 0",
        "12_08",
        "12345",
        "0.99",
    ):
        assert head in shown
    assert len(shown.splitlines()) == 6 * (5 + len(METHODS)) + len(CAPTION)  # no cell is wrapped
    assert max(map(len, CAPTION)) <= 84


def test_every_team_has_bars_of_its_own() -> None:
    figure = score_bars(two_teams())
    bars = {axes.get_title(): len(axes.patches) for axes in figure.axes}
    assert bars == {"ATE m": 13, "precision 1 m": 14, "recall 1 m": 14, "IoU": 13}
    said = {
        axes.get_title(): [text.get_text().strip() for text in axes.texts] for axes in figure.axes
    }
    assert said["ATE m"] == said["IoU"] == ["not joined"], "an empty slot would read as the best"
    assert not said["recall 1 m"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["campus 0", "12_08"]


def test_a_kernel_uses_all_closures_and_who_stays_apart_is_told_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = ("--robots", 2, "--submaps", 30, "--world", "campus", "--seed", 3)
    chosen = ("--methods", "+ gravity,+ semantics", "--set", "localization.outliers=gauss")
    found = answer(capsys, *few, *chosen)
    apart, joined = found["rows"]
    # nothing but the kernel treats closures otherwise: wrong ones are used, and the paths show it
    assert (joined["robots"], joined["closures"]) == (2, joined["candidates"])
    assert joined["wrong"] > 0 and joined["ATE m"] > 5.0
    assert apart["robots"] == 1 and apart["ATE m"] is None
    assert any(
        note.startswith("campus 3, + gravity: robot0 and robot1 are not joined")
        for note in found["settings"]["notes"]
    )


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of bags in Kimera-Multi's layout with two short drives and their truth."""
    folder = tmp_path_factory.mktemp("kimera_multi") / "10_14"
    wishes = ["--robots", ROBOTS, "--format", "ros1bag", "--length", "10", "--jobs", "1"]
    small = ("sensor.width=128", "sensor.height=96", "driving.frame_rate_hz=1", "world.size_m=60")
    few = [word for value in small for word in ("--set", f"simulation.{value}")]
    assert run(["simulate", "--out", str(folder), *wishes, *few, "--quiet"]) == 0
    return folder


def test_datasets_with_true_poses_are_mapped_once_and_scored(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maps = tmp_path / "maps"
    one = answer(capsys, "--data", recorded, "--robots", ROBOTS, "--run", maps / "10_14")
    (note,) = one["settings"]["notes"]
    assert "1 submap are too short to be fused" in note
    assert run(["eval", "fusion", "--run", str(maps / "10_14"), "--methods", "distance"]) == 0
    assert capsys.readouterr().out.strip() == note, "no table without meaning"
    assert one["settings"]["teams"] == ["10_14"]
    rows = {row["method"]: row for row in one["rows"]}
    assert rows["no closures"]["robots"] == 1  # nobody told where the other one began
    assert 0.0 < rows["no closures"]["ATE each m"] < 1.0
    assert rows["no closures"]["precision 1 m"] > 0.5
    other = copytree(recorded, recorded.parent / "12_08", dirs_exist_ok=True)
    copytree(maps / "10_14", maps / "12_08")
    kept = (maps / "12_08" / "robots" / "sparkal1" / "objects.npz").stat().st_mtime_ns
    alone = ("--methods", "no closures")
    places = ("--data", recorded, "--data", other, "--robots", ROBOTS, "--run", maps)
    both = answer(capsys, *places, "--methods", "no closures,+ semantics")
    assert both["settings"]["teams"] == ["10_14", "12_08"]
    assert kept == (maps / "12_08" / "robots" / "sparkal1" / "objects.npz").stat().st_mtime_ns
    for row in both["rows"]:
        assert row["ATE each m"] == rows[row["method"]]["ATE each m"], "with either team"
    again = answer(capsys, "--run", maps / "10_14")
    assert [r["ATE m"] for r in again["rows"]] == [r["ATE m"] for r in one["rows"]]
    assert again["rows"][0]["precision 1 m"] == one["rows"][0]["precision 1 m"]
    first, second = ROBOTS.split(",")
    (row,) = answer(capsys, "--run", maps / "10_14", "--robots", second, *alone)["rows"]
    assert row["of"] == 1
    wrong = complaint(capsys, "--run", maps / "10_14", "--robots", f"{first},sparkal2")
    assert f"has no map of that name; it has {ROBOTS.replace(',', ', ')}" in wrong
    (maps / "10_14" / "truth.json").unlink()  # as of maps made by commonground map
    assert answer(capsys, "--run", maps / "10_14", *alone)["rows"][0]["precision 1 m"] is None
    told = answer(capsys, "--run", maps / "10_14", "--truth", recorded, *alone)
    assert told["rows"][0]["precision 1 m"] == one["rows"][0]["precision 1 m"]


def test_what_is_missing_is_told_before_anything_is_mapped(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maps = tmp_path / "maps"
    near = recorded.parent / "10_41"
    assert "Did you mean '10_14'" in complaint(capsys, "--data", near, "--run", maps)
    ask = ("--data", recorded, "--robots", "sparkal1,sparkal2", "--run", maps)
    told = complaint(capsys, *ask)
    assert "no robot 'sparkal2'; it has acl_jackal2, sparkal1. Did you mean 'sparkal1'" in told
    assert "--run FOLDER" in complaint(capsys, "--data", recorded)
    blind = copytree(recorded, tmp_path / "blind")
    (blind / "ground_truth" / "sparkal1_gt_odom.csv").unlink()
    told = complaint(capsys, "--data", blind, "--run", maps)
    assert "sparkal1 has no true poses" in told
    assert "ground_truth/sparkal1_gt_odom.csv" in told
    assert "same name" in complaint(capsys, "--data", recorded, "--data", recorded, "--run", maps)
    assert not maps.exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--world", "moon"), "campus or hybrid"),
        (("--robots", "spot,husky"), "a number from 2 to 50"),
        (("--robots", 1), "a number from 2 to 50"),
        (("--rendered",), "--run FOLDER"),
        (("--rendered", "--data", "."), "give one of them"),
        (("--truth", "."), "goes with --run"),
    ],
)
def test_wishes_that_cannot_be_are_told(
    args: tuple[object, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in complaint(capsys, *args)
