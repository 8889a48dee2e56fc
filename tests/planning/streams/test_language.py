"""The language: what streams, functions, rules and infos mean, and what is said about mistakes."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from commonground.errors import PlanningError
from commonground.planning.pddl import PddlError
from commonground.planning.result import Status
from commonground.planning.streams import (
    DEBUG,
    INF,
    REPLAN,
    WILD,
    And,
    Equal,
    Exists,
    ForAll,
    FunctionInfo,
    Not,
    Options,
    Or,
    PartialInputs,
    PDDLProblem,
    PlanConstraints,
    StreamInfo,
    Type,
    WildOutput,
    defer_shared,
    defer_unique,
    empty_gen,
    from_constant,
    from_fn,
    from_gen,
    from_gen_fn,
    from_list_fn,
    from_list_gen_fn,
    from_sampler,
    from_test,
    negate_test,
    print_solution,
    solve,
    solve_in_detail,
    universe_test,
)
from commonground.planning.streams.breadth import luby
from commonground.planning.streams.stream_syntax import FunctionSpec, StreamSpec, read_streams
from tests.planning.streams import features
from tools import stream_problems as examples

ALGORITHMS = ("incremental", "focused", "binding", "adaptive")
DOMAIN = """
(define (domain counters)
  (:predicates (num ?n) (at ?n) (next ?a ?b) (good ?n) (even ?n) (seen ?n) (tag ?n ?t))
  (:functions (price ?a ?b))
  (:action step :parameters (?a ?b)
    :precondition (and (at ?a) (next ?a ?b) (good ?b))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (price ?a ?b))))
  (:action look :parameters (?a) :precondition (and (at ?a) (even ?a))
    :effect (and (seen ?a) (increase (total-cost) 1))))
"""
STREAMS = """
(define (stream counters)
  (:stream advance :inputs (?a) :domain (num ?a) :outputs (?b) :certified (and (num ?b) (next ?a ?b)))
  (:stream test-good :inputs (?a) :domain (num ?a) :certified (good ?a))
  (:stream test-even :inputs (?a) :domain (num ?a) :certified (even ?a))
  (:function (price ?a ?b) (and (num ?a) (num ?b))))
"""


def counters(goal: Any, streams: str = STREAMS, **changed: Any) -> PDDLProblem:
    procedures = {
        "advance": from_gen_fn(lambda a: ((a + d,) for d in (1, 2, 5))),
        "test-good": from_test(lambda a: a != 3),
        "test-even": from_test(lambda a: a % 2 == 0),
        "price": lambda a, b: 0.5 + (b - a) ** 2,
    }
    procedures = {name: p for name, p in procedures.items() if f"{name} " in streams} | changed
    return PDDLProblem(DOMAIN, {}, streams, procedures, [("num", 0), ("at", 0)], goal)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_self_feeding_streams_tests_and_functions(algorithm: str) -> None:
    plan, cost, certificate = solve(
        counters(And(("at", 4), ("seen", 4))), algorithm=algorithm, max_time=30
    )
    assert plan is not None
    assert plan[0].args[0] == 0 and plan[-1] == ("look", (4,))
    assert 3 not in {args[1] for name, args in plan if name == "step"}
    assert cost == pytest.approx(
        1 + sum(0.5 + (b - a) ** 2 for (a, b) in (x.args for x in plan[:-1]))
    )
    facts = set(certificate.preimage_facts)
    assert {("good", 4), ("even", 4)} <= facts and ("at", 0) in set(certificate.all_facts)


TWO_WAYS = """
(define (domain two-ways) (:predicates (num ?n) (large ?n) (found))
  (:action find :parameters (?n) :precondition (large ?n) :effect (found)))
"""
UP_AND_DOWN = """
(define (stream two-ways)
  (:stream up :inputs (?a) :domain (num ?a) :outputs (?b) :certified (num ?b))
  (:stream down :inputs (?a) :domain (num ?a) :outputs (?b) :certified (num ?b))
  (:stream test-large :inputs (?a) :domain (num ?a) :certified (large ?a)))
