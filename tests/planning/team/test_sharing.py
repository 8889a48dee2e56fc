"""Teams that have to share things and ground: who goes first, who goes around, who steps aside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground import compiled
from commonground.geometry import from_xyz_yaw
from commonground.planning.result import OutOfTime, Status
from commonground.planning.scene import TeamPlan, certify, parse_goal
from commonground.planning.scene.planner import plan_robot
from commonground.planning.scene.roadmap import build_roadmap
from commonground.planning.scene.solve import solve_goal
from commonground.planning.team import plan_scene, validate
from commonground.planning.team.errands import way_of
from commonground.planning.team.telling import actions_of
from commonground.planning.team.together import Crowd, distance
from commonground.planning.team.watch import ClockWatch, WorkWatch
from commonground.planning.team.world import scene_after
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids

ABLE = frozenset({"goto", "inspect", "pick", "place"})
STEP_S = 0.02


def scene(cells: str, thing: int = -1) -> SceneGraph:
    """A drawing of places: # is one, a meter from the next; neighbors are linked; O0 lies at one of them."""
    at = [
        (float(x), -float(y), 0.0)
        for y, row in enumerate(cells.split())
        for x, cell in enumerate(row)
        if cell == "#"
    ]
    known = {p: k for k, p in enumerate(at)}
    links = [
        (k, known[q])
        for (x, y, z), k in known.items()
        for q in ((x + 1, y, z), (x, y - 1, z))
        if q in known
    ]
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(len(at))), at, edges=Edges.of(links))
    things = Layer.of(OBJECTS, node_ids("O", [0]), [np.add(at[thing], [0.0, 0.3, 0.0])])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    return graph.with_links("objects", "surface_places", [(0, thing % len(at))])


def robots(**starts: tuple[float, float]) -> Team:
    poses = {n: from_xyz_yaw([*xy, 0.0, 0.0]) for n, xy in starts.items()}
    return Team({n: Robot(n, pose, ABLE) for n, pose in poses.items()})


def least_distance(team: Team, plan: TeamPlan) -> float:
    """Return the least distance of two robots, sampled from the plan's JSON and nothing else."""
    told = plan.as_json()["robots"]
    until = max((a["end_s"] for actions in told.values() for a in actions), default=0.0)
    clock = np.arange(0.0, until + STEP_S, STEP_S)
    tracks = []
    for robot in team:
        times, points = [0.0], [robot.position]
        for action in told.get(robot.name, []):
            line = np.array(action["path_map"])
            gone = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
            share = gone / max(gone[-1], 1e-9)
            times += (action["start_s"] + share * (action["end_s"] - action["start_s"])).tolist()
            points += list(line)
        tracks.append(np.stack([np.interp(clock, times, np.array(points)[:, c]) for c in (0, 1)]))
    pairs = [(a, b) for i, a in enumerate(tracks) for b in tracks[:i]]
    return float(min(np.linalg.norm(a - b, axis=0).min() for a, b in pairs))


def solved(graph: SceneGraph, team: Team, goals: dict[str, str]) -> TeamPlan:
    """Return a plan that has passed the team's check and keeps its distances when sampled."""
    plan = plan_scene(graph, team, goals)
    assert plan.status is Status.SOLVED, plan.reason
    parsed = {name: parse_goal(goal, graph) for name, goal in goals.items()}
    assert validate(graph, team, parsed, {n: p.actions for n, p in plan.robots.items()}) == []
    assert least_distance(team, plan) >= 0.8
    for own in plan.robots.values():
        assert all(a.end_s > a.start_s for a in own.actions if a.action == "wait")
    return plan


FIELD = "\n".join(["#" * 8] * 8)
BAY = "#########\n....#....\n....#...."
LOOP = "########\n#......#\n########"


