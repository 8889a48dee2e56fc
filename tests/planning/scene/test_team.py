"""Several robots: one goal shared out, and nobody in anybody's way."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.planning.downward import FastDownward
from commonground.planning.pddl import load_task
from commonground.planning.result import Status
from commonground.planning.scene import certify, parse_goal
from commonground.planning.scene.pddl_task import write_pddl
from commonground.planning.team import plan_scene
from commonground.planning.team.files import PlannedScene, write_plan
from commonground.planning.team.track import Track, closest
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids


def sample_team() -> Team:
    """A Spot with an arm on the plaza, a Husky without one on the main street."""
    hands = frozenset({"goto", "inspect", "pick", "place"})
    eyes = frozenset({"goto", "inspect"})
    return Team(
        {
            "spot": Robot("spot", from_xyz_yaw([6, 30, 0, 0]), hands),
            "husky": Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), eyes, speed_mps=1.5),
        }
    )


CARS = " ".join(f"(safe O{i})" for i in range(9, 15))


def test_a_team_goal_is_shared_out_and_every_part_done() -> None:
    graph, team = sample_scene(), sample_team()
    goal = f"(and {CARS} (safe O0) (safe O1) (safe O5) (safe O6) (holding O29) (not (visited-region R7)))"
    together = plan_scene(graph, team, {"team": goal})
    assert together.status is Status.SOLVED, together.reason
    inspected = {
        a.target for p in together.robots.values() for a in p.actions if a.action == "inspect"
    }
    assert inspected == {f"O{i}" for i in (0, 1, 5, 6, *range(9, 15))}
    (picker,) = [
        n for n, p in together.robots.items() if any(a.action == "pick" for a in p.actions)
    ]
    assert picker == "spot"  # the husky has no arm
    alone = plan_scene(graph, team, {"spot": goal})
    assert together.makespan_s < alone.makespan_s
    for name, plan in together.robots.items():
        assert (
            certify(graph, team[name], parse_goal(plan.goal, graph), plan.actions, "surface_places")
            == []
        )
        assert "(not (visited-region R7))" in plan.goal


def test_what_nobody_can_do_is_named() -> None:
    graph = sample_scene()
    husky = Team({"husky": sample_team()["husky"]})
    answer = plan_scene(graph, husky, {"team": "(and (safe O1) (holding O29))"})
    assert answer.status is Status.UNSOLVABLE
    assert "nobody can do “hold O29”" in answer.reason


def corridor() -> SceneGraph:
    """A corridor a meter wide with ten places, and a bay beside its middle."""
    at = np.array([[float(x), 0.0, 0.0] for x in range(10)] + [[5.0, 2.0, 0.0]])
    half = np.array([[0.5, 0.5]] * 10 + [[1.5, 1.5]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    outlines = [np.c_[p[:2] + corners * h, np.zeros(4)] for p, h in zip(at, half, strict=True)]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(11)),
        at,
        edges=Edges.of([*((i, i + 1) for i in range(9)), (5, 10)]),
        boundaries=Ragged.of(outlines),
    )
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[9.0, 0.0, 0.0]])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    return graph.with_links("objects", "surface_places", [(0, 9)])


def robots(**starts: tuple[float, float]) -> Team:
    able = frozenset({"goto", "inspect"})
    return Team(
        {n: Robot(n, from_xyz_yaw([*xy, 0.0, 0.0]), able, radius_m=0.4) for n, xy in starts.items()}
    )


def test_a_robot_waits_in_the_bay_until_the_corridor_is_free() -> None:
    graph, team = corridor(), robots(a=(0.0, 0.0), b=(5.0, 2.0))
    goals = {"a": "(at-place P9)", "b": "(at-place P0)"}
    answer = plan_scene(graph, team, goals)
    assert answer.status is Status.SOLVED, answer.reason
    a, b = (Track.of(team[n].position, answer.robots[n].actions) for n in ("a", "b"))
    assert closest(a, b).meters >= 0.85
    waits = [a for p in answer.robots.values() for a in p.actions if a.action == "wait"]
    assert waits
    assert all(w.end_s > w.start_s for w in waits)
    for name, goal in goals.items():
        actions = answer.robots[name].actions
        assert certify(graph, team[name], parse_goal(goal, graph), actions, "surface_places") == []
        assert all(x.end_s <= y.start_s + 1e-6 for x, y in itertools.pairwise(actions))


def test_robots_that_cannot_pass_each_other_are_told_so() -> None:
    graph = corridor()
    graph = graph.take("surface_places", np.arange(10))  # without the bay
    team, goals = robots(a=(0.0, 0.0), b=(9.0, 0.0)), {"a": "(at-place P9)", "b": "(at-place P0)"}
    answer = plan_scene(graph, team, goals, watch=WorkWatch())
    assert answer.status is Status.NOT_FOUND
    assert "a and b found no way past each other" in answer.reason


@pytest.mark.parametrize(
    "goals", [{"a": "(at-place P4)"}, {"a": "(at-place P4)", "b": "(at-place P8)"}]
)
def test_robots_out_of_each_others_way_do_not_wait(goals: dict[str, str]) -> None:
    answer = plan_scene(corridor(), robots(a=(0.0, 0.0), b=(9.0, 0.0)), goals)
    assert answer.status is Status.SOLVED
    assert not [a for p in answer.robots.values() for a in p.actions if a.action == "wait"]


@pytest.mark.parametrize(
    "goal",
    [
        "(visited-object O9)",
        "(and (safe O9) (safe O10) (not (visited-region R7)))",
        "(and (object-in-place O29 P5) (or (safe O9) (visited-region R2)))",
        "(and (and (safe O9) (not (visited-region R7))) (safe O10))",
        "(explored-region R3)",
        "(and (visited-region R1) (in-region R3) (visited-region R2))",
    ],
)
def test_the_pddl_of_a_goal_can_be_planned_by_others(goal: str, tmp_path: Path) -> None:
    graph, team = sample_scene(), sample_team()
    ours = plan_scene(graph, team, {"spot": goal})
    write_pddl(graph, team["spot"], goal, tmp_path)
    with FastDownward() as planner:
        task = load_task(tmp_path / "domain.pddl", tmp_path / "problem.pddl")
        theirs = planner.solve(task, "optimal", time_limit_s=60)
    assert theirs.solved, theirs.reason
    assert theirs.cost == pytest.approx(ours.cost_m, abs=0.01)


def test_what_no_robot_lifts_is_not_lifted_by_other_planners(tmp_path: Path) -> None:
    write_pddl(sample_scene(), sample_team()["spot"], "(holding O6)", tmp_path)  # 5 m long
    with FastDownward() as planner:
        found = planner.solve(load_task(tmp_path / "domain.pddl", tmp_path / "problem.pddl"))
    assert found.status is Status.UNSOLVABLE


def test_pddl_that_could_not_say_the_same_is_not_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    goal = {"spot": "(or (not (visited-region R1)) (safe O9))"}
    planned = PlannedScene(plan_scene(sample_scene(), sample_team(), goal), sample_scene())
    write_plan(planned, sample_team(), None, tmp_path)
    assert "spot: no PDDL can be written where (not (visited-region R1))" in caplog.text
    assert not list(tmp_path.iterdir())


def driven_s(graph: SceneGraph, team: Team, shares: Sequence[str], names: Sequence[str]) -> float:
    """Return when a team is done if each thing is inspected by the robot of its own."""
    parts = {n: [t for t, who in zip(names, shares, strict=True) if who == n] for n in shares}
    goals = {n: f"(and {' '.join(f'(safe {t})' for t in own)})" for n, own in parts.items()}
    plan = plan_scene(graph, team, goals)
    return plan.makespan_s if plan.status is Status.SOLVED else np.inf


def test_a_goal_is_shared_out_by_what_robots_drive_and_not_by_the_way_over_places() -> None:
    graph, team, things = sample_scene(), sample_team(), ("O0", "O1", "O9", "O39")
    goal = f"(and {' '.join(f'(safe {thing})' for thing in things)})"
    plan = plan_scene(graph, team, {"team": goal})
    every = itertools.product(team.robots, repeat=len(things))
    best_s = min(driven_s(graph, team, shares, things) for shares in every)
    assert plan.makespan_s <= best_s + 0.1
    assert "another share of the goal may be done sooner" in plan.reason


def test_one_robot_shares_with_nobody() -> None:
    graph, spot = sample_scene(), Team({"spot": sample_team()["spot"]})
    assert plan_scene(graph, spot, {"team": "(and (safe O1) (safe O9))"}).reason == ""


def test_what_robots_have_to_do_besides_counts_when_a_goal_is_shared_out() -> None:
    """Two robots side by side; the one that is farther from the thing has nothing else to do."""
    at = [[2.0 * k, 0.0, 0.0] for k in range(30)]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(30)),
        at,
        edges=Edges.of([(k, k + 1) for k in range(29)]),
        columns={"clearance_m": np.full(30, 3.0)},
    )
    things = Layer.of(OBJECTS, node_ids("O", np.arange(1)), [[30.0, 1.0, 0.0]])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    team = robots(a=(26.0, 0.0), b=(10.0, 0.0))
    for besides, who in (({}, "a"), ({"a": "(at-place P0)"}, "b")):
        plan = plan_scene(graph, team, {"team": "(visited-object O0)", **besides})
        assert [n for n, p in plan.robots.items() if "O0" in {x.target for x in p.actions}] == [who]
