"""No plan is sooner than the bound that is told with it, and without others about it is often met."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.pddl import And, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene import parse_goal
from commonground.planning.team import plan_scene
from commonground.planning.team.soonest import soonest_s
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Boxes, Edges, Layer, SceneGraph
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


def squares(rng: np.random.Generator, boxed: bool, speeds: list[float]) -> tuple[SceneGraph, Team]:
    """A grid of places 2 m apart, four things on some of them, and robots on others."""
    at = np.array([[2.0 * x, 2.0 * y, 0.0] for y in range(4) for x in range(5)])
    links = [
        (a, b)
        for a, b in itertools.combinations(range(20), 2)
        if np.linalg.norm(at[a] - at[b]) < 2.1
    ]
    rows = rng.permutation(20)
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (4, 1))
    boxes = Boxes(at[rows[:4]], np.full((4, 3), 0.1 if boxed else np.nan), upright)
    graph = SceneGraph(
        layers={
            "surface_places": Layer.of(
                SURFACE_PLACES, node_ids("P", np.arange(20)), at, edges=Edges.of(links)
            ),
            "objects": Layer.of(OBJECTS, node_ids("O", np.arange(4)), at[rows[:4]], boxes=boxes),
        }
    )
    able = frozenset({"goto", "inspect"})
    robots = {
        f"r{k}": Robot(f"r{k}", from_xyz_yaw([*at[rows[4 + k]][:2], 0.0, 0.0]), able, speed, 0.2)
        for k, speed in enumerate(speeds)
    }
    return graph, Team(robots)


def soonest_by_trying(graph: SceneGraph, team: Team) -> float:
    """Return when all four things are inspected at best by robots that may drive through each other."""
    at, goals = graph.objects.positions, range(4)
    best = np.inf
    for who in itertools.product(team, repeat=4):
        ends = []
        for robot in team:
            mine = [k for k in goals if who[k] is robot]
            tours = [
                sum(
                    float(np.abs(a - b).sum())
                    for a, b in itertools.pairwise([robot.position, *(at[k] for k in order)])
                )
                for order in itertools.permutations(mine)
            ]
            ends.append(min(tours) / robot.speed_mps + 5.0 * len(mine))
        best = min(best, max(ends))
    return float(best)


@pytest.mark.parametrize("seed", range(6))
def test_bounds_of_shared_work_are_never_above_the_best_there_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    speeds = [float(x) for x in rng.choice([0.5, 1.0, 2.0], 3)]
    for team_speeds in (speeds, speeds[:1]):
        graph, team = squares(rng, boxed=bool(seed % 2), speeds=team_speeds)
        goal = parse_goal(f"(and {' '.join(f'(safe O{k})' for k in range(4))})", graph)
        bound = soonest_s(graph, team, {}, goal)
        assert bound <= soonest_by_trying(graph, team) + 1e-6
        assert bound >= 5.0 * np.ceil(4 / len(team))
        plan = plan_scene(graph, team, {"team": to_pddl(goal)}, watch=WorkWatch())
        assert plan.status is Status.SOLVED
        assert bound <= plan.makespan_s + 1e-6


def test_many_inspections_take_a_team_as_long_as_the_robot_with_most_of_them() -> None:
    graph, team = squares(np.random.default_rng(0), boxed=False, speeds=[50.0, 50.0, 50.0])
    goal = parse_goal(f"(and {' '.join(f'(safe O{k})' for k in range(4))})", graph)
    assert soonest_s(graph, team, {}, goal) == pytest.approx(10.0, abs=0.2)


def test_a_robot_that_ends_beside_a_box_is_told_no_more_than_it_needs() -> None:
    graph = line_of_places()
    box = Boxes(np.array([[4.0, 0.0, 0.0]]), np.full((1, 3), 0.1), np.eye(1, 4))
    graph = graph.with_layer("objects", replace(graph.objects, boxes=box))
    team = Team({"a": robot("a", 0.0)})
    plan = plan_scene(graph, team, {"a": "(safe O0)"})
    bound = soonest_s(graph, team, {"a": parse_goal("(safe O0)", graph)}, And(), {"a": 4.0})
    assert 8.0 < bound < plan.makespan_s < 9.0


@pytest.mark.parametrize(
    ("goals", "told"),
    [
        ({"a": "(visited-place P3)", "b": "(visited-place P7)"}, 4.0),
        ({"a": "(visited-place P3)"}, 3.0),
        ({"team": "(visited-place P7)"}, None),
        ({"a": "(safe O0)"}, None),
    ],
)
def test_meters_are_called_proven_only_of_what_was_asked_for(
    goals: dict[str, str], told: float | None
) -> None:
    """What is shared out, or done with a thing, may take fewer meters in other hands."""
    plan = plan_scene(
        line_of_places(), Team({"a": robot("a", 0.0), "b": robot("b", 8.0)}), goals
    ).as_json()
    assert plan["status"] == "solved"
    assert plan["lower_bound_m"] == told
    assert plan["gap"] == (None if told is None else 0.0)
    assert plan["optimal"] == (told is not None)
    assert all(own["optimal"] for own in plan["alone"].values())


def test_an_empty_goal_is_told_to_be_empty() -> None:
    plan = plan_scene(line_of_places(), Team({"a": robot("a", 0.0)}), {"a": "(and)"})
    assert plan.reason == "a: the goal is empty, nothing is to be done"
