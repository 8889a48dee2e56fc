"""Schedules for teams against brute force, bounds, limits, and bad input."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.temporal import (
    Precedence,
    Resource,
    Schedule,
    TeamProblem,
    check_schedule,
    lower_bound,
    scattered_tasks,
    solve_team,
)


def brute_force(problem: TeamProblem) -> float:
    """The least makespan over all allocations and all orders in which tasks are started."""
    n, robots = problem.duration_s.shape
    best = np.inf
    for order in itertools.permutations(range(n)):
        for chosen in itertools.product(range(robots), repeat=n):
            if problem.routes is not None:
                routes = [tuple(t for t in order if chosen[t] == r) for r in range(robots)]
                if tuple(routes) != problem.routes:
                    continue
            best = min(best, serial(problem, order, chosen))
    return best


def serial(problem: TeamProblem, order: tuple[int, ...], chosen: tuple[int, ...]) -> float:
    """The makespan when each task in turn starts as early as what was started before allows."""
    start: dict[int, float] = {}
    end: dict[int, float] = {}
    last: dict[int, int] = {}
    gone: dict[int, float] = {}  # when the robot of a task started its next one
    for task in order:
        robot = chosen[task]
        if robot in last:
            time = end[last[robot]] + problem.travel_s[robot, last[robot], task]
        else:
            time = problem.approach_s[robot, task]
        for p in problem.precedences:
            if p.after == task:
                if p.before not in start:
                    return np.inf
                time = max(time, (start if p.from_start else end)[p.before] + p.lag_s)
        for _ in order:
            for resource in problem.resources:
                need = dict(resource.use)
                if task in need:
                    until = {
                        u: (gone.get(u, np.inf) if resource.held else end[u])
                        for u in need
                        if u in end and u != last.get(robot)
                    }
                    while (
                        sum(need[u] for u in until if until[u] > time) + need[task]
                        > resource.capacity
                    ):
                        time = min(until[u] for u in until if until[u] > time)
                        if np.isinf(time):
                            return np.inf
        if not np.isfinite(time + problem.duration_s[task, robot]):
            return np.inf
        if robot in last:
            gone[last[robot]] = time
        start[task], end[task], last[robot] = time, time + problem.duration_s[task, robot], task
    return max(end.values(), default=0.0)


@st.composite
def problems(draw: st.DrawFn, tasks: int = 4) -> TeamProblem:
    """Small teams: missing skills, one-way gaps, lags, things that are shared or held."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, robots = draw(st.integers(1, tasks)), draw(st.integers(1, 2))
    pairs = [(a, b) for a, b in rng.integers(0, n, (draw(st.integers(0, 3)), 2)) if a < b]
    resources = []
    for m in range(draw(st.integers(0, 2))):
        users = rng.permutation(n)[: draw(st.integers(1, n))]
        use = tuple((int(t), int(rng.integers(1, 3))) for t in sorted(users))
        resources.append(Resource(f"r{m}", use, draw(st.integers(2, 3)), held=draw(st.booleans())))
    travel = rng.integers(0, 20, (robots, n, n)).astype(float)
    travel[rng.random(travel.shape) < draw(st.sampled_from([0.0, 0.2]))] = np.inf
    scale = draw(st.sampled_from([1.0, 0.37]))
    return TeamProblem.of(
        scale * rng.integers(1, 20, (n, robots)),
        scale * rng.integers(0, 20, (robots, n)),
        scale * travel,
        able=rng.random((n, robots)) < 0.85,
        precedences=[
            Precedence(int(a), int(b), scale * float(rng.integers(0, 8)), bool(rng.integers(2)))
            for a, b in pairs
        ],
        resources=resources,
    )


@settings(max_examples=40, deadline=None)
@given(problems())
def test_small_teams_are_solved_like_brute_force(problem: TeamProblem) -> None:
    truth = brute_force(problem)
    schedule = solve_team(problem, iterations=100, time_limit_s=20.0)
    if np.isinf(truth):
        assert schedule.status is Status.UNSOLVABLE and schedule.reason
        return
    assert schedule.status is Status.SOLVED
    assert not check_schedule(problem, schedule)
    assert schedule.makespan_s == pytest.approx(truth, rel=1e-5)
    assert schedule.optimal
    assert lower_bound(problem) <= truth + 1e-6


