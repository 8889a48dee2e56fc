"""Lights that are no things of their own are turned on and off with the words around their object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import to_pddl

DOMAIN = """(define (domain hostel)
  (:requirements :strips :typing :negative-preconditions)
  (:types room bag person)
  (:predicates (in_room ?b - bag ?r - room) (has ?p - person ?b - bag) (lit ?r - room))
  (:action bring :parameters (?p - person ?b - bag ?r - room)
    :precondition (has ?p ?b) :effect (and (in_room ?b ?r) (not (has ?p ?b))))
  (:action take :parameters (?p - person ?b - bag ?r - room)
    :precondition (in_room ?b ?r) :effect (and (has ?p ?b) (not (in_room ?b ?r))))
  (:action light_up :parameters (?r - room) :precondition (not (lit ?r)) :effect (lit ?r))
  (:action put_out :parameters (?r - room) :precondition (lit ?r) :effect (not (lit ?r))))"""
PROBLEM = """(define (problem tonight) (:domain hostel)
  (:objects kitchen dormitory - room rucksack - bag ines - person)
  (:init (in_room rucksack kitchen) (lit dormitory)) (:goal (and)))"""


@pytest.fixture
def hostel(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    create_memory(tmp_path / "m.db", tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(tmp_path / "m.db") as memory:
        yield memory


@pytest.mark.parametrize(
    ("text", "lit"),
    [
        ("I turned the light off in the dormitory.", set()),
        ("Ines turned off the light in the dormitory.", set()),
        ("Somebody turned the light on in the kitchen.", {"dormitory", "kitchen"}),
        ("The light is off in the dormitory.", set()),
    ],
)
def test_a_light_turned_off_is_off(hostel: Memory, text: str, lit: set[str]) -> None:
    assert hostel.tell(text, speaker="ines").status == "ok"
    on = {f.subject for f in hostel.store.facts if f.relation == "lit" and f.object == "true"}
    assert on == lit


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Turn the light off in the dormitory.", "(not (lit dormitory))"),
        ("Turn the light on in the kitchen.", "(lit kitchen)"),
    ],
)
def test_a_light_is_wanted_on_or_off(hostel: Memory, text: str, goal: str) -> None:
    wanted = hostel.wanted(text, None).goal
    assert wanted is not None and to_pddl(wanted) == goal
