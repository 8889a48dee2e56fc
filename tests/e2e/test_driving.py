"""Plans driven in the true world: what goes otherwise than planned is noticed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commonground.demo import sample_scene, sample_team
from commonground.geometry import from_xyz_yaw
from commonground.grounding import Grounder
from commonground.objects import ObjectMap
from commonground.planning.team import plan_scene
from commonground.story.driving import Place, _drive

GRAPH, TEAM = sample_scene(), sample_team()
LAYER = GRAPH.objects
OBJECTS = ObjectMap.of(LAYER.positions)
HERE = np.eye(4)


@pytest.fixture(scope="module")
def actions() -> Any:
    found = Grounder(GRAPH, TEAM).ground(
        "Spot, bring the box closest to the flag to the garden path."
    )
    plan = plan_scene(GRAPH, TEAM, dict(found.goals or {})).as_json()
    return plan["robots"]["spot"]


def world() -> Place:
    return Place(GRAPH, dict(enumerate(LAYER.positions)))


def test_a_plan_is_driven_to_its_end(actions: Any) -> None:
    there = world()
    done = _drive(there, "spot", actions, OBJECTS, HERE, HERE)
    assert done["done"]
    item = LAYER.row(next(a["item"] for a in actions if a["action"] == "place"))
    assert np.linalg.norm(there.lies[item] - actions[-1]["path_map"][-1]) < 0.1
    assert not there.holding


def test_a_robot_that_is_not_where_it_believes_does_not_pass(actions: Any) -> None:
    shifted = from_xyz_yaw(np.array([6.0, 0.0, 0.0, 0.0]))
    done = _drive(world(), "spot", actions, OBJECTS, shifted, HERE)
    assert not done["done"]
    assert done["surprise"]


def test_a_thing_that_was_taken_away_is_noticed(actions: Any) -> None:
    there = world()
    item = next(a["item"] for a in actions if a["action"] == "pick")
    there.lies[LAYER.row(item)] = np.array([500.0, 500.0, 0.0])
    done = _drive(there, "spot", actions, OBJECTS, HERE, HERE)
    assert not done["done"]
    assert done["surprise"] == f"{item} is no longer where the map has it"


def test_two_things_are_not_carried_at_once(actions: Any) -> None:
    there = world()
    there.holding["spot"] = 0
    done = _drive(there, "spot", actions, OBJECTS, HERE, HERE)
    assert "already carries" in done["surprise"]
