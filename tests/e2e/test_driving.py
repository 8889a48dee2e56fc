"""Plans driven in the true world: what is otherwise there is noticed, and repaired where it can be."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.demo import sample_scene, sample_team
from commonground.geometry import from_xyz_yaw
from commonground.grounding import Grounder
from commonground.objects import Boxes
from commonground.planning.mission.journal import read_steps
from commonground.scene import SceneGraph
from commonground.story.driving import Asked, drive
from commonground.story.true_world import Truth

GRAPH, TEAM = sample_scene(), sample_team()
TEXT = "Spot, bring the box closest to the flag to the garden path."
HERE = np.eye(4)


@pytest.fixture(scope="module")
def asked() -> Asked:
    goals = dict(Grounder(GRAPH, TEAM).ground(TEXT).goals or {})
    return Asked(GRAPH, TEAM, goals)


@pytest.fixture(scope="module")
def straight(asked: Asked, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    folder = tmp_path_factory.mktemp("missions") / "1"
    return drive(asked, Truth(GRAPH, HERE, {}), folder), folder


def motions(folder: Path) -> list[Floats]:
    """Return the ways of a mission's first plan."""
    told = [t for step in read_steps(folder) for t in step.told]
    first = next(t for t in told if hasattr(t, "tasks"))
    return [np.array(task.path) for task in first.tasks if task.moves]


def used(asked: Asked) -> set[str]:
    """Return the things that spot's goal is about."""
    return set(re.findall(r"O\d+", asked.goals["spot"]))


def moved(row: int, at: Floats) -> SceneGraph:
    """Return a world in which a thing is elsewhere."""
    things = GRAPH.objects
    positions = things.positions.copy()
    positions[row] = at
    boxes = things.boxes
    if boxes is not None:
        boxes = Boxes.axis_aligned(positions, boxes.sizes)
    return GRAPH.with_layer("objects", replace(things, positions=positions, boxes=boxes))


def test_a_plan_is_driven_to_its_end_and_kept(straight: tuple[Any, Path]) -> None:
    went, folder = straight
    assert went["status"] == "done" and went["found"] == []
    assert went["robots"]["spot"] == {"done": True, "steps": 4, "surprise": ""}
    assert sum(len(step.decided) for step in read_steps(folder))


def test_a_robot_that_is_not_where_it_believes_is_told_of(asked: Asked) -> None:
    shifted = from_xyz_yaw(np.array([6.0, 0.0, 0.0, 0.0]))
    went = drive(asked, Truth(GRAPH, HERE, {"spot": shifted}))
    assert not went["robots"]["spot"]["done"] and went["robots"]["spot"]["surprise"]


def test_a_thing_that_was_taken_away_is_noticed(asked: Asked) -> None:
    item = sorted(used(asked))[0]
    gone = moved(GRAPH.objects.row(item), np.array([500.0, 500.0, 0.0]))
    look = Asked(GRAPH, TEAM, {"spot": f"(safe {item})"})
    went = drive(look, Truth(gone, HERE, {}))
    assert went["status"] != "done" and item in went["robots"]["spot"]["surprise"]
    assert any(f"{item} is not at" in found for found in went["found"])


def test_something_that_the_map_does_not_have_is_driven_around(
    asked: Asked, straight: tuple[Any, Path]
) -> None:
    way = motions(straight[1])[0]
    middle = (way[0] + way[1]) / 2
    sizes = GRAPH.objects.boxes.sizes if GRAPH.objects.boxes is not None else np.ones((9, 3))
    stray = next(
        k
        for k, s in enumerate(GRAPH.objects.symbols)
        if s not in used(asked) and sizes[k, :2].min() > 0.8 and sizes[k, 2] < 2.0
    )
    went = drive(asked, Truth(moved(stray, middle), HERE, {}))
    assert went["status"] == "done", went
    assert [found for found in went["found"] if "something stands at" in found]
