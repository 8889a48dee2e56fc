"""Where the maps of a run are found: the fused one, its own, or each robot's."""

from __future__ import annotations

from pathlib import Path

from commonground.run_folder import OBJECTS, RunFolder


def test_the_fused_map_stands_for_a_run_before_its_own_and_robots_last(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    assert run.maps(OBJECTS) == run.robots() == []
    made = []
    for folder in (run.robot("b"), run.robot("a"), run.path, run.fused):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / OBJECTS).touch()
        made.append(run.maps(OBJECTS))
    one, both = [run.robot("b") / OBJECTS], [run.robot("a") / OBJECTS, run.robot("b") / OBJECTS]
    assert made == [one, both, [run.path / OBJECTS], [run.fused / OBJECTS]]
    assert run.robots() == [run.robot("a"), run.robot("b")]


def test_a_robot_whose_map_is_not_finished_has_none(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    run.robot("a").mkdir(parents=True)
    assert run.maps(OBJECTS) == [] and run.robots() == [run.robot("a")]
