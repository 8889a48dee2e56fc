"""The check of a whole team's plan: what it must catch, on plans that are right for each robot alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.scene import Action, parse_goal
from commonground.planning.scene.planner import plan_robot
from commonground.planning.scene.sites import make_site
from commonground.planning.team.check import validate
from commonground.planning.team.planner import plan_scene
from commonground.planning.team.track import Track, closest
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids

ABLE = frozenset({"goto", "inspect", "pick", "place"})


def field() -> SceneGraph:
    """An open field: 10 by 10 places without outlines, a thing on P55."""
    at = np.array([[float(x), float(y), 0.0] for x in range(10) for y in range(10)])
    links = [(10 * x + y, 10 * x + y + 1) for x in range(10) for y in range(9)]
    links += [(10 * x + y, 10 * x + y + 10) for x in range(9) for y in range(10)]
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(100)), at, edges=Edges.of(links))
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[5.0, 5.3, 0.0]])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    return graph.with_links("objects", "surface_places", [(0, 55)])


def team(**starts: tuple[float, float]) -> Team:
    poses = {n: from_xyz_yaw([*xy, 0.0, 0.0]) for n, xy in starts.items()}
    return Team({n: Robot(n, pose, ABLE) for n, pose in poses.items()})


def faults(graph: SceneGraph, robots: Team, goals: dict[str, str]) -> list[str]:
    """Plan for each robot as if it were alone, and check the plans together."""
    parsed = {n: parse_goal(g, graph) for n, g in goals.items()}
    rng = np.random.default_rng(0)
    plans = {
        n: plan_robot(graph, robots[n], goal, goals[n], rng)[1].actions
        for n, goal in parsed.items()
    }
    return [str(v) for v in validate(graph, robots, parsed, plans)]


def test_a_plan_of_one_robot_passes() -> None:
    goals = {"spot": "(and (object-in-place O0 P90) (safe O0))"}
    assert faults(field(), team(spot=(0, 0)), goals) == []


@pytest.mark.parametrize(
    ("spot", "husky", "fault"),
    [
        ("(object-in-place O0 P90)", "(object-in-place O0 P9)", "pick O0: the robot is not at it"),
        ("(holding O0)", "(holding O0)", "pick O0: the robot is not at it"),
        ("(holding O0)", "(safe O0)", "inspect O0: the robot is not at it"),
        ("(object-in-place O0 P90)", "(holding O0)", "husky: the goal does not hold at the end"),
    ],
)
def test_what_another_robot_carried_off_is_missed(spot: str, husky: str, fault: str) -> None:
    found = faults(field(), team(spot=(5, 4), husky=(0, 9)), {"spot": spot, "husky": husky})
    assert any(fault in f for f in found), found


@pytest.mark.parametrize(
    "goals",
    [
        {"a": "(at-place P90)", "b": "(at-place P0)"},
        {"a": "(at-place P50)", "b": "(at-place P50)"},
        {"a": "(at-place P90)", "c": "(at-place P49)"},
    ],
    ids=["head on", "to one place", "through an idle robot"],
)
def test_robots_that_meet_are_noticed(goals: dict[str, str]) -> None:
    robots = team(a=(0, 0), b=(9, 0), c=(4, 9))
    found = faults(field(), robots, goals)
    assert any("a and b: 0.00 m apart" in f for f in found), found


def test_robots_on_the_public_kind_of_site_hold_one_thing_only_once() -> None:
    graph, alone = make_site(100, 10, np.random.default_rng(1000))
    spot = alone["spot"]
    husky = replace(spot, name="husky", T_map_robot=from_xyz_yaw([8.0, 8.0, 0.0, 0.0]))
    found = faults(
        graph,
        Team({"spot": spot, "husky": husky}),
        {"spot": "(holding O5)", "husky": "(holding O5)"},
    )
    assert any("pick O5" in f for f in found), found


def test_distance_is_exact_between_waypoints() -> None:
    a = Track(np.array([0.0, 10.0]), np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]]))
    b = Track(np.array([0.0, 10.0]), np.array([[10.0, 0.3, 0.0], [0.0, 0.3, 0.0]]))
    near = closest(a, b)
    assert near.meters == pytest.approx(0.3)
    assert near.time_s == pytest.approx(5.0)
    above = Track(b.time_s, b.points + [0.0, 0.0, 3.0])
    assert closest(a, above).meters == np.inf
    ramp = Track(b.time_s, np.array([[10.0, 0.3, 3.0], [0.0, 0.3, 0.0]]))
    # below 1.5 m only from 5 s on, when they have just met
    assert closest(a, ramp).meters == pytest.approx(0.3)


def test_a_jump_and_too_much_speed_are_noticed() -> None:
    graph, robots = field(), team(a=(0, 0))
    go = Action("goto", "P1", np.array([[0.0, 0, 0], [0, 1, 0]]), ("P0", "P1"), end_s=0.5)
    here = Action("wait", "P9", np.array([[0.0, 9, 0]]), start_s=1.0, end_s=2.0)
    found = [str(v) for v in validate(graph, robots, {}, {"a": [go, here]})]
    assert any("faster than 1 m/s" in f for f in found)
    assert any("wait begins elsewhere" in f for f in found)


def row_of_places(apart_m: float) -> SceneGraph:
    """Five places in a row, and a thing at the last one."""
    at = np.array([[apart_m * k, 0.0, 0.0] for k in range(5)])
    edges = Edges.of([(k, k + 1) for k in range(4)])
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(5)), at, edges=edges)
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[4 * apart_m, 0.1, 0.0]])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    return graph.with_links("objects", "surface_places", [(0, 4)])


def test_nothing_is_picked_from_a_place_meters_away() -> None:
    graph, robots = row_of_places(6.0), team(spot=(0, 0))
    goal = parse_goal("(holding O0)", graph)
    far = graph.surface_places.positions[:3]
    way = Action("goto", "O0", far, ("P0", "P1", "P2"), start_s=0.0, end_s=20.0)
    pick = Action("pick", "O0", far[-1:], item="O0", start_s=20.0, end_s=30.0)
    found = [str(v) for v in validate(graph, robots, {"spot": goal}, {"spot": (way, pick)})]
    assert any("pick O0: the robot is not at it" in v for v in found)


def test_a_thing_behind_a_robot_is_not_reached_past_it() -> None:
    graph, robots = row_of_places(6.0), team(spot=(0, 0), husky=(18, 0))
    plan = plan_scene(graph, robots, {"spot": "(holding O0)"}, watch=WorkWatch())
    assert plan.status in (Status.NOT_FOUND, Status.UNSOLVABLE)
