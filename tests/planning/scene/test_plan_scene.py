"""Plans on scene graphs: cheapest by brute force, true to the goal, and clear about what cannot be."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonground.demo import sample_scene
from commonground.errors import PlanningError
from commonground.geometry import from_xyz_yaw
from commonground.planning.pddl import parse_formula
from commonground.planning.result import Status
from commonground.planning.scene import TeamPlan, certify, parse_goal
from commonground.planning.scene.plan import Action
from commonground.planning.scene.sites import make_site
from commonground.planning.team import plan_scene
from commonground.robots import Robot, Team, load_team
from commonground.scene import Boxes, Edges, Layer, SceneGraph, load_scene
from commonground.scene.layer import OBJECTS, PLACES, REGIONS, SURFACE_PLACES
from commonground.scene.parts import shortest_path
from commonground.symbols import node_ids

ALL = frozenset({"goto", "inspect", "pick", "place"})


def team_at(x: float, y: float, capabilities: frozenset[str] = ALL) -> Team:
    return Team({"spot": Robot("spot", from_xyz_yaw([x, y, 0, 0]), capabilities)})


def planned(graph: SceneGraph, team: Team, goal: str, robot: str = "spot") -> TeamPlan:
    return plan_scene(graph, team, {robot: goal})


def done(answer: TeamPlan, robot: str = "spot") -> list[tuple[str, str]]:
    assert answer.status is Status.SOLVED, answer.reason
    return [(a.action, a.target) for a in answer.robots[robot].actions]


# ---- against brute force ----


def reference(graph: SceneGraph, team: Team, avoid: str | None) -> nx.DiGraph:
    """Build the same motion model independently: places, and points that nobody passes through."""
    places = graph.surface_places
    closed = graph.in_region("surface_places", avoid) if avoid else np.zeros(len(places), bool)
    out = nx.DiGraph()
    for a, b in places.edges.rows.tolist():
        if not closed[a] and not closed[b]:
            w = float(np.linalg.norm(places.positions[a] - places.positions[b]))
            out.add_edge(a, b, weight=w)
            out.add_edge(b, a, weight=w)
    points = {
        "start": team["spot"].position,
        **dict(zip(graph.objects.symbols, graph.objects.positions, strict=True)),
    }
    for name, p in points.items():
        gaps = np.linalg.norm(places.positions - p, axis=1)
        near = np.argsort(gaps)[:3].tolist()
        joined = {near[0], *graph.neighbors("surface_places", near[0]).tolist()}
        for row in near:
            if row in joined and not closed[row]:
                out.add_edge(("from", name), row, weight=float(gaps[row]))
                out.add_edge(row, ("to", name), weight=float(gaps[row]))
    return out


def cheapest(graph: SceneGraph, team: Team, stops: list[str], avoid: str | None = None) -> float:
    model = reference(graph, team, avoid)
    names = ["start", *stops]
    meters = {
        (a, b): nx.dijkstra_path_length(model, ("from", a), ("to", b))
        for a in names
        for b in stops
        if a != b
    }
    return min(
        sum(meters[a, b] for a, b in itertools.pairwise(("start", *order)))
        for order in itertools.permutations(stops)
    )


@pytest.mark.parametrize("seed", range(4))
def test_tours_are_the_shortest(seed: int) -> None:
    graph, team = make_site(400, 12, np.random.default_rng(seed))
    stops = ["O1", "O4", "O7", "O9"]
    answer = planned(graph, team, f"(and {' '.join(f'(visited-object {o})' for o in stops)})")
    assert answer.cost_m == pytest.approx(cheapest(graph, team, stops))
    assert answer.robots["spot"].optimal


@pytest.mark.parametrize("seed", range(4))
def test_avoidance_holds_along_the_whole_way_and_costs_no_more_than_it_must(seed: int) -> None:
    graph, team = make_site(600, 12, np.random.default_rng(10 + seed))
    tiles = {int(r) for r in graph.ancestors("objects", "regions")[:3]} | {0}
    avoid = next(f"R{r}" for r in range(4, len(graph.regions)) if r not in tiles)
    goal = f"(and (safe O0) (safe O1) (visited-object O2) (not (visited-region {avoid})))"
    answer = planned(graph, team, goal)
    assert answer.cost_m == pytest.approx(cheapest(graph, team, ["O0", "O1", "O2"], avoid))
    closed = graph.in_region("surface_places", avoid)
    for action in answer.robots["spot"].actions:
        assert not closed[graph.surface_places.rows(action.places)].any()


def test_of_alternatives_the_cheapest_is_taken() -> None:
    graph, team = make_site(500, 15, np.random.default_rng(5))
    options = [f"O{i}" for i in range(8)]
    answer = planned(graph, team, f"(or {' '.join(f'(safe {o})' for o in options)})")
    assert answer.cost_m == pytest.approx(min(cheapest(graph, team, [o]) for o in options))
    pairs = [("O0", "O1"), ("O2", "O3"), ("O4", "O5")]
    goal = f"(or {' '.join(f'(and (safe {a}) (visited-object {b}))' for a, b in pairs)})"
    answer = planned(graph, team, goal)
    assert answer.cost_m == pytest.approx(min(cheapest(graph, team, [a, b]) for a, b in pairs))


def test_a_region_is_entered_where_that_is_cheapest() -> None:
    graph, team = make_site(900, 15, np.random.default_rng(6))
    region = "R5"
    inside = np.flatnonzero(graph.in_region("surface_places", region))
    model = reference(graph, team, None)
    there = nx.single_source_dijkstra_path_length(model, ("from", "start"))
    back = nx.single_source_dijkstra_path_length(model.reverse(), ("to", "O3"))
    first = nx.single_source_dijkstra_path_length(model, ("from", "O3"))
    best = min(
        min(there[p] + back[p] for p in inside.tolist()),
        nx.dijkstra_path_length(model, ("from", "start"), ("to", "O3"))
        + min(first[p] for p in inside.tolist()),
    )
    answer = planned(graph, team, f"(and (visited-region {region}) (visited-object O3))")
    assert answer.cost_m == pytest.approx(best)


# ---- what actions follow from goals ----


@pytest.mark.parametrize("seed", range(4))
def test_several_regions_are_visited_on_the_shortest_way_through_any_of_their_places(
    seed: int,
) -> None:
    """Where one region is left is where the next one is entered: gates count, not the nearest places."""
    rng = np.random.default_rng(seed)
    graph, team = make_site(150, 1, rng)
    region = graph.ancestors("surface_places", "regions")
    chosen = 1 + rng.choice(len(graph.regions) - 1, 3, replace=False)
    places = [np.array(graph.surface_places.symbols)[region == r] for r in chosen]
    any_of = [f"(or {' '.join(f'(visited-place {p})' for p in inside)})" for inside in places]
    regions = [f"(visited-region {graph.regions.symbols[r]})" for r in chosen]
    costs = {planned(graph, team, f"(and {' '.join(goal)})").cost_m for goal in (any_of, regions)}
    assert np.ptp(list(costs)) < 1e-6


def test_rooms_of_places_in_the_air_hold_the_ground_below() -> None:
    """As Hydra links rooms; what is to be avoided is avoided by robots on the ground."""
    ground = np.array([[x, y, 0.0] for x in range(6) for y in (0, 1)])
    apart = np.linalg.norm(ground[:, None] - ground, axis=2)
    steps = Edges.of(np.argwhere(np.triu(apart < 1.1, 1)))
    graph = SceneGraph(
        {
            "surface_places": Layer.of(SURFACE_PLACES, node_ids("P", range(12)), ground, edges=steps),
            "places": Layer.of(PLACES, node_ids("p", range(12)), ground + [0, 0, 1]),
            "regions": Layer.of(REGIONS, node_ids("R", range(2)), np.zeros((2, 3))),
        }
    ).with_links("places", "regions", [(k, int(k in (4, 6))) for k in range(12)])  # fmt: skip
    assert graph.ancestors("surface_places", "regions").tolist() == [
        int(k in (4, 6)) for k in range(12)
    ]
    assert str(parse_goal("(visited-place p10)", graph)) == "(visited-place P10)"  # Omniplanner's
    answer = planned(graph, team_at(0, 0), "(and (visited-place P10) (not (visited-region R1)))")
    assert answer.status is Status.SOLVED
    assert answer.cost_m == pytest.approx(7.0)


def test_on_3d_places_nobody_passes_a_thing_where_nothing_tells_of_ground_beside_it() -> None:
    """Around its corner and straight to the door: no free disc covers that, and the check refused it."""
    at = np.array([[0, 0, 1], [1.85, 0, 1], [3, -0.1, 1], [0, -2, 1], [3, -2, 1.0]])
    steps = Edges.of([(0, 1), (1, 2), (0, 3), (3, 4), (4, 2)], np.full(5, 0.5))
    room = {"clearance_m": np.array([1.5, 0.5, 1.5, 0.5, 0.5])}
    air = Layer.of(PLACES, node_ids("p", range(5)), at, edges=steps, columns=room)
    boxes = Boxes(np.array([[1.45, 0.35, 0.5]]), np.array([[0.9, 0.2, 1.0]]), np.eye(1, 4))
    thing = Layer.of(OBJECTS, node_ids("O", range(1)), boxes.centers, boxes=boxes)
    graph = SceneGraph({"places": air, "objects": thing})
    spot = Robot("spot", from_xyz_yaw([0, 0, 0.5, 0]), ALL, radius_m=0.3)
    answer = planned(graph, Team({"spot": spot}), "(visited-place p2)")
    assert answer.status is Status.SOLVED, answer.reason
    assert "p3" in answer.robots["spot"].actions[0].places


def test_a_scrap_of_ground_below_a_robot_cuts_it_off_from_nothing() -> None:
    ground = np.array([[x, 0.0, 0.0] for x in range(45)] + [[10.0, 0.4, 0.0], [10.3, 0.5, 0.0]])
    steps = Edges.of([*itertools.pairwise(range(45)), (45, 46)])
    graph = SceneGraph(
        {"surface_places": Layer.of(SURFACE_PLACES, node_ids("P", range(47)), ground, edges=steps)}
    )
    assert planned(graph, team_at(10.0, 0.5), "(visited-place P20)").status is Status.SOLVED


def test_things_are_fetched_one_at_a_time_and_end_where_they_belong() -> None:
    graph, team = make_site(300, 9, np.random.default_rng(1))
    answer = planned(
        graph, team, "(and (object-in-place O1 P20) (object-in-place O2 P200) (holding O3))"
    )
    steps = [
        (a.action, a.item) for a in answer.robots["spot"].actions if a.action in ("pick", "place")
    ]
    carried = ""
    for action, item in steps:
        assert (carried == "") == (action == "pick")
        carried = item if action == "pick" else ""
    assert carried == "O3"
    assert {i for a, i in steps if a == "place"} == {"O1", "O2"}


def test_suspicious_things_are_inspected_before_they_are_picked() -> None:
    graph, team = make_site(200, 5, np.random.default_rng(2))
    extras = tuple({"metadata": {"suspicious": i == 2}} for i in range(5))
    graph = graph.with_layer("objects", replace(graph.objects, extras=extras))
    assert [a for a, _ in done(planned(graph, team, "(holding O2)"))] == ["goto", "inspect", "pick"]
    assert [a for a, _ in done(planned(graph, team, "(holding O1)"))] == ["goto", "pick"]
    blind = team_at(0, 0, frozenset({"goto", "pick"}))
    assert "cannot inspect" in planned(graph, blind, "(holding O2)").reason


def test_last_things_come_last() -> None:
    graph, team = make_site(300, 9, np.random.default_rng(3))
    answer = planned(graph, team, "(and (safe O5) (visited-object O6) (at-object O2))")
    assert done(answer)[-1] == ("goto", "O2")
    region = graph.regions.symbols[int(graph.ancestors("objects", "regions")[7])]
    answer = planned(graph, team, f"(and (safe O5) (in-region {region}))")
    last = answer.robots["spot"].actions[-1]
    assert graph.in_region("surface_places", region)[graph.surface_places.row(last.places[-1])]


def test_a_moved_object_is_met_where_it_was_put() -> None:
    graph, team = make_site(300, 9, np.random.default_rng(3))
    answer = planned(graph, team, "(and (object-in-place O1 P50) (at-object O1))")
    assert answer.status is Status.SOLVED, answer.reason
    assert answer.robots["spot"].actions[-1].places[-1:] in ((), ("P50",))


def test_exploring_sees_every_place_of_a_region() -> None:
    graph, team = make_site(500, 5, np.random.default_rng(4))
    answer = planned(graph, team, "(explored-region R3)")
    assert answer.status is Status.SOLVED, answer.reason
    visited = [p for a in answer.robots["spot"].actions for p in a.places]
    inside = graph.in_region("surface_places", "R3")
    assert (
        len(
            {*visited} & {s for s, i in zip(graph.surface_places.symbols, inside, strict=True) if i}
        )
        < inside.sum() / 2
    )


def test_a_robot_that_sees_no_farther_than_itself_explores_place_by_place() -> None:
    graph, team = make_site(60, 8, np.random.default_rng(4))
    short = Team({r.name: replace(r, view_m=0.0) for r in team})
    answer = planned(graph, short, "(explored-region R3)")
    assert answer.status is Status.SOLVED, answer.reason
    visited = {p for a in answer.robots["spot"].actions for p in a.places}
    inside = graph.in_region("surface_places", "R3")
    assert {s for s, i in zip(graph.surface_places.symbols, inside, strict=True) if i} <= visited


def test_times_follow_from_speed() -> None:
    graph = sample_scene()
    slow, fast = (
        Team({"spot": Robot("spot", from_xyz_yaw([2, 2, 0, 0]), ALL, speed_mps=v)})
        for v in (0.5, 2.0)
    )
    a, b = (planned(graph, t, "(visited-object O20)") for t in (slow, fast))
    assert a.makespan_s == pytest.approx(4 * b.makespan_s)
    for action in a.robots["spot"].actions:
        assert action.end_s - action.start_s == pytest.approx(action.length_m / 0.5)


def test_paths_are_straightened_inside_the_ground_and_keep_clear_of_objects() -> None:
    graph = sample_scene()
    team = team_at(2, 2)
    answer = planned(graph, team, "(and (visited-object O40) (visited-object O33))")
    plan = answer.robots["spot"]
    assert sum(a.length_m for a in plan.actions) < plan.cost_m
    boxes = graph.objects.boxes
    assert boxes is not None
    for action in plan.actions:
        end = action.path_map[-1]
        row = graph.objects.row(action.target)
        beyond = np.maximum(np.abs(end - boxes.centers[row])[:2] - boxes.sizes[row, :2] / 2, 0)
        assert np.linalg.norm(beyond) >= 0.4


def test_a_graph_with_only_3d_places_is_planned_on(shared: Path) -> None:
    graph = load_scene(shared / "data" / "apartment_dsg.json")
    at = graph.places.positions[graph.places.ids.argmin()]
    team = Team({"spot": Robot("spot", from_xyz_yaw([*at, 0]), ALL)})
    answer = planned(
        graph, team, f"(and {' '.join(f'(visited-object {o})' for o in graph.objects.symbols)})"
    )
    assert answer.status is Status.SOLVED
    assert answer.robots["spot"].optimal


# ---- property: whatever the goal, a solved plan is a certified plan ----

atoms = st.one_of(
    st.builds("(safe O{})".format, st.integers(0, 5)),
    st.builds("(visited-object O{})".format, st.integers(0, 5)),
    st.builds("(visited-place P{})".format, st.integers(0, 60)),
    st.builds("(at-place P{})".format, st.integers(0, 60)),
    st.builds("(at-object O{})".format, st.integers(0, 5)),
    st.builds("(visited-region R{})".format, st.integers(0, 3)),
    st.builds("(in-region R{})".format, st.integers(0, 3)),
    st.builds("(explored-region R{})".format, st.integers(0, 3)),
    st.builds("(holding O{})".format, st.integers(0, 5)),
    st.builds("(object-in-place O{} P{})".format, st.integers(0, 5), st.integers(0, 60)),
)
formulas = st.recursive(
    st.one_of(atoms, atoms.map("(not {})".format)),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda p: f"(and {' '.join(p)})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda p: f"(or {' '.join(p)})"),
    ),
    max_leaves=6,
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(formulas)
def test_every_answer_is_a_certified_plan_or_a_reason(goal: str) -> None:
    graph, team = make_site(70, 6, np.random.default_rng(8))
    answer = planned(graph, team, goal)
    if answer.status is Status.SOLVED:
        plan = answer.robots["spot"]
        # who stands where it must not be may only leave, and the plan tells that
        wanted = parse_goal(plan.goal if answer.assumed else goal, graph)
        assert certify(graph, team["spot"], wanted, plan.actions, "surface_places") == []
    else:
        assert answer.reason
        assert answer.status is not Status.NOT_FOUND, (goal, answer.reason)


# ---- the certificate is not the planner ----


def test_the_certificate_finds_what_is_wrong() -> None:
    graph, team = make_site(200, 6, np.random.default_rng(9))
    taken = {int(r) for r in graph.ancestors("objects", "regions")[[1]]} | {0}
    avoid = next(f"R{r}" for r in range(len(graph.regions)) if r not in taken)
    robot, goal = team["spot"], f"(and (safe O1) (not (visited-region {avoid})))"
    formula = parse_formula(goal, fold_case=False)
    good = list(planned(graph, team, goal).robots["spot"].actions)
    assert certify(graph, robot, formula, good, "surface_places") == []
    assert "goal does not hold" in certify(graph, robot, formula, good[:-1], "surface_places")[0]
    jump = replace(good[0], places=(good[0].places[0], good[0].places[-1]))
    assert "no neighbors" in certify(graph, robot, formula, [jump, *good[1:]], "surface_places")[0]
    assert "not at it" in certify(graph, robot, formula, good[1:], "surface_places")[0]
    inside = np.flatnonzero(graph.in_region("surface_places", avoid))[0]
    end = graph.surface_places.row(good[0].places[-1])
    rows = shortest_path(graph.adjacency("surface_places"), end, int(inside))
    symbols = tuple(graph.surface_places.symbols[r] for r in rows)
    astray = Action("goto", symbols[-1], graph.surface_places.positions[rows], symbols)
    assert (
        "goal does not hold" in certify(graph, robot, formula, [*good, astray], "surface_places")[0]
    )
    here = good[0].path_map[-1:]
    twice = [Action("pick", "O1", here, item="O1"), Action("pick", "O2", here, item="O2")]
    assert "already holds" in certify(graph, robot, formula, [good[0], *twice], "surface_places")[0]


# ---- honest answers ----


def test_goals_that_are_true_already_need_nothing() -> None:
    graph, team = make_site(100, 5, np.random.default_rng(0))
    host = graph.surface_places.symbols[int(graph.parents("objects", "surface_places")[2])]
    for goal in (
        "(in-region R0)",
        "(at-place P0)",
        f"(object-in-place O2 {host})",
        "(not (visited-region R3))",
    ):
        answer = planned(graph, team, goal)
        assert done(answer) == []
        assert "true already" in answer.reason
        assert answer.cost_m == 0


UNSOLVABLE = [
    ("(and (safe O1) (not (safe O1)))", "contradicts itself"),
    ("(and (holding O1) (holding O2))", "one gripper"),
    ("(and (holding O1) (object-in-place O1 P5))", "held and lie"),
    ("(and (object-in-place O1 P5) (object-in-place O1 P6))", "P5 and P6 at once"),
    ("(and (at-place P5) (at-place P60))", "at once"),
    ("(or (and (holding O1) (holding O2)) (and (safe O1) (not (safe O1))))", "one gripper"),
]


@pytest.mark.parametrize(("goal", "reason"), UNSOLVABLE)
def test_impossible_goals_say_why(goal: str, reason: str) -> None:
    graph, team = make_site(100, 5, np.random.default_rng(0))
    answer = planned(graph, team, goal)
    assert answer.status is Status.UNSOLVABLE
    assert reason in answer.reason


WRONG = [
    ("(safe O1", "1:1"),
    ("(safe O77)", "no object O77"),
    ("(saef O1)", "Did you mean 'safe'"),
    ("(safe P1)", "P1 in .* is in layer 'surface_places', no object"),
    ("(safe O1 O2)", "has 2 arguments"),
    ("(or (safe O1) (not (safe O1)))", "always true"),
    ("(forall (?o - object) (safe ?o))", "no quantifiers"),
    ("", "expected"),
]


@pytest.mark.parametrize(("goal", "reason"), WRONG)
def test_wrong_goals_are_errors_in_words(goal: str, reason: str) -> None:
    import re

    graph, team = make_site(100, 5, np.random.default_rng(0))
    answer = planned(graph, team, goal)
    assert answer.status is Status.ERROR
    assert re.search(reason, answer.reason), answer.reason
    assert "\n" not in answer.reason


def test_what_cuts_off_is_named() -> None:
    graph = sample_scene()
    wall = planned(graph, team_at(2, 2), "(and (safe O33) (not (visited-region R3)))")
    assert wall.status is Status.UNSOLVABLE
    assert "without touching R3" in wall.reason
    inside = planned(graph, team_at(2, 2), "(and (safe O33) (not (visited-region R5)))")
    assert "O33 lies in R5" in inside.reason
    cut = graph.surface_places.edges.rows
    x = graph.surface_places.positions[:, 0]
    kept = cut[(x[cut[:, 0]] < 30) == (x[cut[:, 1]] < 30)]
    island = graph.with_layer("surface_places", replace(graph.surface_places, edges=Edges.of(kept)))
    assert "nothing connects" in planned(island, team_at(2, 2), "(safe O33)").reason


def test_steep_ground_and_high_steps_are_for_those_who_can() -> None:
    graph = sample_scene()
    p = graph.surface_places.positions.copy()
    p[p[:, 0] > 32, 2] += 0.5
    stairs = graph.with_layer("surface_places", replace(graph.surface_places, positions=p))
    wheeled = Team(
        {"spot": Robot("spot", from_xyz_yaw([2, 2, 0, 0]), ALL, max_step_m=0.1, max_slope_deg=5)}
    )
    answer = planned(stairs, wheeled, "(safe O33)")
    assert answer.status is Status.UNSOLVABLE
    assert "too steep" in answer.reason
    legged = Team({"spot": Robot("spot", from_xyz_yaw([2, 2, 0, 0]), ALL, max_step_m=0.6)})
    assert planned(stairs, legged, "(safe O33)").status is Status.SOLVED


def test_graphs_nobody_can_move_on() -> None:
    team = team_at(0, 0)
    assert (
        "no places"
        in planned(SceneGraph(layers={"objects": sample_scene().objects}), team, "(safe O1)").reason
    )
    lone = Layer.of(PLACES, node_ids("p", [0]), [[0, 0, 0]])
    graph = SceneGraph(layers={"objects": sample_scene().objects, "places": lone})
    answer = planned(graph, team, "(visited-object O1)")
    assert answer.status is Status.SOLVED
    lost = Team({"spot": Robot("spot", from_xyz_yaw([np.nan, 0, 0, 0]), ALL)})
    assert "not finite" in planned(graph, lost, "(visited-object O1)").reason


def test_robots_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "robots.yaml"
    file.write_text(
        "robots:\n  spot: {pose: [1, 2, 0, 0.5], capabilities: [goto, inspect], speed_mps: 0.8}\n"
    )
    team = load_team(file)
    assert team["spot"].can("inspect")
    assert not team["spot"].can("pick")
    with pytest.raises(Exception, match="Did you mean 'spot'"):
        team["sport"]
    for text, message in (
        ("robots:\n  spot: {pose: [1, 2, 0]}\n", r"robots.yaml:2: 'robots.spot.pose"),
        ("robots:\n  spot: {pose: [1, 2, 0, 0], speed: 1}\n", "Did you mean 'speed_mps'"),
        ("robots:\n  spot: {pose: [1, 2, 0, 0], capabilities: [fly]}\n", "capabilities"),
        ("robots: {}\n", "names no robot"),
    ):
        file.write_text(text)
        with pytest.raises(Exception, match=message):
            load_team(file)


def test_the_plan_is_plain_json() -> None:
    graph = sample_scene()
    answer = planned(graph, team_at(2, 2), "(holding O35)")
    back = json.loads(json.dumps(answer.as_json(), allow_nan=False))
    assert back["status"] == "solved"
    assert back["lower_bound_m"] <= back["cost_m"]
    assert back["gap"] == pytest.approx(1 - back["lower_bound_m"] / back["cost_m"], abs=1e-4)
    assert [a["action"] for a in back["robots"]["spot"]] == ["goto", "pick"]
    refused = planned(graph, team_at(2, 2), "(safe O99)").as_json()
    assert json.loads(json.dumps(refused, allow_nan=False))["cost_m"] is None


def test_goals_accept_either_case_where_it_is_clear() -> None:
    graph = sample_scene()
    assert parse_goal("(SAFE o3)", graph) == parse_goal("(safe O3)", graph)
    with pytest.raises(PlanningError):
        parse_goal("(safe 3)", graph)


def test_nobody_drives_through_things() -> None:
    graph = sample_scene()
    team = team_at(60, 20)
    cars = [
        s
        for s, w in zip(graph.objects.symbols, graph.label_words("objects"), strict=True)
        if w == "vehicle"
    ]
    answer = planned(graph, team, f"(and {' '.join(f'(safe {o})' for o in cars)})")
    boxes = graph.objects.boxes
    assert boxes is not None
    for action in answer.robots["spot"].actions:
        for a, b in itertools.pairwise(action.path_map):
            points = a + np.linspace(0, 1, 50)[:, None] * (b - a)
            for row in range(len(graph.objects)):
                inside = np.abs(points - boxes.centers[row])[:, :2] < boxes.sizes[row, :2] / 2
                assert not inside.all(axis=1).any(), (action.target, graph.objects.symbols[row])


def test_a_robot_far_outside_the_map_is_told_so() -> None:
    answer = planned(sample_scene(), team_at(1e9, 1e9), "(safe O1)")
    assert answer.status is Status.ERROR
    assert "m from the nearest place" in answer.reason and "frame of the map" in answer.reason
    assert planned(sample_scene(), team_at(-3, 20), "(safe O1)").status is Status.SOLVED
