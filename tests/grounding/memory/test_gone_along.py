"""Who drives goes along with what is driven, who brings something was there: else it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory

DOMAIN = """(define (domain rounds)
  (:requirements :strips :typing :negative-preconditions)
  (:types place - object driver trolley - object van - object)
  (:predicates (is-in ?d - driver ?p - place) (parked-at ?v - van ?p - place)
    (stands-at ?t - trolley ?p - place) (pulls ?d - driver ?t - trolley))
  (:action walk :parameters (?d - driver ?a ?b - place)
    :precondition (is-in ?d ?a) :effect (and (is-in ?d ?b) (not (is-in ?d ?a))))
  (:action drive :parameters (?d - driver ?v - van ?a ?b - place)
    :precondition (and (is-in ?d ?a) (parked-at ?v ?a))
    :effect (and (is-in ?d ?b) (parked-at ?v ?b) (not (is-in ?d ?a)) (not (parked-at ?v ?a))))
  (:action take :parameters (?d - driver ?t - trolley ?a - place)
    :precondition (and (is-in ?d ?a) (stands-at ?t ?a))
    :effect (and (pulls ?d ?t) (not (stands-at ?t ?a))))
  (:action park :parameters (?d - driver ?t - trolley ?a - place)
    :precondition (and (is-in ?d ?a) (pulls ?d ?t))
    :effect (and (stands-at ?t ?a) (not (pulls ?d ?t)))))"""
PROBLEM = """(define (problem today) (:domain rounds)
  (:objects depot market harbour - place ada ben - driver white_van blue_van - van grey_trolley - trolley)
  (:init (is-in ada depot) (is-in ben market) (parked-at white_van depot)
         (parked-at blue_van market) (pulls ben grey_trolley))
  (:goal (is-in ada market)))"""


@pytest.fixture
def rounds(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    create_memory(tmp_path / "m.db", tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(tmp_path / "m.db") as memory:
        yield memory


@pytest.mark.parametrize(
    "text",
    [
        "Ada drove off to the harbour with the white van.",
        "Ada went to the harbour in the white van.",
    ],
)
def test_a_driver_does_not_leave_the_van_behind(rounds: Memory, text: str) -> None:
    told = rounds.tell(text)
    facts = {*rounds.store.facts}
    both = {Fact("ada", "is-in", "harbour"), Fact("white_van", "parked-at", "harbour")} <= facts
    assert both or (told.status == "ask" and Fact("ada", "is-in", "depot") in facts), told


def test_who_walks_leaves_vans_elsewhere_alone(rounds: Memory) -> None:
    rounds.tell("Ada went to the market.")
    assert Fact("ada", "is-in", "market") in rounds.store.facts
    told = rounds.tell("Ben walked to the harbour.")
    assert told.status == "ok" and Fact("blue_van", "parked-at", "market") in rounds.store.facts


def test_who_parked_something_was_there(rounds: Memory) -> None:
    told = rounds.tell("Ben has parked the grey trolley at the harbour.")
    facts = {*rounds.store.facts}
    both = {Fact("ben", "is-in", "harbour"), Fact("grey_trolley", "stands-at", "harbour")} <= facts
    assert both or (told.status == "ask" and Fact("ben", "pulls", "grey_trolley") in facts), told
