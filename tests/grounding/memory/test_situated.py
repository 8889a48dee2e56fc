"""A level told from the one before, strange verbs, whom a report calls, and where furniture is looked for."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.checks.unknown_verbs import strange_verbs
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.rewriting.normalizing import without_address

PEOPLE = {"Una", "Ivo"}


def test_furniture_is_looked_for_where_what_was_spoken_of_is(memory: Memory) -> None:
    assert memory.tell("Una put the stone in the chest.").status == "ok"
    assert memory.tell("And the lamp is on.").status == "ok"
    assert Fact("den_lamp", "lit", "true") in memory.store.facts


def test_whom_a_report_calls_at_its_end_is_left_out() -> None:
    assert without_address("Moved you to the den, robo.", "robo".__eq__) == "Moved you to the den."
    assert without_address("I told Ivo, Una.", "robo".__eq__) == "I told Ivo, Una."


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Una flumped the stone and Ivo zorked it.", ["flumped", "zorked"]),
        ("Una slapped the stone down on the table.", []),
        ("Ivo swabbed the table.", []),
        ("Ivo guped down the tea.", []),
        ("Ivo knocked the mug.", []),
        ("Una filled the mug and Ivo emptied it.", []),
    ],
)
def test_only_a_verb_that_nobody_has_heard_of_is_strange(text: str, verbs: list[str]) -> None:
    assert strange_verbs(text, PEOPLE.__contains__) == verbs


def test_a_verb_that_nobody_has_heard_of_is_asked_about(memory: Memory) -> None:
    told = memory.tell("Some minutes back, Una flumped the stone and Ivo zorked it.")
    assert told.status == "ask"
    assert Fact("stone", "shelved_at", "rack_1") in memory.store.facts


@pytest.mark.parametrize(
    ("told", "fact"),
    [
        ("I opened the chest, put the stone in.", Fact("stone", "stowed_in", "chest")),
        ("I put the stone on the table in here.", Fact("stone", "resting_on", "den_table")),
    ],
)
def test_a_place_told_by_the_situation_is_that_one_or_asked_about(
    memory: Memory, told: str, fact: Fact
) -> None:
    memory.tell("Una is in the den.", "una")
    spots = {f for f in memory.store.facts if f.subject == "stone"}
    asked = memory.tell(told, "una").status == "ask"
    assert {f for f in memory.store.facts if f.subject == "stone"} == (spots if asked else {fact})
