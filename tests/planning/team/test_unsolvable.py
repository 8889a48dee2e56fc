"""What is called unsolvable: by a search over every plan of small teams, there is none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.team import plan_scene
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids
from tests.planning.team.exhaustive import Exhaustive, World, drawn

ALL = ("goto", "inspect", "pick", "place")


@pytest.mark.parametrize("seed", range(12))
def test_nothing_that_can_be_done_is_called_unsolvable(seed: int) -> None:
    world = drawn(np.random.default_rng([1, seed]))
    plan = plan_scene(world.graph, world.team, world.texts(), time_limit_s=0.5)
    if plan.status is Status.UNSOLVABLE:
        assert Exhaustive(world).solvable(20_000) is not True


def corridor(
    length: int,
    robots: dict[str, tuple[float, float, Sequence[str]]],
    thing: tuple[float, float, int],
) -> tuple[SceneGraph, Team]:
    """Return a corridor of places a meter apart, robots (x, y, capabilities), and O0 (x, y, its place)."""
    at = [(float(x), 0.0, 0.0) for x in range(length)]
    links = [(k, k + 1) for k in range(length - 1)]
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(length)), at, edges=Edges.of(links))
    things = Layer.of(OBJECTS, node_ids("O", [0]), [(*thing[:2], 0.0)])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    graph = graph.with_links("objects", "surface_places", [(0, thing[2])])
    poses = {n: from_xyz_yaw([x, y, 0.0, 0.0]) for n, (x, y, _) in robots.items()}
    return graph, Team({n: Robot(n, poses[n], frozenset(robots[n][2])) for n in robots})


@pytest.mark.parametrize(
    ("robots", "thing", "goals"),
    [
        ({"a": (0, 0, ["goto"]), "b": (5, 0, ALL)}, (2, 0.2, 2), {"a": "(safe O0)"}),
        (
            {"a": (0, 0, ["goto"]), "b": (5, 0, ALL)},
            (2, 0.2, 2),
            {"a": "(safe O0)", "b": "(safe O0)"},
        ),
        (
            {"a": (0, 0, ["goto", "inspect"]), "b": (5, 0, ["goto", "pick", "place"])},
            (2, 0.2, 2),
            {"team": "(and (safe O0) (object-in-place O0 P4))"},
        ),
        (
            {"a": (0, 0, ["goto"]), "b": (9, 0, ["goto"])},
            (2, 0.2, 2),
            {"team": "(and (at-place P1) (at-place P2) )"},
        ),
        (
            {"a": (3, 0.45, ["goto"]), "b": (0, 0, ["goto"])},
            (9, 0.2, 9),
            {"a": "(at-place P3)", "b": "(at-place P2)"},
        ),
    ],
    ids=[
        "another one inspects",
        "another one inspects anyway",
        "shared out by what robots can do",
        "shared out by where robots end",
        "one that stands beside its place is at it",
    ],
)
def test_what_needs_another_robot_is_solved(
    robots: dict[str, tuple[float, float, Sequence[str]]],
    thing: tuple[float, float, int],
    goals: dict[str, str],
) -> None:
    graph, team = corridor(10, robots, thing)
    plan = plan_scene(graph, team, goals)
    assert plan.status is Status.SOLVED, plan.reason


@pytest.mark.parametrize(
    ("aside", "status"),
    [(0.2, Status.UNSOLVABLE), (1.2, Status.NOT_FOUND)],
    ids=["narrow", "a bay"],
)
def test_a_thing_beside_the_way_is_a_bay(aside: float, status: Status) -> None:
    """Who stands at the thing lets the other one pass, so no proof may say that nobody can."""
    robots = {"a": (0, 0, ["goto"]), "b": (6, 0, ["goto"])}
    graph, team = corridor(7, robots, (3, aside, 3))
    plan = plan_scene(graph, team, {"a": "(at-place P6)", "b": "(at-place P0)"}, time_limit_s=1.0)
    assert plan.status is status
    goals = {"a": (("at-place", "P6"),), "b": (("at-place", "P0"),)}
    found = Exhaustive(World(graph, team, goals, (False,))).solvable()
    assert found is (status is Status.NOT_FOUND)
