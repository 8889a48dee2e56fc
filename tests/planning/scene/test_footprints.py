"""Footprints and ways that are looked at together come out as each pair by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.scene import planner
from commonground.planning.scene.footprints import TOUCH_M, Footprints, footprints_of
from commonground.planning.scene.motion import past_things
from commonground.planning.scene.outlines import in_outlines
from commonground.planning.scene.plan import Action
from commonground.planning.scene.roadmap import build_roadmap
from commonground.planning.team.planner import plan_scene
from commonground.robots import Robot, Team
from commonground.scene import Boxes, Edges, Layer, Ragged, SceneGraph, load_scene
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def prints() -> Footprints:
    rng = np.random.default_rng(11)
    yaw = rng.uniform(0, np.pi, 40)
    axes = np.stack([np.cos(yaw), -np.sin(yaw), np.sin(yaw), np.cos(yaw)], 1).reshape(-1, 2, 2)
    centers, half = rng.uniform(0, 10, (40, 2)), rng.uniform(0.1, 1, (40, 2))
    return Footprints(np.arange(40), centers, axes, half, np.full(40, -99.0))


@pytest.fixture
def ways() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(12)
    a = rng.uniform(0, 10, (60, 3))
    return a, a + rng.normal(0, 1, (60, 3))


def test_all_pairs_that_are_near_are_found(
    prints: Footprints, ways: tuple[np.ndarray, np.ndarray]
) -> None:
    a, b = ways
    each = np.array([prints.meters(k, a, b) for k in range(len(prints))])
    which, way, meters = prints.near(a, b, 0.5)
    assert sorted(zip(which, way, strict=True)) == sorted(zip(*np.nonzero(each < 0.5), strict=True))
    assert np.allclose(meters, each[which, way])
    assert (meters == 0).any() and (meters > 0).any()


def test_a_robot_may_be_as_near_as_its_ends_have_to_be(
    prints: Footprints, ways: tuple[np.ndarray, np.ndarray]
) -> None:
    a, b = ways
    ends = a[:2]
    allowed = [min(0.4, prints.meters(k, ends, ends).min()) - TOUCH_M for k in range(len(prints))]
    each = np.array([prints.meters(k, a, b) for k in range(len(prints))])
    expected = set(zip(*np.nonzero(each < np.array(allowed)[:, None]), strict=True))
    assert set(zip(*prints.hits(a, b, 0.4, ends), strict=True)) == expected
    none = prints.hits(a[:0], b[:0], 0.4, ends)
    assert [len(part) for part in none] == [0, 0]


@pytest.mark.parametrize("columns", [2, 3])
def test_points_lie_in_polygons_with_and_without_height(columns: int) -> None:
    square = Ragged.of([np.array([[0, 0, 5], [2, 0, 5], [2, 2, 5], [0, 2, 5]], float)])
    points = np.array([[1, 1, 0], [3, 1, 0], [2, 1, 0]], float)[:, :columns]
    inside = in_outlines(square, points, np.zeros((len(points), 1), np.int64))[:, 0]
    assert inside.tolist() == [True, False, True]


@pytest.mark.parametrize(("bottom_m", "straight"), [(2.5, True), (1.0, False)])
def test_what_hangs_overhead_is_driven_under(bottom_m: float, straight: bool) -> None:
    """Signs and lights of real maps cover places on the plan."""
    at = np.array([[float(x), 0.0, -0.5] for x in range(6)])
    steps = Edges.of([(k, k + 1) for k in range(5)])
    ground = Layer.of(SURFACE_PLACES, node_ids("P", range(6)), at, edges=steps)
    box = Boxes.axis_aligned(np.array([[2.0, 0, bottom_m - 0.3]]), np.array([[0.5, 1.0, 0.4]]))
    sign = Layer.of(OBJECTS, node_ids("O", range(1)), box.centers, boxes=box)
    spot = Robot("spot", from_xyz_yaw([0, 0, -0.5, 0]), frozenset({"goto"}))
    graph = SceneGraph({"surface_places": ground, "objects": sign})
    answer = plan_scene(graph, Team({"spot": spot}), {"spot": "(visited-place P5)"})
    assert answer.status is Status.SOLVED
    assert (answer.robots["spot"].actions[0].path_map[:, 1] == 0.0).all() == straight


def test_what_is_in_the_way_is_named() -> None:
    at = np.array([[float(x), 0.0, 0.0] for x in range(6)])
    square = np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]])
    ground = Layer.of(
        SURFACE_PLACES, node_ids("P", range(6)), at, edges=Edges.of([(k, k + 1) for k in range(5)]),
        boundaries=Ragged.of([square + point for point in at]),
    )  # fmt: skip
    box = Boxes.axis_aligned(np.array([[2.5, 0, 0.5]]), np.array([[0.5, 0.8, 1.0]]))
    crate = Layer.of(OBJECTS, node_ids("O", [7]), box.centers, boxes=box)
    spot = Robot("spot", from_xyz_yaw([0, 0, 0, 0]), frozenset({"goto"}), radius_m=0.3)
    graph = SceneGraph({"surface_places": ground, "objects": crate})
    answer = plan_scene(graph, Team({"spot": spot}), {"spot": "(visited-place P5)"})
    assert answer.status is Status.NOT_FOUND
    assert answer.reason.endswith("finds no way past O7")


def test_things_that_leave_no_room_between_them_are_in_the_way_together() -> None:
    at = np.array([[0, 0, 0], [0, 0.8, 0], [0, 1.6, 0], [0.8, 1.6, 0]])
    edges = Edges.of([(0, 1), (1, 2), (2, 3)])
    ground = Layer.of(SURFACE_PLACES, node_ids("P", range(4)), at, edges=edges)
    middles, sizes = [[-0.22, 1.27, 0.5], [0.93, 0.79, 0.5]], [[0.44, 0.67, 1], [0.88, 0.38, 1]]
    boxes = Boxes.axis_aligned(np.array(middles), np.array(sizes))
    things = Layer.of(OBJECTS, node_ids("O", range(2)), boxes.centers, boxes=boxes)
    prints = footprints_of(things)
    assert prints.joined(np.array([1]), 0.6).tolist() == [0, 1]
    assert prints.joined(np.array([1]), 0.4).tolist() == [1]
    spot = Robot("spot", from_xyz_yaw([0, 0, 0, 0]), frozenset({"goto"}), radius_m=0.3)
    road = build_roadmap(SceneGraph({"surface_places": ground, "objects": things}), spot)
    between = Action("goto", "P3", at[[0, 3]], ("P0", "P1", "P2", "P3"))
    assert past_things(road, spot, [between]).metric[0, 1] == 0.0  # it leads along the first one


@pytest.mark.parametrize(("radius_m", "at"), [(0.5, 7), (0.7, 4)])
def test_who_visits_every_thing_leaves_each_without_touching_it(radius_m: float, at: int) -> None:
    graph = load_scene(ROOT / "commonground/data/courtyard.json")
    places = graph.surface_places.positions
    here = places[np.random.default_rng(at).choice(len(places), 2, replace=False)[0]]
    robot = Robot("spot", from_xyz_yaw([*here, 0.0]), frozenset({"goto"}), radius_m=radius_m)
    goal = " ".join(f"(visited-object {thing})" for thing in graph.objects.symbols)
    found = plan_scene(graph, Team({"spot": robot}), {"spot": f"(and {goal})"})
    assert found.status is Status.SOLVED, found.reason


def test_a_plan_that_is_refused_names_the_robot_and_what_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = load_scene(ROOT / "commonground/data/courtyard.json")
    fault = "step 1 (goto O24): the path touches O27"
    monkeypatch.setattr(planner, "certify", lambda *_: [fault])
    robot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), radius_m=0.5)
    found = plan_scene(graph, Team({"spot": robot}), {"spot": "(visited-object O24)"})
    assert found.status is Status.NOT_FOUND
    assert f"no plan of spot passed the check: {fault}. Ask it for fewer" in found.reason
    assert "a narrower robot than its radius_m of 0.5" in found.reason


@pytest.mark.parametrize("side_m", [3.0, 6.0])
@pytest.mark.parametrize("goal", ["(at-place P2)", "(at-place P4)"])
def test_a_post_in_the_middle_of_a_crossing_is_passed_wherever_there_is_room(
    side_m: float, goal: str
) -> None:
    middles = side_m * np.array([[-1, 0, 0], [0, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0]], float)
    square = side_m / 2 * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(5)),
        middles,
        edges=Edges.of([(0, 1), (1, 2), (1, 3), (1, 4)]),
        boundaries=Ragged.of([middle + square for middle in middles]),
    )
    post = Boxes.axis_aligned(np.array([[0.1, 0.0, 0.5]]), np.array([[0.3, 0.3, 1.0]]))
    things = Layer.of(OBJECTS, node_ids("O", [0]), post.centers, boxes=post)
    graph = SceneGraph(layers={"objects": things, "surface_places": places})
    able = frozenset({"goto"})
    robots = [
        Robot(name, from_xyz_yaw([x * side_m, 0, 0, 0]), able, radius_m=0.45)
        for name, x in (("a", -1.0), ("b", 1.0))
    ]
    plan = plan_scene(graph, Team({r.name: r for r in robots[:1]}), {"a": goal})
    assert plan.status is Status.SOLVED
    assert plan.robots["a"].actions[-1].length_m < 2.0 * side_m + 1.0
    both = plan_scene(graph, Team({r.name: r for r in robots}), {"a": goal, "b": "(at-place P3)"})
    assert both.status is Status.SOLVED
