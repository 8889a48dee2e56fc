"""What each thing of an utterance is spoken of for: to be gone to, looked at, held, kept off, or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias, get_args

from commonground.grounding.english.parts import clauses_of
from commonground.grounding.english.utterance import (
    Clause,
    Part,
    Phrase,
    Reference,
    Sense,
    Span,
    Utterance,
)

Purpose: TypeAlias = Literal[
    "go", "end", "look", "explore", "hold", "put", "to", "ban", "tell", "ask", "anchor", "but", "back",
    "talk", "other",
]  # fmt: skip
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
DEEDS: frozenset[Purpose] = frozenset(["go", "end", "look", "explore", "hold", "put"])
"""What a robot is to do with a thing."""
OF_SENSE: Mapping[Sense, Purpose] = {
    "go to": "go", "enter": "go", "come near": "go", "end up at": "end", "be at": "end", "be in room": "end",
    "stay": "end", "come back": "end", "inspect": "look", "explore": "explore", "hold": "hold",
    "take": "hold", "have": "hold", "put": "put", "move": "put", "leave": "put", "bring along": "put",
    "give": "put",
}  # fmt: skip


def purposes_of(utterance: Utterance) -> Iterator[tuple[Span, Purpose]]:
    """Yield what each thing of an utterance is spoken of for."""
    for part in utterance.parts:
        for phrase in part.introduced:
            yield from _of_phrase(phrase, "tell")
        if part.crew is not None and part.crew.near is not None:
            yield from _of_phrase(part.crew.near, "anchor")
        for clause in clauses_of(part.step):
            yield from _of_clause(clause, part)


def _of_clause(clause: Clause, part: Part) -> Iterator[tuple[Span, Purpose]]:
    purpose = _purpose(clause, part)
    for reference in (clause.theme, clause.location, clause.source):
        yield from _of_reference(reference, purpose)
    yield from _of_reference(clause.goal, "to" if purpose in ("put", "hold") else purpose)


def _purpose(clause: Clause, part: Part) -> Purpose:
    if part.stands:
        return "back"
    if clause.mood == "tell" or clause.mood == "ask":
        return clause.mood
    if clause.mood == "never" or clause.negated:
        return "ban"
    return OF_SENSE.get(clause.sense, "other")


def _of_reference(reference: Reference | None, purpose: Purpose) -> Iterator[tuple[Span, Purpose]]:
    if isinstance(reference, Phrase):
        yield from _of_phrase(reference, purpose)
    elif reference is not None:
        for phrase in reference.phrases:
            yield from _of_phrase(phrase, purpose)


def _of_phrase(phrase: Phrase, purpose: Purpose) -> Iterator[tuple[Span, Purpose]]:
    """Yield the purpose of a phrase, and what else it is described by."""
    head = phrase.symbol or phrase.name or phrase.noun
    if head is not None:
        yield head, purpose
    yield from ((span, purpose) for span in phrase.again)
    best = () if phrase.best is None else (phrase.best.to,)
    near = (reference for relation in phrase.where for reference in relation.to)
    for reference in (*near, *best, phrase.room, phrase.located, phrase.beside, phrase.owner):
        yield from _of_reference(reference, "anchor")
    yield from _of_reference(phrase.but, "but")
