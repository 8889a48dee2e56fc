"""Robots side by side in corridors that are mapped as one chain of places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.result import Status
from commonground.planning.scene import TeamPlan
from commonground.planning.scene.certificate import certify
from commonground.planning.scene.goal import parse_goal
from commonground.planning.scene.plan import Action
from commonground.planning.team import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Boxes, Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

ABLE = frozenset({"goto"})
STEP_M = 2.0


def corridor(across_m: float, outlines: bool, count: int = 7) -> SceneGraph:
    """Places 2 m apart in a row, in a corridor that is so wide; the last two are region R0."""
    at = np.array([(STEP_M * k, 0.0, 0.0) for k in range(count)])
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * [1, across_m / 2, 0]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(count)),
        at,
        edges=Edges.of([(k, k + 1) for k in range(count - 1)]),
        columns={} if outlines else {"clearance_m": np.full(count, across_m / 2)},
        boundaries=Ragged.of([p + corners for p in at]) if outlines else None,
    )
    regions = Layer.of(REGIONS, node_ids("R", [0]), [[STEP_M * count, 0, 0]])
    graph = SceneGraph(layers={"surface_places": places, "regions": regions})
    return graph.with_links("surface_places", "regions", [(count - 1, 0), (count - 2, 0)])


def team_of(**places: int) -> Team:
    return Team({n: Robot(n, from_xyz_yaw([STEP_M * k, 0, 0, 0]), ABLE) for n, k in places.items()})


def least_m(plan: TeamPlan, across_m: float) -> float:
    """Return how near two robots come, sampled from the JSON; no robot leaves the corridor."""
    clock = np.arange(0.0, plan.makespan_s + 1.0, 0.02)
    tracks = []
    for actions in plan.as_json()["robots"].values():
        times, points = [0.0], [actions[0]["path_map"][0]]
        for action in actions:
            line = np.array(action["path_map"])
            gone = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
            lasts = action["end_s"] - action["start_s"]
            times += (action["start_s"] + lasts * gone / max(gone[-1], 1e-9)).tolist()
            points += line.tolist()
        track = np.stack([np.interp(clock, times, np.array(points)[:, c]) for c in range(2)])
        assert np.abs(track[1]).max() + 0.4 <= across_m / 2 + 0.03
        tracks.append(track)
    return float(np.linalg.norm(tracks[0] - tracks[1], axis=0).min())


@pytest.mark.parametrize("outlines", [True, False])
def test_robots_swap_ends_of_a_wide_corridor_side_by_side(outlines: bool) -> None:
    goals = {"a": "(at-place P6)", "b": "(at-place P0)"}
    plan = plan_scene(corridor(4.0, outlines), team_of(a=0, b=6), goals)
    assert plan.status is Status.SOLVED
    assert least_m(plan, 4.0) >= 0.8
    assert plan.makespan_s < 13.0  # 12 m at 1 m/s: nobody waits for the other to get through
    assert [p.actions[-1].path_map[-1][0] for p in plan.robots.values()] == [12.0, 0.0]


def test_two_robots_are_sent_to_one_wide_place() -> None:
    goals = {"a": "(at-place P3)", "b": "(at-place P3)"}
    plan = plan_scene(corridor(4.0, True), team_of(a=0, b=6), goals)
    assert plan.status is Status.SOLVED
    assert least_m(plan, 4.0) >= 0.8
    for part in plan.robots.values():
        assert abs(part.actions[-1].path_map[-1][0] - 6.0) <= STEP_M / 2


def test_a_place_too_narrow_for_two_is_refused_with_who_and_why() -> None:
    graph = corridor(1.2, False)
    plan = plan_scene(
        graph, team_of(a=0, b=6), {"a": "(at-place P3)", "b": "(at-place P3)"}, time_limit_s=0.1
    )
    assert plan.status is Status.UNSOLVABLE
    assert "a and b cannot end at P3" in plan.reason


def test_two_robots_share_out_the_places_of_a_region() -> None:
    goals = {"a": "(in-region R0)", "b": "(in-region R0)"}
    large = Team({r.name: replace(r, radius_m=0.5) for r in team_of(a=0, b=1)})
    plan = plan_scene(corridor(1.2, True), large, goals)
    assert plan.status is Status.SOLVED
    ends = {part.actions[-1].places[-1] for part in plan.robots.values()}
    assert ends == {"P5", "P6"}


def test_a_thing_goes_on_between_two_that_avoid_where_the_other_one_is() -> None:
    """It has a box, which the second robot stops short of, nearer to the place it came by."""
    graph = corridor(2.0, True, 5)
    boxes = Boxes(np.array([[0.0, 0.6, 0.05]]), np.full((1, 3), 0.1), np.eye(4)[:1])
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[0.0, 0.6, 0.05]], boxes=boxes)
    regions = Layer.of(REGIONS, node_ids("R", [0, 1]), [[1.0, 0, 0], [7.0, 0, 0]])
    graph = replace(graph, layers={**graph.layers, "objects": things, "regions": regions})
    inside = [(0, 0), (1, 0), (3, 1), (4, 1)]
    graph = graph.with_links("surface_places", "regions", inside)
    graph = graph.with_links("objects", "surface_places", [(0, 0)])
    able = ABLE | {"inspect", "pick", "place"}
    starts = {"a": (2.0, 0.0), "b": (8.0, -0.4)}
    both = Team(
        {
            n: Robot(n, from_xyz_yaw([x, y, 0, 0]), able, radius_m=0.3)
            for n, (x, y) in starts.items()
        }
    )
    goals = {
        "a": "(not (visited-region R1))",
        "b": "(and (object-in-place O0 P4) (not (visited-region R0)))",
    }
    plan = plan_scene(graph, both, goals)
    assert plan.status is Status.SOLVED, plan.reason


def test_robots_as_unlike_as_the_corridor_allows_pass_each_other() -> None:
    """1.5 m: the large one reaches a wall, the small one the other; 1.45 m are needed."""
    both = [replace(team_of(a=0)["a"], radius_m=0.5), replace(team_of(b=6)["b"], radius_m=0.2)]
    goals = {"a": "(at-place P6)", "b": "(at-place P0)"}
    plan = plan_scene(corridor(1.5, True), Team({r.name: r for r in both}), goals)
    assert plan.status is Status.SOLVED
    for robot, part in zip(both, plan.robots.values(), strict=True):
        aside = max(np.abs(action.path_map[:, 1]).max() for action in part.actions)
        assert aside + robot.radius_m <= 0.75


def test_one_waits_where_a_thing_leaves_room_for_one() -> None:
    boxes = Boxes(
        np.array([[7.0, 0.55, 0.5]]),
        np.array([[0.9, 0.9, 1.0]]),
        np.array([[1.0, 0.0, 0.0, 0.0]]),
    )
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[7.0, 0.55, 0.5]], boxes=boxes)
    graph = corridor(2.0, True).with_layer("objects", things)
    goals = {"a": "(at-place P6)", "b": "(at-place P0)"}
    plan = plan_scene(graph, team_of(a=0, b=6), goals)
    assert plan.status is Status.SOLVED
    assert least_m(plan, 2.0) >= 0.8


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ([[0, 0, 0], [2, 1.7, 0], [4, 0, 0]], "nothing tells that"),
        ([[0, 0, 0], [2, 0, 0], [2.8, 0, 0]], "nearer to another place"),
    ],
)
def test_the_certificate_holds_the_very_line_against_the_clearances(
    line: list[list[float]], fault: str
) -> None:
    graph = corridor(4.0, False)
    way = Action("goto", "P2", np.array(line, float), ("P0", "P1", "P2"), end_s=9.0)
    goal = parse_goal("(at-place P2)", graph)
    found = certify(graph, team_of(a=0)["a"], goal, [way], "surface_places")
    assert any(fault in f for f in found), found


@pytest.mark.parametrize(("y", "told"), [(0.0, True), (0.3, False)])
def test_a_robot_may_stop_on_the_line_between_two_neighbors(y: float, told: bool) -> None:
    """Neither place's clearance reaches so far, but the line between them may be driven."""
    graph = corridor(1.0, False)
    way = Action("goto", "P1", np.array([[0, 0, 0], [1.3, y, 0]]), ("P0", "P1"), end_s=9.0)
    goal = parse_goal("(at-place P1)", graph)
    found = certify(graph, team_of(a=0)["a"], goal, [way], "surface_places")
    assert any("nothing tells that" in f for f in found) is not told


