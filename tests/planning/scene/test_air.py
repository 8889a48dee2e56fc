"""A gap between outlines is a crack or a wall: 3D places know which, or else it is said as assumed."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.team import plan_scene
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import PLACES, SURFACE_PLACES
from commonground.symbols import node_ids

GAP_M = 0.16


def two_rooms(*air: tuple[float, float]) -> SceneGraph:
    """Two rooms of 4 m a gap apart, joined by an edge, and a way around; 3D places are free for 1 m."""
    wide, up = 4.0 + GAP_M, 6.0
    sides = [(0, 4, 0, 4), (wide, wide + 4, 0, 4), (0, wide + 4, 4, up)]
    corners = [
        np.array([[a, c, 0], [b, c, 0], [b, d, 0], [a, d, 0]], float) for a, b, c, d in sides
    ]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(3)),
        [c.mean(axis=0) for c in corners],
        edges=Edges.of([(0, 1), (0, 2), (1, 2)]),
        boundaries=Ragged.of(corners),
    )
    layers = {"surface_places": places}
    if air:
        points = [(x, y, 0.5) for x, y in air]
        free = {"clearance_m": np.full(len(air), 1.0)}
        layers["places"] = Layer.of(
            PLACES, node_ids("p", np.arange(len(air))), points, columns=free
        )
    return SceneGraph(layers=layers)


def planned(graph: SceneGraph) -> tuple[float, tuple[str, ...]]:
    able = frozenset({"goto"})
    team = Team({"a": Robot("a", from_xyz_yaw([2.0, 2.0, 0, 0]), able, radius_m=0.3)})
    plan = plan_scene(graph, team, {"a": "(at-place P1)"})
    assert plan.status is Status.SOLVED
    return plan.robots["a"].actions[0].length_m, plan.assumed


def test_a_gap_is_a_crack_where_the_air_over_it_is_known_to_be_free() -> None:
    meters, assumed = planned(two_rooms((2.0, 2.0), (4.08, 2.0), (6.1, 2.0)))
    assert meters == pytest.approx(4.0 + GAP_M, abs=0.1)
    assert not any("gap" in line for line in assumed)


def test_a_gap_is_a_wall_where_the_free_air_ends_on_both_sides_of_it() -> None:
    ways = [(2.0, 5.0), (4.0, 5.0), (6.0, 5.0)]
    meters, _ = planned(two_rooms((2.0, 2.0), (3.0, 2.0), (5.16, 2.0), (6.1, 2.0), *ways))
    assert meters > 5.5


def test_a_gap_that_nothing_tells_of_is_taken_for_ground_and_told() -> None:
    meters, assumed = planned(two_rooms())
    assert meters == pytest.approx(4.0 + GAP_M, abs=0.1)
    assert any("nothing tells that they are no walls" in line for line in assumed)
