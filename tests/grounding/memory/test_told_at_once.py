"""Choices and contradictions in one report are asked about; what only looks like one is believed."""

from __future__ import annotations

import pytest

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.memory import Memory
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """(define (domain pottery)
  (:types pot tool - item  item place person kiln - object)
  (:predicates (stands ?i - item ?p - place) (held ?i - item ?x - person) (in ?x - person ?p - place)
    (glazed ?i - pot) (lit ?k - kiln) (carried ?i - item))
  (:action take :parameters (?i - item ?p - place)
    :precondition (stands ?i ?p) :effect (and (not (stands ?i ?p)) (carried ?i)))
  (:action put :parameters (?i - item ?p - place)
    :precondition (carried ?i) :effect (and (stands ?i ?p) (not (carried ?i))))
  (:action hand :parameters (?i - item ?x - person)
    :precondition (carried ?i) :effect (and (held ?i ?x) (not (carried ?i))))
  (:action walk :parameters (?x - person ?a ?b - place)
    :precondition (in ?x ?a) :effect (and (not (in ?x ?a)) (in ?x ?b)))
  (:action glaze :parameters (?i - pot) :precondition (not (glazed ?i)) :effect (glazed ?i))
  (:action light :parameters (?k - kiln) :precondition (not (lit ?k)) :effect (lit ?k)))"""
PROBLEM = """(define (problem p) (:domain pottery)
  (:objects jug vase - pot  sponge - tool  shelf bench cellar - place  mila owen - person  kiln - kiln)
  (:init (stands jug shelf) (stands vase bench) (stands sponge shelf) (in mila bench) (in owen cellar))
  (:goal (lit kiln)))"""
pottery = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Una's phone is on the counter or in the chest.", "on the counter or in the chest"),
        ("Ivo or Una took the stone.", "ivo or una"),
        ("Either Ivo or Una is in the kitchen.", "either ivo or una"),
        ("The lamp in the den is on or off.", "on or off"),
        ("Una's phone is on the counter/den table.", "on the counter or den table"),
        ("Ivo has the stone. Or Una.", "the stone or una"),
        ("One of the two has taken the stone.", "One of the two"),
        ("Una opened or closed the chest.", "opened or closed the chest"),
        ("The stone isn't in the chest, Ivo or Una has it.", "ivo or una"),
    ],
)  # fmt: skip
def test_a_choice_is_asked_about_by_its_words(memory: Memory, text: str, choice: str) -> None:
    told = memory.tell(text)
    assert told.status == "ask"
    assert choice in told.question
    assert not told.added


@pytest.mark.parametrize(
    "text",
    [
        "The jug is on the bench or in the cellar.",
        "Mila or Owen has the sponge.",
        "The jug is glazed or it is not.",
        "The kiln is lit/unlit.",
    ],
)
def test_a_choice_is_asked_about_in_a_domain_of_its_own(pottery: Memory, text: str) -> None:
    told = pottery.tell(text)
    assert told.status == "ask"
    assert "which is it" in told.question


@pytest.mark.parametrize(
    "text",
    [
        "The stone is on the den table, believe it or not.",
        "Sooner or later somebody had to do it: the stone is on the den table.",
        "One or two minutes ago Una put the stone on the den table.",
        "The stone is more or less dry, and it is on the den table.",
        "For an hour or so the stone has been on the den table.",
        "The stone is no longer on the rack but on the den table.",
        "The stone was in the chest and is now on the den table.",
        "Una put the stone in the chest and then on the den table.",
        "Una took the stone and put it on the den table.",
    ],
)
def test_what_only_looks_like_a_choice_is_believed(memory: Memory, text: str) -> None:
    assert memory.tell(text).status == "ok"
    assert Fact("stone", "resting_on", "den_table") in memory.store.facts


@pytest.mark.parametrize(
    "text",
    [
        "The stone is on the counter and in the chest.",
        "Una put the stone on the counter and in the chest.",
        "The stone is in the chest. The stone is on the counter.",
        "Ivo is in the den and in the kitchen.",
        "Ivo is in the den. Ivo is in the kitchen.",
        "The lamp in the den is on and off.",
        "The chest is open and shut.",
        "Ivo's red mug is clean and not clean.",
        "Ivo's red mug is clean. Ivo's red mug is dirty.",
    ],
)
def test_what_cannot_be_so_at_once_is_asked_about(memory: Memory, text: str) -> None:
    before = set(memory.store.facts)
    assert memory.tell(text).status == "ask"
    assert set(memory.store.facts) == before


@pytest.mark.parametrize(
    "text",
    [
        "The jug is on the bench. The jug is in the cellar.",
        "Mila has the sponge and Owen has the sponge.",
        "The jug is glazed and not glazed.",
        "Mila put the jug on the bench and in the cellar.",
    ],
)
def test_what_cannot_be_so_at_once_is_asked_about_in_any_domain(pottery: Memory, text: str) -> None:
    assert changed(pottery, text) == (set(), set())


def test_steps_one_after_the_other_exclude_nothing(pottery: Memory) -> None:
    new, old = changed(
        pottery, "Mila took the jug from the shelf and put it on the bench.", "Owen has the sponge."
    )
    assert {"stands jug bench", "held sponge owen"} <= new
    assert {"stands jug shelf", "stands sponge shelf"} <= old


def test_no_reader_gets_past_what_cannot_be_so(memory: Memory) -> None:
    """A model may give one of two places; the text is held against what it makes so."""
    reading = Reading("ok", (Fact("stone", "resting_on", "counter"),))
    text = "The stone is on the counter and in the chest."
    with pytest.raises(GroundingError, match="on the counter and in the chest"):
        memory.believing.check_at_once(reading, text)


def test_where_a_thing_was_before_looks_past_where_it_is_not(memory: Memory) -> None:
    hour = 3600 * 10**9
    began = memory.store.changes(1)[0].observed_ns
    for hours, text in enumerate(
        ("Una put the stone on the counter.", "The stone is not on the counter.", "Ivo has the stone."), 1
    ):  # fmt: skip
        assert memory.tell(text, at_ns=began + hours * hour).status == "ok"
        at = began + hours * hour + hour // 2
        answer = memory.questioner.asked("Where was the stone before?", None, at)
        assert ("rack" if hours == 1 else "counter") in answer.text


@pytest.mark.parametrize(
    "tail", ["or so he says", "he claims", "whenever it rains", "most of the time"]
)
def test_what_changes_a_report_is_asked_about_and_may_be_vouched_for(
    memory: Memory, tail: str
) -> None:
    asked = memory.tell(f"The stone is on the den table, {tail}.")
    assert asked.status == "ask"
    assert f"“{tail}”" in asked.question
    assert "stone" in asked.question
    assert memory.tell("Yes.").added


@pytest.mark.parametrize("tail", ["unless she is asleep", "at nine tonight", "but ask Ivo first"])
def test_what_changes_a_task_is_asked_about(memory: Memory, tail: str) -> None:
    assert memory.wanted("Put the stone on the den table.").goal is not None
    wanted = memory.wanted(f"Put the stone on the den table, {tail}.")
    assert wanted.goal is None
    assert tail.removeprefix("but ") in wanted.question


def test_what_somebody_wants_is_not_so(memory: Memory) -> None:
    told = memory.tell("Una wants the stone on the den table.")
    assert told.status == "ask"
    assert not told.added
