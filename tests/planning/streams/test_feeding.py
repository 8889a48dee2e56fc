"""Streams that feed each other: what is made up for them does not crowd out what they do yield."""

from __future__ import annotations

from commonground.planning.streams import (
    INF,
    Options,
    PDDLProblem,
    from_fn,
    from_list_fn,
    from_test,
)
from commonground.planning.streams.algorithms import make_run
from commonground.planning.streams.attempt import Planner
from commonground.planning.streams.breadth import Aside, Breadth
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.model import build_model
from commonground.planning.streams.optimistic import Mode, Optimist
from commonground.planning.streams.store import Store

DOMAIN = """
(define (domain pairs) (:predicates (a ?x) (b ?y) (pair ?x ?y) (good ?x ?y) (done ?x))
  (:action do :parameters (?x ?y) :precondition (good ?x ?y) :effect (done ?x)))
"""
STREAMS = """
(define (stream pairs)
  (:stream make-b :inputs (?x) :domain (a ?x) :outputs (?y) :certified (and (b ?y) (pair ?x ?y)))
  (:stream make-a :inputs (?x ?y) :domain (and (a ?x) (b ?y)) :outputs (?z) :certified (a ?z))
  (:stream test-good :inputs (?x ?y) :domain (and (a ?x) (b ?y)) :certified (good ?x ?y)))
"""


def knowledge() -> Knowledge:
    streams = {
        "make-b": from_list_fn(lambda x: [(x + 10,), (x + 20,)]),
        "make-a": from_fn(lambda x, y: (x + 1,) if x < 4 else None),
        "test-good": from_test(lambda x, y: (x, y) == (4, 24)),
    }
    problem = PDDLProblem(DOMAIN, {}, STREAMS, streams, [("a", 0)], ("done", 4))
    return Knowledge(build_model(problem, None, None))


def test_tests_of_pairs_end_what_is_made_up() -> None:
    known = knowledge()
    Optimist(known).hope(0, Mode(shared=False), max_depth=20, max_instances=300)
    assert (
        len(known.instances) < 1000
    )  # tens of thousands where each output is paired with all others


def test_all_streams_are_called_once_much_was_made_up() -> None:
    known = knowledge()
    planner, store = Planner(known, Options()), Store(known)

    def breadth(_any_plan: bool) -> Breadth:
        own = knowledge()
        return Breadth(own, Planner(own, Options()), Store(own), Options())

    run = make_run(known, planner, store, Options(), Aside(breadth, store, again=False))
    assert not run.look_aside()
    Optimist(known).hope(0, Mode(shared=False), max_depth=20, max_instances=4000)
    assert known.calls == planner.evaluations == 0
    assert run.look_aside()
    assert run.aside.best is not None and run.aside.best.best_cost < INF
