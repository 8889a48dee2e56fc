"""Schedules for teams against brute force, the best known, and bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import PlanningError
from commonground.planning.temporal import (
    Schedule,
    TeamProblem,
    check_schedule,
    scattered_tasks,
    solve_team,
)


def brute_force(problem: TeamProblem) -> float:
    """The least makespan over all allocations and all orders in which tasks are started."""
    n, robots = problem.duration_s.shape
    return min(
        (
            serial(problem, order, chosen)
            for order in itertools.permutations(range(n))
            for chosen in itertools.product(range(robots), repeat=n)
        ),
        default=np.inf,
    )


def serial(problem: TeamProblem, order: tuple[int, ...], chosen: tuple[int, ...]) -> float:
    """The makespan when each task in turn starts as early as what was started before allows."""
    end: dict[int, float] = {}
    last: dict[int, int] = {}
    for task in order:
        robot = chosen[task]
        if robot in last:
            time = end[last[robot]] + problem.travel_s[robot, last[robot], task]
        else:
            time = problem.approach_s[robot, task]
        if not np.isfinite(time + problem.duration_s[task, robot]):
            return np.inf
        end[task], last[robot] = time + problem.duration_s[task, robot], task
    return max(end.values(), default=0.0)


@st.composite
def problems(draw: st.DrawFn, tasks: int = 4) -> TeamProblem:
    """Small teams with missing skills, and ways that are longer back than there."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, robots = draw(st.integers(1, tasks)), draw(st.integers(1, 2))
    travel = rng.integers(0, 20, (robots, n, n)).astype(float)
    able = rng.random((n, robots)) < 0.85
    able[~able.any(axis=1)] = True
    scale = draw(st.sampled_from([1.0, 0.37]))
    duration = np.where(able, scale * rng.integers(1, 20, (n, robots)), np.inf)
    return TeamProblem(duration, scale * rng.integers(0, 20, (robots, n)), scale * travel)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_small_teams_are_solved_like_brute_force(problem: TeamProblem) -> None:
    truth = brute_force(problem)
    schedule = solve_team(problem, iterations=100)
    assert not check_schedule(problem, schedule)
    assert schedule.makespan_s == pytest.approx(truth, rel=1e-5)


def test_ten_tasks_for_two_robots_are_done_at_the_soonest() -> None:
    """A constraint solver proves that they cannot be done sooner."""
    assert solve_team(scattered_tasks(10, 2)).makespan_s == 2018.0


@pytest.mark.parametrize(("tasks", "robots", "limit"), [(20, 3, 2450.0), (40, 4, 3050.0)])
def test_larger_teams_come_near_the_best_known(tasks: int, robots: int, limit: float) -> None:
    problem = scattered_tasks(tasks, robots)
    schedule = solve_team(problem, iterations=1500)
    assert not check_schedule(problem, schedule)
    assert schedule.makespan_s <= limit


def test_equal_seeds_and_iterations_give_equal_schedules() -> None:
    problem = scattered_tasks(30, 3, 5)
    runs = [solve_team(problem, np.random.default_rng(3), iterations=300) for _ in range(2)]
    assert runs[0].routes == runs[1].routes
    assert np.array_equal(runs[0].start_s, runs[1].start_s)


def test_what_nobody_can_do_is_refused() -> None:
    duration = np.array([[1.0, 1.0], [np.inf, np.inf], [1.0, np.inf]])
    with pytest.raises(PlanningError, match="no robot can do task 1"):
        TeamProblem(duration, np.ones((2, 3)), np.ones((2, 3, 3)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.array([[1.0], [np.nan]]), np.ones((1, 2)), np.ones((1, 2, 2))), "duration"),
        ((np.array([[1.0], [-1.0]]), np.ones((1, 2)), np.ones((1, 2, 2))), "duration"),
        ((np.ones((2, 1)), -np.ones((1, 2)), np.ones((1, 2, 2))), "approach times are"),
        ((np.ones((2, 1)), np.ones((1, 2)), np.full((1, 2, 2), np.inf)), "travel times are"),
        ((np.ones((2, 1)), np.ones((1, 3)), np.ones((1, 2, 2))), "approach times have shape"),
        ((np.ones((2, 0)), np.ones((0, 2)), np.ones((0, 2, 2))), "no robots"),
    ],
)
def test_malformed_problems_are_refused(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(PlanningError, match=words):
        TeamProblem(*arguments)  # type: ignore[arg-type]


def test_nothing_to_do_takes_no_time() -> None:
    schedule = solve_team(TeamProblem(np.ones((0, 2)), np.ones((2, 0)), np.ones((2, 0, 0))))
    assert schedule.routes == ((), ()) and schedule.makespan_s == 0.0


def test_the_check_finds_each_kind_of_fault() -> None:
    problem = scattered_tasks(12, 2, 1)
    good = solve_team(problem, iterations=50)
    assert not check_schedule(problem, good)

    def faults(**change: object) -> str:
        fields = {name: getattr(good, name) for name in good.__slots__}
        return " ".join(check_schedule(problem, Schedule(**(fields | change))))

    assert "starts at" in faults(start_s=good.start_s - 1, end_s=good.end_s - 1)
    assert "lasts" in faults(end_s=good.end_s + 1)
    assert "routes do not give" in faults(routes=(good.routes[0], ()))
    able = next(k for k in range(12) if not problem.able[k].all())
    robot = int(np.argmin(problem.able[able]))
    routes = [tuple(k for k in route if k != able) for route in good.routes]
    routes[robot] += (able,)
    assert "cannot do" in faults(routes=tuple(routes))


def test_tasks_that_take_no_time_are_given_to_somebody() -> None:
    duration = np.array([[np.inf, 0.0, np.inf], [0.0, 0.0, 0.0]])
    approach = np.array([[0.0, 0.0], [1.03077641, 2.0], [0.0, 1.0]])
    problem = TeamProblem(duration, approach, np.zeros((3, 2, 2)))
    for seed in range(5):
        schedule = solve_team(problem, np.random.default_rng(seed), iterations=100)
        assert sorted(schedule.routes) == [(), (0,), (1,)]
