"""What is read of no whole sentence is read clause by clause, and denied, ended or named as a thing."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from tests.grounding.memory.worlds import held, memory_of

DOMAIN = """
(define (domain pottery)
  (:requirements :strips :typing :negative-preconditions)
  (:types room potter jar kiln club - object)
  (:predicates
    (potter-in ?p - potter ?r - room)
    (jar-in ?j - jar ?r - room)
    (has ?p - potter ?j - jar)
    (hot ?k - kiln)
    (running ?k - kiln)
    (cooling ?r - room)
    (promised ?j - jar ?c - club)
    (fired ?j - jar))
  (:action walk :parameters (?p - potter ?x ?y - room) :precondition (potter-in ?p ?x)
    :effect (and (potter-in ?p ?y) (not (potter-in ?p ?x))))
  (:action lift :parameters (?p - potter ?j - jar ?r - room)
    :precondition (and (potter-in ?p ?r) (jar-in ?j ?r))
    :effect (and (has ?p ?j) (not (jar-in ?j ?r))))
  (:action heat :parameters (?p - potter ?k - kiln) :precondition (not (hot ?k)) :effect (hot ?k))
  (:action start :parameters (?p - potter ?k - kiln) :precondition (not (running ?k))
    :effect (running ?k))
  (:action chill :parameters (?p - potter ?r - room) :precondition (not (cooling ?r))
    :effect (cooling ?r))
  (:action promise :parameters (?j - jar ?c - club) :precondition (and) :effect (promised ?j ?c))
  (:action fire :parameters (?p - potter ?j - jar) :precondition (not (fired ?j))
    :effect (fired ?j)))
"""
PROBLEM = """
(define (problem p) (:domain pottery)
  (:objects store loft - room  edda - potter  stone-jar tall-jar - jar  main-kiln - kiln
            rowers singers - club)
  (:init (potter-in edda loft) (jar-in stone-jar store) (jar-in tall-jar loft) (hot main-kiln)
         (running main-kiln) (cooling store) (promised tall-jar rowers))
  (:goal (fired tall-jar)))
"""


memory = memory_of(DOMAIN, PROBLEM)


def test_what_ended_is_told_by_what_it_is_not(memory: Memory) -> None:
    before = held(memory)
    told = memory.tell("The rowers backed out, so the tall jar isn't promised to them any more.")
    assert told.status == "ok", told.question
    assert before - held(memory) == {"promised tall-jar rowers"}


@pytest.mark.parametrize(
    "text",
    [
        "The cooling in the store is all right.",
        "The cooling in the store still hums.",
        "Edda painted the cooling in the store.",
        "Edda does not juggle the tall jar any more.",
        "Edda found the tall jar, so she says, and the main kiln sings.",
    ],
)
def test_what_tells_no_turn_of_anything_is_asked_about(memory: Memory, text: str) -> None:
    before = held(memory)
    memory.tell(text)
    assert held(memory) == before


def test_there_is_the_place_spoken_of_rather_than_where_somebody_is_already(
    memory: Memory,
) -> None:
    memory.tell("The store is not cooling any more.")
    told = memory.tell("Edda is in there now.")
    assert told.status == "ok", told.question
    assert "potter-in edda store" in held(memory)
