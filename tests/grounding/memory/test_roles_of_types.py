"""Who has, is and does what in domains whose predicates take broad types, and what is only said beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, cast

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.words import number_in
from commonground.grounding.memory.readers.domain.speakers import Speaking
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """
(define (domain smithy)
  (:requirements :strips :typing :negative-preconditions)
  (:types movable spot - object
          cart portable being - movable
          tool salve - portable
          robot person - being)
  (:predicates
    (at ?m - movable ?p - spot)
    (has ?b - movable ?i - portable)
    (sits ?p - person ?s - spot)
    (works-at ?p - person ?s - spot)
    (kept-for ?s - spot ?p - person)
    (due ?p - person ?s - salve)
    (present ?p - person)
    (paid ?p - person)
    (dirty ?i - portable)
    (jammed ?c - cart))
  (:action go :parameters (?r - robot ?x ?y - spot) :precondition (at ?r ?x)
    :effect (and (at ?r ?y) (not (at ?r ?x))))
  (:action push :parameters (?r - robot ?c - cart ?x ?y - spot)
    :precondition (and (at ?r ?x) (at ?c ?x))
    :effect (and (at ?r ?y) (not (at ?r ?x)) (at ?c ?y) (not (at ?c ?x))))
  (:action pick-up :parameters (?r - robot ?i - portable ?x - spot)
    :precondition (and (at ?r ?x) (at ?i ?x)) :effect (and (has ?r ?i) (not (at ?i ?x))))
  (:action put-down :parameters (?r - robot ?i - portable ?x - spot)
    :precondition (and (at ?r ?x) (has ?r ?i)) :effect (and (at ?i ?x) (not (has ?r ?i))))
  (:action hand-over :parameters (?r - robot ?i - portable ?p - person)
    :precondition (has ?r ?i) :effect (and (has ?p ?i) (not (has ?r ?i))))
  (:action keep :parameters (?s - spot ?p - person) :precondition (not (kept-for ?s ?p))
    :effect (kept-for ?s ?p))
  (:action treat :parameters (?r - robot ?p - person ?s - salve)
    :precondition (and (has ?r ?s) (due ?p ?s)) :effect (not (due ?p ?s)))
  (:action scrub :parameters (?r - robot ?i - portable) :precondition (and (has ?r ?i) (dirty ?i))
    :effect (not (dirty ?i))))
"""
PROBLEM = """
(define (problem p) (:domain smithy)
  (:objects long-bench round-bench forge - spot  handcart - cart  hammer tongs - tool
            burn-salve - salve  rob - robot  ulla per - person)
  (:init (at rob forge) (at handcart forge) (at hammer forge) (at burn-salve forge) (has per tongs)
         (sits ulla long-bench) (works-at per forge) (due ulla burn-salve) (present ulla))
  (:goal (paid ulla)))
"""


memory = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("text", "add", "end"),
    [
        # whatever may be somewhere may have things, and only people do
        ("Ulla has the hammer.", {"has ulla hammer"}, {"at hammer forge"}),
        ("Per gave Ulla the tongs.", {"has ulla tongs"}, {"has per tongs"}),
        # nobody is put where nobody like him is, or where he only works
        (
            "Ulla pushed the handcart to the long bench.",
            {"at handcart long-bench"},
            {"at handcart forge"},
        ),
        ("Per put the tongs on the round bench.", {"at tongs round-bench"}, {"has per tongs"}),
        # who is at a bench sits there, and it is not kept for her
        (
            "Ulla moved over to the round bench.",
            {"sits ulla round-bench"},
            {"sits ulla long-bench"},
        ),
        ("Ulla isn't at the long bench any more.", set(), {"sits ulla long-bench"}),
        ("Per isn't working at the forge any more.", set(), {"works-at per forge"}),
        # what is denied ended just before
        (
            "The tongs are on the long bench, Per hasn't got them any more.",
            {"at tongs long-bench"},
            {"has per tongs"},
        ),
        ("Per is here now.", {"present per"}, set()),
        ("Ulla has gone home.", set(), {"present ulla"}),
        ("Ulla isn't here any more.", set(), {"present ulla"}),
    ],
)
def test_what_may_stand_in_relations_of_broad_types(
    memory: Memory, text: str, add: set[str], end: set[str]
) -> None:
    assert changed(memory, text) == (add, end)


@pytest.mark.parametrize(
    ("text", "add"),
    [
        ("The hammer is dirty, one side's caked with soot.", {"dirty hammer"}),
        ("Somebody splashed oil about, so the hammer is dirty.", {"dirty hammer"}),
        # a word for another state of what is spoken of is no explanation, nor is a doubt
        ("The hammer is dirty, unless that is rust.", set()),
        ("The handcart jammed on me, so the hammer is dirty.", {"dirty hammer", "jammed handcart"}),
        ("The hammer is dirty and it is squeaking.", set()),
    ],
)
def test_how_something_came_about_is_set_aside(memory: Memory, text: str, add: set[str]) -> None:
    assert changed(memory, text) == (add, set())


def test_words_that_look_like_numbers_are_none() -> None:
    assert [number_in(w) for w in ("light", "night", "eight", "dozen")] == ["", "", "8", "12"]


@pytest.mark.parametrize("speaker", ["staff_1", "Kerry", "kerry"])
def test_who_speaks_is_known_by_symbol_and_by_name(speaker: str) -> None:
    class People:
        people, robots = frozenset(["staff"]), frozenset[str]()

        def is_a(self, kind: str, kinds: frozenset[str]) -> bool:
            return kind in kinds

    class World:
        kinds: ClassVar = {"staff_1": "staff", "staff_2": "staff", "cage_1": "cage"}
        own_words: ClassVar = {"staff_1": ("kerry",), "staff_2": ("paul",), "cage_1": ("cage", "1")}
        roles = People()

        def of_kinds(self, suits: Callable[[str], bool]) -> list[str]:
            return [thing for thing, kind in self.kinds.items() if suits(kind)]

    speaking = Speaking(cast(Any, World()))
    assert speaking.named("I took the scope.", speaker) == "Kerry took the scope."
    assert Speaking(cast(Any, World())).named("I took the scope.", "cage_1") == "I took the scope."
