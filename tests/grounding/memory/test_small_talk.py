"""A report without its talk: only what can tell nothing here is left out."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory


def test_a_report_that_is_asked_about_is_read_without_its_talk(memory: Memory) -> None:
    told = memory.tell(
        "Bless my soul, would you believe it, what a to-do, the stone is in the chest."
    )
    assert told.status == "ok"
    assert {str(fact) for fact in told.added} == {"(stone, stowed_in, chest)"}


@pytest.mark.parametrize(
    "said",
    [
        "Una put the stone in the chest so nobody can fall over it.",
        "The stone is in the chest. Forty-one, forty-two.",
    ],
)
def test_what_for_and_counting_to_oneself_tell_nothing(memory: Memory, said: str) -> None:
    told = memory.tell(said)
    assert told.status == "ok"
    assert {str(fact) for fact in told.added} <= {
        "(stone, stowed_in, chest)",
        "(una, person_at, den)",
    }


def test_whoever_heard_of_nothing_has_not_gone(memory: Memory) -> None:
    memory.tell("Una is in the kitchen.")
    memory.tell("I never heard of anybody dying of it.", "una")
    assert any(f.subject == "una" and f.relation == "person_at" for f in memory.store.facts)
