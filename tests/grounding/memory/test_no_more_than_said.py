"""Reports and tasks that nearly say something else, in a domain of a laundry that nobody described."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import to_pddl

DOMAIN = """(define (domain laundry)
  (:requirements :strips :typing :negative-preconditions)
  (:types room washer basket coat outing - object)
  (:predicates
    (in-room ?w - washer ?r - room)
    (lies-in ?b - (either basket coat) ?r - room)
    (holds ?w - washer ?b - (either basket coat))
    (wears ?w - washer ?c - coat)
    (needs-wash ?b - basket)
    (tag-taken ?b - basket)
    (pipe-on ?b - basket ?r - room)
    (shut ?b - basket) ; lid on
    (in-charge ?w - washer ?b - basket)
    (listed ?w - washer ?o - room))
  (:action go :parameters (?w - washer ?a ?b - room) :precondition (in-room ?w ?a)
    :effect (and (in-room ?w ?b) (not (in-room ?w ?a))))
  (:action lift :parameters (?w - washer ?b - basket ?r - room)
    :precondition (and (in-room ?w ?r) (lies-in ?b ?r))
    :effect (and (holds ?w ?b) (not (lies-in ?b ?r))))
  (:action put-down :parameters (?w - washer ?b - basket ?r - room)
    :precondition (and (in-room ?w ?r) (holds ?w ?b))
    :effect (and (lies-in ?b ?r) (not (holds ?w ?b))))
  (:action don :parameters (?w - washer ?c - coat) :precondition (holds ?w ?c)
    :effect (and (wears ?w ?c) (not (holds ?w ?c))))
  (:action wash :parameters (?w - washer ?b - basket ?r - room)
    :precondition (and (in-room ?w ?r) (lies-in ?b ?r) (needs-wash ?b))
    :effect (not (needs-wash ?b)))
  (:action close-lid :parameters (?w - washer ?b - basket) :precondition (holds ?w ?b)
    :effect (shut ?b))
  (:action pull-tag :parameters (?w - washer ?b - basket) :precondition (holds ?w ?b)
    :effect (tag-taken ?b)))"""
PROBLEM = """(define (problem p) (:domain laundry)
  (:objects yard-left yard-right kitchen - room  meg ned - washer
            basket-1 basket-2 - basket  raincoat - coat)
  (:init (in-room meg kitchen) (in-room ned yard-left) (lies-in basket-1 kitchen)
         (holds ned basket-2) (needs-wash basket-1) (needs-wash basket-2)
         (pipe-on basket-1 kitchen) (in-charge ned basket-1) (holds meg raincoat))
  (:goal (tag-taken basket-1)))"""


@pytest.fixture
def laundry(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    path = tmp_path / "m.db"
    create_memory(path, tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(path) as memory:
        yield memory


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("Meg is at yard right now.", {"meg in-room yard-right"}),
        ("Ned went to the kitchen, he's got basket 1 with him.",
         {"ned in-room kitchen", "ned holds basket-1"}),
        ("Ned put two down.", {"basket-2 lies-in yard-left"}),
        ("Basket 1 has been washed.", {"basket-1 needs-wash false"}),
    ],
)  # fmt: skip
def test_a_report_changes_what_it_says(laundry: Memory, text: str, added: set[str]) -> None:
    found = laundry.tell(text)
    assert {" ".join(f).removesuffix(" true") for f in found.added} == added


@pytest.mark.parametrize(
    "text",
    [
        "Basket 1's pipe is wet.",
        "Pulled the knob on basket 2.",
        "I put Meg down for the yard left.",
    ],
)
def test_what_a_report_says_of_something_else_is_asked_about(laundry: Memory, text: str) -> None:
    assert laundry.tell(text).status == "ask"


def test_what_is_washed_needs_no_wash(laundry: Memory) -> None:
    goal = laundry.wanted("Have basket 1 washed, would you?").goal
    assert goal is not None and to_pddl(goal) == "(not (needs-wash basket-1))"


@pytest.mark.parametrize("text", ["Could Ned have the bottle with it?", "Ned needs the raincoat."])
def test_a_task_of_which_a_part_is_open_is_asked_about(laundry: Memory, text: str) -> None:
    assert laundry.wanted(text).goal is None
