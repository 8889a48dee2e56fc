"""``commonground household`` and ``eval household`` as people call them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from commonground.cli.main import run

WORLD = """
floors:
  Kitchen:
    objects:
      Floor_1: {type: Floor, affordances: [receptacle]}
      CounterTop_1: {type: CounterTop, affordances: [receptacle], location: Floor_1}
      Fridge_1: {type: Fridge, affordances: [receptacle, openable], location: Floor_1, state: {open: false}}
      Lamp_1: {type: LightSwitch, affordances: [toggleable], location: Floor_1, state: {on: true}}
      Apple_1: {type: Apple, mass: 0.2, affordances: [pickupable, sliceable], location: CounterTop_1}
"""
TASKS = """
tasks:
  - id: one
    floor: Kitchen
    category: simple
    text: Put the apple in the fridge and switch off the light
    robots:
      - {id: a, skills: [GoToObject, PickupObject, PutObject], mass_capacity: 1}
      - {id: b, skills: [GoToObject, OpenObject, SwitchOff], mass_capacity: null}
    goal: [(contains Fridge Apple), (state LightSwitch OFF)]
    partial_observability:
      - {object: Apple_1, receptacle: CounterTop_1, revealed_by: visit}
  - id: two
    floor: Kitchen
    category: vague
    text: Do something nice
    robots: [{id: a, skills: [GoToObject], mass_capacity: 1}]
    goal: [(state LightSwitch OFF)]
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, Path]:
    worlds, tasks = tmp_path / "worlds.yaml", tmp_path / "tasks.yaml"
    worlds.write_text(WORLD)
    tasks.write_text(TASKS)
    return str(worlds), str(tasks), tmp_path / "plans.jsonl"


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_plans_are_written_and_scored(
    files: tuple[str, str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    worlds, tasks, out = files
    assert run(["household", worlds, tasks, "--out", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    one, two = _lines(out)
    assert one["id"] == "one" and one["status"] == "done"
    assert {"robot", "action", "args", "start", "end"} <= set(one["plan"][0])
    assert two["status"] == "ask" and two["plan"] == [] and two["message"]
    rows = {row["category"]: row for row in said["rows"]}
    assert rows["simple"]["tcr"] == 100 and rows["all"]["tasks"] == 2
    assert said["not_done"][0]["id"] == "two"


def test_hidden_things_are_searched_for(files: tuple[str, str, Path]) -> None:
    worlds, tasks, out = files
    assert run(["household", worlds, tasks, "--out", str(out), "--partial", "--quiet"]) == 0
    (one,) = _lines(out)
    assert one["status"] == "done" and "may be in" in one["supposed"][0]


def test_the_tables_compare_with_and_without(
    files: tuple[str, str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    worlds, tasks, _ = files
    quick = ["--set", "household.improve_s=0"]
    assert run(["eval", "household", worlds, tasks, "--json", *quick]) == 0
    rows = {row["category"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["simple"]["tcr"] == 100
    assert rows["hidden, with repair"]["tcr"] == 100 > rows["hidden, without repair"]["tcr"]
    assert {"without relation", "without property", "without reach", "without repair"} <= set(rows)


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("[pickupable, sliceable]", "[edible]", 1, "affordances"),
        ("location: CounterTop_1", "location: Table_1", 1, "does not exist"),
        ("state: {on: true}", "state: {on: true, open: true}", 1, "openable"),
        ("floors:", "flors:", 1, "flors"),
    ],
)
def test_bad_worlds_are_one_line_and_no_plan(
    files: tuple[str, str, Path],
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    code: int,
    said: str,
) -> None:
    worlds, tasks, out = files
    Path(worlds).write_text(WORLD.replace(old, new))
    assert run(["household", worlds, tasks, "--out", str(out)]) == code
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error
    assert not out.exists()


def test_unknown_parts_and_writers_are_refused(
    files: tuple[str, str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    worlds, tasks, out = files
    assert run(["household", worlds, tasks, "--out", str(out), "--without", "repairs"]) == 1
    assert "Did you mean 'repair'" in capsys.readouterr().err
    assert run(["household", worlds, tasks, "--out", str(out), "--backend", "oracle"]) == 1
    assert "offline" in capsys.readouterr().err


def test_tasks_that_hide_nothing_are_no_table_of_none(
    files: tuple[str, str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    worlds, tasks, out = files
    rows = TASKS.splitlines(keepends=True)
    Path(tasks).write_text("".join(r for r in rows if "partial_" not in r and "revealed" not in r))
    assert run(["household", worlds, tasks, "--out", str(out), "--partial"]) == 1
    assert "partial_observability" in capsys.readouterr().err and not out.exists()


@pytest.mark.parametrize("partial", [False, True])
def test_the_development_suite_is_reached(shared: Path, tmp_path: Path, partial: bool) -> None:
    """At least the figures asked for: TCR 95, GCR 97, ER 98; 85 of 100 with hidden objects."""
    folder = shared / "suites" / "household"
    if not folder.is_dir():
        pytest.skip("no household suite beside this checkout")
    out, hide = tmp_path / "plans.jsonl", ["--partial"] if partial else []
    arguments = [str(folder / "worlds.yaml"), str(folder / "dev.yaml"), "--out", str(out), *hide]
    assert run(["household", *arguments, "--quiet", "--set", "household.improve_s=0"]) == 0
    spec = importlib.util.spec_from_file_location("household_checker", folder / "checker.py")
    assert spec is not None and spec.loader is not None
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    tasks = checker.load(str(folder / "dev.yaml"))["tasks"]
    tasks = [task for task in tasks if not partial or task.get("partial_observability")]
    plans = {line["id"]: line["plan"] for line in _lines(out)}
    worlds = checker.load(str(folder / "worlds.yaml"))
    found = checker.summary(checker.score(worlds, tasks, plans, partial=partial))
    assert found["TCR"] >= (85 if partial else 95)
    assert found["GCR"] >= (85 if partial else 95) and found["ER"] >= 98