def boxes(*sides: tuple[float, float, float, float]) -> SceneGraph:
    """Places in the middle of rectangles (x from, x to, y from, y to), linked in a row."""
    corners = [
        np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]], float)
        for x0, x1, y0, y1 in sides
    ]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(sides))),
        [c.mean(axis=0) for c in corners],
        edges=Edges.of([(k, k + 1) for k in range(len(sides) - 1)]),
        boundaries=Ragged.of(corners),
    )
    return SceneGraph(layers={"surface_places": places})


def small(*at: tuple[float, float]) -> Team:
    names = "abcdefgh"[: len(at)]
    return Team(
        {
            n: Robot(n, from_xyz_yaw([*p, 0, 0]), ABLE, radius_m=0.3)
            for n, p in zip(names, at, strict=True)
        }
    )


def ends_apart(plan: TeamPlan) -> float:
    """Return how near two robots stand in the end."""
    ends = np.array([p.actions[-1].path_map[-1] for p in plan.robots.values()])
    gaps = np.linalg.norm(ends[:, None] - ends, axis=2)
    return float(gaps[np.triu_indices(len(ends), 1)].min())


def test_three_robots_stand_lengthwise_in_a_cell_where_they_only_just_fit() -> None:
    graph = boxes(*((2 * k - 1.0, 2 * k + 1.0, -0.5, 0.5) for k in range(4)))
    goals = dict.fromkeys("abc", "(at-place P3)")
    plan = plan_scene(graph, small((0, 0), (2, 0), (4, 0)), goals)
    assert plan.status is Status.SOLVED, plan.reason
    assert ends_apart(plan) >= 0.65


