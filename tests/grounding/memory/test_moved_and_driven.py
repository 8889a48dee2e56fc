"""Who acts and what is driven, the world itself, and acts that tell nothing but what lasts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import parse_domain

DOMAIN = """(define (domain quarry)
  (:requirements :strips :typing :negative-preconditions)
  (:types shed yard - place cart hauler - wagon bin load person pass - object)
  (:predicates
    (stands ?w - wagon ?p - place)
    (hitched ?c - cart ?h - hauler)
    (aboard ?p - person ?w - wagon)
    (listed ?p - person ?c - cart)
    (owned_by ?b - bin ?p - person)
    (paid ?b - bin)
    (tared ?w - wagon)
    (greased ?w - wagon)
    (washed ?b - bin)
    (poured ?l - load ?b - bin)
    (snowing))
  (:action shove :parameters (?w - wagon ?a ?b - place)
    :precondition (stands ?w ?a) :effect (and (stands ?w ?b) (not (stands ?w ?a))))
  (:action hitch :parameters (?c - cart ?h - hauler ?a - place)
    :precondition (stands ?c ?a) :effect (hitched ?c ?h))
  (:action unhitch :parameters (?c - cart ?h - hauler)
    :precondition (hitched ?c ?h) :effect (not (hitched ?c ?h)))
  (:action tare :parameters (?w - wagon) :effect (tared ?w))
  (:action grease :parameters (?w - wagon) :effect (greased ?w))
  (:action enlist :parameters (?p - person ?c - cart) :effect (listed ?p ?c))
  (:action wash :parameters (?b - bin) :effect (washed ?b))
  (:action pour :parameters (?l - load ?b - bin ?to - bin)
    :precondition (poured ?l ?b)
    :effect (and (poured ?l ?to) (not (poured ?l ?b)) (not (washed ?to)))))"""
PROBLEM = """(define (problem today) (:domain quarry)
  (:objects red_cart blue_cart - cart diesel - hauler old_shed - shed top_yard - yard
            tin_bin oak_bin - bin gravel - load ruth otto - person)
  (:init (stands red_cart top_yard) (stands blue_cart old_shed) (stands diesel old_shed)
         (listed ruth red_cart) (listed otto red_cart) (washed oak_bin) (poured gravel tin_bin)
         (owned_by tin_bin otto) (snowing))
  (:goal (washed tin_bin)))"""


@pytest.fixture
def quarry(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    create_memory(tmp_path / "m.db", tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(tmp_path / "m.db") as memory:
        yield memory


def told(memory: Memory, *reports: str) -> tuple[set[str], set[str]]:
    """Return what the last of some reports adds and ends."""
    results = [memory.tell(report, "otto") for report in reports]
    added = {f"{f.subject} {f.relation} {f.object}" for f in results[-1].added}
    return added, {f"{f.subject} {f.relation} {f.object}" for f in results[-1].removed}


def test_what_is_moved_by_some_actions_does_not_act_among_people() -> None:
    roles = Roles(Vocabulary(parse_domain(DOMAIN)))
    assert not roles.robots
    assert not any(s.relation in ("hitched", "listed") for s in roles.positions)


def test_who_sits_in_one_thing_stays_listed_for_another(quarry: Memory) -> None:
    added, removed = told(quarry, "Ruth and Otto are sitting in the blue cart.")
    assert added == {"ruth aboard blue_cart", "otto aboard blue_cart"}
    assert not removed


def test_all_who_got_out_are_out(quarry: Memory) -> None:
    into, out = "Ruth and Otto are in the diesel.", "Ruth and Otto have got out of the diesel."
    _, removed = told(quarry, into, out)
    assert removed == {"ruth aboard diesel", "otto aboard diesel"}


@pytest.mark.parametrize(
    "report",
    ["It's stopped snowing.", "It isn't snowing any more.", "The snow has stopped."],
)
def test_it_may_be_the_world_itself(quarry: Memory, report: str) -> None:
    _, removed = told(quarry, "The red cart has been greased.", report)
    assert removed == {"world snowing true"}


def test_it_is_what_was_spoken_of_where_nothing_of_the_world_is_told(quarry: Memory) -> None:
    added, _ = told(quarry, "It's stopped snowing.", "The red cart is in the old shed.")
    assert added == {"red_cart stands old_shed"}
    added, _ = told(quarry, "I have greased it.")
    assert added == {"red_cart greased true"}


def test_anybody_does_what_no_action_gives_to_somebody(quarry: Memory) -> None:
    added, removed = told(quarry, "I've poured the gravel into the oak bin.")
    assert "gravel poured oak_bin" in added
    assert "oak_bin washed true" in removed


def test_an_act_that_tells_only_what_lasts_is_asked_about(quarry: Memory) -> None:
    result = quarry.tell("Otto paid for the tin bin and took it away with him.", "ruth")
    assert result.status == "ask"
    assert not result.added
