"""The commands of fusion on maps whose truth is known: fused, added to, and the table of methods."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from commonground.cli.main import run
from commonground.geometry import from_xyz_yaw, inverse
from commonground.mapping.fusion.evaluation.teams import made_up
from commonground.mapping.fusion.external import COLUMNS
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.team_graph import team_graph
from commonground.objects import load_objects, save_objects
from commonground.scene import save_scene
from commonground.tum import write_tum


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of three robots' maps."""
    folder = tmp_path_factory.mktemp("team") / "robots"
    for robot in made_up(seed=8, robots=3, submaps=12, extent_m=100.0).runs:
        save_scene(robot.graph, folder / robot.name / "scene.json")
        save_objects(robot.objects, folder / robot.name / "objects.npz")
        write_g2o(team_graph([robot], []), folder / robot.name / "posegraph.g2o")
    return folder


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, Any]:
    assert run([*map(str, args), "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_robots_are_fused_at_once_or_one_after_the_other(
    robots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = answer(capsys, "fuse", robots.parent, "--out", tmp_path / "whole")
    assert whole["joined"] == ["robot0", "robot1", "robot2"]
    assert whole["objects"] < whole["objects_before"]
    first, second, third = (robots / f"robot{k}" for k in range(3))
    answer(capsys, "fuse", second, first, "--out", tmp_path / "two")
    grown = answer(capsys, "fuse", third, "--onto", tmp_path / "two", "--out", tmp_path / "grown")
    assert grown["joined"] == whole["joined"]
    one, two = (load_objects(tmp_path / x / "fused" / "objects.npz") for x in ("whole", "grown"))
    np.testing.assert_allclose(one.centroids, two.centroids, atol=1e-5)
    origin = json.loads((tmp_path / "whole" / "fused" / "provenance.json").read_text())
    assert len(origin["objects"]) == whole["objects"]
    assert sum(map(len, origin["objects"].values())) == whole["objects_before"]


def test_a_robot_is_added_to_the_map_of_a_story(
    robots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from commonground.runs import Run
    from commonground.story.seeing import fuse_robots
    from commonground.story.spec import Drive, Story

    for name in ("robot0", "robot1"):
        copytree(robots / name, tmp_path / "story" / "robots" / name)
    with Run.open(tmp_path / "story", "run") as story:
        told = fuse_robots(Story(see=Drive(data=tmp_path)), story, np.random.default_rng(0))
    assert told["robots"] == ["robot0", "robot1"]
    third, onto, out = robots / "robot2", tmp_path / "story", tmp_path / "out"
    grown = answer(capsys, "fuse", third, "--onto", onto, "--out", out)
    assert grown["joined"] == ["robot0", "robot1", "robot2"]


def loop(tmp_path: Path, right: bool) -> Path:
    """A g2o file of a drive twice round a block, with closures that are right, or all wrong."""
    rng = np.random.default_rng(0)
    s = np.linspace(0, 4 * np.pi, 81)
    path = from_xyz_yaw(np.c_[20 * np.cos(s), 20 * np.sin(s), 0 * s, s])
    ends = (
        [(k, k + 40) for k in range(2, 38, 3)] if right else rng.integers(0, 80, (12, 2)).tolist()
    )
    lines = []
    for i, j in [*((k, k + 1) for k in range(80)), *ends]:
        a, b = (i, j) if right or j == i + 1 else rng.integers(0, 80, 2)
        T = inverse(path[a]) @ path[b]
        yaw = np.arctan2(T[1, 0], T[0, 0])
        lines.append(f"EDGE_SE2 {i} {j} {T[0, 3]} {T[1, 3]} {yaw} 100 0 0 100 0 1000")
    file = tmp_path / "loop.g2o"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_pose_graph_is_optimized(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "fuse", loop(tmp_path, right=True), "--out", tmp_path / "out")
    assert found["consensus"]
    assert (found["used_within"], found["rejected"]) == (12, 0)
    folder = tmp_path / "out" / "fused"
    assert len((folder / "trajectories" / "robot.tum").read_text().splitlines()) == 81
    assert len((folder / "loop_closures.csv").read_text().splitlines()) == 13
    again = answer(capsys, "fuse", folder / "posegraph.g2o", "--out", tmp_path / "again")
    assert again["used_within"] == 12
    assert 0 <= found["chi2"] <= found["chi2_before"]


def test_strictly_a_robot_that_is_left_out_is_a_no(
    robots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = copytree(robots, tmp_path / "team" / "robots").parent
    args = ["fuse", str(both), "--out", str(tmp_path / "out"), "--strict"]
    assert run(args) == 0
    (both / "robots" / "robot2" / "scene.json").unlink()
    assert run(args) == 3
    assert "robot2" in capsys.readouterr().out
    assert run(args[:-1]) == 0


def test_strictly_a_part_of_a_pose_graph_that_nothing_joins_is_a_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = loop(tmp_path, right=True)
    args = ["fuse", str(graph), "--out", str(tmp_path / "graph"), "--strict"]
    assert run(args) == 0
    graph.write_text(graph.read_text() + "EDGE_SE2 500 501 1 0 0 100 0 0 100 0 100\n")
    capsys.readouterr()
    assert run(args) == 3
    assert "in a frame of its own" in capsys.readouterr().out
    assert run(args[:-1]) == 0


@pytest.mark.parametrize("option", ["--closures", "--onto", "--tasks", "--cluster"])
def test_what_goes_with_maps_is_refused_with_a_pose_graph(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph, out = loop(tmp_path, right=True), tmp_path / "out"
    assert run(["fuse", str(graph), "--out", str(out), option, "nowhere"]) == 1
    assert f"{option}: goes with maps" in capsys.readouterr().err
    assert not out.exists()


def test_only_robots_with_a_true_path_are_named_with_their_error(
    robots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = copytree(robots, tmp_path / "team" / "robots")
    for number, robot in enumerate(made_up(seed=8, robots=3, submaps=12, extent_m=100.0).runs):
        write_tum(own / robot.name / "trajectory.tum", robot.stamps_ns, robot.poses)
        if number != 1:
            write_tum(own / robot.name / "ground_truth.tum", robot.stamps_ns[::2], robot.poses[::2])
    # odometry is taken for the truth of each, in frames that the robots do not share
    assert run(["fuse", str(own.parent), "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    (line,) = [line for line in told.splitlines() if "off the true path" in line]
    assert line.startswith("robot0, robot2: off the true path by")
    assert "(root mean square of 12 of 24 poses" in line


def test_whose_closures_were_used_is_told(
    robots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "far.csv"
    file.write_text(",".join(COLUMNS) + "\nrobot0,0,robot1,0,300,0,0,0,0,0,1\n")
    args = ["fuse", str(robots.parent), "--out", str(tmp_path / "out"), "--closures", str(file)]
    assert run(args) == 0
    line = f"{file}: 0 of 1 closures are used; 1 contradict the map that the others make"
    assert line in capsys.readouterr().out


def test_closures_without_a_consensus_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = loop(tmp_path, right=False)
    assert run(["fuse", str(file), "--out", str(tmp_path / "out"), "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert not found["consensus"]
    assert any("no consensus" in note for note in found["notes"])


def test_a_folder_without_maps_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuse", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "holds no robot's map" in capsys.readouterr().err
