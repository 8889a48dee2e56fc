"""What a text excepts stays as it is: in a house, and on a farm that nobody described."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.checks.exceptions import excepted_in
from commonground.grounding.memory.checks.support import Grounds
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.memory import Memory
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """
(define (domain farm)
  (:requirements :strips :typing :negative-preconditions)
  (:types tool barn farmhand - object)
  (:predicates (stored-in ?t - tool ?b - barn) (working-in ?f - farmhand ?b - barn))
  (:action carry :parameters (?t - tool ?a ?b - barn) :precondition (stored-in ?t ?a)
    :effect (and (stored-in ?t ?b) (not (stored-in ?t ?a))))
  (:action walk :parameters (?f - farmhand ?a ?b - barn) :precondition (working-in ?f ?a)
    :effect (and (working-in ?f ?b) (not (working-in ?f ?a)))))
"""
PROBLEM = """
(define (problem p) (:domain farm)
  (:objects scythe rake spade - tool north-barn south-barn - barn oda piet - farmhand)
  (:init (stored-in scythe north-barn) (stored-in rake north-barn) (stored-in spade south-barn)
         (working-in oda north-barn) (working-in piet south-barn))
  (:goal (stored-in rake south-barn)))
"""
farm = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    "text",
    [
        "Everyone but Oda is in the south barn.",
        "Bar the scythe, whatever was in the north barn has been carried to the south barn.",
        "Except for the scythe, all the tools are in the south barn.",
        "All the tools apart from the scythe are in the south barn now.",
    ],
)
def test_what_is_excepted_is_not_moved(farm: Memory, text: str) -> None:
    added, _ = changed(farm, text)
    assert not {fact for fact in added if "oda" in fact or "scythe" in fact}


def test_what_never_left_is_where_it_was_before_the_report_that_is_corrected(farm: Memory) -> None:
    texts = ("The rake was carried to the south barn.",)
    assert changed(farm, *texts)[0] == {"stored-in rake south-barn"}
    texts = ("No, it was the scythe I carried there! The rake never left its place.",)
    assert changed(farm, *texts) == (
        {"stored-in scythe south-barn", "stored-in rake north-barn"},
        {"stored-in scythe north-barn", "stored-in rake south-barn"},
    )


@pytest.mark.parametrize(
    ("text", "facts", "spared"),
    [
        ("Everyone but Una is in the kitchen.", ["una person_at kitchen"], ["una"]),
        ("Everybody went to the den except Ivo.", ["ivo person_at den"], ["ivo"]),
        ("Ivo put everything on the table, save for the stone.", ["stone resting_on den_table"], ["stone"]),
        ("All the red mugs but Ivo's are on the counter.",
         ["ivo_red_mug resting_on counter"], ["ivo_red_mug"]),
        ("Everyone left but Una.", ["una person_at kitchen"], ["una"]),
        ("Everyone left, but Una went to the kitchen.", ["una person_at kitchen"], []),
        ("Nobody but Una is in the kitchen.", ["una person_at kitchen"], []),
        ("Una put the stone on the counter but Ivo is in the den.", ["ivo person_at den"], []),
        ("All but the stone is on the counter, which Una put in the chest.",
         ["stone stowed_in chest", "una_phone resting_on counter"], []),
        ("All but the stone is on the counter, and that is that.",
         ["stone resting_on counter", "una_phone resting_on counter"], ["stone"]),
    ],
)  # fmt: skip
def test_what_a_text_excepts(
    quiet_memory: Memory, text: str, facts: list[str], spared: list[str]
) -> None:
    told = [Fact(*fact.split()) for fact in facts]
    assert excepted_in(text, told, quiet_memory.retriever.calling) == spared


def test_a_reading_that_changes_what_is_excepted_is_asked_about(memory: Memory) -> None:
    plain, excepting = "Una is in the kitchen.", "Everyone but Una is in the kitchen."
    reading = memory.grammar.reader.read(plain, memory.store.facts, memory.discourse)
    assert Grounds(plain, memory, None).under(reading).status == "ok"
    assert Grounds(excepting, memory, None).under(reading).status == "ask"


def test_he_who_goes_somewhere_is_not_her(memory: Memory) -> None:
    text = "She handed the stone to Ivo, and he went to the den with it."
    una, ivo = (memory.grammar.reader.read(f"{who} is in the {room}.", memory.store.facts, memory.discourse)
                for who, room in (("Una", "kitchen"), ("Ivo", "den")))  # fmt: skip
    assert Grounds(text, memory, None).under(ivo).status == "ok"
    assert Grounds(text.replace("den", "kitchen"), memory, None).under(una).status == "ask"


@pytest.mark.parametrize("how", ["in two trips", "in half an hour", "in two goes"])
def test_a_word_that_goes_on_with_a_noun_is_no_state(memory: Memory, how: str) -> None:
    words = [w for c in _clauses(memory, f"Ivo lugged the stone to the den {how}.") for w, _ in c]
    assert not words


def test_a_state_in_several_words_is_one(memory: Memory) -> None:
    words = [w for c in _clauses(memory, "Ivo tore the stone in two.") for w, _ in c]
    assert words == ["in two"]


def _clauses(memory: Memory, text: str) -> list[list[tuple[str, object]]]:
    """Return the words for states in each clause of a text."""
    reader = memory.grammar.reader
    cleaned = (reader.cleaner.clean(tokens) for tokens in sentences(text))
    return [[*clause.words] for sentence in cleaned for clause in reader.clauses(sentence)]
