"""The example problems, by all algorithms; every plan found is executed before it is returned."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from commonground.planning.result import Status
from commonground.planning.streams import (
    INF,
    Options,
    PDDLProblem,
    Solution,
    from_gen_fn,
    get_length,
    is_plan,
    solve,
    solve_in_detail,
)
from tests.planning.streams import features
from tools import stream_problems as examples
from tools.stream_problems import STREAM_INFO
from tools.stream_problems.continuous_tamp import World, make_problem

ALGORITHMS = ("incremental", "focused", "binding", "adaptive")
Example = tuple[Callable[[], PDDLProblem], Mapping[str, Any], int]
"""A problem, what it is solved with, and the most steps its plan may have."""

EXAMPLES: dict[str, Example] = {
    "blocks": (examples.blocks, {"unit_costs": True}, 4),
    "derived": (examples.blocks_with_derived_predicates, {}, 4),
    "shelf": (examples.shelf, {"stream_info": STREAM_INFO}, 8),
    "shelf, all": (lambda: examples.shelf(3, shift_all=True), {"stream_info": STREAM_INFO}, 12),
    "tight": (examples.tight, {}, 9),
    "tight with three": (lambda: examples.tight(3, 1), {}, 5),
    "blocked": (examples.blocked, {}, 13),
    "mirror": (examples.mirror, {}, 5),
    "alternatives": (features.alternatives, {}, 1),
    "carrots": (features.carrots, {}, 4),
    "motion": (features.deferred_motion, {}, 4),
    "observation": (features.observation, {}, 3),
}
FLUENT: dict[str, Example] = {
    "coffee": (examples.coffee, {"unit_costs": True}, 32),
    "workshop": (features.workshop, {}, 5),
}


def shown_facts(facts: Sequence[Any]) -> set[str]:
    return set(map(repr, facts))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_algorithm_solves_every_example(name: str, algorithm: str) -> None:
    make, options, longest = EXAMPLES[name]
    plan, cost, certificate = solve(make(), algorithm=algorithm, max_time=60, **options)
    assert plan is not None
    assert len(plan) <= longest
    assert 0 <= cost < INF
    assert certificate.all_facts
    assert shown_facts(certificate.preimage_facts) <= shown_facts(certificate.all_facts)


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [*itertools.product(sorted(FLUENT), ALGORITHMS[1:]), ("workshop", "incremental")],
)
def test_streams_that_see_the_state(name: str, algorithm: str) -> None:
    make, options, longest = FLUENT[name]
    solution = solve(make(), algorithm=algorithm, max_time=60, **options)
    assert is_plan(solution.plan)
    assert get_length(solution.plan) <= longest + 4 * (algorithm == "focused")


@pytest.mark.parametrize("seed", range(2))
def test_the_adaptive_algorithm_does_not_depend_on_luck(seed: int) -> None:
    for make in (examples.tight, examples.blocked, examples.mirror):
        assert is_plan(solve(make(seed=seed), max_time=30).plan)


def shown(solution: Solution) -> list[str]:
    return [f"{name} {args!r}" for name, args in solution.plan or ()]


def test_the_same_seed_gives_the_same_plan_whatever_else_is_solved() -> None:
    first = solve(examples.tight(seed=5))
    solve(examples.blocked(seed=1))
    again = solve(examples.tight(seed=5))
    assert shown(first) == shown(again)
    assert first.cost == again.cost


def test_a_plan_is_made_of_the_users_own_values() -> None:
    problem = examples.mirror()
    given = {id(value) for fact in problem.init for value in fact}
    plan = solve(problem).plan
    assert plan is not None
    picked = next(args for name, args in plan if name == "pick")
    assert id(picked[2]) in given  # the very array of the block's initial pose


def test_an_impossible_goal_is_refuted() -> None:
    problem = examples.shelf()
    for algorithm in ALGORITHMS:
        wrong = problem._replace(goal=("carries", "no such box"))
        result = solve_in_detail(wrong, algorithm, options=Options(max_time=20))
        assert result.status is Status.UNSOLVABLE
        assert result.solution.plan is None and result.solution.cost == INF


@pytest.mark.parametrize("algorithm", ALGORITHMS[1:])
@pytest.mark.parametrize("seed", range(2))
def test_a_gap_that_few_samples_fit(seed: int, algorithm: str) -> None:
    regions = {"ground": (-10.0, 10.0), "red": (5.8, 10.0)}  # two blocks of 2 in 4.2
    world = World({"a": 0.0, "b": -3.0}, {"a": "red", "b": "red"}, regions=regions)
    problem = make_problem(world, np.random.default_rng(seed))
    assert solve_in_detail(problem, algorithm, options=Options(max_time=60)).status is Status.SOLVED


def test_what_samplers_have_not_found_is_not_called_impossible() -> None:
    regions = {"ground": (-10.0, 10.0), "red": (6.0, 10.0)}  # fits exactly, which is never sampled
    world = World({"a": 0.0, "b": -3.0}, {"a": "red", "b": "red"}, regions=regions)
    for algorithm in ALGORITHMS:
        problem = make_problem(world, np.random.default_rng(0))
        result = solve_in_detail(problem, algorithm, options=Options(max_time=0.5))
        assert result.status in (Status.TIMEOUT, Status.NOT_FOUND)


def twins(*, same: bool) -> PDDLProblem:
    """Return a task for a value that two streams have to yield, which nothing suggests they do."""
    domain = """(define (domain twins) (:predicates (left ?x) (right ?x) (seed ?s) (done))
      (:action join :parameters (?x) :precondition (and (left ?x) (right ?x)) :effect (done)))"""
    streams = """(define (stream twins)
      (:stream go-left :inputs (?s) :domain (seed ?s) :outputs (?x) :certified (left ?x))
      (:stream go-right :inputs (?s) :domain (seed ?s) :outputs (?x) :certified (right ?x)))"""
    procedures = {
        "go-left": from_gen_fn(lambda _: ((("l", i),) for i in range(3))),
        "go-right": from_gen_fn(lambda _: ((("l" if same else "r", i),) for i in range(2, 4))),
    }
    return PDDLProblem(domain, {}, streams, procedures, [("seed", 1)], ("done",))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_values_may_coincide(algorithm: str) -> None:
    assert (
        solve_in_detail(twins(same=True), algorithm, options=Options(max_time=20)).status
        is Status.SOLVED
    )
    assert (
        solve_in_detail(twins(same=False), algorithm, options=Options(max_time=20)).status
        is Status.UNSOLVABLE
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_sample_helps_where_the_goal_is_out_of_reach(algorithm: str) -> None:
    problem = examples.tight()  # whose samplers never end
    wrong = problem._replace(goal=("in-hand", "arm0", "a block nobody has", "some grasp"))
    assert (
        solve_in_detail(wrong, algorithm, options=Options(max_time=20)).status is Status.UNSOLVABLE
    )


def test_time_runs_out() -> None:
    problem = examples.tight(3, 3)  # three blocks do not fit, but samplers cannot know
    result = solve_in_detail(problem, options=Options(max_time=1.0))
    assert result.status is Status.TIMEOUT
    assert result.time_s < 15
