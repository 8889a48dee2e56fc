"""Corrections and doubt where a file says what predicates mean: what is believed after each dialogue."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.memory import Memory

PUT = "Ivo put the stone on the counter."
LIT = "Una switched on the lamp in the den."
ON_COUNTER, ON_TABLE = "stone resting_on counter", "stone resting_on kitchen_table"
DIALOGUES: dict[str, list[str]] = {
    "The stone used to be on the counter.": [],
    "Ivo almost put the stone on the counter.": [],
    "Ivo nearly dropped the stone on the counter.": [],
    "If Ivo puts the stone on the counter, somebody will trip over it.": [],
    "I dreamt that Ivo put the stone on the counter.": [],
    f"{PUT} | Strike that.": [],
    f"{PUT} | {LIT} | Strike that.": [ON_COUNTER],
    f"{PUT} | No, I meant the table in the kitchen.": [ON_TABLE],
    f"{PUT} | Scratch that, it was the table in the kitchen.": [ON_TABLE],
    f"{PUT} | Strike that. {LIT}": ["den_lamp lit"],
    f"{PUT} | I got the place wrong: it was the table in the kitchen.": [ON_TABLE],
    f"{PUT} | Una put her phone on the counter or in the chest. | No, I meant the table in the kitchen.": [
        ON_COUNTER
    ],
    f"{PUT} | Una put her phone on the counter or in the chest. | Strike that.": [ON_COUNTER],
}


@pytest.mark.parametrize("said", DIALOGUES)
def test_what_is_believed_after_a_dialogue(memory: Memory, said: str) -> None:
    before = set(memory.store.facts)
    for text in said.split(" | "):
        memory.tell(text)
    new = {f for f in memory.store.facts if f not in before and f.object != "false"}
    wanted = {
        " ".join(f).removesuffix(" true")
        for f in new
        if f.relation in ("resting_on", "lit", "held_by")
    }
    assert wanted == set(DIALOGUES[said])


def test_what_is_said_of_one_of_several_things_afterwards_moves_that_one_alone(
    memory: Memory,
) -> None:
    memory.tell("Una put the stone and her mug on the table in the den.")
    memory.tell("Correction: the stone is on the counter.")
    facts = {*memory.store.facts}
    assert Fact("una_red_mug", "resting_on", "den_table") in facts
    assert Fact("stone", "resting_on", "counter") in facts
