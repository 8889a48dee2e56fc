"""Further names of the PDDLStream interface: satisfaction, plain PDDL, plans in time, costs with bounds."""

from __future__ import annotations

import pytest

from commonground.planning.streams import (
    And,
    Minimize,
    Output,
    PDDLProblem,
    PredicateInfo,
    SatisfactionProblem,
    StreamInfo,
    add_opt_function,
    compute_duration,
    constraint_satisfaction,
    defer_shared,
    defer_unique,
    fn_from_constant,
    from_fn,
    from_gen_fn,
    from_test,
    get_args,
    get_defer_all_unbound,
    get_defer_any_unbound,
    get_end,
    get_prefix,
    is_parameter,
    never_defer,
    outputs_from_boolean,
    retime_plan,
    solve_adaptive,
    solve_binding,
    solve_focused,
    solve_from_pddl,
    solve_incremental,
)

STREAMS = """(define (stream numbers)
  (:stream count :outputs (?x) :certified (Number ?x))
  (:stream even :inputs (?x) :domain (Number ?x) :certified (Even ?x))
  (:stream sum :inputs (?x ?y) :domain (and (Number ?x) (Number ?y)) :outputs (?z)
    :certified (Sum ?x ?y ?z))
  (:function (Size ?x) (Number ?x)))"""
STREAM_MAP = {
    "count": from_gen_fn(lambda: ((k,) for k in range(1, 6))),
    "even": from_test(lambda x: x % 2 == 0),
    "sum": from_fn(lambda x, y: (x + y,)),
    "size": float,
}


@pytest.mark.parametrize("algorithm", ["incremental", "focused", "binding", "adaptive"])
def test_values_are_found_for_facts_without_actions(algorithm: str) -> None:
    terms = [
        ("Even", "?x"),
        ("Sum", "?x", "?y", "?z"),
        ("Even", "?z"),
        ("minimize", ("Size", "?x")),
    ]
    problem = SatisfactionProblem(STREAMS, STREAM_MAP, [], terms)
    bindings, cost, facts = constraint_satisfaction(problem, algorithm, max_time=10.0)
    assert bindings is not None
    assert bindings["?x"] % 2 == 0
    assert bindings["?x"] + bindings["?y"] == bindings["?z"]
    assert bindings["?z"] % 2 == 0
    assert cost == bindings["?x"]
    assert ("sum", bindings["?x"], bindings["?y"], bindings["?z"]) in [
        (str(f[0]).lower(), *f[1:]) for f in facts.all_facts
    ]


def test_facts_about_given_values_and_none_that_hold() -> None:
    three = [("Sum", "?x", 2, "?z"), ("Even", "?z"), ("Number", 2)]
    found = constraint_satisfaction(
        SatisfactionProblem(STREAMS, STREAM_MAP, [("Number", 2)], three), max_time=10.0
    )
    assert found.bindings is not None
    assert found.bindings["?z"] == found.bindings["?x"] + 2
    odd = SatisfactionProblem(STREAMS, STREAM_MAP, [], [("Even", "?x"), ("Unheard", "?x")])
    with pytest.raises(Exception, match="unheard"):
        constraint_satisfaction(odd, max_time=5.0)


@pytest.mark.parametrize("algorithm", ["focused", "binding", "adaptive"])
def test_streams_wait_for_what_is_unknown_and_are_made_of_constants(algorithm: str) -> None:
    """Whatever waits for whatever else, the values that fit together are found."""
    waits = [
        get_defer_any_unbound(),
        get_defer_all_unbound("?x ?y", unique=True),
        get_defer_all_unbound(),
        defer_unique,
        defer_shared,
        never_defer,
    ]
    stream_map = {
        **STREAM_MAP,
        "even": from_gen_fn(lambda x: (outputs_from_boolean(v) for v in (False, x % 2 == 0))),
        "size": fn_from_constant(2.0),
    }
    terms = [("Sum", "?x", "?y", "?z"), ("Even", "?z"), Minimize(("Size", "?x"))]
    assert get_prefix(terms[0]) == "Sum" and all(map(is_parameter, get_args(terms[0])))
    for wait in waits:
        info = {name: StreamInfo(defer_fn=wait) for name in ("count", "sum", "even")}
        info |= {"size": PredicateInfo(defer_fn=wait)}
        problem = SatisfactionProblem(STREAMS, stream_map, [], terms)
        found = constraint_satisfaction(problem, algorithm, info, max_time=10.0)
        assert found.bindings is not None
        assert found.bindings["?z"] == found.bindings["?x"] + found.bindings["?y"]
        assert found.cost == 2.0


def test_keywords_of_another_planner_are_said_to_have_no_effect(
    caplog: pytest.LogCaptureFixture,
) -> None:
    problem = SatisfactionProblem(STREAMS, STREAM_MAP, [], [("Even", "?x")])
    found = constraint_satisfaction(
        problem, max_skeletons=None, unit_efforts=True, planner="ff-astar", max_time=10.0
    )
    assert found.bindings == {"?x": 2}
    assert "without effect here: planner, unit_efforts" in caplog.text
    caplog.clear()
    constraint_satisfaction(problem, replan_actions=["Bind"], max_iterations=9, max_time=10.0)
    assert "without effect" not in caplog.text


DOMAIN = """(define (domain buy) (:predicates (Item ?x) (Have))
  (:action buy :parameters (?x) :precondition (Item ?x)
    :effect (and (Have) (increase (total-cost) (Price ?x)))))"""
BUYING = """(define (stream buy) (:stream find :outputs (?x) :certified (Item ?x))
  (:function (Price ?x) (Item ?x)))"""


@pytest.mark.parametrize("solve", [solve_incremental, solve_focused, solve_binding, solve_adaptive])
def test_costs_have_bounds_and_placeholders_may_be_left_out(solve: object) -> None:
    stream_map, info = add_opt_function(
        "price",
        lambda x: 1.0 / x,
        {"find": from_gen_fn(lambda: (Output(k) for k in (1, 2, 4)))},
        {"find": StreamInfo(opt_gen_fn=None)},
        constant=3.0,
    )
    problem = PDDLProblem(DOMAIN, {}, BUYING, stream_map, [], And(("Have",)))
    assert callable(solve)
    plan, cost, _ = solve(problem, stream_info=info, success_cost=3.3, max_time=10.0)
    assert [(name, args) for name, args in plan] == [("buy", (4,))]
    assert cost == pytest.approx(3.25)


def test_plain_pddl_and_plans_in_time() -> None:
    domain = """(define (domain d) (:predicates (at ?x) (next ?x ?y)) (:action go :parameters (?x ?y)
      :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
    problem = """(define (problem p) (:domain d) (:objects a b c) (:init (at a) (next a b) (next b c))
      (:goal (at c)))"""
    plan, cost = solve_from_pddl(domain, problem)
    assert plan is not None
    assert [args for _, args in plan] == [("a", "b"), ("b", "c")]
    assert cost == 2.0
    timed = retime_plan(plan, duration=1.5)
    assert timed is not None
    assert [get_end(step) for step in timed] == [1.5, 3.0]
    assert compute_duration(timed) == 3.0
    assert retime_plan(None) is None
    assert solve_from_pddl(domain, problem.replace("(next b c)", ""))[0] is None
