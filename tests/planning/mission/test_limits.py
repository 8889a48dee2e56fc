"""Limits of a mission are settings: they hold while it runs and when it is replayed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commonground.cli.main import run
from commonground.demo import sample_scene
from commonground.live import replay_mission, tree_of_mission
from commonground.live.folders import FILE, ROOT, read_begun
from commonground.planning.mission.journal import read_steps
from commonground.planning.mission.settings import MissionSettings
from commonground.scene import save_scene

ROBOTS = "robots: {husky: {pose: [60, 20, 0, 3.14], capabilities: [goto, inspect]}}\n"
STUCK = "faults:\n  - {kind: stuck, robot: husky, at_s: 1.0, lasts_s: 300}\n"


@pytest.fixture
def driven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A mission whose robot stands still, with limits of its own."""
    monkeypatch.chdir(tmp_path)
    save_scene(sample_scene(), tmp_path / "map.json")
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    (tmp_path / "faults.yaml").write_text(STUCK)
    files = ["--robots", str(tmp_path / "robots.yaml"), "--faults", str(tmp_path / "faults.yaml")]
    limits = ["--set", "mission.stuck_after_s=3", "--set", "mission.max_retries=1"]
    goal = ["--goal", "husky=(safe O7)", "--id", "run", "--yes"]
    assert run(["mission", str(tmp_path / "map.json"), *files, *goal, *limits]) == 3
    return tmp_path / ROOT / "run"


def test_a_mission_keeps_the_limits_it_was_begun_with(driven: Path) -> None:
    assert read_begun(driven).limits == MissionSettings(stuck_after_s=3, max_retries=1)
    assert replay_mission(driven) == len(list(read_steps(driven)))


def test_a_robot_is_given_up_after_as_many_tries_as_are_set(driven: Path) -> None:
    tried_again = {
        step.time_s
        for step in read_steps(driven)
        for d in step.decided
        if "does not get on" in str(d.values())
    }
    assert len(tried_again) == 1 and tried_again.pop() < 6.0
    attempts = re.findall(r'num_attempts="(\d+)"', tree_of_mission(driven).read_text())
    assert set(attempts) == {"2"}


def test_a_journal_from_before_there_were_limits_has_the_usual_ones(driven: Path) -> None:
    first, _, rest = (driven / FILE).read_text().partition("\n")
    limits = '"limits": ' + first.partition('"limits": ')[2].partition("}")[0] + "}"
    assert limits in first
    plain = first.replace(", " + limits, "")
    (driven / FILE).write_text(plain + "\n" + rest)
    assert read_begun(driven).limits == MissionSettings()


def test_what_is_no_limit_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config", "show", "--set", "mission.stuck_after_s=-1"]) == 1
    assert "mission.stuck_after_s" in capsys.readouterr().err