def test_six_robots_line_up_in_a_room_the_first_ones_deepest_in() -> None:
    corridor = [(2 * k - 1.0, 2 * k + 1.0, -0.5, 0.5) for k in range(6)]
    graph = boxes(*corridor, (11.0, 14.0, -1.5, 1.5))
    plan = plan_scene(
        graph, small(*((2.0 * k, 0.0) for k in range(6))), dict.fromkeys("abcdef", "(at-place P6)")
    )
    assert plan.status is Status.SOLVED, plan.reason
    assert ends_apart(plan) >= 0.65
    assert plan.makespan_s < 14.0  # that of the last one alone is 11


def test_three_robots_change_rooms_with_three_others_through_one_door() -> None:
    graph = boxes((-1.5, 1.5, -1.5, 1.5), (1.5, 2.5, -0.5, 0.5), (2.5, 5.5, -1.5, 1.5))
    team = small((-1, -1), (-1, 0), (-1, 1), (5, -1), (5, 0), (5, 1))
    goals = {n: f"(at-place P{2 if n in 'abc' else 0})" for n in "abcdef"}
    plan = plan_scene(graph, team, goals)
    assert plan.status is Status.SOLVED, plan.reason
    assert ends_apart(plan) >= 0.65


def test_a_robot_that_fits_nowhere_else_is_passed_where_it_stands() -> None:
    """Its place is wide, those around it are too narrow for it."""
    graph = boxes(
        (-6, -4, -1, 1), (-4, -1.2, -0.3, 0.3), (-1.2, 1.2, -0.75, 0.75), (1.2, 4, -0.3, 0.3)
    )
    graph_team = small((-5.0, 0.0), (0.0, 0.0))
    wide = {
        "a": replace(graph_team["a"], radius_m=0.25),
        "b": replace(graph_team["b"], radius_m=0.4),
    }
    plan = plan_scene(graph, Team(wide), {"a": "(at-place P3)"})
    assert plan.status is Status.SOLVED, plan.reason


def test_one_waits_in_a_niche_that_an_outline_has_beside_the_way() -> None:
    """The place of the corridor has a niche 60 cm deep, off the line that is driven."""
    graph = boxes((-3.1, -2.4, -0.4, 0.4), (-2.4, 2.4, -0.4, 0.4), (2.4, 3.1, -0.4, 0.4))
    places = graph.surface_places
    niche = [
        (-2.4, -0.4),
        (2.4, -0.4),
        (2.4, 0.4),
        (0.4, 0.4),
        (0.4, 1.0),
        (-0.4, 1.0),
        (-0.4, 0.4),
    ]
    outline = np.array([(x, y, 0.0) for x, y in [*niche, (-2.4, 0.4)]])
    assert places.boundaries is not None
    outlines = Ragged.of([places.boundaries[0], outline, places.boundaries[2]])
    graph = graph.with_layer("surface_places", replace(places, boundaries=outlines))
    goals = {"a": "(at-place P2)", "b": "(at-place P0)"}
    plan = plan_scene(graph, small((-2.75, 0.0), (2.75, 0.0)), goals)
    assert plan.status is Status.SOLVED, plan.reason


def test_too_many_for_a_place_are_told_so_by_name() -> None:
    graph = boxes((-4, -1, -1, 1), (-1, 1, -0.5, 0.5), (1, 2.3, -0.6, 0.6))
    team = small((-3.5, -0.6), (-3.5, 0.6), (-2, -0.6), (-2, 0.6))
    goals = dict.fromkeys("abcd", "(at-place P2)")
    plan = plan_scene(graph, team, goals, time_limit_s=0.3, watch=WorkWatch())
    assert plan.status is Status.NOT_FOUND
    assert plan.reason == "a, b, c and d found no room at P2 for all of them"
