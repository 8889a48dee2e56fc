"""No plan is sooner than the bound that is told with it, and without others about it is often met."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.pddl import And
from commonground.planning.result import Status
from commonground.planning.scene import parse_goal
from commonground.planning.team import plan_scene
from commonground.planning.team.soonest import soonest_s
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids
from tests.planning.team.exhaustive import drawn

ABLE = frozenset({"goto", "inspect", "pick", "place"})


def line_of_places() -> SceneGraph:
    at = [[float(x), 0.0, 0.0] for x in range(9)]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(9)),
        at,
        edges=Edges.of([(k, k + 1) for k in range(8)]),
    )
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[4.0, 0.0, 0.0]])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    return graph.with_links("objects", "surface_places", [(0, 4)])


def robot(name: str, x: float, speed: float = 1.0) -> Robot:
    return Robot(name, from_xyz_yaw([x, 0.0, 0.0, 0.0]), ABLE, speed, 0.2)


def test_no_plan_of_a_team_is_sooner_than_its_bound() -> None:
    solved = 0
    for k in range(20):
        world = drawn(np.random.default_rng([k, 91]))
        goals = world.texts()
        plan = plan_scene(world.graph, world.team, goals, time_limit_s=0.5, watch=WorkWatch())
        if plan.status is Status.SOLVED:
            solved += 1
            asked = {name: parse_goal(text, world.graph) for name, text in goals.items()}
            shared = asked.pop("team", And())
            assert soonest_s(world.graph, world.team, asked, shared) <= plan.makespan_s + 1e-3
    assert solved > 5


def test_one_robot_on_lines_meets_its_bound() -> None:
    plan = plan_scene(line_of_places(), Team({"a": robot("a", 0.0)}), {"a": "(safe O0)"})
    told = plan.as_json()
    assert told["makespan_lower_bound_s"] == told["makespan_s"] == 9.0
    assert told["makespan_gap"] == 0.0


def test_a_robot_that_waits_for_another_one_is_told_what_that_costs() -> None:
    """The quick one follows the slow one along a line and is not done before it."""
    team = Team({"a": robot("a", 0.0, 2.0), "b": robot("b", 1.0, 0.5)})
    plan = plan_scene(line_of_places(), team, {"a": "(at-place P6)", "b": "(visited-place P7)"})
    assert plan.status is Status.SOLVED
    assert plan.soonest_s == 12.0
    assert plan.as_json()["makespan_gap"] == pytest.approx(1.0 - 12.0 / plan.makespan_s, abs=1e-3)


def test_a_thing_is_done_with_no_sooner_than_somebody_is_there() -> None:
    team = Team({"a": robot("a", 0.0), "b": robot("b", 8.0, 2.0)})
    bound = soonest_s(line_of_places(), team, {}, parse_goal("(safe O0)", line_of_places()))
    assert 5.0 < bound <= 5.0 + 4.0 / 2.0


def test_an_empty_goal_is_told_to_be_empty() -> None:
    plan = plan_scene(line_of_places(), Team({"a": robot("a", 0.0)}), {"a": "(and)"})
    assert plan.reason == "a: the goal is empty, nothing is to be done"
