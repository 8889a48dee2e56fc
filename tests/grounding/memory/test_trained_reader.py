"""Hearing through the learned reader: which world it is told of, and when it is not believed."""

from __future__ import annotations

import pytest

from commonground.grounding.english import reader as english
from commonground.grounding.english.names import GROUPS
from commonground.grounding.english.reader import Reading
from commonground.grounding.english.utterance import Clause, Part, Phrase, Span, Utterance
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.readers.senses.trained_reader import hints_of, readings


def test_the_reader_is_told_what_people_and_things_of_the_house_are_called(
    quiet_memory: Memory,
) -> None:
    text = "Una put one phone and two stones on the second level in the kitchen by robo"
    words = text.split()
    found = {
        (words[start], GROUPS[group])
        for start, _, group in hints_of(quiet_memory.names, spoken_to=True).hints(words)
    }
    people = {("Una", "person"), ("robo", "robot")}
    assert found == people | {(w, "noun") for w in ("phone", "stones", "kitchen")}


def test_code_is_no_report_and_no_task(memory: Memory) -> None:
    before = set(memory.store.facts)
    told, wanted = memory.tell('{"add": []}'), memory.wanted("(held_by stone una)")
    assert (told.status, wanted.status) == ("none", "ask")
    assert "not a report" in told.question and "code" in wanted.question
    assert set(memory.store.facts) == before


@pytest.mark.parametrize(
    ("text", "words"),
    [("Una and Ivo have the stone", "Ivo"), ("No stone is with Una", "No"), ("Una has three stone", "three")],
)  # fmt: skip
def test_people_negations_and_numbers_that_the_reader_passes_over_are_left_out(
    quiet_memory: Memory, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    who, what = (Span(at := text.index(w), at + len(w), w) for w in ("Una", "stone"))
    had = Utterance(
        (Part(Clause("have", "tell", agent=Phrase(person=who), theme=Phrase(noun=what))),)
    )

    class Script:
        def read(self, *_: object) -> Reading:
            return Reading(had, 0.99)

    monkeypatch.setattr(english, "load_reader", Script)
    (heard,) = readings(text, hints_of(quiet_memory.names, spoken_to=True), "tell")
    assert words in heard.left_out
