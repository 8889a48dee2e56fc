"""What is said in no words of the domain's: of all that may become so, what it most likely tells."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from tests.grounding.memory.worlds import held, memory_of

DOMAIN = """
(define (domain bakery)
  (:requirements :strips :typing :negative-preconditions)
  (:types area baker bowl oven loaf order - object)
  (:predicates
    (baker-at ?b - baker ?a - area)
    (bowl-at ?w - bowl ?a - area)
    (oven-at ?o - oven ?a - area)
    (holding ?b - baker ?w - bowl)
    (clean ?w - bowl)
    (lamp-green ?o - oven)
    (glazed ?l - loaf)
    (booked-for ?l - loaf ?o - order))
  (:action walk :parameters (?b - baker ?x ?y - area) :precondition (baker-at ?b ?x)
    :effect (and (baker-at ?b ?y) (not (baker-at ?b ?x))))
  (:action lift :parameters (?b - baker ?w - bowl ?a - area)
    :precondition (and (baker-at ?b ?a) (bowl-at ?w ?a))
    :effect (and (holding ?b ?w) (not (bowl-at ?w ?a))))
  (:action set-down :parameters (?b - baker ?w - bowl ?a - area)
    :precondition (and (baker-at ?b ?a) (holding ?b ?w))
    :effect (and (bowl-at ?w ?a) (not (holding ?b ?w))))
  (:action wash :parameters (?b - baker ?w - bowl ?a - area)
    :precondition (and (baker-at ?b ?a) (bowl-at ?w ?a) (not (clean ?w))) :effect (clean ?w))
  (:action glaze :parameters (?b - baker ?l - loaf) :precondition (not (glazed ?l))
    :effect (glazed ?l)))
"""
PROBLEM = """
(define (problem p) (:domain bakery)
  (:objects kitchen cellar - area  ida ole - baker  big-bowl deep-bowl - bowl  main-oven - oven
            rye-loaf - loaf  fair - order)
  (:init (baker-at ida kitchen) (baker-at ole cellar) (bowl-at big-bowl kitchen) (holding ole deep-bowl)
         (oven-at main-oven kitchen) (lamp-green main-oven) (booked-for rye-loaf fair))
  (:goal (clean big-bowl)))
"""


memory = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("text", "add", "end"),
    [
        ("Ida rinsed the big bowl.", {"clean big-bowl"}, set()),
        ("Big bowl: washing complete.", {"clean big-bowl"}, set()),
        ("Rye loaf: glazing finished.", {"glazed rye-loaf"}, set()),
        ("Ida laundered the big bowl.", {"clean big-bowl"}, set()),
        ("The lamp of the main oven is red.", set(), {"lamp-green main-oven"}),
        ("Ole popped the deep bowl down.", {"bowl-at deep-bowl cellar"}, {"holding ole deep-bowl"}),
        ("Ole put the deep bowl here in the kitchen.",
         {"bowl-at deep-bowl kitchen", "baker-at ole kitchen"},
         {"holding ole deep-bowl", "baker-at ole cellar"}),
        ("Ole slung the deep bowl under his arm.", set(), set()),
        ("Ida came from the kitchen and she is in the cellar now.", {"baker-at ida cellar"},
         {"baker-at ida kitchen"}),
        ("It was Ida who rinsed the big bowl.", {"clean big-bowl"}, set()),
        ("Ida rinsed the big bowl, she was singing.", {"clean big-bowl"}, set()),
    ],
)  # fmt: skip
def test_what_can_have_become_so_is_told_from_what_can_not(
    memory: Memory, text: str, add: set[str], end: set[str]
) -> None:
    before = held(memory)
    told = memory.tell(text)
    after = held(memory)
    assert told.status == "ok", told.question
    assert (after - before, before - after) == (add, end)


@pytest.mark.parametrize(
    "text",
    [
        "Ida inspected the big bowl.",
        "Ida had the big bowl before.",
        "Big bowl: complete.",
        "Big bowl: washing incomplete.",
        "Big bowl: washing aborted.",
        "Ida started washing the big bowl.",
        "Ida will rinse the big bowl.",
        "Ida was to rinse the big bowl.",
        "Somebody finished in the kitchen.",
        "The lamp of the main oven flickers.",
        "Ida rinsed both bowls of the cellar, or so she says.",
    ],
)
def test_what_may_be_told_of_another_change_or_of_none_is_asked_about(
    memory: Memory, text: str
) -> None:
    before = held(memory)
    assert memory.tell(text).status == "ask"
    assert held(memory) == before


@pytest.mark.parametrize(
    ("speaker", "text", "add"),
    [
        ("ole", "Walked over to the kitchen.", {"baker-at ole kitchen"}),
        ("ole", "Back in the kitchen.", {"baker-at ole kitchen"}),
        ("ida", "He is in the kitchen.", {"baker-at ole kitchen"}),
    ],
)
def test_who_speaks_is_who_did_what_nobody_is_said_to_do_and_nobody_else_spoken_of(
    memory: Memory, speaker: str, text: str, add: set[str]
) -> None:
    memory.tell("Ole is in the cellar.")
    memory.tell("Ida is in the cellar.")
    before = held(memory)
    told = memory.tell(text, speaker=speaker)
    assert told.status == "ok", told.question
    assert held(memory) - before == add


def test_a_thing_that_is_off_something_is_not_on_it(memory: Memory) -> None:
    before = held(memory)
    told = memory.tell("The label has peeled off that bowl.")
    assert told.status == "ask"
    assert held(memory) == before
