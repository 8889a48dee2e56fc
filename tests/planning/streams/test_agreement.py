"""Random finite problems: the algorithms agree with Fast Downward on everything the streams can yield."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from commonground.planning.downward import FastDownward
from commonground.planning.result import Status
from commonground.planning.streams import (
    And,
    Exists,
    Not,
    Options,
    PDDLProblem,
    from_gen_fn,
    from_list_fn,
    from_test,
    solve_in_detail,
)
from commonground.planning.streams.certify import as_task
from commonground.planning.streams.impossible import is_impossible
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.model import build_model
from commonground.planning.streams.reorder import _exact, _greedy

DOMAIN = """
(define (domain cave)
  (:predicates (cell ?c) (edge ?a ?b) (at ?c) (lit ?c) (wet ?c) (gem ?g) (lies ?g ?c) (held ?g) (free-hand)
    (torch ?c) (burning) (flooded ?c) (rich) (beside ?a ?b))
  (:functions (toil ?a ?b))
  (:derived (flooded ?c) (exists (?g) (and (lies ?g ?c) (wet ?c) (not (held ?g)))))
  (:derived (rich) (forall (?g) (imply (gem ?g) (or (held ?g) (exists (?c) (and (lies ?g ?c) (lit ?c)))))))
  (:action walk :parameters (?a ?b)
    :precondition (and (at ?a) (edge ?a ?b) (or (lit ?b) (burning)))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (toil ?a ?b))
      (when (and (wet ?b) (burning)) (not (burning)))))
  (:action take :parameters (?g ?c)
    :precondition (and (at ?c) (lies ?g ?c) (free-hand))
    :effect (and (held ?g) (not (lies ?g ?c)) (not (free-hand)) (increase (total-cost) 1)))
  (:action drop :parameters (?g ?c)
    :precondition (and (at ?c) (held ?g) (not (wet ?c)))
    :effect (and (lies ?g ?c) (not (held ?g)) (free-hand) (increase (total-cost) 0.5)))
  (:action light :parameters (?c) :precondition (and (at ?c) (torch ?c) (not (flooded ?c)))
    :effect (and (burning) (increase (total-cost) 2))))
"""
STREAMS = """
(define (stream cave)
  (:stream explore :inputs (?a) :domain (cell ?a) :outputs (?b) :certified (and (cell ?b) (edge ?a ?b)))
  (:stream test-lit :inputs (?c) :domain (cell ?c) :certified (lit ?c))
  (:stream find-torch :inputs (?c) :domain (cell ?c) :certified (torch ?c))
  (:predicate (wet ?c) (cell ?c))
  (:rule :inputs (?a ?b) :domain (edge ?a ?b) :certified (beside ?b ?a))
  (:function (toil ?a ?b) (and (cell ?a) (cell ?b))))
"""


def cave(rng: random.Random) -> PDDLProblem:
    cells = [f"c{i}" for i in range(rng.randint(3, 6))]
    ways = {c: rng.sample(cells, rng.randint(0, 3)) for c in cells}
    lit, wet, torches = ({c for c in cells if rng.random() < p} for p in (0.5, 0.3, 0.4))
    toil = {pair: rng.choice([1.0, 2.5, 4.0]) for pair in itertools.product(cells, repeat=2)}
    gems = {f"g{i}": rng.choice(cells) for i in range(rng.randint(1, 2))}
    init: list[Any] = [("cell", cells[0]), ("at", cells[0]), ("free-hand",)]
    for gem, cell in gems.items():
        init += [("gem", gem), ("lies", gem, cell), ("cell", cell)]
    goals = [
        ("held", "g0"),
        ("at", rng.choice(cells)),
        Exists(
            ["?c"],
            And(
                ("lies", "g0", "?c"), ("lit", "?c"), Not(("wet", "?c")), ("beside", "?c", cells[0])
            ),
        ),
        ("rich",),
        And(("burning",), Not(("at", cells[0]))),
        Not(("flooded", gems["g0"])),
    ]

    def explore(cell: str) -> Iterator[tuple[str]]:
        yield from ((other,) for other in ways[cell])

    streams = {
        "explore": from_gen_fn(explore)
        if rng.random() < 0.5
        else from_list_fn(lambda c: [(o,) for o in ways[c]]),
        "test-lit": from_test(lambda c: c in lit),
        "find-torch": from_test(lambda c: c in torches),
        "wet": lambda c: c in wet,
        "toil": lambda a, b: toil[a, b],
    }
    return PDDLProblem(
        DOMAIN, {}, STREAMS, streams, init, And(*rng.sample(goals, rng.choice([1, 1, 2])))
    )


def exhausted(problem: PDDLProblem) -> Knowledge:
    """Return everything that the streams can yield."""
    knowledge = Knowledge(build_model(problem))
    knowledge.reveal(float("inf"))
    while ready := [i for i in knowledge.instances if not i.enumerated and knowledge.is_ready(i)]:
        for instance in ready:
            knowledge.call(instance)
    for action in knowledge.grounder.actions:
        for _, key in action.cost_terms:
            knowledge.evaluate(key)
    return knowledge


def test_agreement_with_fast_downward() -> None:
    rng, seen = random.Random(4), {Status.SOLVED: 0, Status.UNSOLVABLE: 0}
    with FastDownward() as planner:
        while min(seen.values()) < 4 or sum(seen.values()) < 20:
            problem = cave(rng)
            reference = planner.solve(as_task(exhausted(problem), ()), "optimal")
            seen[reference.status] += 1
            for algorithm in ("incremental", "focused", "binding", "adaptive"):
                result = solve_in_detail(problem, algorithm, options=Options(max_time=30))
                if reference.solved:
                    assert not is_impossible(Knowledge(build_model(problem)))
                    assert result.status is Status.SOLVED, (algorithm, problem)
                    assert result.solution.cost >= reference.cost - 1e-9
                else:
                    assert result.status in (Status.UNSOLVABLE, Status.NOT_FOUND), (
                        algorithm,
                        problem,
                    )
            if reference.solved and reference.cost > 0:
                best = solve_in_detail(
                    problem, options=Options(success_cost=reference.cost + 1e-6, max_time=30)
                )
                assert best.solution.cost == pytest.approx(reference.cost), problem


def expected_s(order: list[int], rates: list[tuple[float, float]]) -> float:
    total, chance = 0.0, 1.0
    for index in order:
        total += chance * rates[index][0]
        chance *= rates[index][1]
    return total


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_streams_is_the_cheapest(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(1, 6)
    after = [frozenset(j for j in range(i) if rng.random() < 0.3) for i in range(count)]
    rates = [(rng.uniform(0.1, 2), rng.choice([0.1, 0.5, 0.9, 1.0])) for _ in range(count)]
    legal = [
        list(order)
        for order in itertools.permutations(range(count))
        if all(after[i] <= set(order[: order.index(i)]) for i in order)
    ]
    best = min(expected_s(order, rates) for order in legal)
    assert expected_s(_exact(after, rates), rates) == pytest.approx(best)
    greedy = _greedy(after, rates)
    assert greedy in legal
    assert expected_s(greedy, rates) <= 3 * best