@pytest.mark.parametrize(
    ("cells", "starts", "goals"),
    [
        (FIELD, {"a": (0, 0), "b": (7, 0)}, {"a": "(at-place P7)", "b": "(at-place P0)"}),
        (BAY, {"a": (0, 0), "b": (8, 0)}, {"a": "(at-place P8)", "b": "(at-place P0)"}),
        (BAY, {"a": (2, 0), "b": (8, 0)}, {"a": "(at-place P8)", "b": "(at-place P0)"}),
        (LOOP, {"a": (0, 0), "b": (7, 0)}, {"a": "(at-place P7)", "b": "(at-place P0)"}),
        (BAY, {"a": (0, 0), "b": (4, 0)}, {"a": "(at-place P8)"}),
        (FIELD, {"a": (0, 0), "b": (7, 0)}, {"a": "(visited-place P3)", "b": "(visited-place P3)"}),
        (BAY, {"a": (0, 0), "b": (8, 0)}, {"a": "(visited-place P4)", "b": "(visited-place P4)"}),
        (BAY, {"a": (0, 0), "b": (8, 0)}, {"a": "(visited-place P8)", "b": "(visited-place P0)"}),
    ],
    ids=[
        "head on in a field",
        "swap with a bay",
        "swap with a bay, one is near",
        "swap with a second corridor",
        "an idle robot in the corridor",
        "two visit one place",
        "two visit one place of a corridor",
        "two visit each other's ends",
    ],
)
def test_robots_get_past_each_other(
    cells: str, starts: dict[str, tuple[float, float]], goals: dict[str, str]
) -> None:
    solved(scene(cells), robots(**starts), goals)


@pytest.mark.parametrize(
    ("starts", "ends"),
    [
        (((4, 0), (1, 0), (3, 0), (2, -2)), (1, 8, 5, 0)),
        (((5, 0), (6, -2), (3, -2), (6, 0)), (11, 10, 12, 16)),
        (((0, -2), (0, 0), (7, 0), (6, 0)), (17, 7, 9, 12)),
    ],
)
def test_a_crowd_in_a_ring_moves_on_for_each_other(
    starts: tuple[tuple[float, float], ...], ends: tuple[int, ...]
) -> None:
    names = ("a", "b", "c", "d")
    goals = {n: f"(visited-place P{end})" for n, end in zip(names, ends, strict=True)}
    goals["a"] = f"(at-place P{ends[0]})"
    solved(scene(LOOP), robots(**dict(zip(names, starts, strict=True))), goals)


@pytest.mark.parametrize(
    ("cells", "starts", "ends"),
    [
        ("#######", ((0, 0), (6, 0)), (6, 0)),
        ("#######", ((1, 0), (3, 0), (5, 0)), (1, 6, 3)),
        ("########\n#.......\n#.......", ((0, -1), (5, 0)), (0, 9)),
    ],
    ids=["a swap in a corridor", "two of three", "out of a dead end"],
)
def test_that_there_is_no_way_past_each_other_is_proven(
    cells: str, starts: tuple[tuple[float, float], ...], ends: tuple[int, ...]
) -> None:
    names = ("a", "b", "c")
    goals = {n: f"(at-place P{end})" for n, end in zip(names, ends, strict=False)}
    plan = plan_scene(scene(cells), robots(**dict(zip(names, starts, strict=False))), goals)
    assert plan.status is Status.UNSOLVABLE
    assert "cannot get past each other" in plan.reason


def test_when_time_ends_it_is_told_what_was_being_done() -> None:
    graph, team = scene("#####"), robots(a=(0, 0), b=(4, 0))
    plan = plan_scene(
        graph, team, {"a": "(at-place P1)", "b": "(at-place P3)"}, watch=ClockWatch(-1.0)
    )
    assert plan.status is Status.NOT_FOUND
    assert plan.reason.endswith(
        "while each robot was planned for as if alone, 1 of 2; in more time there may be a plan"
    )


