"""What is jotted down or typed in haste is written out before it is read."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.rewriting.ellipsis import typed_out
from commonground.grounding.memory.rewriting.log_lines import (
    without_arrow,
    without_stamp,
    written_out,
)

PEOPLE, THINGS = ("una", "ivo"), ("stone", "the stone", "front door", "una's mug")


def is_person(word: str) -> bool:
    return word.lower() in PEOPLE


def is_called(words: str) -> bool:
    return words.lower() in (*PEOPLE, *THINGS)


def is_room(words: str) -> bool:
    return words.lower() == "den"


def is_robot(word: str) -> bool:
    return word.lower() == "robot"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Stone no longer hot.", "The stone is no longer hot."),
        ("Una gone up to her room.", "Una has gone up to her room."),
        ("Una's mug: empty.", "Una's mug is empty."),
        ("Stone: on my person.", "The stone is with me."),
        ("I am in the hall, stone included.", "I am in the hall with the stone."),
        ("The stone is hot.", "The stone is hot."),
        ("Una took the stone.", "Una took the stone."),
        ("What a day.", "What a day."),
        ("", ""),
    ],
)
def test_a_line_without_a_verb_is_given_one(said: str, meant: str) -> None:
    assert written_out(said, is_called, is_person) == meant


def test_a_line_of_a_log_begins_with_when_it_was_written() -> None:
    line, times = without_stamp("05:20. The stone is hot.")
    assert line == "The stone is hot."
    assert [time.clock for time in times] == ["05:20"]
    assert without_stamp("At 05:20 the stone was hot.") == ("At 05:20 the stone was hot.", ())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("shes put it there", "she's put it there"),
        ("its lid is off", "its lid is off"),
        ("ivo wont do it", "Ivo won't do it"),
        ("We were out, ive been told.", "We were out, I've been told."),
        ("Ask ivo.", "Ask ivo."),
    ],
)
def test_what_is_typed_in_haste_is_written_out(typed: str, meant: str) -> None:
    assert typed_out(typed, is_person) == meant


def test_never_mind_where_takes_nothing_back(memory: Memory) -> None:
    memory.tell("Una put the stone in the chest.")
    memory.tell("Ivo left his mug on the counter, under, oh never mind under what.")
    assert Fact("stone", "stowed_in", "chest") in memory.store.facts


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Den: stone hot, front door shut.",
         "The stone in the den is hot. The front door in the den is shut."),
        ("Den: nothing new.", "Den: nothing new."),
        ("Stone: hot, shut.", "The stone is hot, shut."),
    ],
)  # fmt: skip
def test_what_is_listed_for_a_room_is_told_of_each_thing_there(said: str, meant: str) -> None:
    assert written_out(said, is_called, is_person, is_room) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stone -> front door", "The stone went to the front door"),
        ("stone \u2192 front door, done", "The stone went to the front door, done"),
        ("front door -> shut", "The front door is shut"),
        ("delete -> everything", "delete -> everything"),
        ("stone -> nowhere", "stone -> nowhere"),
    ],
)
def test_an_arrow_says_where_a_thing_went_or_how_it_is(said: str, meant: str) -> None:
    assert without_arrow(said, is_called) == meant


def test_with_is_written_out() -> None:
    assert typed_out("Filled it w tea, w/ sugar", is_person) == "Filled it with tea, with sugar"
