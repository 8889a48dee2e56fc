"""Reports of several parts, and with words that only say when: each part counts, nothing is lost."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.rewriting.dating import undated

PEOPLE = {"una", "ivo"}
THINGS = {"mug", "stone", "chest", "lamp", "phone"}


def is_person(word: str) -> bool:
    return word.lower() in PEOPLE


def names_any(text: str) -> bool:
    return any(word in text.lower() for word in PEOPLE | THINGS)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Some minutes back, I slammed the chest.", "I slammed the chest."),
        ("Once lunch was over, Una left.", "Una left."),
        ("Step two, he lit the lamp.", "he lit the lamp."),
        ("Not long ago, Ivo broke the mug.", "Ivo broke the mug."),
        ("Not on the chest, Ivo broke the mug.", None),
        ("When she left, Ivo broke the mug.", None),
        ("After the stone, Ivo took the mug.", None),
        ("If it rains, Ivo will take the mug.", None),
    ],
)
def test_only_what_says_nothing_but_when_is_left_out(text: str, rest: str | None) -> None:
    assert undated(text, names_any).text == (rest or text)


def test_clauses_are_believed_together_or_not_at_all(memory: Memory) -> None:
    in_chest, shut = Fact("stone", "stowed_in", "chest"), Fact("den_door", "door_open", "false")
    assert (
        shut.opposite in memory.store.facts or memory.tell("The den door is open.").status == "ok"
    )
    half = memory.tell(
        "Some minutes back, Una put the stone in the chest; Ivo flumped the den door."
    )
    assert half.status == "ask" and in_chest not in memory.store.facts
    whole = memory.tell(
        "A while ago, Ivo put the stone in the chest; Una banged the den door shut."
    )
    together = {in_chest, shut} & {*memory.store.facts}
    assert len(together) == (2 if whole.status == "ok" else 0)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Una left and Ivo lit the lamp.", ["Una left.", "Ivo lit the lamp."]),
        ("Una took the stone, opened it; then she left.",
         ["Una took the stone.", "Una opened it.", "She left."]),
        ("No more darkness: the lamp is lit.", ["No more darkness.", "The lamp is lit."]),
    ],
)  # fmt: skip
def test_clauses_are_said_with_who_did_it(
    quiet_memory: Memory, text: str, clauses: list[str]
) -> None:
    assert quiet_memory.both.parts.clauses(text) == clauses


def test_a_thing_without_a_noun_is_none_that_was_spoken_of(memory: Memory) -> None:
    memory.tell("Ivo's red mug is on the kitchen table.")
    assert memory.tell("The red one is on the den table.").status == "ask"
