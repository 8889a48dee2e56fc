"""Idle clauses, what changes hands, and states told by what is there, at a regatta."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.memory import Memory
from tests.grounding.memory.worlds import memory_of

DOMAIN = """
(define (domain regatta)
  (:requirements :strips :typing :negative-preconditions)
  (:types robot boat oar hut tent person - object)
  (:predicates
    (robot-in ?r - robot ?h - hut)
    (stored-in ?o - oar ?h - hut)
    (has ?p - person ?o - oar)
    (holding ?r - robot ?o - oar)
    (owns ?p - person ?b - boat)
    (judges ?p - person ?t - tent)
    (crews ?p - person ?b - boat)
    (sheeted ?b - boat)
    (cracked ?o - oar)
    (heated ?t - tent)
    (decorated ?t - tent)
    (breakfasted ?p - person))
  (:action go :parameters (?r - robot ?a ?b - hut) :precondition (robot-in ?r ?a)
    :effect (and (robot-in ?r ?b) (not (robot-in ?r ?a))))
  (:action take :parameters (?r - robot ?o - oar ?h - hut)
    :precondition (and (robot-in ?r ?h) (stored-in ?o ?h))
    :effect (and (holding ?r ?o) (not (stored-in ?o ?h))))
  (:action put :parameters (?r - robot ?o - oar ?h - hut)
    :precondition (and (robot-in ?r ?h) (holding ?r ?o))
    :effect (and (stored-in ?o ?h) (not (holding ?r ?o))))
  (:action hand-over :parameters (?r - robot ?o - oar ?p - person) :precondition (holding ?r ?o)
    :effect (and (has ?p ?o) (not (holding ?r ?o))))
  (:action sheet :parameters (?b - boat) :precondition (not (sheeted ?b)) :effect (sheeted ?b))
  (:action heat :parameters (?t - tent) :precondition (not (heated ?t)) :effect (heated ?t))
  (:action hang-garland :parameters (?t - tent) :precondition (not (decorated ?t))
    :effect (decorated ?t)))
"""
PROBLEM = """
(define (problem p) (:domain regatta)
  (:objects rowan - robot swift teal heron - boat red-oar white-oar - oar boathouse tool-hut - hut
            north-tent south-tent - tent edith karim - person)
  (:init (robot-in rowan tool-hut) (stored-in red-oar boathouse) (stored-in white-oar tool-hut)
         (owns edith swift) (owns karim teal) (owns karim heron)
         (judges edith north-tent) (crews karim swift) (crews karim heron)
         (sheeted teal) (decorated south-tent) (heated south-tent))
  (:goal (and (heated north-tent))))
"""


memory = memory_of(DOMAIN, PROBLEM)


def told(memory: Memory, text: str) -> set[tuple[str, ...]]:
    """Return what becomes so by a report, and with ``-`` what ends."""
    before = {f for f in memory.store.facts if f.object != "false"}
    memory.tell(text)
    after = {f for f in memory.store.facts if f.object != "false"}
    return {said(f) for f in after - before} | {("-", *said(f)) for f in before - after}


def said(fact: Fact) -> tuple[str, ...]:
    ends = [fact.subject] if fact.object == "true" else [fact.subject, fact.object]
    return (fact.relation, *ends)


WHITE_OAR = {("has", "edith", "white-oar"), ("-", "stored-in", "white-oar", "tool-hut")}


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        # where something was before, a look, and what is to come
        ("He left the white oar behind, Edith has got it now.", WHITE_OAR),
        ("I had a look, and the red oar is cracked.", {("cracked", "red-oar")}),
        ("I've checked it, and the red oar is cracked.", {("cracked", "red-oar")}),
        ("The red oar is cracked, it won't survive the race.", {("cracked", "red-oar")}),
        # what may tell more than that is asked about
        ("The red oar is cracked and Karim blorped the teal.", set()),
        ("I think the north tent is empty, the red oar is cracked.", set()),
        ("The north tent is heated and Edith is up.", set()),
    ],
)
def test_a_clause_may_tell_nothing_beside_another(
    memory: Memory, text: str, changes: set[tuple[str, ...]]
) -> None:
    assert told(memory, text) == changes


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("Karim isn't on the Swift any more.", {("-", "crews", "karim", "swift")}),
        ("Karim isn't on the Swift any more, he's on the Teal.",
         {("crews", "karim", "teal"), ("-", "crews", "karim", "swift")}),
        # to show is not to give, and there may be several ways to get a boat
        ("Edith showed the Swift to Karim.", set()),
        ("Edith has adopted the Teal.", set()),
        ("Karim isn't on the Teal.", set()),
    ],
)  # fmt: skip
def test_what_somebody_has_otherwise_than_in_hand_ends(
    memory: Memory, text: str, changes: set[tuple[str, ...]]
) -> None:
    assert told(memory, text) == changes


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        # by the noun in the name of an action
        ("The north tent has got its garland now.", {("decorated", "north-tent")}),
        ("Karim hung a garland in the north tent.", {("decorated", "north-tent")}),
        ("The garland's gone from the south tent.", {("-", "decorated", "south-tent")}),
        # a thing has something in itself, and a pronoun means what was put there
        ("The red oar has a crack in it.", {("cracked", "red-oar")}),
        ("I took the sheet off the Teal and put it on the Swift.",
         {("sheeted", "swift"), ("-", "sheeted", "teal")}),
        ("The Swift has her sheet on.", {("sheeted", "swift")}),
        # not of another one, and nothing else by that
        ("There's a garland on the table.", set()),
        ("The garland in the north tent is ugly.", set()),
    ],
)  # fmt: skip
def test_a_state_is_told_by_what_is_there(
    memory: Memory, text: str, changes: set[tuple[str, ...]]
) -> None:
    assert told(memory, text) == changes
