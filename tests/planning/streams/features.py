"""One small problem for each of the less common features of the language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from commonground.planning.streams.generators import (
    WildOutput,
    empty_test,
    from_constant,
    from_fn,
    from_gen_fn,
    from_list_fn,
    from_test,
)
from commonground.planning.streams.language import (
    And,
    Exists,
    Expression,
    Or,
    PDDLProblem,
    Procedure,
)

_ADL = """
(define (domain adl)
  (:requirements :adl)
  (:predicates (sunny) (umbrella) (dry ?x) (packed ?x) (done) (never))
  (:action pack :parameters ()
    :precondition (imply (not (sunny)) (umbrella))
    :effect (and (done) (forall (?x) (when (dry ?x) (packed ?x))))))
"""


def alternatives() -> PDDLProblem:
    """Return a problem with an implication, a conditional effect for all, and a disjunctive goal."""
    init: list[Expression] = [("umbrella",), ("dry", "tent"), ("dry", 10)]
    goal = Or(And(("done",), ("packed", 10), Exists(["?x"], ("packed", "?x"))), ("never",))
    return PDDLProblem(_ADL, {}, None, {}, init, goal)


_CARROTS = """
(define (domain carrots)
  (:predicates (piece ?c) (halves ?c ?s ?c1 ?c2) (spot ?l) (lies ?c ?l))
  (:functions (effort ?c ?s))
  (:action carry :parameters (?c ?l1 ?l2)
    :precondition (and (piece ?c) (spot ?l1) (spot ?l2) (lies ?c ?l1))
    :effect (and (lies ?c ?l2) (not (lies ?c ?l1)) (increase (total-cost) 1)))
  (:action cut :parameters (?l ?c ?s ?c1 ?c2)
    :precondition (and (spot ?l) (halves ?c ?s ?c1 ?c2) (lies ?c ?l))
    :effect (and (lies ?c1 ?l) (lies ?c2 ?l) (not (lies ?c ?l)) (increase (total-cost) (effort ?c ?s)))))
"""
_CARROT_STREAMS = """
(define (stream carrots)
  (:stream sample-cut :outputs (?s) :certified (cut-at ?s))
  (:wild-stream divide :inputs (?c ?s) :domain (and (piece ?c) (cut-at ?s)) :outputs (?c1 ?c2)
    :certified (and (piece ?c1) (piece ?c2) (halves ?c ?s ?c1 ?c2)))
  (:function (effort ?c ?s) (and (piece ?c) (cut-at ?s))))
"""


def carrots(*, seed: int = 0) -> PDDLProblem:
    """Return the task to have a piece of carrot at three spots: cutting makes new objects."""
    rng = np.random.default_rng(seed)

    def sample_cut() -> Iterator[tuple[float]]:
        while True:
            yield (round(float(rng.uniform(0.1, 0.9)), 2),)

    def divide(piece: tuple[float, float], share: float) -> WildOutput:
        middle = piece[0] + share * (piece[1] - piece[0])
        halves = ((piece[0], middle), (middle, piece[1]))
        return WildOutput(values=[halves], facts=[("cut-at", 0.5), ("fresh", halves[0])])

    def effort(piece: tuple[float, float], share: float) -> float:
        return 1.0 / ((piece[1] - piece[0]) * min(share, 1 - share))

    spots = ["pot", "pan", "plate"]
    whole = (0.0, 1.0)
    init: list[Expression] = [
        ("piece", whole),
        ("lies", whole, "pot"),
        *(("spot", s) for s in spots),
    ]
    goal = And(*[Exists(["?c"], ("lies", "?c", s)) for s in spots])
    streams: dict[str, Procedure] = {
        "sample-cut": from_gen_fn(sample_cut),
        "divide": from_list_fn(divide),
        "effort": effort,
    }
    return PDDLProblem(_CARROTS, {}, _CARROT_STREAMS, streams, init, goal)


_PICK = """
(define (domain pick-and-place)
  (:predicates (conf ?q) (block ?b) (pose ?p) (kin ?q ?p) (motion ?q1 ?t ?q2) (contain ?p ?r) (region ?r)
    (at-pose ?b ?p) (at-conf ?q) (holding ?b) (hand-empty) (seen ?p) (in ?b ?r) (may-move))
  (:action move :parameters (?q1 ?t ?q2)
    :precondition (and (motion ?q1 ?t ?q2) (at-conf ?q1) (may-move))
    :effect (and (at-conf ?q2) (not (at-conf ?q1)) (not (may-move))))
  (:action pick :parameters (?b ?p ?q)
    :precondition (and (block ?b) (kin ?q ?p) (at-conf ?q) (at-pose ?b ?p) (hand-empty) %s)
    :effect (and (holding ?b) (may-move) (not (at-pose ?b ?p)) (not (hand-empty))))
  (:action place :parameters (?b ?p ?q)
    :precondition (and (block ?b) (kin ?q ?p) (at-conf ?q) (holding ?b))
    :effect (and (at-pose ?b ?p) (hand-empty) (may-move) (not (holding ?b))))
  %s
  (:derived (in ?b ?r) (exists (?p) (and (contain ?p ?r) (at-pose ?b ?p)))))
