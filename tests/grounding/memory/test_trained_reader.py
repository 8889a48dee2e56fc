"""Hearing through the learned reader: which world it is told of, and when it is not believed."""

from __future__ import annotations

from typing import Any

import pytest

from commonground.grounding.english import reader as english
from commonground.grounding.english.names import GROUPS
from commonground.grounding.english.reader import Reading
from commonground.grounding.english.utterance import Clause, Part, Phrase, Span, Utterance
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.readers.senses.trained_reader import hints_of, understood
from tests.grounding.memory.utterances import span, told, wish

TOLD, WISH = told("ring", theme="phone"), wish("silence")


class Script:
    """A reader that says what it is told to say, for each mood."""

    def __init__(self, readings: dict[Any, Reading]) -> None:
        self.readings = readings
        self.asked: list[Any] = []

    def read(self, text: str, domain: str, names: object, mood: Any = None, *_: Any) -> Reading:
        self.asked.append(mood)
        return self.readings[mood]


@pytest.mark.parametrize(
    ("readings", "heard", "asked"),
    [
        ({"do": Reading(WISH, 0.9)}, WISH, ["do"]),
        ({"do": Reading(WISH, 0.2), None: Reading(TOLD, 0.9)}, TOLD, ["do", None]),
        ({"do": Reading(WISH, 0.2), None: Reading(TOLD, 0.3)}, "is this what you mean: silence",
         ["do", None]),
        ({"do": Reading(None, problem="too long"), None: Reading(None)}, "too long", ["do", None]),
        ({"do": Reading(WISH, 0.9, (span("softly"),)), None: Reading(None)}, "'softly'", ["do", None]),
    ],
)  # fmt: skip
def test_a_text_is_read_in_the_mood_it_is_heard_in_or_else_for_what_it_is(
    monkeypatch: pytest.MonkeyPatch, readings: dict[Any, Reading], heard: Any, asked: list[Any]
) -> None:
    script = Script(readings)
    monkeypatch.setattr(english, "load_reader", lambda: script)
    if isinstance(heard, str):
        with pytest.raises(Unclear, match=heard):
            understood("quiet please", mood="do")
    else:
        assert understood("quiet please", mood="do") == heard
    assert script.asked == asked


def test_the_reader_is_told_what_people_and_things_of_the_house_are_called(
    quiet_memory: Memory,
) -> None:
    text = "Una put one phone and two stones on the second level in the kitchen by robo"
    words = text.split()
    found = {
        (words[start], GROUPS[group])
        for start, _, group in hints_of(quiet_memory.names).hints(words)
    }
    people = {("Una", "person"), ("robo", "robot")}
    assert found == people | {(w, "noun") for w in ("phone", "stones", "kitchen")}


def test_what_the_reader_is_not_sure_of_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = Reading(told("put", theme="stone", goal="chest"), 0.3)
    monkeypatch.setattr(english, "load_reader", lambda: Script({"tell": doubtful, None: doubtful}))
    with pytest.raises(Unclear, match="put the stone to the chest"):
        understood("?", mood="tell")


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
def test_people_negations_and_numbers_that_the_reader_passes_over_are_asked_about(
    quiet_memory: Memory, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    who, what = (Span(at := text.index(w), at + len(w), w) for w in ("Una", "stone"))
    had = Utterance(
        (Part(Clause("have", "tell", agent=Phrase(person=who), theme=Phrase(noun=what))),)
    )
    script = Script(dict.fromkeys(("tell", None), Reading(had, 0.99)))
    monkeypatch.setattr(english, "load_reader", lambda: script)
    with pytest.raises(Unclear, match=f"'{words}'"):
        understood(text, hints_of(quiet_memory.names), "tell")
