"""What cannot be fused is said plainly, and the rest is fused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.localization.registration import Registration, register_matches
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.teams import Team, made_up
from commonground.mapping.fusion.fuse import fuse
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.inputs import RobotRun, find_runs, load_runs
from commonground.mapping.fusion.recorded import recorded
from commonground.mapping.fusion.run import fuse_runs
from commonground.mapping.fusion.team_graph import team_graph
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.mapping.surface.ply import write_mesh
from commonground.objects import save_objects
from commonground.scene import save_scene
from commonground.scores import joint_ate
from commonground.tum import write_tum


@pytest.fixture(scope="module")
def small() -> Team:
    """Two robots, 80 m each."""
    return made_up(seed=5, robots=2, submaps=8, extent_m=100.0)


def write_run(folder: Path, run: RobotRun) -> None:
    save_scene(run.graph, folder / "scene.json")
    save_objects(run.objects, folder / "objects.npz")
    write_g2o(team_graph([run], []), folder / "posegraph.g2o")
    write_tum(folder / "trajectory.tum", run.stamps_ns, run.poses)


def test_robots_of_different_worlds_stay_apart(small: Team) -> None:
    other = replace(made_up(seed=77, robots=1, submaps=8, extent_m=100.0).runs[0], name="other")
    runs = [small.runs[0], other]
    found = align(runs, LocalizationSettings(), np.random.default_rng(0))
    assert not found.optimized.accepted.any()
    assert len(set(found.optimized.component.tolist())) == 2
    answer = fuse(runs, LocalizationSettings(), np.random.default_rng(0), found)
    assert len(answer.joined) == 1
    assert sum("frame of its own" in note for note in answer.notes) == 1
    (line,) = [note for note in answer.notes if "are not joined" in note]
    assert "objects agree (8 needed)" in line and "other" in line


def test_robots_that_could_lie_in_two_ways_are_not_joined(
    small: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    def doubtful(*args: Any) -> Registration:  # as a building that is alike after half a turn
        joint = register_matches(*args)
        return replace(joint, margin=0.35 * joint.log_evidence)

    sure = fuse(small.runs, LocalizationSettings(), np.random.default_rng(0))
    assert len(sure.joined) == 2
    assert not any("look alike" in note for note in sure.notes)
    monkeypatch.setattr("commonground.mapping.fusion.closures.register_matches", doubtful)
    answer = fuse(small.runs, LocalizationSettings(), np.random.default_rng(0))
    assert len(answer.joined) == 1
    assert any("robot0 and robot1 are not joined: they look alike" in n for n in answer.notes)
    (refused,) = answer.metrics()["refused"]
    assert refused["robots"] == ["robot0", "robot1"] and refused["objects"] > 0
    fewest = min(small.runs, key=lambda run: len(run.objects)).name
    assert answer.metrics()["left_out"] == [fewest]


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
    runs, skipped = load_runs(find_runs([tmp_path]))
    assert [r.name for r in runs] == ["robot0"]
    assert len(skipped) == 1
    assert "robot1" in skipped[0]
    assert "\n" not in skipped[0]


def test_the_fused_map_says_whose_maps_could_not_be_used(small: Team, tmp_path: Path) -> None:
    for run in small.runs:
        write_run(tmp_path / "robots" / run.name, run)
    (tmp_path / "robots" / "robot1" / "scene.json").write_text("{")
    fuse_runs([tmp_path], tmp_path / "out")
    told = json.loads((tmp_path / "out" / "fused" / "metrics.json").read_text())
    assert told["left_out"] == ["robot1"]
    assert any("robot1" in note for note in told["notes"])


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


def test_the_largest_map_is_the_same_whatever_robots_are_called(small: Team) -> None:
    nothing = small.runs[0].objects.take([])
    graph = small.runs[0].graph.take("objects", [])
    runs = [replace(small.runs[0], objects=nothing, graph=graph), small.runs[1]]
    for names in (("ant", "bee"), ("bee", "ant")):
        called = [replace(run, name=name) for run, name in zip(runs, names, strict=True)]
        answer = fuse(called, LocalizationSettings(), np.random.default_rng(0))
        assert len(answer.objects) > 0 and answer.left_out == [names[0]]
        assert any(f"{names[0]}: in a frame of its own" in note for note in answer.notes)


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


def test_a_damaged_mesh_costs_the_mesh_only(small: Team, tmp_path: Path) -> None:
    for run in small.runs:
        write_run(tmp_path / "robots" / run.name, run)
    file = tmp_path / "robots" / "robot1" / "mesh.ply"
    write_mesh(square(), file)
    runs, told = load_runs(find_runs([tmp_path]))
    assert told == []
    assert runs[1].mesh is not None
    whole = file.read_bytes()
    wild = whole[:-4] + np.int32(99).tobytes()  # a corner that is no vertex
    for harm in (whole[:-9], whole[:40], b"", wild, whole.replace(b"vertex 4", b"vertex x")):
        file.write_bytes(harm)
        runs, told = load_runs(find_runs([tmp_path]))
        assert [r.name for r in runs] == ["robot0", "robot1"]
        assert runs[1].mesh is None
        assert len(told) == 1
        assert told[0].startswith("robot1: all but its mesh is used: ")
        assert str(file) in told[0]


@pytest.mark.parametrize("lines", [None, 0, 5])
def test_a_path_that_is_not_there_whole_is_told_and_keyframes_stand_for_it(
    small: Team, tmp_path: Path, lines: int | None
) -> None:
    for run in small.runs:
        write_run(tmp_path / "robots" / run.name, run)
    file = tmp_path / "robots" / "robot1" / "trajectory.tum"
    text = file.read_text().splitlines(keepends=True)
    file.unlink() if lines is None else file.write_text("".join(text[:lines]))
    (run, other), told = load_runs(find_runs([tmp_path]))
    assert len(told) == 1 and str(file) in told[0]
    assert told[0].startswith("robot1: of its path only keyframes are used: ")
    assert len(recorded(other)[0]) == len(other.poses)


def square() -> MeshPart:
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    times = np.full(4, 10**18)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    colors, labels = np.zeros((4, 3), np.uint8), np.zeros(4, np.int32)
    return MeshPart(np.zeros(4, np.int64), corners, colors, labels, times, times, faces)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("covariances", np.nan),
        ("covariances", -1.0),
        ("box_quats_wxyz", 0.0),
        ("box_centers", np.inf),
        ("submap_poses", np.nan),
        ("box_sizes", None),
        ("column_history_range_m", None),
    ],
)
def test_objects_that_cannot_be_computed_with_leave_their_robot_out(
    small: Team, tmp_path: Path, name: str, value: float | None
) -> None:
    for run in small.runs:
        columns = {"history_range_m": np.ones((len(run.objects), 2), np.float32)}
        objects = replace(run.objects, columns=columns)
        write_run(tmp_path / "robots" / run.name, replace(run, objects=objects))
    file = tmp_path / "robots" / "robot0" / "objects.npz"
    arrays = dict(np.load(file))
    kept = arrays[name]
    arrays[name] = kept[:-1] if value is None else np.full_like(kept, value)
    np.savez_compressed(file, allow_pickle=False, **arrays)
    runs, told = load_runs(find_runs([tmp_path]))
    assert [r.name for r in runs] == ["robot1"]
    assert len(told) == 1
    assert str(file) in told[0]


def test_any_flipped_bits_are_told_and_never_a_crash(small: Team, tmp_path: Path) -> None:
    write_run(tmp_path / "robots" / "robot0", small.runs[0])
    write_run(tmp_path / "robots" / "robot1", small.runs[1])
    file, rng = tmp_path / "robots" / "robot1" / "objects.npz", np.random.default_rng(0)
    whole = np.frombuffer(file.read_bytes(), np.uint8)
    for _ in range(60):
        harmed = whole.copy()
        where = rng.integers(len(whole) - 4)
        harmed[where : where + 4] ^= rng.integers(1, 256, 4, np.uint8)
        file.write_bytes(harmed.tobytes())
        runs, told = load_runs(find_runs([tmp_path]))
        assert len(runs) + len(told) == 2
        assert all("\n" not in line and len(line) < 600 for line in told)


def test_an_unfinished_map_is_told_and_a_folder_that_is_not_there_is_an_error(
    small: Team, tmp_path: Path
) -> None:
    write_run(tmp_path / "robots" / "robot0", small.runs[0])
    (tmp_path / "robots" / "robot1").mkdir()
    (tmp_path / "begun").mkdir()
    runs, told = load_runs(find_runs([tmp_path, tmp_path / "begun"]))
    assert [r.name for r in runs] == ["robot0"]
    assert len(told) == 2
    assert all("missing; was the mapping run finished?" in line for line in told)
    with pytest.raises(MappingError, match="there is no such folder"):
        find_runs([tmp_path, tmp_path / "typo"])
    with pytest.raises(MappingError, match="holds no robot's map"):
        find_runs([tmp_path / "begun"])


def cut_in_two(run: RobotRun, key: int) -> RobotRun:
    """Return a run as a mapper leaves it when the odometry jumps before a keyframe: by a shift of 30 m."""
    segment = (np.arange(len(run.poses)) >= key).astype(np.int64)
    late = run.objects.first_seen_ns // 2 + run.objects.last_seen_ns // 2 >= run.stamps_ns[key]
    rows = run.odometry.rows
    layers = dict(run.graph.layers)
    for name in ("surface_places", *run.graph.agents):
        layer = layers[name]
        layers[name] = replace(layer, columns={**layer.columns, "segment": segment})
    shift = np.eye(4)
    shift[:2, 3] = 30.0, -30.0
    poses = np.where(segment[:, None, None] > 0, shift @ run.poses, run.poses)
    centroids = run.objects.centroids + np.where(late[:, None], shift[:3, 3], 0.0)
    boxes = replace(run.objects.boxes, centers=centroids)
    submaps = tuple(
        replace(s, T_map_submap=poses[k], rows=s.rows[late[s.rows] == bool(segment[k])])
        for k, s in enumerate(run.objects.submaps)
    )
    objects = replace(run.objects, centroids=centroids, boxes=boxes, submaps=submaps)
    things = replace(layers["objects"], positions=centroids, boxes=boxes)
    graph = replace(run.graph, layers={**layers, "objects": things})
    odometry = run.odometry.take(segment[rows[:, 0]] == segment[rows[:, 1]])
    return replace(run, graph=graph, objects=objects, poses=poses, odometry=odometry)


def test_where_the_odometry_jumps_the_parts_are_joined_by_closures_or_stay_apart(
    team: Team, tmp_path: Path
) -> None:
    whole = team.runs[0]
    write_run(tmp_path / "robots" / "robot0", cut_in_two(whole, 12))
    for run in team.runs[1:]:
        write_run(tmp_path / "robots" / run.name, run)
    alone, told = load_runs(find_runs([tmp_path / "robots" / "robot0"]))
    assert [(r.name, len(r.poses)) for r in alone] == [("robot0", 12), ("robot0-2", 8)]
    assert told == ["robot0: its odometry jumped or it was silent; what it mapped then is robot0-2"]
    assert sum(len(r.objects) for r in alone) == len(whole.objects)
    assert sum(len(r.objects.submaps) for r in alone) == len(whole.objects.submaps)
    assert all(len(r.graph.objects) == len(r.objects) for r in alone)
    assert all(len(r.odometry) == len(r.poses) - 1 for r in alone)
    apart = fuse(alone, LocalizationSettings(), np.random.default_rng(0))
    assert len(apart.joined) == 1  # nothing but odometry says how they lie
    runs, _ = load_runs(find_runs([tmp_path]))
    fused = fuse(runs, LocalizationSettings(), np.random.default_rng(0))
    assert [fused.runs[k].name for k in fused.joined] == [r.name for r in runs]
    paths = np.concatenate([fused.trajectory(k) for k in fused.joined])
    assert joint_ate([paths], team.paths) < 1.0


def test_odometry_that_a_file_has_lost_is_told(small: Team, tmp_path: Path) -> None:
    for run in small.runs:
        write_run(tmp_path / "robots" / run.name, run)
    file = tmp_path / "robots" / "robot1" / "posegraph.g2o"
    lines = file.read_text().splitlines()
    edge = next(k for k, line in enumerate(lines) if line.startswith("EDGE_SE3:QUAT 2 3 "))
    file.write_text("\n".join(lines[:edge] + lines[edge + 1 :]))
    runs, told = load_runs(find_runs([tmp_path]))
    assert [r.name for r in runs] == ["robot0"]
    assert told == [f"left out: {file}: no odometry leads to keyframe 3; map it again"]
