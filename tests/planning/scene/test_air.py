"""A gap between outlines is a crack or a wall: 3D places know which, or else it is said as assumed."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.scene.air import aired, is_beside_a_thing
from commonground.planning.scene.sight import is_behind
from commonground.planning.team import plan_scene
from commonground.robots import Robot, Team
from commonground.scene import Boxes, Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, PLACES, SURFACE_PLACES
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


def beside_a_door(*air: tuple[float, float]) -> SceneGraph:
    """Two rooms of 8 m whose outlines meet below a wall, and between them a door of 1 m at its end."""
    sides = [(0, 8, 0, 4), (0, 8, 4, 8), (0, 1, 3.5, 4.5)]
    corners = [
        np.array([[a, c, 0], [b, c, 0], [b, d, 0], [a, d, 0]], float) for a, b, c, d in sides
    ]
    told = [
        {"metadata": {"border_m": 1.0, "middle": [0.5, y, 0.0], "step_m": 0.0}} for y in (3.5, 4.5)
    ]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(3)),
        [[4.0, 2.0, 0.0], [4.0, 6.0, 0.0], [0.5, 4.0, 0.0]],
        edges=Edges(np.array([(0, 2), (1, 2)]), np.array([4.0, 4.0]), tuple(told)),
        boundaries=Ragged.of(corners),
    )
    free = {"clearance_m": np.full(len(air), 1.0)}
    points = [(x, y, 0.5) for x, y in air]
    ways = Layer.of(PLACES, node_ids("p", np.arange(len(air))), points, columns=free)
    return SceneGraph(layers={"surface_places": places, "places": ways})


@pytest.mark.parametrize("walled", [True, False])
def test_outlines_that_touch_are_one_ground_only_across_their_border_or_where_the_air_is_free(
    walled: bool,
) -> None:
    along = [(x + 0.5, y) for x in range(8) for y in (2.99, 5.01)]
    over = [] if walled else [(x + 0.5, 4.0) for x in range(8)]
    graph = beside_a_door(*along, *over)
    team = Team(
        {"a": Robot("a", from_xyz_yaw([4.0, 2.0, 0, 0]), frozenset({"goto"}), radius_m=0.3)}
    )
    plan = plan_scene(graph, team, {"a": "(at-place P1)"})
    line = plan.robots["a"].actions[0].path_map
    k = int(np.flatnonzero((line[:-1, 1] <= 4.0) & (line[1:, 1] > 4.0))[0])
    (x, y, _), (u, v, _) = line[k : k + 2]
    assert (x + (4.0 - y) / (v - y) * (u - x) < 1.0) == walled


def test_a_thing_is_behind_a_wall_where_ground_ends_at_one_and_begins_again() -> None:
    graph = two_rooms((2.0, 2.0), (3.0, 2.0), (5.16, 2.0), (6.1, 2.0))
    places = aired(graph).layers["surface_places"]
    stands = np.array([[4.5, 2.0, 0.0], [3.2, 2.0, 0.0]])
    assert is_behind(places, stands, np.array([3.7, 2.0, 0.0])).tolist() == [True, False]


def test_where_a_thing_leaves_no_room_there_is_no_wall() -> None:
    along = [(x + 0.5, y) for x in range(8) for y in (2.99, 5.01)]
    graph = beside_a_door(*along)
    boxes = Boxes(
        np.array([[4.0, 4.0, 0.5]]), np.array([[1.0, 0.4, 1.0]]), np.array([[1.0, 0, 0, 0]])
    )
    thing = Layer.of(OBJECTS, node_ids("O", np.arange(1)), [[4.0, 4.0, 0.5]], boxes=boxes)
    places = aired(graph.with_layer("objects", thing)).layers["surface_places"]
    at = np.array([[4.0, 4.0, 0.0], [4.0, 4.9, 0.0], [5.2, 4.0, 0.0], [7.0, 4.0, 0.0]])
    assert is_beside_a_thing(places, at).tolist() == [True, True, True, False]
    assert not is_beside_a_thing(aired(graph).layers["surface_places"], at).any()