def test_a_way_past_each_other_takes_little_more_than_it_has_to() -> None:
    graph = scene("###########\n.#.........\n.#.........")
    wide = robots(a=(1, -1), b=(1, 0), c=(2, 0))
    team = Team({r.name: replace(r, radius_m=0.2) for r in wide})
    goals = {"a": "(at-place P10)", "b": "(at-place P9)", "c": "(at-place P7)"}
    plan = plan_scene(graph, team, goals, watch=WorkWatch())
    assert plan.status is Status.SOLVED, plan.reason
    assert plan.makespan_s <= 1.1 * 14  # steps of a meter and a second, all robots at once


def test_a_small_team_is_done_as_soon_as_it_can_be() -> None:
    """Two robots change their order in a bay while a third one passes: eight steps at least."""
    graph = scene("#########\n...#.....\n...#.....")
    few = robots(a=(6, 0), b=(4, 0), c=(8, 0))
    team = Team({r.name: replace(r, radius_m=0.2) for r in few})
    goals = {"a": "(at-place P4)", "b": "(at-place P5)", "c": "(at-place P10)"}
    plan = plan_scene(graph, team, goals, watch=WorkWatch())
    assert plan.status is Status.SOLVED, plan.reason
    assert plan.makespan_s <= 8.01


def test_a_robot_without_a_goal_is_left_alone_where_there_is_a_way_around_it() -> None:
    """Even if all would be done sooner were it to step aside."""
    graph = scene("#######\n#.....#\n#######")
    plan = plan_scene(
        graph, robots(a=(0, 0), idle=(3, 0)), {"a": "(at-place P6)"}, watch=WorkWatch()
    )
    assert plan.status is Status.SOLVED, plan.reason
    assert list(plan.robots) == ["a"]


def test_robots_in_a_row_move_on_together() -> None:
    """A ring of robots so near that none can move unless all do."""
    cells = "####\n#..#\n#..#\n####"
    at = [(x, y) for y in (0, -1, -2, -3) for x in range(4) if x in (0, 3) or y in (0, -3)]
    starts = {f"r{k}": (float(at[p][0]), float(at[p][1])) for k, p in enumerate((0, 1, 2))}
    goals = {"r0": "(at-place P1)", "r1": "(at-place P2)", "r2": "(at-place P3)"}
    graph, team = scene(cells), robots(**starts)
    ways = [way_of(r, build_roadmap(graph, r), np.zeros(12, bool), ()) for r in team]
    crowd = Crowd(ways, [True, True, True], np.full((3, 3), 0.95), frozenset())
    assert crowd.steps(100) == []  # nobody has anything to do
    solved(graph, team, goals)


def test_a_crowd_keeps_its_turns_with_a_thing() -> None:
    """One robot at a time: the second may look only after the first has put the thing down."""
    graph, team = scene(BAY, 4), robots(a=(0, 0), b=(8, 0))
    goals = {"a": "(object-in-place O0 P2)", "b": "(safe O0)"}
    parsed = {n: parse_goal(g, graph) for n, g in goals.items()}
    rng = np.random.default_rng(0)
    first = plan_robot(graph, team["a"], parsed["a"], goals["a"], rng)[1]
    world = scene_after(graph, "surface_places", {"O0": "P2"})
    second = plan_robot(world, team["b"], parsed["b"], goals["b"], rng)[1]
    ways = [
        way_of(team[p.robot], build_roadmap(graph, team[p.robot]), np.zeros(11, bool), p.actions)
        for p in (first, second)
    ]
    turns = frozenset({((1, 0), (0, 1))})
    crowd = Crowd(ways, [True, True], np.full((2, 2), 0.852), turns)
    hops = crowd.timed(crowd.steps(10_000) or [])
    actions = {n: actions_of(w, h) for n, w, h in zip(goals, ways, hops, strict=True)}
    assert validate(graph, team, parsed, actions) == []


