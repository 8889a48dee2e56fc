"""What a program hands over: laid out or counted otherwise it is refused, never taken for something else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.datasets import Simulation, Trajectory
from commonground.demo import sample_scene, sample_team
from commonground.errors import CommongroundError, ConfigError, DataError, SceneError
from commonground.geometry import from_xyz_yaw
from commonground.grounding import Grounder
from commonground.objects import ObjectMap, save_objects
from commonground.planning import Status, plan_scene
from commonground.planning.scene import Before
from commonground.robots import Robot, Team, load_team, save_team
from commonground.scene import Boxes, Edges, Layer, Ragged, SceneGraph, save_scene
from commonground.scene.layer import OBJECTS
from commonground.scores import ate, object_scores
from commonground.symbols import node_ids
from commonground.tum import write_tum

COLUMNS = np.arange(12.0).reshape(3, 4)
IDS = node_ids("O", range(4))
STAMPS = np.arange(3) * 10**9
POSES = np.tile(np.eye(4), (3, 1, 1))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: Layer.of(OBJECTS, IDS, COLUMNS), "transpose it"),
        (lambda: Layer.of(OBJECTS, IDS, COLUMNS.T[:3]), "there are 3 of them, not 4"),
        (lambda: Layer.of(OBJECTS, IDS, COLUMNS.T, names=["cup"]), "names: there are 1"),
        (lambda: Layer.of(OBJECTS, IDS, COLUMNS.T, names="cups"), "a list of words"),
        (lambda: Layer.of(OBJECTS, IDS, COLUMNS.T, labels=[1]), "labels: there are 1"),
        (lambda: Layer.of(OBJECTS, IDS, COLUMNS.T, edges=Edges.of([(0, 4)])), "4 nodes"),
        (lambda: ObjectMap.of(COLUMNS), "transpose it"),
        (lambda: ObjectMap.of(COLUMNS.T, sizes=COLUMNS), "transpose it"),
        (lambda: Boxes.axis_aligned(COLUMNS, COLUMNS), "transpose it"),
        (lambda: Ragged.of([COLUMNS]), "transpose it"),
        (lambda: Edges.of([[0, 1, 2], [1, 2, 3]]), "transpose it"),
        (lambda: Edges.of([(0, 1, 5.0), (1, 2, 5.0)]), "whole numbers"),
        (lambda: Edges.of([(0, 1)], [1.0, 2.0]), "weights of edges: there are 2"),
        (lambda: sample_scene().nearest("objects", np.ones((3, 2))), "transpose it"),
        (lambda: sample_scene().nearest("objects", [[1.0, 2.0]] * 2), "(2, 2), not (n, 3)"),
        (lambda: sample_scene().within("objects", [1.0, 2.0], 3.0), "(1, 2), not (n, 3)"),
        (lambda: sample_scene().with_links("objects", "regions", [(0, 99)]), "links of"),
        (lambda: object_scores(COLUMNS, COLUMNS.T), "transpose it"),
        (lambda: Trajectory(STAMPS / 1e9, POSES), "whole nanoseconds"),
        (lambda: Trajectory(STAMPS[:2], POSES), "one for each stamp"),
        (lambda: Trajectory(STAMPS, POSES).odom_at(0.5), "whole nanoseconds"),
        (lambda: ate((STAMPS / 1e9, POSES), (STAMPS, POSES)), "whole nanoseconds"),
        (lambda: ate((STAMPS[:2], POSES), (STAMPS, POSES)), "one for each stamp"),
    ],
)  # fmt: skip
def test_arrays_laid_out_otherwise_are_refused(call: Callable[[], object], told: str) -> None:
    with pytest.raises(CommongroundError) as caught:
        call()
    assert told in str(caught.value)


def test_a_point_by_itself_and_nothing_at_all_are_points() -> None:
    graph = sample_scene()
    assert graph.nearest("objects", graph.objects.positions[2])[1].tolist() == [[2]]
    assert graph.nearest("objects", [])[1].shape == (0, 1)
    assert len(Edges.of()) == len(ObjectMap.of([])) == 0


def test_the_packages_own_ids_name_nodes() -> None:
    graph = sample_scene()
    ids = graph.objects.ids
    assert graph.objects.rows(ids).tolist() == list(range(len(ids)))
    assert graph.find(ids[1]) == ("objects", 1)
    assert ids[0] in graph
    assert "hello" not in graph
    assert None not in graph  # type: ignore[operator]
    with pytest.raises(SceneError, match="no node symbol"):
        graph.find(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("pose", [from_xyz_yaw([14, 8, 0, 1.0]).T, 2 * np.eye(4), np.eye(3)])
def test_a_pose_that_is_no_rigid_motion_is_refused(pose: Any) -> None:
    with pytest.raises(ConfigError, match="T_map_robot of anna"):
        Robot("anna", pose)


def test_a_robot_from_a_program_is_checked_as_one_in_a_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for wrong in (
        {"capabilities": "inspect"}, {"capabilities": {"goto", "inspekt"}}, {"speed_mps": 0.0},
        {"radius_m": np.nan}, {"view_m": "far"},
    ):  # fmt: skip
        with pytest.raises(ConfigError, match="robot 'anna'"):
            Robot("anna", np.eye(4), **wrong)
    robot = Robot("anna", np.eye(4), speed_mps=np.float32(1.5))
    assert type(robot.speed_mps) is float
    with caplog.at_level(logging.WARNING):
        Robot("anna", np.eye(4), radius_m=399.0)
    assert "in cm?" in caplog.text
    lost = Team({"anna": replace(robot, T_map_robot=np.full((4, 4), np.nan))})
    with pytest.raises(ConfigError, match="pose"):
        save_team(lost, tmp_path / "robots.yaml")
    assert not (tmp_path / "robots.yaml").exists()
    save_team(sample_team(), tmp_path / "robots.yaml")
    assert len(load_team(tmp_path / "robots.yaml")) == len(sample_team())


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    twice = SceneGraph().with_layer("objects", Layer.of(OBJECTS, IDS[[0, 0, 1, 2]], COLUMNS.T))
    with pytest.raises(SceneError, match="the node O0 is there twice"):
        save_scene(twice, file)
    with pytest.raises(SceneError, match="the node O0 is there twice"):
        twice.find("O1")
    objects = ObjectMap.of(COLUMNS.T)
    for wrong, told in (
        (replace(objects, centroids=COLUMNS.T * np.nan), "not finite"),
        (replace(objects, existence=objects.existence[:2]), "'existence' has 2 rows, not 4"),
    ):
        with pytest.raises(SceneError, match=told):
            save_objects(wrong, file)
    with pytest.raises(DataError, match="whole nanoseconds"):
        write_tum(file, STAMPS / 1e9, POSES)  # type: ignore[arg-type]
    assert not file.exists()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: plan_scene("map.json", sample_team(), {}), "SceneGraph is needed, not 'map.json'"),
        (lambda: plan_scene(sample_scene(), [], {}), "load_team reads one"),
        (lambda: Grounder("map.json", sample_team()), "load_scene reads one"),
        (lambda: Grounder(sample_scene(), sample_team(), None, "O2"), "write ['O2']"),
        (lambda: Grounder(sample_scene(), sample_team()).ground(None), "a str is needed"),
        (lambda: Team([*sample_team()]), "robots of a team: a dict is needed"),
        (lambda: Simulation("husky"), "write ['husky']"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_told_with_what_makes_one(
    call: Callable[[], object], told: str
) -> None:
    with pytest.raises(CommongroundError) as caught:
        call()
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("goals", "more", "told"),
    [
        ({"rex": "(safe O7)"}, {}, "unknown robot 'rex'"),
        ({"spot": "(safe O7)"}, {"time_limit_s": -1.0}, "time_limit_s = -1.0"),
        ({"spot": "(safe O7)"}, {"time_limit_s": np.nan}, "time_limit_s = nan"),
        ({"spot": "(safe O7)"}, {"order": [("spot", "husky")]}, "a Before is needed"),
        ({"spot": "(safe O7)"}, {"order": [Before("a", "b")]}, "a Step is needed"),
    ],
)
def test_what_cannot_be_planned_is_a_status(
    goals: dict[str, str], more: dict[str, Any], told: str
) -> None:
    plan = plan_scene(sample_scene(), sample_team(), goals, **more)
    assert plan.status is Status.ERROR
    assert told in plan.reason
