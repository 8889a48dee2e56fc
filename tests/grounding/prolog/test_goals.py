"""Grounding goals of every kind: what they mean, who binds their variables, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.knowledge_base import Clause
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.base.modes import Modes
from commonground.grounding.prolog.base.terms import Struct, Var
from commonground.grounding.prolog.bounds.process_grounding import ground
from commonground.grounding.prolog.checks.check import check
from commonground.grounding.prolog.search.total_order import HighTask
from commonground.grounding.prolog.solve import solve_program
from commonground.planning.result import Status
from tests.grounding.prolog import goal_bases

FACTS = """
agent(r1). resources(agent(_)).
part(p1). part(p2). size(p1, 3). size(p2, 5). kit(k1, [p1, p2]). under(p2, p1). next(1, 2). next(2, 3).
reachable(A, B) :- next(A, B).
reachable(A, B) :- next(A, C), reachable(C, B).
apart(A, B) :- A \\= B, part(A), part(B).
"""
TRUE = (
    "\\+ under(P, _)", "not(under(P, _))", "forall(under(P, Q), part(zz))", "findall(Q, under(P, Q), [])",
    "aggregate_all(count, size(P, _), 1)", "setof(X, part(X), [_|_])", "maplist(part, L)",
    "exclude([X]>>(X = p1), L, [_])", "foldl([_, A, B]>>(B is A + 1), L, 0, 2)", "kit(_, K), member(P, K)",
    "kit(_, K), nth1(_, K, P)", "kit(_, K), length(K, _)", "L = [P|_]", "append(_, [p2], L)",
    "reachable(N, _)", "reverse(L, [p2|_])", "sort([b, a], [a|_])", "functor(P, _, 0)", "call(size(P, _))",
    "once(reachable(N, _))", "between(1, N, _)", "M is N + 1, next(N, M)",
    "findall(X, part(X), Xs), length(Xs, C), C > 1", "memberchk(P, L)", "\\+ (size(_, S), S < N)",
    "kit(_, K), select(P, K, [X]), \\+ under(P, X)",
)  # fmt: skip


def base_of(*goals: str) -> str:
    """Return a base whose goal asks for an action for each of some goals."""
    lines = [FACTS]
    for n, goal in enumerate(goals):
        lines.append(
            f"action(do{n}_start(R, P), [idle(R), raw(P), level(N), stack(L)], [], "
            f"[agent(R), part(P), {goal}], [del(idle(R)), add(doing{n}(R, P))]).\n"
            f"action(do{n}_end(R, P), [doing{n}(R, P)], [], [agent(R)], "
            f"[del(doing{n}(R, P)), add(done{n}(P)), add(idle(R))])."
        )
    wanted = ", ".join(f"done{n}(p1)" for n in range(len(goals)))
    lines.append(
        f"init_state([idle(r1), raw(p1), level(1), stack([p1, p2])]). goal_state([{wanted}])."
    )
    return "\n".join(lines)


def test_what_prolog_says_yes_to_can_be_done(engine: Engine) -> None:
    program = base_of(*TRUE)
    assert not load(engine, program).findings
    steps = ground(HighTask(engine, load(engine, program)))
    assert steps is not None
    assert len({op.heads[0][0] for op in steps.high}) == 2 * len(TRUE)
    _, found = solve_program(base_of(*TRUE[:3], *TRUE[-3:]), "base")
    assert found.schedule is not None and found.schedule.makespan_s == found.bound_s == 6


def test_what_prolog_says_no_to_is_proven_to_be_no_way(swipl: None) -> None:
    for goal in (
        "\\+ under(_, P)",
        "kit(_, K), \\+ member(P, K)",
        "forall(part(X), X = P)",
        "N > 1",
    ):
        _, found = solve_program(base_of(goal), "base")
        assert found.status is Status.UNSOLVABLE, goal


@pytest.mark.parametrize("seed", [3, 11, 24, 61])
def test_bases_of_any_goals_take_as_long_as_a_search_over_what_prolog_allows_says(
    swipl: None, seed: int
) -> None:
    program = goal_bases.random_base(np.random.default_rng(seed))
    true_s = goal_bases.shortest_s(program)
    _, found = solve_program(program, "base")
    makespan_s = found.schedule.makespan_s if found.schedule else math.inf
    assert makespan_s == true_s
    assert found.bound_s <= makespan_s


def test_whoever_could_do_it_is_not_asked_about_what_only_states_say(swipl: None) -> None:
    program = r"""
    agent(r1). agent(r2). resources(agent(_)). part(p1). part(p2).
    init_state([idle(r1), idle(r2), raw(p1), raw(p2), level(1)]). goal_state([done(p1), done(p2)]).
    action(do_start(R, P), [idle(R), raw(P), level(N)], [], [agent(R), part(P), N \= 2, \+ part(N)],
           [del(idle(R)), del(raw(P)), add(doing(R, P))]).
    action(do_end(R, P), [doing(R, P)], [], [agent(R)], [del(doing(R, P)), add(done(P)), add(idle(R))]).
    """
    _, found = solve_program(program, "base")
    assert found.schedule is not None and found.schedule.makespan_s == found.bound_s == 1


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        ("\\+ under(X, P)", "'\\+(under(X, P))' only tests X"),
        ("apart(P, X)", "'apart(P, X)' only tests X"),
        ("part(X), member(X, K), kit(_, K)", "K is not known yet when 'member(X, K)' is called"),
        (
            "part(X), \\+ under(Q, X), part(Q)",
            "Q is not known yet when '\\+(under(Q, X))' is called",
        ),
    ],
)
def test_what_nothing_lists_is_named_with_what_asks_about_it(
    engine: Engine, goals: str, message: str
) -> None:
    program = base_of(goals).replace("(R, P)", "(R, P, X)")
    assert any(message in finding.message for finding in check(engine, program))


def test_what_a_rule_asks_about_before_it_lists_it_has_to_be_known(engine: Engine) -> None:
    a, b = Var("A"), Var("B")
    modes = Modes(load(engine, FACTS).base.general)
    assert modes.of(Struct("apart", (a, b))) == ({"A", "B"}, {"A", "B"})
    assert modes.of(Struct("reachable", (a, b))) == (set(), {"A", "B"})
    assert Modes([Clause(Struct("any", (a,)))]).of(Struct("any", (b,))) == (set(), set())