@settings(max_examples=100)
@given(st.lists(st.floats(-3.0, 3.0), min_size=8, max_size=8))
def test_distance_of_segments_is_that_of_their_nearest_points(values: list[float]) -> None:
    p, q, r, s = ((values[k], values[k + 1], 0.0) for k in range(0, 8, 2))
    share = np.linspace(0.0, 1.0, 201)[:, None]
    one = np.array(p) + share * (np.array(q) - np.array(p))
    two = np.array(r) + share * (np.array(s) - np.array(r))
    sampled = np.linalg.norm(one[:, None] - two[None], axis=2).min()
    exact = distance(p, q, r, s)
    assert exact <= sampled + 1e-9
    assert sampled <= exact + 0.05


def test_an_idle_robot_that_is_not_in_the_way_stays() -> None:
    plan = solved(scene(FIELD), robots(a=(0, 0), b=(7, -7)), {"a": "(at-place P7)"})
    assert list(plan.robots) == ["a"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(object-in-place O0 P0)", "(safe O0)"),
        ("(safe O0)", "(object-in-place O0 P0)"),
        ("(holding O0)", "(visited-object O0)"),
        ("(object-in-place O0 P0)", "(object-in-place O0 P0)"),
        ("(object-in-place O0 P0)", "(and (object-in-place O0 P0) (safe O0))"),
    ],
)
def test_robots_take_turns_with_a_thing(first: str, second: str) -> None:
    graph, team = scene(FIELD, 36), robots(a=(0, -7), b=(7, -1))
    plan = solved(graph, team, {"a": first, "b": second})
    picks = [a for p in plan.robots.values() for a in p.actions if a.action == "pick"]
    assert len(picks) == 1


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("(holding O0)", "(holding O0)", "a and b conflict over O0"),
        ("(object-in-place O0 P0)", "(object-in-place O0 P9)", "a and b conflict over O0"),
        ("(object-in-place O0 P0)", "(holding O0)", "a and b conflict over O0"),
        ("(at-place P9)", "(at-place P9)", "a and b cannot end at P9, 0.00 m apart"),
    ],
)
def test_goals_that_exclude_each_other_are_refused(first: str, second: str, why: str) -> None:
    team = robots(a=(0, -7), b=(7, -1))
    plan = plan_scene(scene(FIELD, 36), team, {"a": first, "b": second})
    assert plan.status is Status.UNSOLVABLE
    assert why in plan.reason


@pytest.mark.parametrize(("radius_m", "fits"), [(0.4, True), (0.6, False)])
def test_robots_end_side_by_side_only_where_they_fit(radius_m: float, fits: bool) -> None:
    team = robots(a=(0, -7), b=(7, -1))
    team = Team({n: replace(team[n], radius_m=radius_m) for n in ("a", "b")})
    plan = plan_scene(scene(FIELD), team, {"a": "(at-place P9)", "b": "(at-place P10)"})
    assert plan.status is (Status.SOLVED if fits else Status.UNSOLVABLE)
    assert fits or "a and b cannot end at P9 and P10, 1.00 m apart" in plan.reason


def test_robots_inside_one_another_are_refused() -> None:
    plan = plan_scene(scene(FIELD), robots(a=(0, 0), b=(0.3, 0)), {"a": "(at-place P9)"})
    assert plan.status is Status.ERROR
    assert "a and b start 0.30 m apart" in plan.reason


@pytest.mark.parametrize(("radius_m", "solves"), [(0.4, True), (0.6, False)])
def test_a_robot_does_not_fit_where_clearance_is_less_than_its_radius(
    radius_m: float, solves: bool
) -> None:
    graph = scene("#####")
    room = np.array([2.0, 2.0, 0.5, 2.0, 2.0])
    places = replace(graph.surface_places, columns={"clearance_m": room})
    graph = graph.with_layer("surface_places", places)
    robot = replace(robots(a=(0, 0))["a"], radius_m=radius_m)
    plan = plan_scene(graph, Team({"a": robot}), {"a": "(at-place P4)"})
    assert plan.status is (Status.SOLVED if solves else Status.UNSOLVABLE)
    if not solves:
        assert "too narrow for a radius of 0.6 m" in plan.reason
        slim = plan_scene(graph, robots(a=(0, 0)), {"a": "(at-place P4)"})
        goal = parse_goal("(at-place P4)", graph)
        faults = certify(graph, robot, goal, slim.robots["a"].actions, "surface_places")
        assert any("P2 is too narrow for a" in fault for fault in faults)