@settings(max_examples=40, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_fixed_routes_keep_their_order(problem: TeamProblem, random: object) -> None:
    able = problem.able
    chosen = [int(np.flatnonzero(row)[0]) if row.any() else 0 for row in able]
    n, robots = able.shape
    routes = tuple(tuple(t for t in range(n) if chosen[t] == r) for r in range(robots))
    fixed = replace(problem, routes=routes)
    truth = brute_force(fixed)
    schedule = solve_team(fixed)
    if np.isinf(truth):
        assert schedule.status is Status.UNSOLVABLE and schedule.reason
    else:
        assert schedule.routes == routes and not check_schedule(fixed, schedule)
        assert schedule.makespan_s == pytest.approx(truth, rel=1e-5) and schedule.optimal


def test_ten_tasks_for_two_robots_are_proven_optimal() -> None:
    schedule = solve_team(scattered_tasks(10, 2), time_limit_s=60.0)
    assert schedule.makespan_s == 2018.0 and schedule.optimal and schedule.gap == 0.0


@pytest.mark.parametrize(("tasks", "robots", "limit"), [(20, 3, 2658.0), (40, 4, 3525.0)])
def test_larger_teams_beat_the_published_figures(tasks: int, robots: int, limit: float) -> None:
    problem = scattered_tasks(tasks, robots)
    schedule = solve_team(problem, iterations=1500, time_limit_s=60.0)
    assert not check_schedule(problem, schedule)
    assert schedule.lower_bound_s < schedule.makespan_s <= limit
    assert schedule.gap < 0.3


def test_equal_seeds_and_iterations_give_equal_schedules() -> None:
    for problem in (scattered_tasks(30, 3, 5), narrow(scattered_tasks(20, 3, 5))):
        runs = [
            solve_team(problem, np.random.default_rng(3), iterations=300, time_limit_s=60.0)
            for _ in range(2)
        ]
        assert runs[0].routes == runs[1].routes
        assert np.array_equal(runs[0].start_s, runs[1].start_s)


def narrow(problem: TeamProblem) -> TeamProblem:
    """The same with every third task in a place that two robots may not occupy together."""
    use = tuple((t, 1) for t in range(0, len(problem.duration_s), 3))
    return replace(problem, resources=(Resource("door", use),))


def test_two_robots_pass_a_narrow_place_one_after_the_other() -> None:
    # Both go through the door (1 and 3) and wait behind it; robot 1 has to stay in front until it is free.
    problem = TeamProblem.of(
        [5.0, 4.0, 5.0, 4.0],
        np.zeros((2, 4)),
        np.zeros((4, 4)),
        resources=[Resource("door", ((1, 1), (3, 1)))],
        routes=[[0, 1], [2, 3]],
    )
    schedule = solve_team(problem)
    assert schedule.makespan_s == 13.0 and schedule.optimal
    assert sorted(schedule.start_s[[1, 3]]) == [5.0, 9.0]


def test_what_is_held_is_given_back_when_the_robot_goes_on() -> None:
    times = [1.0, 1.0, 1.0]
    door = Resource("door", ((0, 1), (2, 1)), held=True)
    late = Precedence(2, 1)
    problem = TeamProblem.of(times, np.zeros((2, 3)), np.zeros((3, 3)), resources=[door])
    fixed = replace(problem, routes=((0, 1), (2,)), precedences=(late,))
    stuck = solve_team(fixed)
    assert stuck.status is Status.UNSOLVABLE and "waiting" in stuck.reason
    free = solve_team(replace(fixed, precedences=()))
    assert free.makespan_s == 2.0 and list(free.start_s) == [0.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"able": [[1, 1], [0, 0], [1, 1]]}, ["no robot can do", "weld"]),
        ({"precedences": [(0, 1), (1, 2), (2, 0)]}, ["cyclic", "scan", "weld", "paint"]),
        ({"precedences": [(1, 0)], "routes": [[0, 1, 2], []]}, ["cyclic", "scan", "weld"]),
        ({"resources": [Resource("arm", ((2, 3),), 2)]}, ["paint", "3 units of arm", "2"]),
        ({"able": [[1, 1], [1, 0], [1, 1]], "routes": [[0], [1, 2]]}, ["husky", "cannot", "weld"]),
    ],
)
def test_impossible_problems_name_what_is_in_the_way(
    change: dict[str, object], words: list[str]
) -> None:
    problem = TeamProblem.of(
        np.ones(3),
        np.ones((2, 3)),
        np.ones((3, 3)),
        task_names=["scan", "weld", "paint"],
        robot_names=["spot", "husky"],
        **change,  # type: ignore[arg-type]
    )
    schedule = solve_team(problem)
    assert schedule.status is Status.UNSOLVABLE
    assert all(word in schedule.reason for word in words), schedule.reason


