"""Utterances written by hand, the way a reader of English would return them."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

from commonground.grounding.english.utterance import (
    Clause,
    Group,
    Part,
    Phrase,
    Span,
    Steps,
    Utterance,
)
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.interpretation.discourse import topic_of
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.readers.senses.remarks import correction_of_before

_SPANS = frozenset(["noun", "name", "person", "color", "attribute", "count", "level", "only"])
_CLAUSE_SPANS = frozenset(["verb", "content", "state", "manner"])


@cache
def span(words: str) -> Span:
    """Return words at a place of their own, the same one for the same words."""
    start = 1000 * sum(map(ord, words)) + len(words)
    return Span(start, start + len(words), words)


def a(noun: str = "", **fields: Any) -> Phrase:
    """Return a phrase; a person's name begins with a capital letter."""
    if noun == "I":
        return Phrase(speaker=True)
    if noun[:1].isupper():
        fields["person"] = noun
    elif noun:
        fields["noun"] = noun
    made = {k: span(v) if k in _SPANS else v for k, v in fields.items()}
    if "again" in made:
        made["again"] = tuple(map(span, made["again"]))
    for key in ("owner", "room", "located", "but", "beside"):
        if isinstance(made.get(key), str):
            made[key] = a(made[key])
    return Phrase(**made)


def both(*phrases: Phrase) -> Group:
    """Return several phrases."""
    return Group("all of", phrases)


def either(*phrases: Phrase) -> Group:
    """Return a choice of phrases."""
    return Group("one of", phrases)


def clause(sense: Any, mood: Any = "tell", **roles: Any) -> Clause:
    """Return a clause."""
    filled: dict[str, Any] = {}
    for role, value in roles.items():
        if isinstance(value, str) and role in _CLAUSE_SPANS:
            filled[role] = span(value)
        elif isinstance(value, str) and role != "hedge":
            filled[role] = a(value)
        else:
            filled[role] = value
    return Clause(sense, mood, **filled)


def told(sense: Any, **roles: Any) -> Utterance:
    """Return a report of one clause."""
    return said(clause(sense, **roles))


def wish(sense: Any, **roles: Any) -> Utterance:
    """Return a wish of one clause."""
    return said(clause(sense, "do", **roles))


def asked(sense: Any, **roles: Any) -> Utterance:
    """Return a question."""
    return said(clause(sense, "ask", **roles))


def said(*clauses: Clause, join: Any = "in order", when: str = "") -> Utterance:
    """Return an utterance of some clauses."""
    step = clauses[0] if len(clauses) == 1 else Steps(join, clauses)
    return Utterance((Part(step, when=span(when) if when else None),))


def hear(
    memory: Memory, report: Utterance, *, speaker: str | None = None, at_ns: int | None = None
) -> Told:
    """Have a memory take in a report as one was heard that no other reader doubts."""
    now = time.time_ns() if at_ns is None else at_ns
    if correction_of_before(report) is not None:
        return memory.putting_right.by(report, "", speaker)
    reading = memory.read(report, speaker)
    taken = memory.believing.believe(reading, Source("person", speaker or ""), now)
    if reading.speaks:
        kept = LastReport(taken.tx or 0, "", speaker, now, reading.events)
        memory.last = None if taken.tx is None else kept
        memory.discourse.now = topic_of(reading.spoken)
    return taken
