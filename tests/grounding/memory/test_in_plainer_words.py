"""What nouns for work and for states tell, and what somebody does that has no name, in a glasshouse."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import to_pddl
from tests.grounding.memory.worlds import memory_of

DOMAIN = """
(define (domain glasshouse)
  (:requirements :strips :typing :negative-preconditions)
  (:types house cart tub person - object)
  (:predicates
    (robot-in ?h - house)
    (stands-in ?c - cart ?h - house)
    (on ?t - tub ?c - cart)
    (set-in ?t - tub ?h - house)
    (has ?p - person ?t - tub)
    (carrying ?t - tub)
    (labelled ?t - tub)
    (mulched ?h - house)
    (lit ?h - house)
    (damaged ?t - tub)
    (fan-on ?h - house))
  (:action go :parameters (?a ?b - house) :precondition (robot-in ?a)
    :effect (and (robot-in ?b) (not (robot-in ?a))))
  (:action push-cart :parameters (?c - cart ?a ?b - house)
    :precondition (and (robot-in ?a) (stands-in ?c ?a))
    :effect (and (robot-in ?b) (not (robot-in ?a)) (stands-in ?c ?b) (not (stands-in ?c ?a))))
  (:action lift :parameters (?t - tub ?h - house) :precondition (and (robot-in ?h) (set-in ?t ?h))
    :effect (and (carrying ?t) (not (set-in ?t ?h))))
  (:action set-down :parameters (?t - tub ?h - house) :precondition (and (robot-in ?h) (carrying ?t))
    :effect (and (set-in ?t ?h) (not (carrying ?t))))
  (:action load :parameters (?t - tub ?c - cart ?h - house)
    :precondition (and (robot-in ?h) (stands-in ?c ?h) (carrying ?t))
    :effect (and (on ?t ?c) (not (carrying ?t))))
  (:action unload :parameters (?t - tub ?c - cart ?h - house)
    :precondition (and (robot-in ?h) (stands-in ?c ?h) (on ?t ?c))
    :effect (and (carrying ?t) (not (on ?t ?c))))
  (:action hand-over :parameters (?t - tub ?p - person) :precondition (carrying ?t)
    :effect (and (has ?p ?t) (not (carrying ?t))))
  (:action collect :parameters (?t - tub ?p - person) :precondition (has ?p ?t)
    :effect (and (carrying ?t) (not (has ?p ?t))))
  (:action label :parameters (?t - tub) :precondition (not (labelled ?t)) :effect (labelled ?t))
  (:action mulch :parameters (?h - house) :precondition (not (mulched ?h)) :effect (mulched ?h))
  (:action light :parameters (?h - house) :precondition (not (lit ?h)) :effect (lit ?h))
  (:action start-fan :parameters (?h - house) :precondition (not (fan-on ?h)) :effect (fan-on ?h))
  (:action stop-fan :parameters (?h - house) :precondition (fan-on ?h) :effect (not (fan-on ?h))))
"""
PROBLEM = """
(define (problem p) (:domain glasshouse)
  (:objects palm-house fern-house - house barrow - cart fig-tub olive-tub - tub ines jarl - person)
  (:init (robot-in palm-house) (stands-in barrow palm-house) (set-in fig-tub palm-house)
         (set-in olive-tub fern-house) (mulched fern-house) (lit palm-house) (fan-on palm-house)
         (labelled olive-tub) (damaged olive-tub))
  (:goal (and (lit fern-house))))
"""


memory = memory_of(DOMAIN, PROBLEM)


def told(memory: Memory, text: str) -> set[tuple[str, ...]]:
    """Return what becomes so by a report, and with ``-`` what ends."""
    before = {f for f in memory.store.facts if f.object != "false"}
    memory.tell(text)
    after = {f for f in memory.store.facts if f.object != "false"}
    ended = {("-", *said(f)) for f in before - after}
    return {said(f) for f in after - before} | ended


def said(fact: Fact) -> tuple[str, ...]:
    ends = [fact.subject] if fact.object == "true" else [fact.subject, fact.object]
    return (fact.relation, *ends)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        # a noun for work
        ("The fig tub has got its label now.", {("labelled", "fig-tub")}),
        ("The olive tub's lost its label.", {("-", "labelled", "olive-tub")}),
        ("I gave the palm house some mulch.", {("mulched", "palm-house")}),
        # a noun for the state of a place
        ("There isn't any mulch in the fern house any more.", {("-", "mulched", "fern-house")}),
        ("Jarl has put fresh mulch in the palm house.", {("mulched", "palm-house")}),
        ("The lights are on in the fern house.", {("lit", "fern-house")}),
        ("The light's off in the palm house.", {("-", "lit", "palm-house")}),
        ("Ines turned the fan on in the fern house.", {("fan-on", "fern-house")}),
        ("The fan isn't on in the palm house any more.", {("-", "fan-on", "palm-house")}),
        # what only praises a place, and what is held on to
        ("Jarl put the fig tub back on the barrow, where it belongs.",
         {("on", "fig-tub", "barrow"), ("-", "set-in", "fig-tub", "palm-house")}),
        ("The fig tub is back on the barrow where it belongs.",
         {("on", "fig-tub", "barrow"), ("-", "set-in", "fig-tub", "palm-house")}),
        ("The fig tub is labelled and is on the barrow.",
         {("labelled", "fig-tub"), ("on", "fig-tub", "barrow"), ("-", "set-in", "fig-tub", "palm-house")}),
        ("Jarl labelled the fig tub and put it on the barrow.",
         {("labelled", "fig-tub"), ("on", "fig-tub", "barrow"), ("-", "set-in", "fig-tub", "palm-house")}),
        # who gets what goes to him
        ("The fig tub goes to Ines.",
         {("has", "ines", "fig-tub"), ("-", "set-in", "fig-tub", "palm-house")}),
        ("Jarl took the fig tub to Ines.",
         {("has", "ines", "fig-tub"), ("-", "set-in", "fig-tub", "palm-house")}),
        ("Ines put the fig tub down next to the olive tub.",
         {("set-in", "fig-tub", "fern-house"), ("-", "set-in", "fig-tub", "palm-house")}),
        # what others should not do
        ("The fig tub is damaged, don't lift it.", {("damaged", "fig-tub")}),
        # nothing is made of more than that
        ("There's dirty mulch in the palm house.", set()),
        ("The lights may be on in the fern house.", set()),
    ],
)  # fmt: skip
def test_a_state_is_told_by_its_noun(
    memory: Memory, text: str, changes: set[tuple[str, ...]]
) -> None:
    assert told(memory, text) == changes


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Give the palm house some mulch.", "(mulched palm-house)"),
        ("Turn the lights on in the fern house, please.", "(lit fern-house)"),
        ("Turn the fan off in the palm house, please.", "(not (fan-on palm-house))"),
        ("All the tubs should go to the fern house.", "(set-in fig-tub fern-house)"),
    ],
)
def test_what_is_asked_for_by_a_noun(memory: Memory, text: str, goal: str) -> None:
    wanted = memory.wanted(text)
    assert wanted.goal is not None
    assert goal in to_pddl(wanted.goal)
