"""What is gone from where it was, the other one, and chatter beside it, in the domain of a ropeway."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.readers.domain.reader import DomainReader
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """
(define (domain ropeway)
  (:requirements :strips :typing :negative-preconditions)
  (:types gondola bay part person - object rope lamp - part)
  (:predicates
    (docked-in ?g - gondola ?b - bay) (with ?p - part ?d - person) (kept-at ?p - part ?b - bay)
    (frozen ?g - gondola) (lit ?b - bay) (on-duty ?d - person) (called ?d - person))
  (:action shift :parameters (?g - gondola ?a ?b - bay) :precondition (docked-in ?g ?a)
    :effect (and (docked-in ?g ?b) (not (docked-in ?g ?a))))
  (:action carry :parameters (?p - part ?a ?b - bay) :precondition (kept-at ?p ?a)
    :effect (and (kept-at ?p ?b) (not (kept-at ?p ?a))))
  (:action give :parameters (?p - part ?a - bay ?d - person) :precondition (kept-at ?p ?a)
    :effect (and (with ?p ?d) (not (kept-at ?p ?a))))
  (:action collect :parameters (?p - part ?a - bay ?d - person) :precondition (with ?p ?d)
    :effect (and (kept-at ?p ?a) (not (with ?p ?d))))
  (:action thaw :parameters (?g - gondola) :precondition (frozen ?g) :effect (not (frozen ?g)))
  (:action light :parameters (?b - bay) :effect (lit ?b)))
"""
PROBLEM = """
(define (problem p) (:domain ropeway)
  (:objects red-gondola blue-gondola - gondola bay-1 bay-2 bay-3 - bay
            urs heidi - person splice-rope - rope lamp-a lamp-b - lamp)
  (:init (docked-in red-gondola bay-1) (docked-in blue-gondola bay-2) (frozen blue-gondola)
         (kept-at splice-rope bay-1) (kept-at lamp-a bay-1) (kept-at lamp-b bay-2)
         (on-duty urs) (on-duty heidi))
  (:goal (lit bay-1)))
"""


memory = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("texts", "add", "end"),
    [
        (["The red gondola's gone from bay 1."], set(), {"docked-in red-gondola bay-1"}),
        (["I've put lamp A in bay 3.", "The other one is in bay 3 now too."],
         {"kept-at lamp-a bay-3", "kept-at lamp-b bay-3"}, {"kept-at lamp-a bay-1", "kept-at lamp-b bay-2"}),
        (["Heidi is on duty, and Urs has given her the splice rope."],
         {"with splice-rope heidi"}, {"kept-at splice-rope bay-1"}),
        (["The blue gondola isn't frozen any more, Urs kicked it."], set(), {"frozen blue-gondola"}),
    ],
)  # fmt: skip
def test_what_is_gone_given_or_the_other_one_is_read(
    memory: Memory, texts: list[str], add: set[str], end: set[str]
) -> None:
    assert changed(memory, *texts) == (add, end)


@pytest.mark.parametrize(
    "text",
    [
        "Urs has knocked off, and lamp A is in bay 3.",
        "Lamp A is in bay 3, and the red gondola is in a mess.",
        "Lamp A is in bay 3, and the heating's off.",
        "The other one is in bay 3 now.",
    ],
)
def test_what_may_tell_more_is_asked_about(memory: Memory, text: str) -> None:
    assert changed(memory, text) == (set(), set())


def test_things_that_are_only_moved_do_nothing_themselves(memory: Memory) -> None:
    roles = DomainReader(memory.names, memory.store.groups).roles
    assert not roles.robots
    assert {"person"} == roles.people
    assert {s.relation for s in roles.holding} == {"with"}
