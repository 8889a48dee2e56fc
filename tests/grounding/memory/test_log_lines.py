"""What is jotted down or typed in haste is written out before it is read."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.rewriting.dating import without_stamp
from commonground.grounding.memory.rewriting.normalizing import typed_out

PEOPLE = ("una", "ivo")


def is_person(word: str) -> bool:
    return word.lower() in PEOPLE


def test_a_line_of_a_log_begins_with_when_it_was_written() -> None:
    line, times = without_stamp("05:20. The stone is hot.")
    assert line == "The stone is hot."
    assert [time.clock for time in times] == ["05:20"]
    assert without_stamp("0520 Stone in the den.").text == "Stone in the den."
    assert without_stamp("The stone was hot at 05:20.").times == ()


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("Stone in the chest.", "stone stowed_in chest"),
        ("Una in the kitchen.", "una person_at kitchen"),
        ("stone -> counter", "stone resting_on counter"),
        ("den lamp -> on", "den_lamp lit true"),
        ("Una's mug no longer clean.", "una_red_mug clean false"),
    ],
)
def test_a_line_of_a_log_is_read_without_a_verb(memory: Memory, line: str, fact: str) -> None:
    told = memory.tell(line)
    assert told.status == "ok", told.question
    assert Fact(*fact.split()) in memory.store.facts


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


def test_with_is_written_out() -> None:
    assert typed_out("Filled it w tea, w/ sugar", is_person) == "Filled it with tea, with sugar"
