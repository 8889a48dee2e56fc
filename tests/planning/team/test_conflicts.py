"""Goals about the same things: ordered, handed over, chosen so that they agree, or refused with a reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.scene import TeamPlan, parse_goal
from commonground.planning.team import plan_scene, validate
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids

ABLE = frozenset({"goto", "inspect", "pick", "place"})


def field(suspicious: bool = False) -> SceneGraph:
    """Places 2 m apart, 6 by 6, with three things; P6 k + y is at (2 k, 2 y)."""
    at = np.array([[2.0 * x, 2.0 * y, 0.0] for x in range(6) for y in range(6)])
    links = [(6 * x + y, 6 * x + y + 1) for x in range(6) for y in range(5)]
    links += [(6 * x + y, 6 * x + y + 6) for x in range(5) for y in range(6)]
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(36)), at, edges=Edges.of(links))
    hosts = [14, 21, 27]
    things = Layer.of(OBJECTS, node_ids("O", np.arange(3)), at[hosts] + [0.0, 0.3, 0.0])
    extras = tuple({"metadata": {"suspicious": suspicious}} for _ in range(3))
    graph = SceneGraph(layers={"surface_places": places, "objects": replace(things, extras=extras)})
    return graph.with_links("objects", "surface_places", list(enumerate(hosts)))


def divided() -> SceneGraph:
    """The field with a row of places that is too narrow for wide robots."""
    graph = field()
    x = graph.surface_places.positions[:, 0]
    room = np.where(x == 6.0, 0.5, 3.0)
    places = replace(graph.surface_places, columns={"clearance_m": room})
    return graph.with_layer("surface_places", places)


def team(*robots: tuple[str, float, float], able: frozenset[str] = ABLE) -> Team:
    return Team({n: Robot(n, from_xyz_yaw([x, y, 0.0, 0.0]), able) for n, x, y in robots})


def planned(graph: SceneGraph, robots: Team, goals: dict[str, str]) -> TeamPlan:
    """Return a plan; a solved one has passed the check of the whole team."""
    plan = plan_scene(graph, robots, goals, time_limit_s=20.0)
    if plan.status is Status.SOLVED:
        parsed = {name: parse_goal(goal, graph) for name, goal in goals.items()}
        actions = {n: p.actions for n, p in plan.robots.items()}
        assert validate(graph, robots, parsed, actions) == []
    return plan


BOTH = (("a", 0.0, 0.0), ("b", 10.0, 10.0))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(or (holding O0) (holding O1))", "(holding O0)"),
        ("(holding O0)", "(or (holding O0) (visited-place P30))"),
        ("(or (holding O0) (holding O1))", "(or (holding O0) (holding O1))"),
        ("(or (object-in-place O0 P0) (at-place P5))", "(holding O0)"),
        ("(or (at-place P5) (at-place P0))", "(at-place P0)"),
        ("(or (safe O0) (safe O2))", "(holding O0)"),
    ],
)
def test_choices_agree(first: str, second: str) -> None:
    plan = planned(field(), team(*BOTH), {"a": first, "b": second})
    assert plan.status is Status.SOLVED, plan.reason


@pytest.mark.parametrize(
    ("goals", "why"),
    [
        (
            ["(or (holding O0) (object-in-place O0 P9))", "(holding O0)"],
            "a and b conflict over O0, whichever way each of them chooses",
        ),
        (["(or (holding O0) (holding O1))"] * 3, "a, b and c conflict over O"),
        (["(holding O0)"] * 5, "a, b, c, d and e conflict over O0: (holding O0); O0 cannot be in"),
        (["(safe O0)", "(not (safe O0))"], "a and b have goals that exclude each other over O0"),
        (["(at-place P9)"] * 3, "a, b and c cannot all end at P9: a and b would be 0.00 m apart"),
        (["(safe O1)", "(holding O0)", "(object-in-place O0 P3)"], "b and c conflict over O0"),
    ],
)
def test_who_conflicts_with_whom_is_told(goals: list[str], why: str) -> None:
    starts = [("a", 0, 0), ("b", 10, 0), ("c", 0, 10), ("d", 10, 10), ("e", 4, 0)]
    robots = team(*starts[: len(goals)])
    plan = planned(field(), robots, dict(zip("abcde", goals, strict=False)))
    assert plan.status is Status.UNSOLVABLE
    assert why in plan.reason


def test_who_can_inspects_what_another_one_picks() -> None:
    robots = team(*BOTH)
    hands = replace(robots["b"], capabilities=frozenset({"goto", "pick", "place"}))
    robots = Team({"a": robots["a"], "b": hands})
    plan = planned(field(suspicious=True), robots, {"b": "(object-in-place O2 P35)"})
    assert plan.status is Status.SOLVED, plan.reason
    (looks,) = [a for a in plan.robots["a"].actions if a.action == "inspect"]
    (picks,) = [a for a in plan.robots["b"].actions if a.action == "pick"]
    assert looks.end_s < picks.start_s


@pytest.mark.parametrize("goal", ["(holding O2)", "(object-in-place O2 P0)", "(safe O2)"])
def test_things_are_handed_over(goal: str) -> None:
    """The wide robot does not fit through to the thing; the slim one brings it."""
    wide = replace(team(("a", 0, 0))["a"], radius_m=0.8)
    slim = team(("b", 10, 10))["b"]
    plan = planned(divided(), Team({"a": wide, "b": slim}), {"a": goal})
    assert plan.status is Status.SOLVED, plan.reason
    places = [a for a in plan.robots["b"].actions if a.action == "place"]
    assert [a.item for a in places] == ["O2"]


def test_nobody_can_hand_over_what_nobody_reaches() -> None:
    wide = [replace(r, radius_m=0.8) for r in team(("a", 0, 0), ("b", 0, 10))]
    plan = planned(divided(), Team({r.name: r for r in wide}), {"a": "(holding O2)"})
    assert plan.status is Status.UNSOLVABLE
    assert "a cannot reach O2" in plan.reason


def test_a_robot_without_a_gripper_has_things_moved() -> None:
    robots = team(*BOTH)
    eyes = replace(robots["a"], capabilities=frozenset({"goto", "inspect"}))
    robots = Team({"a": eyes, "b": robots["b"]})
    plan = planned(field(), robots, {"a": "(and (object-in-place O0 P0) (safe O1))"})
    assert plan.status is Status.SOLVED, plan.reason