"""


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_cheap_stream_that_feeds_itself_starves_no_dear_one(algorithm: str) -> None:
    procedures = {
        "up": from_fn(lambda a: (a + 1,)),
        "down": from_fn(lambda a: (a - 1,)),
        "test-large": from_test(lambda a: a >= 5),
    }
    problem = PDDLProblem(TWO_WAYS, {}, UP_AND_DOWN, procedures, [("num", 0)], ("found",))
    info = {
        "up": StreamInfo(p_success=0.01, overhead=1),
        "down": StreamInfo(p_success=1, overhead=1),
    }
    found = solve_in_detail(
        problem, algorithm, stream_info=info, options=Options(effort_weight=1, max_time=60)
    )
    assert found.solution.plan == [("find", (5,))] and found.stream_calls < 500


WORLD = """
(define (domain world) (:predicates (state ?s) (in ?s) (leads ?s ?d ?t) (done ?s) (way ?d))
  (:action go :parameters (?s ?d ?t) :precondition (and (leads ?s ?d ?t) (in ?s))
    :effect (and (in ?t) (not (in ?s)))))
"""
MOVES = """
(define (stream world)
  (:stream forward :inputs (?s ?d) :domain (and (state ?s) (way ?d)) :outputs (?t)
    :certified (and (state ?t) (leads ?s ?d ?t)))
  (:stream test-done :inputs (?s) :domain (state ?s) :certified (done ?s)))
