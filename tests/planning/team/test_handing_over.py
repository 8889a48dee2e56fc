"""Things that no robot can bring alone: several bring them on, each through where it fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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

ABLE = ("goto", "inspect", "pick", "place")
WIDE, NARROW = 1.0, 0.4
"""Clearances: a robot of 0.5 m fits in the first alone, one of 0.3 m in the first two."""
ROOMS = [WIDE] * 4 + [NARROW] * 4 + [WIDE] * 4
Starts = Mapping[str, tuple[float, float, tuple[str, ...]]]
"""Where along the row each robot starts, its radius, and what it can do."""


def row(
    clearances: Sequence[float], thing: int, heights_m: Sequence[float] | None = None
) -> SceneGraph:
    """Places a meter apart, O0 at one of them."""
    heights_m = np.zeros(len(clearances)) if heights_m is None else heights_m
    at = [(float(x), 0.0, float(z)) for x, z in enumerate(heights_m)]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(at))),
        at,
        edges=Edges.of([(k, k + 1) for k in range(len(at) - 1)]),
        columns={"clearance_m": np.array(clearances)},
    )
    things = Layer.of(OBJECTS, node_ids("O", [0]), [np.add(at[thing], (0.0, 0.1, 0.0))])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    return graph.with_links("objects", "surface_places", [(0, thing)])


def planned(
    graph: SceneGraph,
    starts: Starts,
    goals: dict[str, str],
    steps: Mapping[str, float] | None = None,
) -> TeamPlan:
    """Return the plan; one that is solved has passed the check of the whole team."""
    robots = {}
    for name, (x, radius_m, able) in starts.items():
        _, _, z = graph.surface_places.positions[int(x)]
        robots[name] = Robot(
            name,
            from_xyz_yaw([x, 0.0, z, 0.0]),
            frozenset(able),
            radius_m=radius_m,
            max_step_m=(steps or {}).get(name, 0.3),
            max_slope_deg=5.0,
        )
    team = Team(robots)
    plan = plan_scene(graph, team, goals)
    if plan.status is Status.SOLVED:
        parsed = {n: parse_goal(g, graph) for n, g in goals.items() if n != "team"}
        assert validate(graph, team, parsed, {n: p.actions for n, p in plan.robots.items()}) == []
    return plan


def carriers(plan: TeamPlan) -> list[str]:
    """Return who picks the thing, in order."""
    picks = [
        (a.start_s, name)
        for name, own in plan.robots.items()
        for a in own.actions
        if a.action == "pick"
    ]
    return [name for _, name in sorted(picks)]


LEFT, RIGHT, SMALL = (0.0, 0.5, ABLE), (11.0, 0.5, ABLE), (5.0, 0.3, ABLE)


@pytest.mark.parametrize(
    ("starts", "goals", "who"),
    [
        ({"a": LEFT, "s": SMALL, "b": RIGHT}, {"b": "(holding O0)"}, ["s", "b"]),
        ({"a": LEFT, "s": SMALL}, {"a": "(object-in-place O0 P10)"}, ["s"]),
        ({"a": LEFT, "s": SMALL}, {"a": "(and (object-in-place O0 P10) (at-place P2))"}, ["s"]),
        ({"b": RIGHT, "s": SMALL}, {"b": "(visited-object O0)"}, ["s"]),
        ({"a": LEFT, "b": RIGHT, "s": SMALL}, {"team": "(object-in-place O0 P9)"}, ["s"]),
    ],
    ids=["brings it", "takes it on", "while the other goes elsewhere", "lets it be seen", "a team"],
)
def test_a_small_robot_brings_things_through_a_narrow_passage(
    starts: Starts, goals: dict[str, str], who: list[str]
) -> None:
    plan = planned(row(ROOMS, 1), starts, goals)
    assert plan.status is Status.SOLVED, plan.reason
    assert carriers(plan) == who


@pytest.mark.parametrize(
    ("goals", "who"),
    [
        ({"c": "(holding O0)"}, ["a", "b", "c"]),
        ({"a": "(object-in-place O0 P12)"}, ["a", "b", "c"]),
        ({"b": "(object-in-place O0 P12)", "c": "(at-place P12)"}, ["a", "b", "c"]),
        ({"b": "(visited-object O0)"}, ["a"]),
        ({"c": "(object-in-place O0 P5)"}, ["a", "b"]),
        ({"team": "(object-in-place O0 P12)"}, ["a", "b", "c"]),
    ],
)
def test_a_thing_goes_from_hand_to_hand(goals: dict[str, str], who: list[str]) -> None:
    clearances = [WIDE] * 4 + [NARROW] * 5 + [WIDE] * 4
    step_m = np.where((np.arange(13) > 2) & (np.arange(13) < 10), 0.2, 0.0)
    # the narrow ground is upon a step that b cannot climb down
    starts = {"a": (0.0, 0.5, ABLE), "b": (6.0, 0.3, ABLE), "c": (12.0, 0.5, ABLE)}
    plan = planned(row(clearances, 1, step_m), starts, goals, steps={"b": 0.1})
    assert plan.status is Status.SOLVED, plan.reason
    assert carriers(plan) == who


@pytest.mark.parametrize(
    ("starts", "goals"),
    [
        ({"a": LEFT, "b": RIGHT}, {"b": "(holding O0)"}),
        ({"a": LEFT, "b": RIGHT}, {"a": "(object-in-place O0 P9)"}),
        ({"a": LEFT, "s": (5.0, 0.3, ("goto", "pick"))}, {"a": "(object-in-place O0 P9)"}),
    ],
    ids=["nobody brings it", "nobody takes it on", "who could cannot put it down"],
)
def test_that_nobody_can_bring_it_is_proven(starts: Starts, goals: dict[str, str]) -> None:
    plan = planned(row(ROOMS, 1), starts, goals)
    assert plan.status is Status.UNSOLVABLE, plan.reason


@pytest.mark.parametrize(
    ("bert_x", "bert_goal", "status"),
    [
        (3, "", Status.UNSOLVABLE),  # on the same side of what is to be avoided
        (3, "(visited-place P4)", Status.SOLVED),  # asked for something, and told what to avoid
        (3, "(safe O0)", Status.SOLVED),  # asked of bert as well, who is to avoid nothing
        (9, "", Status.SOLVED),
    ],
)
@pytest.mark.parametrize("able", [ABLE, ("goto",)])
def test_who_is_sent_to_help_avoids_what_the_helped_one_is_to_avoid(
    bert_x: int, bert_goal: str, status: Status, able: tuple[str, ...]
) -> None:
    goals = {"anna": "(and (safe O0) (not (visited-place P5)))"}
    goals |= {"bert": bert_goal} if bert_goal else {}
    starts: Starts = {"anna": (0, 0.3, able), "bert": (bert_x, 0.3, ABLE)}
    plan = planned(row([WIDE] * 12, 7), starts, goals)
    assert plan.status is status, plan.reason
    if status is Status.UNSOLVABLE:
        assert not any(p.actions for p in plan.robots.values())
        assert "without touching P5" in plan.reason or "anna cannot inspect" in plan.reason
