"""What cannot be fused is said plainly, and the rest is fused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.closures import team_graph
from commonground.mapping.fusion.evaluation.teams import Team, made_up
from commonground.mapping.fusion.fuse import fuse
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.inputs import RobotRun, find_runs, load_runs
from commonground.objects import save_objects
from commonground.scene import save_scene


@pytest.fixture(scope="module")
def small() -> Team:
    """Two robots, 80 m each."""
    return made_up(seed=5, robots=2, submaps=8, extent_m=100.0)


def write_run(folder: Path, run: RobotRun) -> None:
    save_scene(run.graph, folder / "scene.json")
    save_objects(run.objects, folder / "objects.npz")
    write_g2o(team_graph([run], []), folder / "posegraph.g2o")


def test_robots_of_different_worlds_stay_apart(small: Team) -> None:
    other = replace(made_up(seed=77, robots=1, submaps=8, extent_m=100.0).runs[0], name="other")
    runs = [small.runs[0], other]
    found = align(runs, LocalizationSettings(), np.random.default_rng(0))
    assert not found.optimized.accepted.any()
    assert len(set(found.optimized.component.tolist())) == 2
    answer = fuse(runs, LocalizationSettings(), np.random.default_rng(0), found)
    assert len(answer.joined) == 1
    assert sum("frame of its own" in note for note in answer.notes) == 2


def test_maps_of_different_embedding_models_are_not_compared(small: Team) -> None:
    first, second = small.runs
    strange = replace(second, objects=replace(second.objects, embedding_model="another"))
    answer = fuse([first, strange], LocalizationSettings(), np.random.default_rng(0))
    assert len(answer.joined) == 1
    assert any("cannot be matched" in note and "another" in note for note in answer.notes)


@pytest.mark.parametrize("name", ["scene.json", "objects.npz", "posegraph.g2o"])
@pytest.mark.parametrize("harm", ["cut", "gone", "garbage"])
def test_a_broken_map_among_good_ones_is_left_out(
    small: Team, tmp_path: Path, name: str, harm: str
) -> None:
    for run in small.runs:
        write_run(tmp_path / "robots" / run.name, run)
    bad = tmp_path / "robots" / "robot1" / name
    whole = bad.read_bytes()
    if harm == "gone":
        bad.unlink()
    else:
        bad.write_bytes(whole[: len(whole) // 3] if harm == "cut" else b"\x00\xff nonsense")
    if name == "objects.npz" and harm == "gone":  # then it is no robot's folder at all
        assert [p.name for p in find_runs([tmp_path])] == ["robot0"]
        return
    runs, skipped = load_runs(find_runs([tmp_path]))
    assert [r.name for r in runs] == ["robot0"]
    assert len(skipped) == 1
    assert "robot1" in skipped[0]
    assert "\n" not in skipped[0]


def test_two_robots_of_one_name_and_maps_without_objects_are_told(
    small: Team, tmp_path: Path
) -> None:
    for place, run in zip(("one", "two"), small.runs, strict=True):
        write_run(tmp_path / place / "robots" / "spot", run)
    none = small.runs[1].objects.take([])
    graph = small.runs[1].graph.take("objects", [])
    write_run(
        tmp_path / "two" / "robots" / "blind", replace(small.runs[1], objects=none, graph=graph)
    )
    runs, told = load_runs(find_runs([tmp_path / "one", tmp_path / "two"]))
    assert [r.name for r in runs] == ["blind", "spot", "spot-2"]
    assert any("two robots are named spot" in line and "spot-2" in line for line in told)
    assert any(line.startswith("blind:") and "no objects" in line for line in told)


def test_only_broken_maps_are_an_error(small: Team, tmp_path: Path) -> None:
    write_run(tmp_path / "robots" / "robot0", small.runs[0])
    (tmp_path / "robots" / "robot0" / "scene.json").write_text("{")
    with pytest.raises(MappingError, match="left out"):
        load_runs(find_runs([tmp_path]))


def test_a_map_without_objects_joins_nothing_and_breaks_nothing(small: Team) -> None:
    nothing = small.runs[1].objects.take([])
    blind = replace(small.runs[1], objects=nothing, graph=small.runs[1].graph.take("objects", []))
    answer = fuse([small.runs[0], blind], LocalizationSettings(), np.random.default_rng(0))
    assert answer.joined == [0]
    assert 0 < len(answer.objects) <= len(small.runs[0].objects)


def test_one_robot_alone_is_a_map_of_its_own(small: Team) -> None:
    answer = fuse(small.runs[:1], LocalizationSettings(), np.random.default_rng(0))
    assert answer.joined == [0]
    assert answer.metrics()["objects"] > 0
