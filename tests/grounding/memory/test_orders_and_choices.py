"""Orders to whoever it be and results without a verb, choices that a task leaves, and what types entail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.action_effects import Effects
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import parse_domain, to_pddl
from tests.grounding.memory.worlds import changed, memory_of

DOMAINS = Path(__file__).parent / "domains"
NOON_NS = 1_764_158_400_000_000_000


@pytest.fixture
def harbor(tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "memory.db"
    create_memory(path, DOMAINS / "harbor.pddl", DOMAINS / "harbor.jsonl", at_ns=NOON_NS).close()
    with open_memory(path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("somebody close the chest", "close the chest"),
        ("would someone open the chest?", "open the chest"),
        ("chest closed, please", "close the chest"),
    ],
)
def test_a_bare_verb_or_result_is_wanted_and_not_complained_of(
    memory: Memory, said: str, plain: str
) -> None:
    wanted, asked = (
        memory.grammar.wanted(said, "una").goal,
        memory.grammar.wanted(plain, "una").goal,
    )
    assert wanted is not None
    assert wanted == asked


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        (
            "Fuel either the Petrel or the Marigold.",
            "(or (fuelled petrel) (fuelled marigold))",
        ),
        (
            "The Petrel or the Marigold, I don't mind which, should be fuelled.",
            "(or (fuelled petrel) (fuelled marigold))",
        ),
    ],
)
def test_a_choice_that_a_task_leaves_is_left_to_the_planner(
    harbor: Memory, said: str, goal: str
) -> None:
    found = harbor.wanted(said).goal
    assert found is not None
    assert to_pddl(found) == goal


@pytest.mark.parametrize(
    "said", ["Don't fuel the Petrel or the Marigold.", "None of the boats or nets should be torn."]
)
def test_what_is_denied_of_either_is_no_choice(harbor: Memory, said: str) -> None:
    found = harbor.wanted(said).goal
    assert found is None or "(or " not in to_pddl(found)


TAKING = """(define (domain shop)
  (:types room item person - object  helper customer - person)
  (:predicates (in ?p - person ?r - room) (lies ?i - item ?r - room) (held_by ?i - item ?p - person)
    (hands_free ?h - helper) (way ?a - room ?b - room))
  (:action go :parameters (?h - helper ?a - room ?b - room) :precondition (and (in ?h ?a) (way ?a ?b))
    :effect (and (in ?h ?b) (not (in ?h ?a))))
  (:action pick :parameters (?h - helper ?i - item ?r - room)
    :precondition (and (in ?h ?r) (lies ?i ?r) (hands_free ?h))
    :effect (and (held_by ?i ?h) (not (lies ?i ?r)) (not (hands_free ?h))))
  (:action put :parameters (?h - helper ?i - item ?r - room) :precondition (and (in ?h ?r) (held_by ?i ?h))
    :effect (and (lies ?i ?r) (hands_free ?h) (not (held_by ?i ?h))))
  (:action give :parameters (?h - helper ?c - customer ?i - item ?r - room)
    :precondition (and (in ?h ?r) (in ?c ?r) (held_by ?i ?h))
    :effect (and (held_by ?i ?c) (hands_free ?h) (not (held_by ?i ?h)))))"""


def test_only_who_has_hands_to_count_has_them_full() -> None:
    effects = Effects(Vocabulary(parse_domain(TAKING)))
    assert effects.entailed("held_by", ["item", "helper"]) == {(False, "hands_free", (1,))}
    assert effects.entailed("held_by", ["item", "customer"]) == frozenset()
    assert effects.left("held_by", ["item", "customer"]) == frozenset()


CELLAR = """(define (domain cellar)
  (:types vessel chest - object)
  (:predicates (empty ?v - vessel) (clean ?v - vessel) (closed ?c - chest) (switched_on ?c - chest))
  (:action wash :parameters (?v - vessel) :precondition (empty ?v) :effect (clean ?v))
  (:action tap :parameters (?v - vessel) :precondition (not (empty ?v)) :effect (empty ?v))
  (:action shut :parameters (?c - chest) :precondition (not (closed ?c)) :effect (closed ?c))
  (:action start :parameters (?c - chest) :precondition (not (switched_on ?c)) :effect (switched_on ?c)))"""
VESSELS = """(define (problem p) (:domain cellar) (:objects keg - vessel freezer - chest)
  (:init (closed freezer) (switched_on freezer)) (:goal (and)))"""
cellar = memory_of(CELLAR, VESSELS)


def test_a_word_that_is_far_from_another_state_tells_its_own(cellar: Memory) -> None:
    assert changed(cellar, "The freezer has cut out.") == (set(), {"switched_on freezer"})
