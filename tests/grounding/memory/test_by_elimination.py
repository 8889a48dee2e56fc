"""What follows from a domain's types and actions where no word of a report is one of the domain's."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """
(define (domain boathouse)
  (:requirements :strips :typing :negative-preconditions)
  (:types rower boat slip oar - object)
  (:predicates (stn ?r - rower ?s - slip) (crew-of ?r - rower ?b - boat) (trained ?r - rower ?b - boat)
    (drwn ?o - oar ?r - rower) (racked ?o - oar) (seen-by ?o - oar ?r - rower)
    (mrd ?b - boat ?s - slip) (cntm ?o - oar) (on-watch ?r - rower) (cares ?o - oar ?r - rower)
    (fitted ?b - boat ?o - oar))
  (:action man :parameters (?r - rower ?a ?b - slip) :precondition (stn ?r ?a)
    :effect (and (stn ?r ?b) (not (stn ?r ?a))))
  (:action board :parameters (?r - rower ?b - boat) :precondition (trained ?r ?b) :effect (crew-of ?r ?b))
  (:action alight :parameters (?r - rower ?b - boat) :precondition (crew-of ?r ?b)
    :effect (not (crew-of ?r ?b)))
  (:action train :parameters (?r - rower ?b - boat) :precondition (not (trained ?r ?b))
    :effect (trained ?r ?b))
  (:action draw :parameters (?o - oar ?r - rower) :precondition (racked ?o)
    :effect (and (drwn ?o ?r) (not (racked ?o))))
  (:action hand-in :parameters (?o - oar ?r - rower) :precondition (drwn ?o ?r)
    :effect (and (racked ?o) (not (drwn ?o ?r))))
  (:action cast-off :parameters (?b - boat ?s - slip) :precondition (mrd ?b ?s)
    :effect (not (mrd ?b ?s)))
  (:action clean :parameters (?o - oar) :precondition (cntm ?o) :effect (not (cntm ?o)))
  (:action book-on :parameters (?r - rower) :precondition (not (on-watch ?r)) :effect (on-watch ?r))
  (:action book-off :parameters (?r - rower) :precondition (on-watch ?r) :effect (not (on-watch ?r)))
  (:action entrust :parameters (?o - oar ?r - rower) :precondition (not (cares ?o ?r))
    :effect (cares ?o ?r))
  (:action swap-oar :parameters (?b - boat ?o ?p - oar) :precondition (fitted ?b ?o)
    :effect (and (fitted ?b ?p) (not (fitted ?b ?o))))
  (:action pass-on :parameters (?o - oar ?r ?s - rower) :precondition (cares ?o ?r)
    :effect (and (cares ?o ?s) (not (cares ?o ?r))))
  (:action check :parameters (?o - oar ?r - rower) :precondition (racked ?o) :effect (seen-by ?o ?r)))
"""
PROBLEM = """
(define (problem p) (:domain boathouse)
  (:objects ida ole - rower gig pram - boat slip-1 slip-2 - slip oar-3 oar-4 oar-5 - oar)
  (:init (stn ida slip-1) (stn ole slip-1) (trained ida gig) (trained ole pram) (crew-of ole pram)
         (racked oar-3) (racked oar-4) (seen-by oar-4 ole) (mrd gig slip-1) (cntm oar-4) (on-watch ole)
         (cares oar-3 ole) (fitted pram oar-5))
  (:goal (stn ida slip-1)))
"""
memory = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("report", "begun", "ended"),
    [
        ("Ida has oar 3.", {"drwn oar-3 ida"}, {"racked oar-3"}),  # a rower is somebody
        ("Ida hopped into the gig.", {"crew-of ida gig"}, set()),  # she is trained for it already
        ("Ida jumped into the gig.", {"crew-of ida gig"}, set()),
        ("Ida switched to slip 2.", {"stn ida slip-2"}, {"stn ida slip-1"}),
        (
            "Oar 4 is signed out to Ida.",
            {"drwn oar-4 ida"},
            {"racked oar-4"},
        ),  # Ole may see it still
    ],
)
def test_the_one_relation_that_may_begin_is_told_by_any_word(
    memory: Memory, report: str, begun: set[str], ended: set[str]
) -> None:
    assert changed(memory, report) == (begun, ended)


@pytest.mark.parametrize(
    ("report", "begun", "ended"),
    [
        ("Oar 3 is contaminated.", {"cntm oar-3"}, set()),  # what a name shortens
        ("Oar 4 has been through the clean.", set(), {"cntm oar-4"}),
        ("Ole went off watch.", set(), {"on-watch ole"}),
        ("The gig has departed.", set(), {"mrd gig slip-1"}),
        ("Ida swapped oar 5 for oar 3.", {"fitted pram oar-3"}, {"fitted pram oar-5"}),
        (
            "Ole climbed out of the pram.",
            set(),
            {"crew-of ole pram"},
        ),  # and is trained for it still
    ],
)
def test_what_actions_begin_and_end_is_told_in_words_of_ones_own(
    memory: Memory, report: str, begun: set[str], ended: set[str]
) -> None:
    assert changed(memory, report) == (begun, ended)


@pytest.mark.parametrize(
    "report",
    [
        "Ida painted the gig.",
        "Ida sang in the gig.",
        "Ida listened to slip 2.",
        "Ida looked into the gig.",
    ],
)
def test_what_the_domain_cannot_say_is_no_change(memory: Memory, report: str) -> None:
    assert changed(memory, report) == (set(), set())
    assert memory.tell(report).status == "ask"
