"""Blocks without any stream: a PDDLStream problem may be plain PDDL over Python values."""

from __future__ import annotations

from commonground.planning.streams.language import And, Not, PDDLProblem

_DOMAIN = """
(define (domain blocks)
  (:predicates (upon ?x ?y) (grounded ?x) (topmost ?x) (idle) (gripped ?x))
  (:action lift :parameters (?x)
    :precondition (and (topmost ?x) (grounded ?x) (idle))
    :effect (and (gripped ?x) (not (grounded ?x)) (not (topmost ?x)) (not (idle))))
  (:action lower :parameters (?x)
    :precondition (gripped ?x)
    :effect (and (not (gripped ?x)) (idle) (topmost ?x) (grounded ?x)))
  (:action pile :parameters (?x ?y)
    :precondition (and (gripped ?x) (topmost ?y))
    :effect (and (not (gripped ?x)) (not (topmost ?y)) (topmost ?x) (idle) (upon ?x ?y)))
  (:action unpile :parameters (?x ?y)
    :precondition (and (upon ?x ?y) (topmost ?x) (idle))
    :effect (and (gripped ?x) (topmost ?y) (not (topmost ?x)) (not (idle)) (not (upon ?x ?y)))))
"""

_DERIVED_DOMAIN = """
(define (domain blocks-derived)
  (:predicates (block ?x) (upon ?x ?y) (grounded ?x) (gripped ?x) (over ?x ?y) (topmost ?x) (idle))
  (:derived (topmost ?x) (and (block ?x) (not (gripped ?x)) (forall (?y) (not (upon ?y ?x)))))
  (:derived (idle) (forall (?x) (imply (block ?x) (not (gripped ?x)))))
  (:derived (over ?x ?y) (or (upon ?x ?y) (exists (?z) (and (upon ?x ?z) (over ?z ?y)))))
  (:action lift :parameters (?x)
    :precondition (and (topmost ?x) (grounded ?x) (idle))
    :effect (and (gripped ?x) (not (grounded ?x)) (increase (total-cost) 1)))
  (:action lower :parameters (?x)
    :precondition (gripped ?x)
    :effect (and (not (gripped ?x)) (grounded ?x) (increase (total-cost) 1)))
  (:action pile :parameters (?x ?y)
    :precondition (and (gripped ?x) (topmost ?y))
    :effect (and (not (gripped ?x)) (upon ?x ?y) (increase (total-cost) 1)))
  (:action unpile :parameters (?x ?y)
    :precondition (and (upon ?x ?y) (topmost ?x) (idle))
    :effect (and (gripped ?x) (not (upon ?x ?y)) (increase (total-cost) 1))))
"""


def blocks() -> PDDLProblem:
    """Return a stack of three to turn over."""
    init = [("grounded", "a"), ("upon", "b", "a"), ("topmost", "b"), ("idle",)]
    init += [("grounded", "c"), ("topmost", "c")]
    goal = And(("upon", "a", "b"), ("upon", "b", "c"))
    return PDDLProblem(_DOMAIN, {}, None, {}, init, goal)


def blocks_with_derived_predicates() -> PDDLProblem:
    """Return the same task with derived predicates, a recursive one among them."""
    init = [("block", name) for name in "abc"] + [
        ("grounded", "a"),
        ("upon", "b", "a"),
        ("grounded", "c"),
    ]
    goal = And(("over", "a", "c"), ("over", "b", "c"), Not(("upon", "a", "c")))
    return PDDLProblem(_DERIVED_DOMAIN, {}, None, {}, init, goal)
