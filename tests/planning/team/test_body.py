"""How wide robots are: outlines, clearances and things limit where they go; what nothing tells is said."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.errors import ConfigError
from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.scene import Action, certify, parse_goal
from commonground.planning.scene.sight import sights
from commonground.planning.scene.widths import widths_of
from commonground.planning.team import plan_scene, validate
from commonground.robots import Robot, Team
from commonground.scene import Boxes, Edges, Layer, Ragged, SceneGraph, load_scene
from commonground.scene.layer import OBJECTS, PLACES, REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

ABLE = frozenset({"goto", "inspect", "pick", "place"})


def robot(x: float, y: float, radius_m: float = 0.4, name: str = "a", z: float = 0.0) -> Robot:
    return Robot(name, from_xyz_yaw([x, y, z, 0.0]), ABLE, radius_m=radius_m)


def team(*robots: Robot) -> Team:
    return Team({r.name: r for r in robots})


def rectangles(
    *sides: tuple[float, float, float, float], links: Sequence[tuple[int, int]]
) -> SceneGraph:
    """Places in the middle of rectangles (x from, x to, y from, y to), which are their outlines."""
    corners = [
        np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]], float)
        for x0, x1, y0, y1 in sides
    ]
    at = [c.mean(axis=0) for c in corners]
    ids = node_ids("P", np.arange(len(at)))
    edges = Edges.of(links)
    places = Layer.of(SURFACE_PLACES, ids, at, edges=edges, boundaries=Ragged.of(corners))
    return SceneGraph(layers={"surface_places": places})


def two_rooms(gap_m: float) -> SceneGraph:
    """Two rooms of 6 by 6 m, joined by a passage 2 m long."""
    passage = (6.0, 8.0, 3.0 - gap_m / 2, 3.0 + gap_m / 2)
    return rectangles((0, 6, 0, 6), passage, (8, 14, 0, 6), links=[(0, 1), (1, 2)])


@pytest.mark.parametrize(
    ("gap_m", "radius_m", "fits"),
    [(0.4, 1.5, False), (0.7, 0.4, False), (1.0, 0.4, True), (4.0, 1.5, True), (4.0, 50, False)],
)
def test_outlines_limit_the_radius(gap_m: float, radius_m: float, fits: bool) -> None:
    plan = plan_scene(two_rooms(gap_m), team(robot(3, 3, radius_m)), {"a": "(at-place P2)"})
    assert plan.status is (Status.SOLVED if fits else Status.UNSOLVABLE)
    assert fits or f"too narrow for a radius of {radius_m:g} m" in plan.reason
    assert plan.assumed == ()


def test_a_region_is_explored_by_line_of_sight() -> None:
    """Two lanes with a wall between them, joined at their end: nobody sees through the wall."""
    lane = [(float(x), x + 1.0) for x in range(4)]
    sides = [(a, b, y, y + 1.0) for y in (0.0, 1.5) for a, b in lane]
    turn = (4.0, 5.0, 0.0, 2.5)
    links = [*((k, k + 1) for k in range(3)), *((k, k + 1) for k in range(4, 7)), (3, 8), (7, 8)]
    graph = rectangles(*sides, turn, links=links)
    rows = np.arange(9)
    whole = sights(graph, "surface_places", np.array([0]), rows, 5.0).toarray()[0]
    assert whole.tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 0]
    near = sights(graph, "surface_places", np.array([0]), rows, 1.5).toarray()[0]
    assert np.flatnonzero(near).tolist() == [0, 1]
    itself = sights(graph, "surface_places", rows, rows, 0.0).toarray()
    assert (itself == np.eye(9)).all()


def test_a_narrow_way_between_wide_places_is_no_way() -> None:
    """Two rooms that only touch at a door: no place stands in it, but the way leads through it."""
    door = [[0, 0, 0], [6, 0, 0], [6, 2.8, 0], [6.5, 2.8, 0], [6.5, 3.2, 0], [6, 3.2, 0]]
    one = np.array([*door, [6, 6, 0], [0, 6, 0]], float)
    other = np.array([[6.5, 0, 0], [12, 0, 0], [12, 6, 0], [6.5, 6, 0]], float)
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(2)),
        [[3, 3, 0], [9, 3, 0]],
        edges=Edges.of([(0, 1)]),
        boundaries=Ragged.of([one, other]),
    )
    graph = SceneGraph(layers={"surface_places": places})
    thick, slim = robot(3, 3, 0.6), robot(3, 3, 0.2)
    goal = parse_goal("(at-place P1)", graph)
    assert plan_scene(graph, team(thick), {"a": "(at-place P1)"}).status is Status.UNSOLVABLE
    plan = plan_scene(graph, team(slim), {"a": "(at-place P1)"})
    assert plan.status is Status.SOLVED
    faults = certify(graph, thick, goal, plan.robots["a"].actions, "surface_places")
    assert "step 1 (goto P1): from (3.0, 3.0) to (9.0, 3.0) a leaves the ground" in faults


def test_the_rim_is_that_of_all_outlines_together() -> None:
    """A corridor of cells is as wide as it is, however many outlines it is made of."""
    cells = [(float(x), x + 1.0, 0.0, 1.2) for x in range(6)]
    graph = rectangles(*cells, links=[(x, x + 1) for x in range(5)])
    widths = widths_of(graph.surface_places)
    np.testing.assert_allclose(widths.place_m[1:5], 0.6, atol=0.03)
    apart = rectangles(*((a + 0.1 * a, b + 0.1 * a, c, d) for a, b, c, d in cells), links=[(0, 1)])
    assert widths_of(apart.surface_places).fits(0.5).tolist() == [True, True] + [True] * 4
    assert not widths_of(apart.surface_places).fits(0.6)[2:].any()


@pytest.mark.parametrize(("rise_m", "goes_on"), [(0.0, True), (1.0, False)])
def test_touching_outlines_are_one_ground_whoever_are_neighbors(
    rise_m: float, goes_on: bool
) -> None:
    left, right = [(0, 2, 0, 2), (0, 2, 2, 4)], [(2, 4, 0, 2), (2, 4, 2, 4)]
    graph = rectangles(*left, *right, links=[(0, 1), (2, 3)])
    places = graph.surface_places
    outlines = places.boundaries
    assert outlines is not None
    rise = np.where(outlines.points[:, 0].reshape(-1, 4).mean(axis=1).repeat(4) > 2, rise_m, 0.0)
    raised = outlines.points + rise[:, None] * [0.0, 0.0, 1.0]
    widths = widths_of(replace(places, boundaries=replace(outlines, points=raised)))
    middle = widths.rim is not None and widths.rim.meters(np.array([[2.0, 2.0, 0.0]]))[0]
    assert (middle > 1.0) == goes_on


@pytest.mark.parametrize(("hole_m", "is_hole"), [(0.28, False), (0.6, True)])
def test_pinholes_of_a_map_are_ground(hole_m: float, is_hole: bool) -> None:
    a, b = 2.0 - hole_m / 2, 2.0 + hole_m / 2
    around = [(0, b, 0, a), (b, 4, 0, b), (a, 4, b, 4), (0, a, a, 4)]
    widths = widths_of(rectangles(*around, links=[(0, 1), (1, 2), (2, 3)]).surface_places)
    assert widths.rim is not None
    assert (widths.rim.meters(np.array([[2.0, 2.0, 0.0]]))[0] < 1.0) == is_hole


def test_what_nothing_tells_is_assumed_and_said() -> None:
    at = [[float(x), 0.0, 0.0] for x in range(4)]
    links = Edges.of([(0, 1), (1, 2), (2, 3)])
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(4)), at, edges=links)
    graph = SceneGraph(layers={"surface_places": places})
    plan = plan_scene(graph, team(robot(0, 0, 3.0)), {"a": "(at-place P3)"})
    assert plan.status is Status.SOLVED
    assert plan.as_json()["assumed"] == list(plan.assumed)
    (told,) = plan.assumed
    assert "places on its ways have neither outline nor clearance" in told
    assert "radius of 3 m" in told
    wide = replace(places, columns={"clearance_m": np.full(4, 3.0)})
    told = plan_scene(
        graph.with_layer("surface_places", wide), team(robot(0, 0, 0.4)), {"a": "(at-place P3)"}
    )
    assert told.assumed == ()


def lane_around(*things: tuple[float, float]) -> SceneGraph:
    """A lane that turns back beside itself, without outlines: its ends are 2 m apart, or 14 m on foot."""
    at = [[0.0, 0, 0], [0, 3, 0], [0, 6, 0], [2, 6, 0], [2, 3, 0], [2, 0, 0]]
    links = Edges.of([(k, k + 1) for k in range(5)])
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(6)), at, edges=links)
    boxes = Layer.of(OBJECTS, node_ids("O", np.arange(len(things))), [[*xy, 0.0] for xy in things])
    return SceneGraph(layers={"surface_places": places, "objects": boxes})


@pytest.mark.parametrize("goal", ["(at-place P5)", "(safe O0)", "(visited-object O0)"])
def test_without_outlines_nobody_crosses_from_a_place_to_one_that_no_edge_joins(goal: str) -> None:
    graph = lane_around((2.0, 0.0))
    plan = plan_scene(graph, team(robot(0, 0, 0.2)), {"a": goal})
    assert plan.cost_m == pytest.approx(14.0)
    assert plan.robots["a"].actions[0].places[-2:] == ("P4", "P5")


def test_the_certificate_refuses_what_crosses_where_no_edge_is() -> None:
    graph, one = lane_around((2.0, 0.0)), robot(0, 0, 0.2)
    goal, to = parse_goal("(visited-object O0)", graph), np.array([[0.0, 0, 0], [2.0, 0, 0]])
    for place, told in (("P0", "O0"), ("P5", "a")):
        faults = certify(graph, one, goal, [Action("goto", "O0", to, (place,))], "surface_places")
        assert faults == [f"step 1 (goto O0): nothing joins {place} to where {told} is"]


def test_what_is_crossed_to_a_thing_or_from_the_start_is_said() -> None:
    graph, goal = lane_around((1.2, 3.0)), {"a": "(visited-object O0)"}
    plan = plan_scene(graph, team(robot(0, 0.5, 0.2)), goal)
    assert [told for told in plan.assumed if "between" in told] == [
        "a drives straight for 0.8 m from P4 to O0; nothing tells whether something is between, the straight "
        "way is taken to be free"
    ]
    plan = plan_scene(graph, team(robot(-0.9, 0, 0.2)), {"a": "(at-place P1)"})
    assert any(told.startswith("a starts 3.1 m from P1; nothing tells") for told in plan.assumed)


@pytest.mark.parametrize("radius_m", [0.0, -1.0, float("nan")])
def test_a_robot_without_a_body_is_refused(radius_m: float) -> None:
    with pytest.raises(ConfigError, match="robot 'a': 'radius_m'"):
        robot(3, 3, radius_m)


# ---- things that stand around ----


def with_box(graph: SceneGraph, x: float, y: float, size_m: float) -> SceneGraph:
    """Put a box on the ground."""
    boxes = Boxes(np.array([[x, y, 0.5]]), np.array([[size_m, size_m, 1.0]]), np.eye(4)[:1])
    thing = Layer.of(OBJECTS, node_ids("O", [0]), [[x, y, 0.5]], boxes=boxes)
    return replace(graph, layers={**graph.layers, "objects": thing})


def grid(n: int) -> SceneGraph:
    cells = [(x - 0.5, x + 0.5, y - 0.5, y + 0.5) for x in range(n) for y in range(n)]
    links = [(n * x + y, n * x + y + 1) for x in range(n) for y in range(n - 1)]
    links += [(n * x + y, n * x + y + n) for x in range(n - 1) for y in range(n)]
    return rectangles(*cells, links=links)


def test_robots_that_give_way_touch_nothing_that_stands_around() -> None:
    graph = with_box(grid(7), 3.0, 3.0, 1.0)
    both = team(robot(0, 3), robot(6, 3, name="b"))
    goals = {"a": "(at-place P45)", "b": "(at-place P3)"}
    plan = plan_scene(graph, both, goals)
    assert plan.status is Status.SOLVED, plan.reason
    for own in plan.robots.values():
        for action in own.actions:
            s = np.linspace(0.0, 1.0, 50)[:, None, None]
            points = action.path_map[:-1] + s * np.diff(action.path_map, axis=0)
            beyond = np.maximum(np.abs(points[..., :2] - 3.0) - 0.5, 0.0)
            assert np.linalg.norm(beyond, axis=-1).min(initial=9.0) >= 0.385


def test_a_path_through_a_thing_is_refused() -> None:
    graph = with_box(grid(5), 2.0, 2.0, 1.0)
    through = Action(
        "goto", "P22", np.array([[0.0, 2, 0], [4, 2, 0]]), ("P2", "P7", "P12", "P17", "P22")
    )
    goal = parse_goal("(at-place P22)", graph)
    one = robot(0, 2)
    actions = {"a": [replace(through, end_s=4.0)]}
    found = [str(v) for v in validate(graph, team(one), {"a": goal}, actions)]
    assert found == ["at 4.0 s, a: goto P22: the path touches O0"]


# ---- 3D places ----


def tower() -> SceneGraph:
    """Places a meter over the floor, and a stair of places in the air above them."""
    low = [[float(x), 0.0, 1.0] for x in range(6)]
    high = [[float(x), 0.2, 2.0 + 0.5 * x] for x in range(6)]
    clear = np.r_[np.full(6, 1.0), np.full(6, 0.9)]
    links = [(k, k + 1) for k in [*range(5), *range(6, 11)]] + [(0, 6)]
    places = Layer.of(
        PLACES,
        node_ids("p", np.arange(12)),
        np.array(low + high),
        edges=Edges.of(links),
        columns={"clearance_m": clear},
    )
    return SceneGraph(layers={"places": places})


def test_ground_robots_stay_on_the_ground_of_3d_places() -> None:
    graph, one = tower(), robot(0, 0)
    plan = plan_scene(graph, team(one), {"a": "(at-place p5)"})
    assert plan.status is Status.SOLVED
    assert max(a.path_map[:, 2].max() for a in plan.robots["a"].actions) < 0.2
    up = plan_scene(graph, team(one), {"a": "(at-place p11)"})
    assert up.status is Status.ERROR
    assert "p11 is off the ground" in up.reason
    climb = Action("goto", "p11", graph.places.positions[[0, 6, 11]], ("p0", "p6", "p11"))
    faults = certify(graph, one, parse_goal("(at-place p11)", graph), [climb], "places")
    assert "step 1 (goto p11): p11 is off the ground" in faults


@pytest.mark.parametrize(("radius_m", "fits"), [(0.4, True), (5.0, False)])
def test_the_apartment_is_planned_on_its_floor(shared: Path, radius_m: float, fits: bool) -> None:
    graph = load_scene(shared / "data" / "apartment_dsg.json")
    one = robot(-12.1, -3.5, radius_m, z=1.0)
    goal = f"(and {' '.join(f'(visited-object {o})' for o in graph.objects.symbols)})"
    plan = plan_scene(graph, team(one), {"a": goal})
    assert plan.status is (Status.SOLVED if fits else Status.UNSOLVABLE)
    for own in plan.robots.values():
        for action in own.actions:
            assert np.abs(action.path_map[:, 2] - 1.0).max() < 0.5


def test_nobody_cuts_the_corner_of_the_ground_when_starting() -> None:
    first, corner, last = (0, 1, 0, 1), (1, 2, 0, 1), (1, 2, 1, 2)
    graph = rectangles(first, corner, last, links=[(0, 1), (1, 2)])
    one = robot(0.5, 0.5, 0.15)
    plan = plan_scene(graph, team(one), {"a": "(at-place P2)"})
    (action,) = plan.robots["a"].actions
    assert action.places == ("P1", "P2")
    cut = replace(action, path_map=action.path_map[[0, -1]], places=("P2",))
    goal = parse_goal("(at-place P2)", graph)
    assert certify(graph, one, goal, [action], "surface_places") == []
    (fault,) = certify(graph, one, goal, [cut], "surface_places")
    assert fault == "step 1 (goto P2): from (0.5, 0.5) to (1.5, 1.5) a leaves the ground"


@pytest.mark.parametrize(
    ("x", "told"),
    [
        (-0.3, ""),
        (-4.0, "a starts off the map, 6.1 m from P0, the nearest place"),
        (-40.0, "error"),
    ],
)
def test_a_start_off_the_map_is_told_or_refused(x: float, told: str) -> None:
    graph = rectangles((0, 4, 0, 2), (4, 20, 0, 2), links=[(0, 1)])
    plan = plan_scene(graph, team(robot(x, 2.0)), {"a": "(at-place P1)"})
    assert plan.status is (Status.ERROR if told == "error" else Status.SOLVED)
    if told == "error":
        assert "40 m from the nearest place; its pose in robots.yaml must be in the" in plan.reason
    else:
        assert "".join(plan.assumed).startswith(told)
        assert bool(plan.assumed) == bool(told)


def test_a_thing_beyond_the_outlined_ground_is_told() -> None:
    graph = rectangles((0, 4, 0, 2), (4, 8, 0, 2), links=[(0, 1)])
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[14.0, 1.0, 0.0]])
    plan = plan_scene(
        graph.with_layer("objects", things), team(robot(1, 1)), {"a": "(visited-object O0)"}
    )
    assert plan.status is Status.SOLVED
    assert "a leaves the map for O0, 7.1 m from P1, the nearest place" in "".join(plan.assumed)


def test_a_robot_of_another_frame_takes_no_part_and_its_own_goal_is_refused() -> None:
    graph = rectangles((0, 4, 0, 2), (4, 8, 0, 2), links=[(0, 1)])
    both = team(robot(1, 1), replace(robot(1e7, 1), name="b"))
    for goals in ({"a": "(at-place P1)"}, {"team": "(visited-place P1)"}):
        plan = plan_scene(graph, both, goals)
        assert plan.status is Status.SOLVED
        assert [n for n, p in plan.robots.items() if p.actions] == ["a"]
        assert "b is 9999992 m from the nearest place" in plan.assumed[-1]
        assert plan.assumed[-1].endswith("it takes no part")
    plan = plan_scene(graph, both, {"a": "(at-place P1)", "b": "(at-place P1)"})
    assert plan.status is Status.ERROR
    assert "frame of the map" in plan.reason


def test_an_avoided_place_is_named_and_not_its_region() -> None:
    graph = rectangles((0, 2, 0, 2), (2, 4, 0, 2), (4, 6, 0, 2), links=[(0, 1), (1, 2)])
    regions = Layer.of(REGIONS, node_ids("R", [0]), [[3.0, 1.0, 0.0]])
    graph = graph.with_layer("regions", regions)
    graph = graph.with_links("surface_places", "regions", [(k, 0) for k in range(3)])
    plan = plan_scene(
        graph, team(robot(1, 1)), {"a": "(and (at-place P2) (not (visited-place P1)))"}
    )
    assert plan.status is Status.UNSOLVABLE
    assert plan.reason == "a cannot reach P2 without touching P1"


def test_the_corner_of_a_wall_beside_an_opening_is_rim() -> None:
    graph = rectangles((0, 10, 0, 1), (4, 5.2, 1, 2.2), links=[(0, 1)])
    widths = widths_of(graph.surface_places)
    assert widths.rim is not None
    for x in (3.95, 5.25):
        assert widths.rim.meters(np.array([[x, 1.0, 0.0]]))[0] < 0.08
    assert widths.rim.meters(np.array([[4.6, 1.0, 0.0]]))[0] > 0.5


def test_a_robot_goes_around_the_corner_that_the_line_between_two_places_cuts() -> None:
    graph = rectangles((-0.6, 0.6, 0, 3), (0.6, 3.0, 1.8, 3.0), links=[(0, 1)])
    plan = plan_scene(graph, team(robot(0.0, 0.5)), {"a": "(at-place P1)"})
    assert plan.status is Status.SOLVED, plan.reason
    line = np.concatenate([action.path_map for action in plan.robots["a"].actions])
    steps = np.concatenate([np.linspace(a, b, 50) for a, b in itertools.pairwise(line)])
    assert np.linalg.norm(steps[:, :2] - [0.6, 1.8], axis=1).min() >= 0.4 - 0.03


@pytest.mark.parametrize(("border_m", "fits"), [(0.9, True), (0.7, False)])
def test_a_robot_bends_twice_between_two_rooms_that_touch_at_a_corner(
    border_m: float, fits: bool
) -> None:
    """It has to go straight through the opening, which is between neither room's middle and the other's."""
    graph = rectangles((-1.5, 1.5, -1.5, 1.5), (1.5, 4.5, 1.5 - border_m, 4.5), links=[(0, 1)])
    plan = plan_scene(graph, team(robot(0.0, 0.0)), {"a": "(at-place P1)"})
    assert plan.status is (Status.SOLVED if fits else Status.UNSOLVABLE), plan.reason
    if fits:
        line = np.concatenate([action.path_map for action in plan.robots["a"].actions])
        steps = np.concatenate([np.linspace(a, b, 50) for a, b in itertools.pairwise(line)])
        posts = np.array([[1.5, 1.5], [1.5, 1.5 - border_m]])
        gaps = np.linalg.norm(steps[:, None, :2] - posts, axis=2)
        assert gaps.min() >= 0.4 - 0.03


def test_a_way_ends_beside_a_thing_that_another_way_there_would_touch() -> None:
    """Between the box and a corner there is no room, around the box there is; the goal is beside it."""
    cells = [(x, y) for x in range(4) for y in (-1, 0, 1) if (x, y) != (0, 1)]
    sides = [(x - 0.5, x + 0.5, y - 0.5, y + 0.5) for x, y in cells]
    links = [
        (i, j)
        for i, j in itertools.combinations(range(len(cells)), 2)
        if abs(cells[i][0] - cells[j][0]) + abs(cells[i][1] - cells[j][1]) == 1
    ]
    graph = with_box(rectangles(*sides, links=links), 1.75, 0.0, 1.5)
    goal = f"(at-place P{cells.index((2, 1))})"
    plan = plan_scene(graph, team(robot(0.0, 0.0, 0.3)), {"a": goal})
    assert plan.status is Status.SOLVED, plan.reason


def test_a_robot_stops_beside_a_thing_at_a_wall() -> None:
    graph = rectangles((0, 4, 0, 1.2), (4, 8, 0, 1.2), links=[(0, 1)])
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[6.0, 1.1, 0.0]])
    graph = graph.with_layer("objects", things)
    plan = plan_scene(graph, team(robot(1, 0.6)), {"a": "(safe O0)"})
    assert plan.status is Status.SOLVED, plan.reason
    line = np.concatenate([action.path_map for action in plan.robots["a"].actions])
    assert line[:, 1].max() <= 1.2 - 0.4 + 0.03


def winding(turns: int, gap_m: float) -> SceneGraph:
    """A room, and one place that is a lane to and fro beside it, with a gap at the end of each wall."""
    lane = np.arange(turns + 1) * 1.5 + 3.0
    corners = [(3.0, 0.0)]
    for k in range(turns):
        y = 6.0 - gap_m if k % 2 == 0 else gap_m
        wall = lane[k + 1]
        side = [(wall - 0.05, 0.0), (wall - 0.05, y), (wall + 0.05, y), (wall + 0.05, 0.0)]
        corners += side if k % 2 == 0 else []
    corners += [(lane[-1] + 1.5, 0.0), (lane[-1] + 1.5, 6.0)]
    for k in reversed(range(turns)):
        if k % 2:
            wall = lane[k + 1]
            corners += [
                (wall + 0.05, 6.0),
                (wall + 0.05, gap_m),
                (wall - 0.05, gap_m),
                (wall - 0.05, 6.0),
            ]
    corners += [(3.0, 6.0)]
    outlines = [
        np.array([[0, 0, 0], [3, 0, 0], [3, 6, 0], [0, 6, 0]], float),
        np.array([(x, y, 0.0) for x, y in corners]),
    ]
    at = np.array([[1.5, 3.0, 0.0], [lane[-1] + 0.75, 3.0, 0.0]])
    layer = Layer.of(
        SURFACE_PLACES,
        node_ids("P", [0, 1]),
        at,
        edges=Edges.of([(0, 1)]),
        boundaries=Ragged.of(outlines),
    )
    return SceneGraph(layers={"surface_places": layer})


@pytest.mark.parametrize(
    ("gap_m", "status"), [(1.2, Status.SOLVED), (0.79, Status.SOLVED), (0.6, Status.UNSOLVABLE)]
)
def test_a_way_winds_around_as_many_walls_as_there_are(gap_m: float, status: Status) -> None:
    """The place beyond many walls can be reached through the gaps at their ends, if those are wide enough."""
    plan = plan_scene(winding(5, gap_m), team(robot(1.5, 3.0, 0.4)), {"a": "(at-place P1)"})
    assert plan.status is status, plan.reason


def outlined(
    *outlines: Sequence[tuple[float, float]], at: Sequence[tuple[float, float]]
) -> SceneGraph:
    """Places with outlines of any shape, each linked to the next."""
    layer = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(at))),
        np.pad(np.array(at, float), ((0, 0), (0, 1))),
        edges=Edges.of(list(itertools.pairwise(range(len(at))))),
        boundaries=Ragged.of([np.pad(np.array(o, float), ((0, 0), (0, 1))) for o in outlines]),
    )
    return SceneGraph(layers={"surface_places": layer})


def test_two_robots_change_sides_around_a_pillar_between_two_places() -> None:
    left = [(-3, -3), (0, -3), (0, -1), (-1, -1), (-1, 1), (0, 1), (0, 3), (-3, 3)]
    graph = outlined(left, [(-x, y) for x, y in reversed(left)], at=[(-2, 0), (2, 0)])
    both = team(robot(-2, 0, 0.4), robot(2, 0, 0.3, "b"))
    plan = plan_scene(graph, both, {"a": "(at-place P1)", "b": "(at-place P0)"})
    assert plan.status is Status.SOLVED, plan.reason
    for own, radius_m in zip(plan.robots.values(), (0.4, 0.3), strict=True):
        line = np.concatenate([action.path_map for action in own.actions])
        steps = np.concatenate([np.linspace(a, b, 50) for a, b in itertools.pairwise(line)])
        beyond = np.maximum(np.abs(steps[:, :2]) - 1.0, 0.0)
        assert np.linalg.norm(beyond, axis=1).min() >= radius_m - 0.03


def test_a_robot_keeps_off_a_tip_however_sharp() -> None:
    """A wall with a tip of 8 degrees reaches into a room, straight towards the robot."""
    left = [(-3, -2), (0.1, -2), (0.1, 0.9), (-2, 1.0), (0.1, 1.2), (0.1, 2), (-3, 2)]
    right = [(0.1, -2), (3, -2), (3, 2), (0.1, 2), (0.1, 1.2), (2.5, 1.05), (0.1, 0.9)]
    graph = outlined(left, right, at=[(-2.6, 1.0), (2.6, 0.0)])
    plan = plan_scene(graph, team(robot(-2.6, 1.0, 0.3)), {"a": "(at-place P1)"})
    assert plan.status is Status.SOLVED, plan.reason
    line = np.concatenate([action.path_map for action in plan.robots["a"].actions])
    steps = np.concatenate([np.linspace(a, b, 200) for a, b in itertools.pairwise(line)])
    assert np.linalg.norm(steps[:, :2] - [-2.0, 1.0], axis=1).min() >= 0.3 - 0.03


def spiral() -> SceneGraph:
    """A lane 1 m wide that turns three times to the left, as one place at its end, and one at its mouth."""
    lane = [(-0.5, -0.5), (4.5, -0.5), (4.5, 4.5), (-0.5, 4.5), (-0.5, 1.5)]
    lane += [(0.5, 1.5), (0.5, 3.5), (3.5, 3.5), (3.5, 0.5), (-0.5, 0.5)]
    mouth = [(-2.5, -0.5), (-0.5, -0.5), (-0.5, 0.5), (-2.5, 0.5)]
    return outlined(mouth, lane, at=[(-1.5, 0), (0, 2)])


def test_a_robot_goes_around_the_corners_of_a_spiral() -> None:
    plan = plan_scene(spiral(), team(robot(-1.5, 0, 0.4)), {"a": "(at-place P1)"})
    assert plan.status is Status.SOLVED, plan.reason
    assert 12.0 < plan.robots["a"].cost_m < 15.0


def test_a_robot_is_at_the_place_next_to_it_though_it_sees_another_one() -> None:
    """In the first lane of the spiral the mouth is in sight, and the end of the spiral nearer."""
    plan = plan_scene(spiral(), team(robot(2, 0, 0.26)), {"a": "(at-place P0)"})
    assert plan.status is Status.SOLVED, plan.reason
    assert plan.robots["a"].actions[-1].path_map[-1].tolist() == [-1.5, 0.0, 0.0]


@pytest.mark.parametrize(("y", "proven"), [(0.2, False), (1.5, True)])
def test_a_place_whose_point_is_at_the_wall_proves_nothing(y: float, proven: bool) -> None:
    """There is room beside the point of the passage over which robots drive; without that, no way."""
    wide = 3.0 if not proven else 0.5
    sides = (0, 4, 0, 3), (4, 8, 1.5 - wide / 2, 1.5 + wide / 2), (8, 12, 0, 3)
    graph = rectangles(*sides, links=[(0, 1), (1, 2)])
    places = graph.surface_places
    moved = places.positions + [[0, 0, 0], [0, y - 1.5, 0], [0, 0, 0]]
    graph = graph.with_layer("surface_places", replace(places, positions=moved))
    plan = plan_scene(graph, team(robot(1, 1.5)), {"a": "(at-place P2)"})
    assert plan.status is (Status.UNSOLVABLE if proven else Status.NOT_FOUND)


@pytest.mark.parametrize(("y", "proven"), [(0.2, False), (1.5, True)])
def test_nothing_is_proven_of_what_another_one_could_bring_past_such_a_point(
    y: float, proven: bool
) -> None:
    wide = 0.5 if proven else 3.0
    sides = (0, 4, 0, 3), (4, 8, 1.5 - wide / 2, 1.5 + wide / 2), (8, 12, 0, 3)
    graph = rectangles(*sides, links=[(0, 1), (1, 2)])
    places = graph.surface_places
    moved = places.positions + [[0, 0, 0], [0, y - 1.5, 0], [0, 0, 0]]
    graph = graph.with_layer("surface_places", replace(places, positions=moved))
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[1.0, 1.5, 0]])
    graph = replace(graph, layers={**graph.layers, "objects": things})
    asked = replace(robot(10, 1.5), capabilities=frozenset({"goto"}))
    helper = robot(2, 1.5, name="b")
    plan = plan_scene(graph, team(asked, helper), {"a": "(object-in-place O0 P2)"})
    assert plan.status is (Status.UNSOLVABLE if proven else Status.NOT_FOUND), plan.reason


@pytest.mark.parametrize("lone", [(0.1, 0.1), (4.1, 0.6)], ids=["start", "thing"])
def test_a_place_that_no_edge_leaves_keeps_nobody_from_where_others_lead(
    lone: tuple[float, float],
) -> None:
    at = [(float(x), 0.0, 0.0) for x in range(5)]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(6)),
        [*at, (*lone, 0.0)],
        edges=Edges.of([(x, x + 1) for x in range(4)]),
    )
    thing = Layer.of(
        OBJECTS, node_ids("O", np.arange(1)), [(4.1, 0.5, 0.0)], labels=np.zeros(1), names=["box"]
    )
    graph = SceneGraph(
        layers={"surface_places": places, "objects": thing}, labelspaces={"objects": {0: "box"}}
    )
    plan = plan_scene(graph, team(robot(0.2, 0.2)), {"a": "(safe O0)"})
    assert plan.status is Status.SOLVED, plan.reason


def with_fragment(places: int) -> SceneGraph:
    """A row of places a meter apart, and two more of their own 2 m beside it, next to a thing."""
    row = [(float(x), 0.0, 0.0) for x in range(places)]
    links = [(x, x + 1) for x in range(places - 1)]
    ground = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(places + 2)),
        [*row, (5.0, 2.0, 0.0), (5.5, 2.0, 0.0)],
        edges=Edges.of([*links, (places, places + 1)]),
    )
    thing = Layer.of(OBJECTS, node_ids("O", np.arange(1)), [(5.2, 2.1, 0.0)])
    return SceneGraph(layers={"surface_places": ground, "objects": thing})


def test_a_fragment_of_the_map_keeps_nobody_from_a_thing_next_to_it_and_the_gap_is_told() -> None:
    plan = plan_scene(with_fragment(120), team(robot(0.0, 0.0)), {"a": "(safe O0)"})
    assert plan.status is Status.SOLVED, plan.reason
    assert plan.robots["a"].actions[0].places[-1] == "P5"
    assert any("a drives straight for 2.1 m from P5 to O0" in told for told in plan.assumed)


def test_what_is_no_fragment_tells_of_ground_that_nothing_joins() -> None:
    plan = plan_scene(with_fragment(20), team(robot(0.0, 0.0)), {"a": "(safe O0)"})
    assert plan.status is Status.UNSOLVABLE
    assert "nothing connects the robot to its part of the map (2 of 22 places)" in plan.reason


def lamp_over(*heights_m: float) -> SceneGraph:
    """A row of places 4 m apart, with lamps at such heights over the last one."""
    at = [[2.0 + 4 * k, 2.0, 0.0] for k in range(4)]
    squares = [np.array([[-2.0, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]]) + p for p in at]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(4)),
        at,
        edges=Edges.of([(k, k + 1) for k in range(3)]),
        boundaries=Ragged.of(squares),
    )
    lamps = node_ids("O", np.arange(len(heights_m)))
    hung = Layer.of(OBJECTS, lamps, [[14.0, 3.5, z] for z in heights_m])
    return SceneGraph(layers={"surface_places": places, "objects": hung})


def test_a_robot_stays_on_the_ground_below_a_thing() -> None:
    graph = lamp_over(0.5, 8.0)
    low, high = (
        plan_scene(graph, team(robot(2, 2)), {"a": f"(visited-object {thing})"})
        for thing in ("O0", "O1")
    )
    assert high.cost_m == pytest.approx(low.cost_m)
    assert high.makespan_s == pytest.approx(low.makespan_s)
    assert all((a.path_map[:, 2] == 0.0).all() for a in high.robots["a"].actions)
    assert low.assumed == ()
    assert high.assumed == (
        "O1 hangs 8.0 m above the ground; it is taken to be in reach of a below it",
    )


def test_a_path_into_the_air_is_refused() -> None:
    graph, one = lamp_over(8.0), robot(2, 2)
    goal, line = parse_goal("(visited-object O0)", graph), [[2.0, 2, 0], [10, 2, 0], [13.5, 3, 6.5]]
    places = tuple(f"P{k}" for k in range(4))
    goto = Action("goto", "O0", np.array(line), places)
    faults = certify(graph, one, goal, [goto], "surface_places")
    assert faults == ["step 1 (goto O0): at (13.5, 3.0) a height of 6.5 m is off the ground"]


def test_a_robot_that_hangs_in_the_air_is_set_down_and_that_is_told() -> None:
    plans = [
        plan_scene(lamp_over(), team(robot(2, 2, z=z)), {"a": "(at-place P1)"})
        for z in (0.0, 0.7, 4.0, -4.0)
    ]
    assert [plan.cost_m for plan in plans[2:]] == pytest.approx([plans[0].cost_m] * 2)
    assert [plan.assumed for plan in plans] == [
        (),
        (),
        ("a is 4.0 m above the ground of the map; is z of its pose right?",),
        ("a is 4.0 m below the ground of the map; is z of its pose right?",),
    ]
