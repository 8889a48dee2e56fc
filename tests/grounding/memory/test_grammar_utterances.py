"""The grammar says what it reads as the network does: in senses with roles, pronouns by what they take up."""

from __future__ import annotations

from typing import Any

import pytest

from commonground.grounding.english.parts import clauses_of, in_words
from commonground.grounding.english.utterance import Clause, Phrase
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.readers.senses.event_table import Said
from tests.grounding.memory.utterances import a, clause, hear, said, told


def grammar_says(memory: Memory, text: str, monkeypatch: pytest.MonkeyPatch) -> list[Clause]:
    """Return the clauses as which the grammar reads a report."""
    heard: list[Said] = []
    plain = memory.reports.read

    def read(said: Said, view: Any) -> Any:
        heard.append(said)
        return plain(said, view)

    monkeypatch.setattr(memory.reports, "read", read)
    memory.grammar.reader.read(text, memory.store.facts, Discourse())
    return [c for part in heard[0].utterance.parts for c in clauses_of(part.step)]


@pytest.mark.parametrize(
    ("text", "senses"),
    [
        ("Ivo took the stone.", ["take"]),
        ("Ivo put the stone on the counter and went to the den.", ["put", "go to"]),
        ("Una gave Ivo her phone.", ["give"]),
        ("The stone is in the chest.", ["put"]),
        ("Una opened the chest.", ["be open"]),
        ("The chest is not open.", ["be closed"]),
        ("The stone is no longer on the counter.", ["take"]),
        ("Ivo does not have the stone.", ["have"]),
        ("Ivo swapped the stone and Una's phone.", ["swap"]),
        ("Ivo wants to open the chest.", []),
        ("Is the stone on the counter?", []),
    ],
)
def test_each_clause_that_reports_something_has_a_sense(
    memory: Memory, text: str, senses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [c.sense for c in grammar_says(memory, text, monkeypatch)] == senses


def test_a_pronoun_takes_up_a_phrase_of_the_same_text(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, put = grammar_says(memory, "Ivo took the stone and put it on the counter.", monkeypatch)
    assert isinstance(taken.theme, Phrase) and isinstance(put.theme, Phrase)
    assert put.theme.again == (taken.theme.noun,) and in_words(put.agent) == "Ivo"


def test_what_only_tells_of_a_thing_is_said_in_full_where_a_pronoun_takes_it_up(
    memory: Memory,
) -> None:
    wanted = memory.grammar.wanted("I do not need the stone; put it into the chest.", "una")
    assert wanted.status == "ok" and "stone chest" in str(wanted.goal).replace("'", "").replace(
        ",", ""
    )


def test_who_let_go_of_a_thing_is_where_it_is_put(memory: Memory) -> None:
    memory.tell("Ivo has the stone.")
    told_of = memory.grammar.reader.read(
        "Ivo no longer has the stone; it is on the table in the den.",
        memory.store.facts,
        Discourse(),
    )
    assert Fact("ivo", "person_at", "den") in told_of.facts


def test_a_thing_that_was_moved_and_nobody_says_where_is_asked_about(memory: Memory) -> None:
    asked = memory.grammar.reader.read("Ivo moved the stone.", memory.store.facts, Discourse())
    assert asked.status == "ask" and "where" in asked.question


def test_who_has_what_is_in_a_room_is_in_that_room_whichever_reader_says_so(memory: Memory) -> None:
    hear(memory, told("go to", agent="Ivo", goal="kitchen"))
    hear(
        memory,
        said(
            clause("be in room", theme="stone", location="den"),
            clause("have", agent="Ivo", theme=a(again=["stone"])),
        ),
    )
    assert Fact("ivo", "person_at", "den") in memory.store.facts


def test_whoever_did_it_before_does_not_come_back_where_only_the_thing_is_another(
    memory: Memory,
) -> None:
    hear(memory, said(
        clause("put", agent="Una", theme="stone", goal=a("table", room="den")),
        clause("go to", agent="Una", goal="kitchen"),
    ))  # fmt: skip
    hear(memory, told("did the same", theme="phone"))
    assert Fact("una", "person_at", "kitchen") in memory.store.facts
