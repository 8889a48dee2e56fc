"""Blocks in a row of slots, one to a slot: positions come from a stream, collisions from a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from commonground.planning.streams.generators import from_fn, from_gen_fn, from_test
from commonground.planning.streams.info import StreamInfo
from commonground.planning.streams.language import (
    TOTAL_COST,
    And,
    Equal,
    Expression,
    PDDLProblem,
    Procedure,
)

_DOMAIN = """
(define (domain shelf)
  (:constants parking)
  (:predicates (hand-pose ?q) (box ?b) (slot ?p) (reaches ?q ?p) (stands ?b ?p) (hand-at ?q) (carries ?b)
    (hand-free) (apart ?p1 ?p2) (taken ?p) (may-move))
  (:functions (travel ?q1 ?q2))
  (:action move :parameters (?q1 ?q2)
    :precondition (and (hand-pose ?q1) (hand-pose ?q2) (hand-at ?q1) (may-move))
    :effect (and (hand-at ?q2) (not (hand-at ?q1)) (not (may-move))
      (increase (total-cost) (travel ?q1 ?q2))))
  (:action grab :parameters (?b ?p ?q)
    :precondition (and (box ?b) (reaches ?q ?p) (hand-at ?q) (stands ?b ?p) (hand-free))
    :effect (and (carries ?b) (may-move) (not (stands ?b ?p)) (not (hand-free)) (increase (total-cost) 1)))
  (:action put :parameters (?b ?p ?q)
    :precondition (and (box ?b) (reaches ?q ?p) (hand-at ?q) (carries ?b) (not (taken ?p)))
    :effect (and (stands ?b ?p) (hand-free) (may-move) (not (carries ?b)) (increase (total-cost) 1)))
  (:derived (taken ?p1)
    (exists (?b ?p2) (and (slot ?p1) (not (apart ?p1 ?p2)) (stands ?b ?p2)))))
"""

_STREAMS = """
(define (stream shelf)
  (:rule :inputs (?q ?p) :domain (reaches ?q ?p) :certified (and (hand-pose ?q) (slot ?p)))
  (:function (travel ?q1 ?q2) (and (hand-pose ?q1) (hand-pose ?q2)))
  (:stream more-slots :outputs (?p) :certified (slot ?p))
  (:stream reach :inputs (?p) :domain (slot ?p) :outputs (?q) :certified (reaches ?q ?p))
  (:stream test-apart :inputs (?p1 ?p2) :domain (and (slot ?p1) (slot ?p2)) :certified (apart ?p1 ?p2)))
"""

STREAM_INFO: Mapping[str, StreamInfo] = {"test-apart": StreamInfo(negate=True)}


def _apart(p1: Any, p2: Any) -> bool:
    return bool(np.abs(p1 - p2).sum() > 1e-3)


def _travel(q1: Any, q2: Any) -> float:
    return float(np.ceil(np.abs(q1 - q2).sum()))


def shelf(boxes: int = 2, slots: int = 9, *, shift_all: bool = False) -> PDDLProblem:
    """Return the task to shift the first box, or all boxes, to the slot of the next one."""
    poses = [np.array([x, 0]) for x in range(slots)]
    names = [f"box{i}" for i in range(boxes)]
    start, parking = np.array([0, -5]), np.array([100, 100])
    shifted = dict(zip(names if shift_all else names[:1], poses[1:], strict=False))
    known = [
        *poses[:boxes],
        *(p for p in shifted.values() if not any(p is q for q in poses[:boxes])),
    ]
    init: list[Expression] = [
        ("may-move",),
        ("hand-free",),
        ("hand-at", start),
        Equal((TOTAL_COST,), 0),
    ]
    init += [("hand-pose", q) for q in (start, parking)] + [("box", name) for name in names]
    init += [("slot", p) for p in known] + [
        ("stands", *pair) for pair in zip(names, poses, strict=False)
    ]
    goal = And(*[("stands", name, pose) for name, pose in shifted.items()])
    streams: dict[str, Procedure] = {
        "more-slots": from_gen_fn(lambda: ((p,) for p in poses[boxes:])),
        "reach": from_fn(lambda p: (p + np.array([0, 0]),)),
        "test-apart": from_test(_apart),
        "travel": _travel,
    }
    return PDDLProblem(_DOMAIN, {"parking": parking}, _STREAMS, streams, init, goal)
