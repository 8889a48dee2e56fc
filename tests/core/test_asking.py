"""Instructions of a story that no robot can hear are told as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.demo import sample_scene
from commonground.run_folder import SCENE
from commonground.runs import Run
from commonground.scene import save_scene
from commonground.story.asking import ask
from commonground.story.spec import Story

ROBOT = {"spot": {"pose": [0, 0, 0, 0], "capabilities": ["goto"]}}


@pytest.mark.parametrize("team, why", [(ROBOT, "knows where it is"), ({}, "there is no team")])
def test_instructions_that_nobody_hears_are_kept_and_told(
    tmp_path: Path, team: object, why: str
) -> None:
    text = "Spot, go to the flag."
    drives = {"see": {"data": tmp_path}, "again": {"data": tmp_path}}
    story = Story.model_validate({**drives, "team": team, "instructions": [text]})
    with Run.open(tmp_path / "run", "run", seed=0, config_yaml="") as run:
        save_scene(sample_scene(), run.fused / SCENE)
        run.phase("relocalize", lambda: {"spot": {"state": "lost"}})
        (asked,) = ask(story, run, 0)["asked"]
    assert asked["instruction"] == text and asked["plan"] is None
    assert asked["status"] != "ok" and why in asked["message"]
