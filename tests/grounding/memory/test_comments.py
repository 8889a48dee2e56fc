"""Worlds of short codes whose meanings stand in the comments of PDDL files."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import to_pddl
from tests.grounding.memory.worlds import memory_of

DOMAIN = """
(define (domain apiary)
  (:requirements :strips :typing :negative-preconditions)
  (:types yd kpr hv tl - object)
  (:predicates
    (at ?k - kpr ?y - yd)
    (st ?h - hv ?y - yd)      ; stands there
    (lie ?t - tl ?y - yd)
    (hld ?k - kpr ?t - tl)
    (vrr ?h - hv)             ; has mites
    (zzu ?h - hv)             ; going; a hive: open
    (qk ?t - tl))             ; broken
  (:action go :parameters (?k - kpr ?a ?b - yd)
    :precondition (at ?k ?a) :effect (and (at ?k ?b) (not (at ?k ?a))))
  (:action tak :parameters (?k - kpr ?t - tl ?y - yd)
    :precondition (and (at ?k ?y) (lie ?t ?y)) :effect (and (hld ?k ?t) (not (lie ?t ?y))))
  (:action lay :parameters (?k - kpr ?t - tl ?y - yd)
    :precondition (and (at ?k ?y) (hld ?k ?t)) :effect (and (lie ?t ?y) (not (hld ?k ?t))))
  (:action opn :parameters (?k - kpr ?h - hv ?y - yd)
    :precondition (and (at ?k ?y) (st ?h ?y)) :effect (zzu ?h))
  (:action shu :parameters (?k - kpr ?h - hv ?y - yd)
    :precondition (and (at ?k ?y) (zzu ?h)) :effect (not (zzu ?h))))
"""
PROBLEM = """
; m1-m2 meadows, orc orchard
(define (problem p) (:domain apiary)
  (:objects m1 m2 orc - yd
            ana - kpr
            h1 h2 - hv      ; h1 h2 beehives
            sm - tl         ; sm smoker
  )
  (:init (at ana orc) (st h1 m1) (st h2 m2) (lie sm m1) (zzu h2))
  (:goal (and (at ana m1))))
"""


memory = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Ana went to the second meadow.", Fact("ana", "at", "m2")),
        ("Ana went to m1.", Fact("ana", "at", "m1")),
        ("The smoker is broken.", Fact("sm", "qk", "true")),
        ("The first beehive has mites.", Fact("h1", "vrr", "true")),
        ("H2 has been closed.", Fact("h2", "zzu", "false")),
        ("Ana went to the meadow where the smoker is.", Fact("ana", "at", "m1")),
    ],
)
def test_what_comments_call_things_and_states_may_be_said(
    memory: Memory, text: str, fact: Fact
) -> None:
    assert memory.tell(text).status == "ok"
    assert fact in memory.store.facts or fact.object == "false"
    assert fact.opposite not in memory.store.facts or not fact.is_property


@pytest.mark.parametrize("text", ["The smoker is gone.", "Ana went to the third meadow."])
def test_what_no_comment_says_is_asked_about(memory: Memory, text: str) -> None:
    before = {*memory.store.facts}
    assert memory.tell(text).status == "ask"
    assert {*memory.store.facts} == before


def test_a_task_may_use_what_a_comment_calls_a_state(memory: Memory) -> None:
    goal = memory.wanted("Please close the second beehive.").goal
    assert goal is not None and to_pddl(goal) == "(not (zzu h2))"