class Alarm(WorkWatch):
    """Lets some checks pass; it is late afterwards."""

    def __init__(self, checks: int) -> None:
        super().__init__()
        self.checks = checks

    def check(self, doing: str, share: float = 1.0) -> None:
        self.checks -= 1
        if self.checks < 0:
            raise OutOfTime(doing)


def test_the_clock_stands_still_while_loops_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = ClockWatch(1.0)
    before_s = watch.now_s()
    monkeypatch.setattr(compiled._spent, "waited_s", compiled.waited_s() + 1000.0)
    assert watch.now_s() < before_s


def test_the_time_limit_holds_for_what_comes_before_the_search_and_says_what_it_was() -> None:
    graph, team = scene("#######"), robots(a=(0, 0), b=(6, 0))
    goals = {"team": "(and (visited-place P2) (visited-place P4))"}
    assert plan_scene(graph, team, goals, watch=Alarm(10**9)).status is Status.SOLVED
    told = set()
    for checks in range(8):
        plan = plan_scene(graph, team, goals, watch=Alarm(checks))
        if plan.status is not Status.SOLVED:
            assert plan.status is Status.NOT_FOUND  # nothing is proven
            assert plan.reason.endswith("; in more time there may be a plan")
            told.add(plan.reason.partition("the time limit ended while ")[2].split(",")[0])
    assert "the parts of the goal were weighed" in told


def test_the_best_way_until_time_ends_is_a_plan_with_its_bound() -> None:
    graph, team = scene("#######.###"), robots(a=(2, 0))
    road, goal = (
        build_roadmap(graph, team["a"]),
        parse_goal(
            "(or (and (visited-place P0) (visited-place P5)) (and (visited-place P1) (visited-place P6)))",
            graph,
        ),
    )
    rng = np.random.default_rng(0)
    whole = solve_goal(goal, team["a"], road, rng)
    short = [solve_goal(goal, team["a"], road, rng, check=Alarm(n).check) for n in (0, 1)]
    assert [s.status for s in (whole, *short)] == [Status.SOLVED] * 3
    assert whole.optimal and not any(s.optimal for s in short)
    assert all(s.lower_bound_m <= whole.cost_m <= s.cost_m for s in short)


def test_a_goal_that_another_robot_makes_true_is_not_called_true_already() -> None:
    graph, team = scene("#######", thing=2), robots(a=(1, 0), b=(6, 0))
    put = "(object-in-place O0 P4)"
    plan = plan_scene(graph, team, {"a": put, "b": put})
    assert plan.status is Status.SOLVED
    (idle,) = (name for name, own in plan.robots.items() if not own.actions)
    assert plan.reason == f"{idle}: what others do makes the goal true"
    here = plan_scene(graph, team, {"a": "(at-place P1)", "b": "(object-in-place O0 P2)"})
    assert here.reason == "a: the goal is true already; b: the goal is true already"


def test_a_goal_that_was_true_and_is_left_to_make_way_is_not_called_true_already() -> None:
    graph, team = scene("#####\n..#.."), robots(a=(1, 0), b=(0, 0))
    plan = plan_scene(graph, team, {"a": "(visited-place P1)", "b": "(at-place P4)"})
    assert plan.status is Status.SOLVED
    assert plan.robots["a"].actions  # it stood in the only way
    assert plan.reason == ""