"""
_PICK_STREAMS = """
(define (stream pick-and-place)
  (:stream test-pose :inputs (?p ?r) :domain (and (pose ?p) (region ?r)) :certified (contain ?p ?r))
  (:stream sample-pose :inputs (?r) :domain (region ?r) :outputs (?p)
    :certified (and (pose ?p) (contain ?p ?r)))
  (:stream inverse-kinematics :inputs (?p) :domain (and (pose ?p) %s) :outputs (?q)
    :certified (and (conf ?q) (kin ?q ?p)))
  (:stream plan-motion :inputs (?q1 ?q2) :domain (and (conf ?q1) (conf ?q2)) :outputs (?t)
    :certified (motion ?q1 ?t ?q2)))
"""
_PHONE = "(:action phone :parameters (?p) :precondition (pose ?p) :effect (seen ?p))"


def _pick_and_place(goal: Expression, condition: str, action: str) -> PDDLProblem:
    conf, pose = np.array([0.0, 0.0]), np.array([1.0, 0.0])
    init: list[Expression] = [("conf", conf), ("at-conf", conf), ("hand-empty",), ("may-move",)]
    init += [("block", "block"), ("pose", pose), ("at-pose", "block", pose), ("region", "shelf")]
    streams: dict[str, Any] = {
        "test-pose": from_test(empty_test),
        "sample-pose": from_constant((np.array([2.0, 0.0]),)),
        "inverse-kinematics": from_fn(lambda p: (p + np.array([0.0, 1.0]),)),
        "plan-motion": from_fn(lambda q1, q2: ([q1, q2],)),
    }
    return PDDLProblem(
        _PICK % (condition, action), {}, _PICK_STREAMS % condition, streams, init, goal
    )


def deferred_motion() -> PDDLProblem:
    """Return a pick-and-place task whose later motions may be left for later (see ``defer_fn``)."""
    return _pick_and_place(("in", "block", "shelf"), "", "")


def observation() -> PDDLProblem:
    """Return a task where a stream's input has to come true first: a pose must be seen before it is used."""
    return _pick_and_place(("holding", "block"), "(seen ?p)", _PHONE)


_WORKSHOP = """
(define (domain workshop)
  (:predicates (part ?o) (on-bench ?o) (in-hand ?o) (path ?o ?t) (washable ?o) (clean ?o) (painted ?o))
  (:action grab :parameters (?o ?t)
    :precondition (and (on-bench ?o) (path ?o ?t))
    :effect (and (in-hand ?o) (not (on-bench ?o))))
  (:action wash :parameters (?o) :precondition (washable ?o) :effect (clean ?o))
  (:action paint :parameters (?o) :precondition (and (part ?o) (clean ?o))
    :effect (and (painted ?o) (not (clean ?o)))))
"""
_WORKSHOP_STREAMS = """
(define (stream workshop)
  (:stream find-path :inputs (?o) :domain (part ?o) :fluents (on-bench) :outputs (?t) :certified (path ?o ?t))
  (:stream test-washable :inputs (?o) :domain (part ?o) :fluents (painted) :certified (washable ?o)))
"""


def workshop() -> PDDLProblem:
    """Return a task whose streams see the state: the big part is in the way of the small one."""

    def find_path(part: str, fluents: list[Expression]) -> tuple[str] | None:
        free = part == "big" or ("on-bench", "big") not in fluents
        return (f"path to {part}",) if free else None

    init: list[Expression] = [
        (name, part) for part in ("big", "small") for name in ("part", "on-bench")
    ]
    goal = And(("in-hand", "small"), ("painted", "small"), ("clean", "small"))
    streams = {
        "find-path": from_fn(find_path),
        "test-washable": from_test(lambda part, fluents: len(fluents) < 2),
    }
    return PDDLProblem(_WORKSHOP, {}, _WORKSHOP_STREAMS, streams, init, goal)