def test_what_nobody_can_reach_is_named() -> None:
    approach, travel = np.ones((2, 3)), np.ones((3, 3))
    approach[:, 2] = travel[:, 2] = np.inf
    schedule = solve_team(TeamProblem.of(np.ones(3), approach, travel))
    assert schedule.status is Status.UNSOLVABLE and "task 2" in schedule.reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1.0, np.nan], np.ones((1, 2)), np.ones((2, 2))), "duration .* nan"),
        (([1.0, 1.0], -np.ones((1, 2)), np.ones((2, 2))), "approach time .* -1"),
        (([1.0, 1.0], np.ones((1, 3)), np.ones((2, 2))), "approach times have shape"),
        ((np.ones((2, 0)), np.ones((0, 2)), np.ones((0, 2, 2))), "no robots"),
    ],
)
def test_malformed_problems_are_refused(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(PlanningError, match=words):
        TeamProblem.of(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"precedences": [Precedence(0, 1, np.nan)]}, "lag"),
        ({"precedences": [(0, 9)]}, "task 9"),
        ({"resources": [Resource("arm", ((0, 0),))]}, "0 units"),
        ({"routes": [[0], [0, 1]]}, "exactly once"),
        ({"task_names": ["a"]}, "names"),
    ],
)
def test_malformed_details_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(PlanningError, match=words):
        TeamProblem.of(np.ones(2), np.ones((2, 2)), np.ones((2, 2)), **change)  # type: ignore[arg-type]


def test_nothing_to_do_takes_no_time() -> None:
    schedule = solve_team(TeamProblem.of(np.ones(0), np.ones((2, 0)), np.ones((0, 0))))
    assert schedule.status is Status.SOLVED and schedule.makespan_s == 0.0 and schedule.optimal


def test_the_check_finds_each_kind_of_fault() -> None:
    problem = narrow(scattered_tasks(12, 2, 1))
    good = solve_team(problem, iterations=50, time_limit_s=30.0)
    assert not check_schedule(problem, good)

    def faults(**change: object) -> str:
        fields = {name: getattr(good, name) for name in good.__slots__}
        return " ".join(check_schedule(problem, Schedule(**(fields | change))))

    assert "starts at" in faults(start_s=good.start_s - 1, end_s=good.end_s - 1)
    assert "lasts" in faults(end_s=good.end_s + 1)
    assert "routes do not give" in faults(routes=(good.routes[0], ()))
    assert "last task ends" in faults(makespan_s=good.makespan_s - 1)
    assert "travel" in faults(travel_s=good.travel_s + 1)
    assert "lower bound" in faults(lower_bound_s=good.makespan_s + 1)
    doors = [task for task, _ in problem.resources[0].use]
    together = good.start_s.copy()
    together[doors] = good.start_s[doors].max()
    assert "door" in faults(start_s=together, end_s=together + (good.end_s - good.start_s))
    ordered = replace(problem, precedences=(Precedence(good.routes[0][1], good.routes[0][0]),))
    assert any("too early" in fault for fault in check_schedule(ordered, good))


def test_tasks_that_take_no_time_are_given_to_somebody() -> None:
    duration = np.array([[np.inf, 0.0, np.inf], [0.0, 0.0, 0.0]])
    approach = np.array([[0.0, 0.0], [1.03077641, 2.0], [0.0, 1.0]])
    problem = TeamProblem.of(duration, approach, np.zeros((3, 2, 2)))
    for seed in range(5):
        schedule = solve_team(problem, np.random.default_rng(seed), iterations=100, workers=1)
        assert sorted(schedule.routes) == [(), (0,), (1,)]
