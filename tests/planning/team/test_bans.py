"""What a team's goal avoids is avoided by everybody: who works, who helps, and who only makes way."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.planning.mission.audit import audit
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Join
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import simulate_mission
from commonground.planning.pddl import nnf, to_pddl
from commonground.planning.result import Status
from commonground.planning.robots.faults import Fault
from commonground.planning.scene import parse_goal
from commonground.planning.team import plan_scene
from commonground.planning.team.bans import bound_from_here
from commonground.planning.team.check import SharedState
from commonground.planning.team.phases import phases
from commonground.scene import Layer, SceneGraph
from commonground.scene.layer import REGIONS
from commonground.symbols import node_ids
from tests.planning.mission.scenes import grid
from tests.planning.mission.scenes import team as on_the_grid
from tests.planning.team.test_sharing import robots, scene

KEEP_OUT = "(not (visited-region R1))"


def with_bay(cells: str, inside: set[int]) -> SceneGraph:
    """A drawing of places of which some lie in R1, the others in R0."""
    graph = scene(cells)
    points = graph.surface_places.positions
    own = np.array([int(k in inside) for k in range(len(points))])
    centers = [points[own == k].mean(axis=0) for k in (0, 1)]
    graph = graph.with_layer("regions", Layer.of(REGIONS, node_ids("R", np.arange(2)), centers))
    return graph.with_links("surface_places", "regions", np.c_[np.arange(len(points)), own])


CORRIDOR = with_bay("#####\n..#..", {5})
"""The bay P5, below the middle, is out of bounds."""


def test_who_only_makes_way_does_not_do_so_through_what_the_team_keeps_out_of() -> None:
    team, goal = robots(a=(0, 0), b=(2, 0)), {"a": "(at-place P4)"}
    free = plan_scene(CORRIDOR, team, goal)
    assert free.status is Status.SOLVED
    assert any("P5" in action.places for action in free.robots["b"].actions)
    bound = plan_scene(CORRIDOR, team, {**goal, "team": KEEP_OUT})
    assert bound.status is not Status.SOLVED


def test_who_stands_where_nobody_may_go_may_leave_and_goes_no_farther_in() -> None:
    deep = with_bay("#####\n..#..\n..#..", {5, 6})
    team = robots(a=(0, 0), b=(2, -1))
    plan = plan_scene(deep, team, {"team": f"(and (visited-place P4) {KEEP_OUT})"})
    assert plan.status is Status.SOLVED
    assert list(plan.robots) == ["b"]
    wanted = {"team": nnf(parse_goal(KEEP_OUT, deep))}
    bound = bound_from_here(wanted, SharedState.of(deep, team))
    assert "R1" in to_pddl(bound["a"])
    assert "P6" in to_pddl(bound["b"])
    assert "P5" not in to_pddl(bound["b"])


def test_who_stands_deep_inside_may_leave_by_the_nearest_way() -> None:
    deep = with_bay("##########", {5, 6, 7, 8, 9})
    team = robots(a=(0, 0), b=(7, 0))
    left = plan_scene(deep, team, {"b": "(visited-place P3)", "team": KEEP_OUT})
    assert left.status is Status.SOLVED
    farther = plan_scene(deep, team, {"b": "(visited-place P9)", "team": KEEP_OUT})
    assert farther.status is Status.UNSOLVABLE


def test_a_part_falls_to_a_robot_whose_own_ban_allows_it() -> None:
    goals = {"a": "(not (visited-place P4))", "team": "(visited-place P4)"}
    plan = plan_scene(with_bay("#####\n##...", {6}), robots(a=(1, -1), b=(0, 0)), goals)
    assert plan.status is Status.SOLVED
    assert [name for name, own in plan.robots.items() if own.actions] == ["b"]


def test_a_robot_with_nothing_to_do_in_a_phase_keeps_its_ban_in_it() -> None:
    ban = nnf(parse_goal("(not (visited-place P5))", CORRIDOR))
    assert [set(one) for one in phases({"a": ban}, ())] == [{"a"}]


@pytest.mark.parametrize("faults", [(), (Fault("lost", robot="anna", at_s=4.0),)])
def test_in_a_mission_nobody_enters_what_the_team_keeps_out_of(faults: tuple[Fault, ...]) -> None:
    graph, team = grid(), on_the_grid(anna=(0, 0), bert=(6, 0))
    goals = {
        "anna": "(and (safe O1) (visited-place P21))",
        "team": f"(and (safe O3) (object-in-place O1 P14) {KEEP_OUT})",
    }
    belief = SceneBelief.of(graph, team, goals)
    for name in ("anna", "bert"):
        assert "R1" in to_pddl(belief.goals[name])
    went = simulate_mission(graph, team, goals, faults, planner=ScenePlanner())
    assert audit(graph, team, goals, went.world.moments, went.world.deeds) == []
    kept = [one for one in went.end.accounts if one.said_to == "team" and one.at_s is None]
    assert [one.done for one in kept] == [True], went.end.accounts


def test_a_ban_that_joins_binds_all_and_lets_who_stands_where_it_was_told_stay() -> None:
    graph, team = grid(), on_the_grid(anna=(0, 0), bert=(6, 0))
    belief = SceneBelief.of(graph, team, {"anna": "(at-place P0)"})
    belief.take_in(1.0, Join("nobody goes over there", "op", {"team": KEEP_OUT}))
    assert "at-place P0" in to_pddl(belief.goals["anna"])
    assert all("R1" in to_pddl(belief.goals[name]) for name in ("anna", "bert"))


def test_a_ban_too_late_for_who_stands_there_is_told_and_kept_by_the_others() -> None:
    graph, team = grid(), on_the_grid(anna=(0, 0), bert=(3, 5))
    goals = {"team": f"(and (safe O3) {KEEP_OUT})"}
    went = simulate_mission(graph, team, goals, planner=ScenePlanner())
    assert went.end.status == "done"
    assert all(one.done for one in went.end.accounts)
    plan = plan_scene(graph, team, goals)
    assert any(line.startswith("bert stands in R1") for line in plan.assumed)
    within = plan_scene(graph, team, {"team": f"(and (safe O2) {KEEP_OUT})"})
    assert within.status is not Status.SOLVED
    assert "bert stands in R1" in within.reason


def test_a_robot_told_to_keep_out_of_where_it_stands_may_only_leave_and_all_others_go_on() -> None:
    graph, team = grid(), on_the_grid(anna=(0, 0), bert=(3, 5))
    goals = {"anna": "(safe O3)", "bert": f"(and (visited-object O1) {KEEP_OUT})"}
    asked: list[str] = []
    went = simulate_mission(
        graph, team, goals, planner=ScenePlanner(), operator=lambda said: not asked.append(said)
    )
    assert went.end.status == "done"
    assert all(one.done for one in went.end.accounts), went.end.accounts
    told = "bert stands in R1, which it keeps out of: it may only leave"
    assert told in asked[0] and told in plan_scene(graph, team, goals).assumed
    farther = plan_scene(graph, team, {"bert": f"(and (visited-object O2) {KEEP_OUT})"})
    assert farther.status is not Status.SOLVED


def test_a_robot_told_not_to_end_where_it_stands_leaves() -> None:
    team = on_the_grid(bert=(3, 5))
    plan = plan_scene(grid(), team, {"bert": "(not (in-region R1))"})
    assert plan.status is Status.SOLVED and plan.robots["bert"].actions