"""


@pytest.mark.parametrize("algorithm", ["incremental", "adaptive"])
def test_streams_may_yield_whole_states(algorithm: str) -> None:
    """Only a test tells which states are any good; they are few if equal ones are one."""

    def forward(state: dict[str, list[int]], way: str) -> tuple[dict[str, list[int]]] | None:
        axis, sign = "xy".index(way[0]), 1 if way[1] == "+" else -1
        at = list(state["at"])
        at[axis] += sign
        return ({"at": at},) if 0 <= at[axis] <= 4 else None

    start = {"at": [0, 0]}
    ways = [("way", name) for name in ("x+", "x-", "y+", "y-")]
    problem = PDDLProblem(
        WORLD,
        {},
        MOVES,
        {"forward": from_fn(forward), "test-done": from_test(lambda s: s["at"] == [4, 4])},
        [("state", start), ("in", start), *ways],
        Exists(["?s"], And(("in", "?s"), ("done", "?s"))),
    )
    found = solve_in_detail(problem, algorithm, options=Options(max_time=30, unit_costs=True))
    assert len(found.solution.plan or ()) == 8
    assert algorithm == "adaptive" or found.stream_calls < 200


@pytest.mark.parametrize("algorithm", ["incremental", "binding"])
def test_what_a_stream_yields_stays_what_it_is(algorithm: str) -> None:
    def advance(number: list[int]) -> Iterator[tuple[list[int]]]:
        following = list(number)
        while following[0] < 9:
            following[0] += 1
            yield (following,)

    zero = [0]
    procedures = {
        "advance": from_gen_fn(advance),
        "test-good": from_test(lambda a: True),
        "test-even": from_test(lambda a: a[0] == 4),
        "price": lambda a, b: 1.0,
    }
    init = [("num", zero), ("at", zero)]
    goal = Exists(["?n"], ("seen", "?n"))
    plan = solve(
        PDDLProblem(DOMAIN, {}, STREAMS, procedures, init, goal), algorithm, max_time=30
    ).plan
    assert plan is not None
    steps = [args for name, args in plan if name == "step"]
    assert [b for _, b in steps] == [*(a for a, _ in steps[1:]), [4]]


def test_a_cheaper_plan_is_looked_for_when_asked() -> None:
    first = solve(counters(("at", 4)), max_time=20)
    best = solve(counters(("at", 4)), success_cost=8.0, max_time=20)
    assert best.plan is not None
    assert best.cost <= first.cost and best.cost < 8.0
    assert [args for _, args in best.plan] == [(0, 1), (1, 2), (2, 4)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_negations_of_tests(algorithm: str) -> None:
    domain = DOMAIN.replace("(good ?b))", "(not (good ?b)))")
    problem = counters(("at", 3), **{"test-good": from_test(lambda a: a != 1 and a != 3)})
    info = {"test-good": StreamInfo(negate=True)}
    plan = solve(
        problem._replace(domain_pddl=domain), algorithm=algorithm, stream_info=info, max_time=20
    ).plan
    assert plan is not None and [args for _, args in plan] == [(0, 1), (1, 3)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("positive", [True, False])
def test_lazily_evaluated_predicates(algorithm: str, positive: bool) -> None:
    streams = STREAMS.replace(
        "(:stream test-good :inputs (?a) :domain (num ?a) :certified (good ?a))",
        "(:predicate (good ?a) (num ?a))",
    )
    domain = DOMAIN if positive else DOMAIN.replace("(good ?b))", "(not (good ?b)))")
    asked: list[int] = []

    def good(number: int) -> bool:
        asked.append(number)
        return (number != 3) == positive

    problem = counters(("at", 4), streams, good=good)._replace(domain_pddl=domain)
    plan = solve(problem, algorithm=algorithm, max_time=20).plan
    assert plan is not None and 3 not in {args[1] for _, args in plan}
    assert len(asked) == len(set(asked))  # each question is asked once


def test_rules_close_facts_under_implication() -> None:
    streams = """(define (stream s)
      (:stream advance :inputs (?a) :domain (num ?a) :outputs (?b) :certified (next ?a ?b))
      (:rule :inputs (?a ?b) :domain (next ?a ?b) :certified (and (num ?b) (good ?b))))"""
    problem = counters(("at", 3), streams)._replace(
        domain_pddl=DOMAIN.replace("(price ?a ?b)))", "1))")
    )
    for algorithm in ALGORITHMS:
        plan, cost, _ = solve(problem, algorithm=algorithm, max_time=20)
        assert plan is not None and cost == len(plan)


def test_eager_streams_are_called_at_once() -> None:
    called: list[int] = []
    test = from_test(lambda a: called.append(a) is None)
    problem = counters(("at", 0), **{"test-good": test, "test-even": empty_gen()})
    assert solve(problem).plan == []
    assert called == []
    assert solve(problem, stream_info={"test-good": StreamInfo(eager=True)}).plan == []
    assert called == [0]


@pytest.mark.parametrize(
    "info",
    [
        StreamInfo(opt_gen_fn=PartialInputs(unique=True)),
        StreamInfo(opt_gen_fn=PartialInputs("?a")),
        StreamInfo(opt_gen_fn=PartialInputs(num=2)),
        StreamInfo(opt_gen_fn=from_gen_fn(lambda a: [("some number",)])),
        StreamInfo(opt_gen_fn=from_constant(([1, 2],))),
        StreamInfo(p_success=0.5, overhead=0.1, effort=2.0),
        StreamInfo(effort_fn=lambda a: 3.0),
    ],
)
@pytest.mark.parametrize("algorithm", ALGORITHMS[1:])
def test_what_may_be_said_about_a_stream(info: StreamInfo, algorithm: str) -> None:
    functions = {"price": FunctionInfo(opt_fn=lambda a, b: 0.5)}
    infos = {"Advance": info, **functions}
    assert (
        solve(counters(("at", 4)), algorithm=algorithm, stream_info=infos, max_time=30).plan
        is not None
    )


def test_wild_streams_certify_more() -> None:
    streams = STREAMS.replace(":stream advance", ":wild-stream advance")

    def advance(number: int) -> Iterator[WildOutput]:
        yield WildOutput(facts=[("tag", number, "visited")])
        yield WildOutput(values=[(number + 1,), (number + 2,)], facts=[("num", 100)])

    for algorithm in ALGORITHMS:
        solution = solve(
            counters(("at", 4), streams, advance=advance), algorithm=algorithm, max_time=20
        )
        assert solution.plan is not None
        assert ("num", 100) in solution.certificate.all_facts
        assert ("tag", 0, "visited") in solution.certificate.all_facts


def test_made_up_values() -> None:
    problem = counters(Exists(["?n"], And(("at", "?n"), Not(("at", 0)))))._replace(stream_map=DEBUG)
    plan = solve(problem, unit_costs=True).plan
    assert plan is not None and len(plan) == 1
    assert repr(plan[0].args[1]).startswith("@b")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_goals_nest(algorithm: str) -> None:
    goal = Or(
        ("seen", 3),
        And(
            Exists(["?n"], And(("seen", "?n"), ("even", "?n"), Not(Equal("?n", 0)))),
            ForAll(["?n"], Or(Not(("at", "?n")), ("even", "?n"))),
        ),
    )
    plan = solve(counters(goal), algorithm=algorithm, max_time=20).plan
    assert plan is not None and plan[-1].name == "look"


def test_types_and_constants() -> None:
    domain = """(define (domain d) (:types cat dog - pet pet) (:constants home - object)
      (:predicates (fed ?p - pet) (in ?p ?where))
      (:action feed :parameters (?p - cat) :precondition (in ?p home) :effect (fed ?p))
      (:action bring :parameters (?p - (either cat dog)) :effect (in ?p home)))"""
    init = [Type("tom", "cat"), Type("rex", "dog"), Equal(("total-cost",), 0)]
    problem = PDDLProblem(domain, {"home": "the house"}, None, {}, init, ("fed", "tom"))
    plan = solve(problem).plan
    assert plan is not None and [step.name for step in plan] == ["bring", "feed"]
    assert solve(problem._replace(goal=("fed", "rex"))).plan is None
    every = ForAll([("?p", "-", "pet")], ("in", "?p", "the house"))
    assert len(solve(problem._replace(goal=every)).plan or ()) == 2


# ---- plan constraints and deferral ------------------------------------------------------------


def test_a_skeleton_is_followed() -> None:
    problem = counters(("at", 4))
    skeleton = [("step", (0, "?x")), ("step", ("?x", "?y")), ("step", ("?y", 4))]
    plan = solve(problem, constraints=PlanConstraints([skeleton]), max_time=20).plan
    assert plan is not None and len(plan) == 3
    assert plan[0].args[1] == plan[1].args[0] and plan[1].args[1] == plan[2].args[0]
    loose = PlanConstraints([[("look", (WILD,))]], exact=False)
    plan = solve(problem, constraints=loose, max_time=20).plan
    assert plan is not None and sum(step.name == "look" for step in plan) == 1
    group = PlanConstraints([[("step", (0, "near")), ("step", (WILD, 4))]], groups={"near": [2]})
    plan = solve(problem, constraints=group, max_time=20).plan
    assert plan is not None and plan[0].args == (0, 2)
    assert (
        solve(problem, constraints=PlanConstraints([[("step", (0, 9))]]), max_time=5).plan is None
    )
    assert solve(problem, constraints=PlanConstraints(max_cost=3.0), max_time=2).plan is None


@pytest.mark.parametrize("defer", [defer_shared, defer_unique])
def test_a_plan_may_end_where_it_is_to_be_made_anew(defer: Any) -> None:
    problem = features.deferred_motion()
    info = {"plan-motion": StreamInfo(defer_fn=defer)}
    whole = solve(problem, stream_info=info).plan
    assert whole is not None and [step.name for step in whole] == ["move", "pick", "move", "place"]
    prefix = solve(problem, stream_info=info, replan_actions={"pick"}).plan
    assert prefix is not None and [step.name for step in prefix] == ["move", "pick", REPLAN]
    plain = solve(problem, replan_actions={"pick"}).plan
    assert plain is not None and len(plain) == 4


def test_states_are_shown_to_streams_as_they_will_be() -> None:
    seen: list[tuple[str, frozenset[Any]]] = []
    problem = features.workshop()
    find = problem.stream_map["find-path"]  # type: ignore[index]

    def noting(part: str, fluents: list[Any]) -> Any:
        seen.append((part, frozenset(fluents)))
        return find(part, fluents=fluents)  # type: ignore[operator]

    streams = {**problem.stream_map, "find-path": noting}  # type: ignore[dict-item]
    plan = solve(problem._replace(stream_map=streams)).plan
    assert plan is not None
    grabs = [step.args[0] for step in plan if step.name == "grab"]
    assert grabs == ["big", "small"]
    assert ("small", frozenset({("on-bench", "small")})) in seen
    assert len(seen) == len(set(seen))


# ---- generators -------------------------------------------------------------------------------


def test_generators() -> None:
    def values(procedure: Any, *args: Any) -> list[Any]:
        return list(itertools.islice(procedure(*args), 4))

    assert values(from_fn(lambda a: (a + 1,)), 1) == [[(2,)]]
    assert values(from_fn(lambda a: None), 1) == [[]]
    assert values(from_test(universe_test)) == [[()]]
    assert values(from_test(negate_test(universe_test))) == [[]]
    assert values(from_gen_fn(lambda a: [(a,), None]), 3) == [[(3,)], []]
    assert values(from_list_gen_fn(lambda: [[(1,), (2,)], []])) == [[(1,), (2,)], []]
    assert values(from_list_fn(lambda: [(1,), (2,)])) == [[(1,), (2,)]]
    assert values(from_sampler(lambda: (7,), max_attempts=2)) == [[(7,)], [(7,)]]
    assert len(values(from_sampler(lambda: (7,)))) == 4
    assert values(from_constant((3,))) == [[(3,)]]
    assert values(from_gen([(1,), (2,)])) == [[(1,)], [(2,)]]
    assert values(empty_gen()) == []


def test_a_solution_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_solution(solve(examples.blocks(), unit_costs=True))
    text = capsys.readouterr().out
    assert "Solved: True\nCost: 4\nLength: 4\n" in text and "1) unpile b a" in text


# ---- mistakes ---------------------------------------------------------------------------------

TEXT = """(define (stream s)
  (:stream advance :inputs (?a) :domain (num ?a)
    :outputs (?b) :certified (next ?a ?b))
  (:function (price ?a ?b) (and (num ?a) (num ?b))))
