"""A report without its talk: only what can tell nothing here is left out."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.memory.rewriting.small_talk import without_talk


def plain(memory: Memory, text: str) -> str:
    return without_talk(text, lambda part: bool(named_in(part, memory.retriever.calling)))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Ivo, bless him, has opened the chest.", "Ivo has opened the chest."),
        ("The stone is in the chest, thank goodness.", "The stone is in the chest."),
        (
            "Una has taken the stone, though there was never much sense in it.",
            "Una has taken the stone.",
        ),
        (
            "Una dropped the stone and put the poor thing in the chest, like a fussy nurse.",
            "Una dropped the stone and put it in the chest.",
        ),
        (
            "Una took the stone so nobody trips.",
            "Una took the stone.",
        ),
        (
            "Ivo, probably so as not to be disturbed, closed the chest.",
            "Ivo closed the chest.",
        ),
    ],
)
def test_talk_is_left_out(quiet_memory: Memory, said: str, kept: str) -> None:
    assert plain(quiet_memory, said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "The stone is in the chest, I think.",
        "If it rains, the stone is in the chest.",
        "Una took her mug, filled it, and has it with her.",
        "Una opened the chest, not Ivo.",
        "She took the stone, and the phone too.",
        "The mug is on the counter, clean again.",
        "Ivo has the stone, or so they say.",
        "The stone was in the chest, wrong, it was the phone.",
        'The stone (so "we" say), well I never, [is] here.',
        "Goodness me, what a day.",
        "abc, bless him, the stone",
        "",
    ],
)
def test_what_may_matter_stays(quiet_memory: Memory, said: str) -> None:
    assert plain(quiet_memory, said) == said


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


def test_why_something_was_done_is_talk(quiet_memory: Memory) -> None:
    said = "Una took the stone, because I am holding this microphone."
    assert plain(quiet_memory, said) == "Una took the stone."


def test_whoever_heard_of_nothing_has_not_gone(memory: Memory) -> None:
    memory.tell("Una is in the kitchen.")
    memory.tell("I never heard of anybody dying of it.", "una")
    assert any(f.subject == "una" and f.relation == "person_at" for f in memory.store.facts)
