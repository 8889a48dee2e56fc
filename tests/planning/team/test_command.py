"""The command ``plan``: its JSON has the same keys however it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commonground.cli.main import main
from commonground.demo import sample_scene
from commonground.scene import save_scene


@pytest.mark.parametrize("robots", ["robots: [", "robots: {a: {pose: here}}", ""])
def test_all_keys_are_there_whatever_is_wrong_with_the_robots(
    robots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_scene(sample_scene(), tmp_path / "scene.json")
    (tmp_path / "robots.yaml").write_text(robots)
    words = ["plan", str(tmp_path / "scene.json"), "--robots", str(tmp_path / "robots.yaml")]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--goal", "a=(safe O7)", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert ended.value.code == told["exit_code"] == 1
    assert told["status"] == "error"
    assert told["reason"]
    assert told.keys() >= {"cost_m", "gap", "makespan_s", "assumed", "goals", "robots", "time_s"}
    assert told.keys() >= {"makespan_lower_bound_s", "makespan_gap"}