"""


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        (
            ":stream advance",
            ":streem advance",
            "2:3",
            "unknown declaration ':streem'. Did you mean ':stream'",
        ),
        (
            ":inputs",
            ":input",
            "2:20",
            "unknown part ':input' of stream 'advance'. Did you mean ':inputs'",
        ),
        ("(next ?a ?b))\n", "(next ?a ?c))\n", "3:30", "'?c' in (next ?a ?c) is no variable"),
        (":outputs (?b)", ":outputs (?a)", "2:3", "'?a' is listed twice"),
        (":domain (num ?a)", ":domain (or (num ?a))", "2:41", "only have conjunctions"),
        ("(price ?a ?b)", "(price ?a b)", "4:14", "expected a variable, found 'b'"),
        ("(:function", "(:optimizer", "4:3", "optimizers are not supported"),
        ("(define (stream s)", "(define (streams s)", "1:9", "expected '(stream name)'"),
        ("?b))))\n", "?b)))\n", "1:1", "never closed"),
    ],
)
def test_stream_pddl_mistakes(old: str, new: str, place: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(PddlError) as caught:
        read_streams(TEXT.replace(old, new, 1))
    assert str(caught.value).startswith(f"streams:{place}: ")
    assert words in str(caught.value)


def test_several_stream_texts() -> None:
    found, _ = read_streams([TEXT, TEXT.replace("advance", "retreat").replace("price", "fee")])
    assert [spec.name for spec in found] == ["advance", "price", "retreat", "fee"]
    assert isinstance(found[0], StreamSpec) and found[0].outputs == ("?b",)


def boom(*_args: Any) -> Any:
    raise RuntimeError("sensor unplugged")


@pytest.mark.parametrize(
    ("infos", "words"),
    [
        ({"advance": StreamInfo(opt_gen_fn=boom)}, "the opt_gen_fn of stream 'advance' raised"),
        ({"advance": StreamInfo(opt_gen_fn=lambda a: [[(1, 2)]])}, "expected a tuple of 1: ?b"),
        ({"advance": StreamInfo(effort_fn=boom)}, "the effort of stream 'advance' raised"),
        ({"advance": StreamInfo(effort=lambda a: "dear")}, "effort of stream 'advance' raised"),
        ({"advance": StreamInfo(defer_fn=boom)}, "the defer_fn of 'advance' raised"),
        ({"price": FunctionInfo(opt_fn=boom)}, "function 'price' raised"),
    ],
)
def test_what_is_wrong_with_settings_of_streams_is_told(
    infos: dict[str, StreamInfo | FunctionInfo], words: str
) -> None:
    with pytest.raises(PlanningError, match=re.escape(words)):
        solve(counters(("at", 2)), stream_info=infos, max_time=20)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"advance": from_fn(boom)},
            "stream 'advance' raised RuntimeError for (0): sensor unplugged",
        ),
        ({"advance": from_fn(lambda a: (1, 2))}, "expected a tuple of 1: ?b"),
        ({"advance": from_fn(lambda a: 1)}, "expected a tuple of 1: ?b"),
        ({"advance": lambda a: 3}, "not a generator; wrap its procedure in from_fn"),
        ({"advance": lambda a: iter([5])}, "not a list of output tuples"),
        ({"price": lambda a, b: -1.0}, "costs are numbers of at least 0"),
        ({"price": lambda a, b: float("nan")}, "costs are numbers of at least 0"),
        ({"price": lambda a, b: -(10**400)}, "costs are numbers of at least 0"),
        ({"price": lambda a, b: "free"}, "costs are numbers of at least 0"),
        ({"price": boom}, "function 'price' raised RuntimeError for (0, "),
        ({"advance": 7}, "cannot be called: 7"),
    ],
)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_procedures_that_misbehave_are_named(
    change: dict[str, Any], words: str, algorithm: str
) -> None:
    with pytest.raises(PlanningError) as caught:
        solve(counters(("at", 2), **change), algorithm=algorithm, max_time=20)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"goal": ("att", 3)},
            "unknown predicate 'att' in (att 3) of the goal. Did you mean 'at'?",
        ),
        ({"goal": ("at", 3, 4)}, "(at 3 4) of the goal has 2 arguments, elsewhere it has 1"),
        ({"goal": ("not", ("at", 1), ("at", 2))}, "wrong number of parts"),
        ({"goal": "at"}, "'at' is not a formula"),
        ({"goal": ("exists", ["n"], ("at", 1))}, "'n' is no variable"),
        ({"init": [("at", 0), ("=", ("price", 0, 1), -2)]}, "negative cost"),
        ({"init": [("at", 0), "num"]}, "'num' is not an initial fact"),
        ({"init": [("at", 0), ("at", 0, 1)]}, "is used with 1 and with 2 arguments"),
        ({"init": [("at", 0), ("not", ("at", 0))]}, "('not', ('at', 0)) contradicts"),
        ({"init": [("not", ("and", ("at", 0)))]}, "a formula where a fact is expected"),
        ({"init": [("not", ("at", 0, 1))]}, "is used with 1 and with 2 arguments"),
        ({"init": [("=", ("price", 0, 1), n) for n in (2, 3)]}, "is given twice: 2 and 3"),
        ({"init": [("=", ("price", 0), 2)]}, "'price' is used with 2 and with 1 argument"),
        ({"init": [Type(0, "nums")]}, "unknown type (type nums)"),
        ({"goal": ("at", "?n")}, "'?n' of the goal is not bound; write (exists"),
        ({"goal": Exists([("?n", "-", "nun")], ("at", "?n"))}, "unknown type 'nun' of '?n'"),
        ({"stream_map": {}}, "stream 'advance' has no procedure"),
        ({"stream_map": {"advanc": boom}}, "Did you mean 'advanc'"),
        ({"stream_map": "debugg"}, "neither a mapping nor 'debug'"),
        (
            {"domain_pddl": DOMAIN.replace("(seen ?a) (in", "(seen ?z) (in")},
            "domain:9:18: variable '?z'",
        ),
        (
            {"domain_pddl": DOMAIN.replace("(even ?a))\n", "(evn ?a))\n")},
            "domain:8:61: unknown predicate 'evn'",
        ),
        ({"domain_pddl": DOMAIN.replace("?a ?b))))\n", "?a ?b)))\n")}, "domain:8:3: expected ')'"),
        (
            {"domain_pddl": DOMAIN.replace("(price ?a ?b))))", "(prise ?a ?b))))")},
            "domain:7:63: unknown function 'prise'",
        ),
        (
            {"domain_pddl": DOMAIN.replace("(?a ?b)\n", "(?a ?b - nun)\n")},
            "domain:5:30: unknown type 'nun'",
        ),
        (
            {"domain_pddl": DOMAIN.replace("(even ?a))\n", "(even zero))\n")},
            "domain:8:61: unknown object 'zero'",
        ),
        (
            {"stream_pddl": STREAMS.replace(":domain (num ?a) :o", ":domain (nun ?a) :o")},
            "streams:3:41: unknown predicate 'nun' in (nun ?a) of stream 'advance'",
        ),
        (
            {"stream_pddl": STREAMS.replace("(next ?a ?b)", "(next ?b)")},
            "streams:3:89: 'next' is used with 2 and with 1 argument",
        ),
        (
            {"stream_pddl": [STREAMS, STREAMS.replace("price", "fee")]},
            "streams:3:3: 'advance' is declared twice",
        ),
        ({"stream_pddl": STREAMS.replace("?a ?b)", "?a)")}, "streams:"),
        (
            {"constant_map": {}, "domain_pddl": DOMAIN.replace("(:fu", "(:constants c) (:fu")},
            "constant 'c'",
        ),
    ],
)
def test_problems_that_make_no_sense_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanningError) as caught:
        solve(counters(("at", 2))._replace(**change))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


CARRY = """(define (domain carry) (:requirements :strips :derived-predicates)
  (:predicates (pose ?p) (aim ?p) (lies ?p) (conf ?q) (at ?q) (reach ?p ?q) (way ?a ?t ?b) (track ?t)
    (held) (done))
  (:functions (meters ?t))
  (:action go :parameters (?a ?t ?b) :precondition (and (way ?a ?t ?b) (at ?a))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (meters ?t))))
  (:action take :parameters (?p ?q) :precondition (and (reach ?p ?q) (at ?q) (lies ?p))
    :effect (and (held) (not (lies ?p)) (increase (total-cost) 0)))
  (:action put :parameters (?p ?q) :precondition (and (reach ?p ?q) (at ?q) (held))
    :effect (and (lies ?p) (not (held)) (increase (total-cost) 0)))
  (:derived (done) (exists (?p) (and (aim ?p) (lies ?p)))))"""
WAYS = """(define (stream s)
  (:function (meters ?t) (track ?t))
  (:stream aim :outputs (?p) :certified (and (pose ?p) (aim ?p)))
  (:stream reach :inputs (?p) :domain (pose ?p) :outputs (?q) :certified (and (reach ?p ?q) (conf ?q)))
  (:stream way :inputs (?a ?b) :domain (and (conf ?a) (conf ?b)) :outputs (?t)
    :certified (and (way ?a ?t ?b) (track ?t))))"""


def carry() -> PDDLProblem:
    """Something goes from 5 m to a random pose 10 to 12 m away, and its carrier home: 20 to 24 m in all."""
    rng = random.Random(1)
    ways = {
        "aim": from_gen_fn(lambda: ((rng.uniform(10, 12),) for _ in itertools.count())),
        "reach": from_fn(lambda p: (p - 0.001,)),
        "way": from_fn(lambda a, b: ((a, b),)),
        "meters": lambda track: abs(track[0] - track[1]),
    }
    init = [("pose", 5.0), ("lies", 5.0), ("conf", 0.0), ("at", 0.0)]
    return PDDLProblem(CARRY, {}, WAYS, ways, init, And(("done",), ("at", 0.0)))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("within", ["max_cost", "success_cost"])
def test_cheap_plans_are_sampled_for_as_long_as_there_is_time(algorithm: str, within: str) -> None:
    limit = PlanConstraints(max_cost=20.5) if within == "max_cost" else None
    options = Options(max_time=120, success_cost=20.5 if within == "success_cost" else INF)
    found = solve_in_detail(carry(), algorithm, limit, options=options)
    assert found.status is Status.SOLVED and found.solution.cost < 20.5


def test_a_state_that_was_reached_at_too_high_a_cost_is_reached_anew() -> None:
    """The greedy search sees the detour first; what it leads to is not given up for that."""
    domain = """(define (domain d) (:requirements :strips) (:predicates (a) (b) (c) (goal) (turn))
      (:action detour :parameters () :precondition (a) :effect (and (b) (increase (total-cost) 9)))
      (:action first :parameters () :precondition (a) :effect (and (c) (increase (total-cost) 1)))
      (:action second :parameters () :precondition (c) :effect
        (and (b) (not (c)) (increase (total-cost) 1)))
      (:action last :parameters () :precondition (b) :effect (and (goal) (increase (total-cost) 1))))"""
    problem = PDDLProblem(domain, {}, None, {}, [("a",)], ("goal",))
    for algorithm in ALGORITHMS:
        found = solve(problem, algorithm, PlanConstraints(max_cost=10), max_time=60)
        assert found.cost == 3


def test_lengths_of_searches_begun_anew() -> None:
    assert [luby(k) for k in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_what_nothing_knows_of_is_told_and_keeps_no_plan_from_being_found(
    caplog: pytest.LogCaptureFixture,
) -> None:
    problem = counters(("at", 2))
    extra = {**problem.stream_map, "advanced": empty_gen()}
    given = problem._replace(init=[*problem.init, ("nuns", 0), ("nuns", 1)], stream_map=extra)
    assert solve(given, stream_info={"test-god": StreamInfo(eager=True)}).plan
    for words in (
        "'nuns' of the initial",
        "map has 'advanced'.*mean 'advance'",
        "info has 'test-god'",
    ):
        assert len(re.findall(words, caplog.text)) == 1, caplog.text
    caplog.clear()
    assert solve(problem).plan and not caplog.text
    found = solve_in_detail(problem._replace(init=[("nun", 0), ("at", 0)]))
    assert found.status is Status.UNSOLVABLE
    assert "names 'nun' of the initial facts. Did you mean 'num'?" in found.reason


def test_an_object_of_the_goal_that_no_fact_names_is_told() -> None:
    streams = STREAMS.replace("(:stream advance", "(:stream go", 1)
    problem = counters(("at", "hme"), streams, go=empty_gen())
    problem = problem._replace(init=[*problem.init, ("seen", "home")])
    found = solve_in_detail(problem, options=Options(max_time=20))
    assert found.status is Status.UNSOLVABLE
    assert "no initial fact names 'hme' of the goal. Did you mean 'home'?" in found.reason


def test_unknown_algorithms_and_functions_without_value() -> None:
    with pytest.raises(PlanningError, match="Did you mean 'adaptive'"):
        solve(counters(("at", 2)), algorithm="adaptve")
    streams = STREAMS.replace("(:function (price ?a ?b) (and (num ?a) (num ?b)))", "")
    with pytest.raises(PlanningError, match="no value is known for the function"):
        solve(counters(("at", 2), streams), max_time=5)


def test_streams_that_never_yield_end_the_search() -> None:
    for algorithm in ALGORITHMS:
        result = solve_in_detail(
            counters(("at", 4), advance=empty_gen()), algorithm, options=Options(max_time=20)
        )
        assert result.solution.plan is None and result.solution.cost == INF
        assert result.status in ("unsolvable", "not_found")
        assert result.stream_calls <= 3


def test_a_function_without_arguments_needs_no_domain() -> None:
    (price,), _ = read_streams("(define (stream s) (:function (price)))")
    assert isinstance(price, FunctionSpec) and price.inputs == () and price.domain == ()
    for text in ("(:function)", "(:function price)", "(:function (price ?a))"):
        with pytest.raises(PddlError, match="expected"):
            read_streams(f"(define (stream s) {text})")
