"""``demo`` and ``run``: from frames to driven plans, told once for all tests here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonground.cli.main import run
from commonground.story import frame_work, sample
from commonground.workers import worker_pool

pytestmark = pytest.mark.slow

SHORT = 3
"""Exit code of a story that fell short of something: an honest end."""


@pytest.fixture(scope="module", autouse=True)
def quick_drives() -> Iterator[None]:
    """Robots that drive twice as fast as with ``--fast``: half as many, smaller frames.

    One process works on all of them: it loads its libraries once.
    """
    quick = {"length_m": 60.0, "overlap": 1.0, "speed_mps": 2.0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample, "HURRY", {**sample.HURRY, **quick})
        patch.setattr(sample, "HURRY_SIZE", {"width": 192, "height": 144})
        patch.setattr(sample, "HURRY_STOP_S", 20.0)
        patch.setattr(frame_work, "worker_pool", lambda count, *loaded: worker_pool(1, *loaded))
        yield


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    out = tmp_path_factory.mktemp("story") / "run"
    return out, run(["demo", "--fast", "--out", str(out), "--quiet"])


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "manifest.json").read_text())["phases"])


def test_every_phase_is_done_and_the_exit_code_tells_the_truth(story: tuple[Path, int]) -> None:
    out, code = story
    phases = manifest(out)
    assert [p["status"] for p in phases.values()] == ["done"] * 7
    driven = phases["drive"]["result"]["driven"]
    good = (
        len(phases["fuse"]["result"]["joined"]) == 2
        and all(f["state"] == "localized" for f in phases["relocalize"]["result"].values())
        and all(r["done"] for d in driven for r in d["robots"].values())
    )
    assert code == (0 if good else SHORT)


def test_a_thing_that_no_class_names_is_found(story: tuple[Path, int]) -> None:
    (found,) = manifest(story[0])["find"]["result"]["found"]
    assert found["asked"] == "hydrant" and found["by_looks"]
    best = found["results"][0]
    assert best["label"] == "pole" and best["probability"] >= 0.5


def test_the_map_is_shared_and_right(story: tuple[Path, int]) -> None:
    rows = {r["measure"]: r["value"] for r in manifest(story[0])["score"]["result"]["rows"]}
    assert rows["robots in one map"] == 2
    assert rows["loop closures"] > 3
    assert rows["error of the paths"] < 1.0
    assert rows["objects that are right"] > 0.7
    assert rows["objects found"] > 0.7


def test_instructions_are_understood_planned_driven_and_asked_back(story: tuple[Path, int]) -> None:
    phases = manifest(story[0])
    asked = phases["instruct"]["result"]["asked"]
    assert asked[-1]["status"] == "clarify"
    assert "?" in asked[-1]["message"]
    planned = [a for a in asked if a["status"] == "ok"]
    assert planned
    assert all(a["plan"]["status"] == "solved" for a in planned)
    assert all(actions for a in planned for actions in a["plan"]["robots"].values())
    driven = phases["drive"]["result"]["driven"]
    assert len(driven) == len(planned)
    missions = story[0] / "missions"
    assert json.loads((missions / "1/plan.json").read_text()) == asked[0]["plan"]


def test_the_report_needs_nothing_else(story: tuple[Path, int]) -> None:
    page = (story[0] / "report.html").read_text()
    assert not re.findall(r"(?:src|href)=[\"'](?!data:)", page)
    assert page.count("data:image/png;base64,") >= 5
    for words in ("husky", "spot", "loop closures", "asks back"):
        assert words in page


def test_a_finished_story_is_not_told_again(
    story: tuple[Path, int], capsys: pytest.CaptureFixture[str]
) -> None:
    out, code = story
    before = (out / "robots/husky/scene.json").stat().st_mtime_ns
    assert run(["demo", "--fast", "--out", str(out)]) == code
    said = capsys.readouterr().out
    assert said.count("done before") == 7
    assert "the whole story with pictures" in said
    assert (out / "robots/husky/scene.json").stat().st_mtime_ns == before


def test_a_story_goes_on_without_its_recording_as_far_as_that_is_not_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out, file = tmp_path / "data", tmp_path / "out", tmp_path / "story.yaml"
    small = ("--robots", "husky", "--length", "8", "--size", "160x120", "--quiet")
    assert run(["simulate", "--out", str(data), *small]) == 0
    file.write_text("see: {data: data}\n")
    told = ["run", str(file), "--out", str(out)]
    code = run([*told, "--quiet"])
    before = manifest(out)
    data.rename(tmp_path / "moved")
    capsys.readouterr()
    assert run(told) == code
    assert "data: no longer there; what was made of it is kept" in capsys.readouterr().out
    assert manifest(out) == before
    everything = json.loads((out / "manifest.json").read_text())
    del everything["phases"]["find"], everything["phases"]["score"]
    (out / "manifest.json").write_text(json.dumps(everything))
    assert run([*told, "--quiet"]) == code, "the maps are enough for these"
    assert manifest(out).keys() == before.keys()
    for lacking in (["--fresh"], ["--seed", "3"]):
        assert run([*told, *lacking]) == 1
        assert "there is no such" in capsys.readouterr().err
        assert manifest(out)["map"]["status"] == "done", "what is there is not thrown away"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title: x\n", "see"),
        ("see: {data: here, simulate: {}}\n", "either data or simulate"),
        ("see: {simulate: {seed: 1}}\n", "needs robots"),
        ("see: {data: nowhere}\n", "nowhere"),
        ("see:\n  data: .\n  robot: [a]\n", "story.yaml:3"),
        ("- a\n", "a mapping"),
        ("see: {data: .}\nsettings: {mapping: {voxel: 1}}\n", "voxel"),
    ],
)
def test_a_wrong_file_is_one_line(
    tmp_path: Path, text: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "story.yaml"
    file.write_text(text)
    code = run(["run", str(file), "--out", str(tmp_path / "run")])
    said = capsys.readouterr().err
    assert code == 1
    assert said.count("\n") == 1
    assert expected in said
