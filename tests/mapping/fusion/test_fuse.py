"""Fusion: one frame, straight paths, each thing once, whatever the order, and no robot glued on by force."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.crops import Crop, Crops, save_crops
from commonground.errors import MappingError
from commonground.geometry import apply, from_xyz_yaw
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.deform import Deformation, deform_graph, deform_objects
from commonground.mapping.fusion.evaluation.scores import score
from commonground.mapping.fusion.evaluation.teams import Team
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.inputs import find_runs, load_runs
from commonground.mapping.fusion.output import provenance, save_fused
from commonground.objects import ObjectMap, load_objects, save_objects
from commonground.scene import load_scene, save_scene
from commonground.tum import write_tum


def fused(team: Any, runs: list[Any]) -> FusedMap:
    return fuse(runs, LocalizationSettings(), np.random.default_rng(0))


@pytest.fixture(scope="module")
def result(team: Any) -> FusedMap:
    return fused(team, team.runs)


def test_paths_agree_with_the_truth_in_one_frame(team: Team, result: FusedMap) -> None:
    assert [result.runs[k].name for k in result.joined] == ["robot0", "robot1", "robot2"]
    scores = score(result, team)
    assert scores["wrong"] == 0
    assert scores["ATE m"] < 0.5


def test_every_thing_is_there_once(team: Team, result: FusedMap) -> None:
    scores = score(result, team)
    assert scores["recall 1 m"] > 0.85
    assert scores["doubled"] < 0.05
    assert len(result.objects) < sum(len(r.objects) for r in team.runs)
    assert result.objects.columns["seen_by"].any(axis=1).all()


def test_the_order_of_robots_does_not_matter(team: Any, result: FusedMap) -> None:
    other = fused(team, [team.runs[k] for k in (2, 0, 1)])
    np.testing.assert_allclose(other.objects.centroids, result.objects.centroids, atol=1e-6)
    np.testing.assert_array_equal(other.optimized.accepted, result.optimized.accepted)


def test_files_of_a_fused_map_load_again(result: FusedMap, tmp_path: Path) -> None:
    save_fused(result, tmp_path)
    graph = load_scene(tmp_path / "scene.json")
    assert len(graph.objects) == len(load_objects(tmp_path / "objects.npz")) == len(result.objects)
    assert graph.objects.columns["seen_by"].shape == (len(graph.objects), 3)
    table = (tmp_path / "loop_closures.csv").read_text().splitlines()
    assert len(table) == len(result.closures) + 1
    assert sorted(p.name for p in (tmp_path / "trajectories").iterdir()) == [
        f"robot{k}.tum" for k in range(3)
    ]


def test_a_fused_thing_keeps_the_best_pictures_of_all_robots(
    result: FusedMap, tmp_path: Path
) -> None:
    runs, worth = [], 0.0
    for run in result.runs:
        own = {}
        for symbol in run.graph.objects.symbols:
            worth += 1
            own[symbol] = [Crop(b"jpeg", worth, 0, side=int(worth) % 8)]
        save_crops(own, tmp_path / run.name)
        runs.append(replace(run, folder=tmp_path / run.name))
    (tmp_path / runs[1].name / "crops.zip").write_bytes(b"no zip")
    given = replace(result, runs=runs)
    save_fused(given, tmp_path / "fused")
    made_of, kept = provenance(given)["objects"], Crops(tmp_path / "fused")
    for symbol, sources in made_of.items():
        readable = [s for s in sources if s[0] != runs[1].name]
        best = max((Crops(tmp_path / r).of(s)[0].worth for r, s in readable), default=None)
        assert [c.worth for c in kept.of(symbol)] == ([] if best is None else [best])


def test_a_robot_that_nothing_joins_stays_apart(team: Any) -> None:
    nothing = ObjectMap.of(np.empty((0, 3)))
    blind = team.runs[0].graph.take("objects", [])
    lonely = replace(team.runs[0], name="lonely", objects=nothing, graph=blind)
    answer = fused(team, [team.runs[1], lonely])
    assert len(answer.joined) == 1
    assert any("frame of its own" in note for note in answer.notes)


def test_deformation_carries_everything_along(team: Any) -> None:
    run = team.runs[0]
    T = from_xyz_yaw([10, -5, 1, 0.8])
    moved = Deformation(run.poses, T @ run.poses, run.stamps_ns)
    objects = deform_objects(run.objects, moved)
    np.testing.assert_allclose(objects.centroids, apply(T, run.objects.centroids), atol=1e-6)
    graph, expected = deform_graph(run.graph, moved), run.graph.transformed(T)
    for name in ("objects", "surface_places"):
        np.testing.assert_allclose(
            graph.layers[name].positions, expected.layers[name].positions, atol=1e-6
        )
    still = Deformation(run.poses, run.poses, run.stamps_ns)
    np.testing.assert_allclose(
        deform_objects(run.objects, still).centroids, run.objects.centroids, atol=1e-9
    )


def test_a_bent_path_bends_its_surroundings_smoothly(team: Any) -> None:
    run = team.runs[0]
    after = run.poses.copy()
    after[:, 1, 3] += np.linspace(0, 3, len(after))
    moved = deform_objects(run.objects, Deformation(run.poses, after, run.stamps_ns))
    step = (moved.centroids - run.objects.centroids)[:, 1]
    assert -0.1 <= step.min() <= step.max() <= 3.1


def write_run(folder: Path, run: Any) -> None:
    from commonground.mapping.fusion.g2o import write_g2o
    from commonground.mapping.fusion.team_graph import team_graph

    save_scene(run.graph, folder / "scene.json")
    save_objects(run.objects, folder / "objects.npz")
    write_g2o(team_graph([run], []), folder / "posegraph.g2o")
    write_tum(folder / "trajectory.tum", run.stamps_ns, run.poses)


def test_runs_are_read_and_broken_ones_left_out(team: Any, tmp_path: Path) -> None:
    for k in range(2):
        write_run(tmp_path / "run" / "robots" / f"robot{k}", team.runs[k])
    runs, skipped = load_runs(find_runs([tmp_path / "run"]))
    assert [r.name for r in runs] == ["robot0", "robot1"]
    np.testing.assert_allclose(runs[0].poses, team.runs[0].poses, atol=1e-6)
    assert skipped == []
    (tmp_path / "run" / "robots" / "robot1" / "posegraph.g2o").write_text("VERTEX_SE3:QUAT 0 1 2\n")
    runs, skipped = load_runs(find_runs([tmp_path / "run"]))
    assert [r.name for r in runs] == ["robot0"]
    assert "is it cut off" in skipped[0]
    write_run(tmp_path / "again" / "robots" / "robot0", team.runs[1])
    runs, _ = load_runs(find_runs([tmp_path / "run", tmp_path / "again"]))
    assert [r.name for r in runs] == ["robot0", "robot0-2"]
    with pytest.raises(MappingError, match="there is no such folder"):
        find_runs([tmp_path / "nowhere"])


def test_submaps_are_matched_once_and_never_with_their_neighbors(result: FusedMap) -> None:
    seen = [(c.robots, c.submaps) for c in result.closures]
    assert len(set(seen)) == len(seen)
    assert all(a <= b for a, b in (c.robots for c in result.closures))
    within = [c for c in result.closures if c.robots[0] == c.robots[1]]
    assert all(abs(c.submaps[0] - c.submaps[1]) >= 3 for c in within)
