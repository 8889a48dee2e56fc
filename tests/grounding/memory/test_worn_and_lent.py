"""What is worn, ridden and lent, what something is out of, and what is denied beside, at a pageant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import parse_domain

DOMAIN = """(define (domain pageant)
  (:requirements :strips :typing :negative-preconditions)
  (:types place thing - object
          robot person horse chest cart portable - thing
          gear tool oats - portable
          cloak harness - gear)
  (:predicates
    (at ?t - thing ?p - place)
    (packed ?g - portable ?c - chest)
    (carrying ?r - robot ?i - portable)
    (has ?p - person ?g - gear)
    (lent ?t - tool ?p - person)
    (wears ?w - thing ?g - gear)
    (dons ?p - person ?c - cloak)
    (rides ?p - person ?h - horse)
    (belongs ?h - horse ?p - person)
    (fed ?h - horse)
    (on_break ?p - person)
    (fuelled ?c - cart)
    (broken ?c - cart)
    (covered ?c - cart)
    (rusty ?p - place))
  (:action go :parameters (?r - robot ?a ?b - place)
    :precondition (at ?r ?a) :effect (and (at ?r ?b) (not (at ?r ?a))))
  (:action lift :parameters (?r - robot ?i - portable ?p - place)
    :precondition (and (at ?r ?p) (at ?i ?p)) :effect (and (carrying ?r ?i) (not (at ?i ?p))))
  (:action lower :parameters (?r - robot ?i - portable ?p - place)
    :precondition (and (at ?r ?p) (carrying ?r ?i)) :effect (and (at ?i ?p) (not (carrying ?r ?i))))
  (:action pack :parameters (?r - robot ?i - portable ?c - chest)
    :precondition (carrying ?r ?i) :effect (and (packed ?i ?c) (not (carrying ?r ?i))))
  (:action unpack :parameters (?r - robot ?i - portable ?c - chest)
    :precondition (packed ?i ?c) :effect (and (carrying ?r ?i) (not (packed ?i ?c))))
  (:action hand_over :parameters (?r - robot ?g - gear ?p - person)
    :precondition (carrying ?r ?g) :effect (and (has ?p ?g) (not (carrying ?r ?g))))
  (:action fetch_back :parameters (?r - robot ?g - gear ?p - person)
    :precondition (has ?p ?g) :effect (and (carrying ?r ?g) (not (has ?p ?g))))
  (:action lend_tool :parameters (?r - robot ?t - tool ?p - person)
    :precondition (carrying ?r ?t) :effect (and (lent ?t ?p) (not (carrying ?r ?t))))
  (:action give_oats :parameters (?r - robot ?h - horse) :effect (fed ?h))
  (:action fuel_up :parameters (?c - cart) :effect (fuelled ?c))
  (:action mend :parameters (?c - cart) :precondition (broken ?c) :effect (not (broken ?c)))
  (:action cover :parameters (?c - cart) :effect (covered ?c))
  (:action uncover :parameters (?c - cart) :effect (not (covered ?c))))"""
PROBLEM = """(define (problem today) (:domain pageant)
  (:objects bolt - robot yard loft green - place ida olaf - person biscuit - horse
            red_cloak blue_cloak - cloak brass_harness - harness mallet rope - tool
            oak_chest - chest hay_cart - cart)
  (:init (at bolt loft) (at ida loft) (at olaf loft) (at biscuit yard) (has olaf red_cloak)
         (wears ida blue_cloak) (packed brass_harness oak_chest) (at mallet loft) (at rope loft)
         (at oak_chest loft) (at hay_cart loft) (rides olaf biscuit) (belongs biscuit olaf)
         (on_break olaf) (fuelled hay_cart) (covered hay_cart))
  (:goal (fed biscuit)))"""


@pytest.fixture
def pageant(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    create_memory(tmp_path / "m.db", tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(tmp_path / "m.db") as memory:
        yield memory


def told(memory: Memory, *reports: str) -> set[str]:
    """Return what the last of some reports adds, and with ``-`` what it ends, but for states turned."""
    results = [memory.tell(report, "olaf") for report in reports]
    added = {f"{f.subject} {f.relation} {f.object}" for f in results[-1].added}
    removed = {f for f in results[-1].removed if not f.is_property}
    return added | {f"-{f.subject} {f.relation} {f.object}" for f in removed}


def test_what_actions_hand_to_people_is_had_whatever_that_is_called() -> None:
    roles = Roles(Vocabulary(parse_domain(DOMAIN)))
    assert Seat("lent", 0) in roles.holding
    assert Seat("packed", 0) not in roles.holding


@pytest.mark.parametrize(
    ("report", "changes"),
    [
        ("I've lent Ida the mallet.", {"mallet lent ida", "-mallet at loft"}),
        ("Ida has borrowed the mallet, and the rope along with it.",
         {"mallet lent ida", "rope lent ida", "-mallet at loft", "-rope at loft"}),
        # an action of that verb is done with something else
        ("I gave Ida the red cloak.", {"ida has red_cloak", "-olaf has red_cloak"}),
        ("I gave Biscuit the oats.", {"biscuit fed true"}),
        ("Ida went off with the red cloak.", {"ida has red_cloak", "-olaf has red_cloak"}),
    ],
)  # fmt: skip
def test_somebody_has_what_he_was_given(pageant: Memory, report: str, changes: set[str]) -> None:
    assert told(pageant, report) == changes


@pytest.mark.parametrize(
    ("report", "changes"),
    [
        ("Ida has taken the blue cloak off.", {"ida has blue_cloak", "-ida wears blue_cloak"}),
        ("Ida is out of the blue cloak.", {"-ida wears blue_cloak"}),
        ("I've got off Biscuit.", {"-olaf rides biscuit"}),
        ("Ida has got off Biscuit.", set()),
        ("Ida is riding Biscuit in the green.",
         {"ida rides biscuit", "ida at green", "biscuit at green", "-ida at loft", "-biscuit at yard"}),
    ],
)  # fmt: skip
def test_who_takes_off_or_gets_off_something_ends_that(
    pageant: Memory, report: str, changes: set[str]
) -> None:
    assert told(pageant, report) == changes


@pytest.mark.parametrize(
    ("report", "changes"),
    [
        ("Olaf is back from his break.", {"olaf on_break false"}),
        ("The hay cart is out of fuel.", {"hay_cart fuelled false"}),
        ("The yard is full of rust.", {"yard rusty true"}),
        ("Ida has pulled the cover off the hay cart.", {"hay_cart covered false"}),
    ],
)
def test_what_something_is_out_of_is_over(pageant: Memory, report: str, changes: set[str]) -> None:
    assert told(pageant, report) == changes


@pytest.mark.parametrize(
    ("report", "changes"),
    [
        ("The hay cart is broken, it won't even move.", {"hay_cart broken true"}),
        ("I've put the rope in the yard, I don't need it any more.",
         {"rope at yard", "-rope at loft"}),
        ("The rope is in the yard now, not in the loft any more.", {"rope at yard", "-rope at loft"}),
        # what is believed, and of others, may be denied
        ("The hay cart is broken, Ida doesn't wear the blue cloak.", set()),
        ("I think the hay cart is broken, it won't even move.", set()),
        ("The hay cart is broken, it isn't, it's fine.", set()),
    ],
)  # fmt: skip
def test_a_clause_may_deny_what_nobody_believes(
    pageant: Memory, report: str, changes: set[str]
) -> None:
    assert told(pageant, report) == changes


def test_in_there_is_what_was_spoken_of(pageant: Memory) -> None:
    changes = told(pageant, "The oak chest is in the yard now.", "Ida put the mallet in there.")
    assert "mallet packed oak_chest" in changes


@pytest.mark.parametrize("report", ["Quist took the rope.", "The vicar borrowed the mallet."])
def test_what_somebody_unknown_takes_is_in_no_hand_of_a_robot(pageant: Memory, report: str) -> None:
    assert told(pageant, report) == set()
    assert pageant.tell(report, "olaf").status == "ask"
