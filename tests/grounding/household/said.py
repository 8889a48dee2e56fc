"""Utterances in short: what a careful reader makes of a text, its words found in it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeAlias

from commonground.grounding.english.symbols import fields_of
from commonground.grounding.english.utterance import (
    Clause,
    Crew,
    Group,
    Part,
    Phrase,
    Span,
    Steps,
    Utterance,
)

Said: TypeAlias = "str | Phrase | Group | None"


def said(text: str, *parts: Any) -> Utterance:
    """Return the utterance of parts or steps whose words are strings."""
    made = tuple(part if isinstance(part, Part) else Part(part) for part in parts)
    found: Utterance = _with_spans(Utterance(made), text)
    return found


def a(noun: str | None = None, **how: Any) -> Phrase:
    """Return a phrase."""
    return Phrase(noun, **how)  # type: ignore[arg-type]  # strings become spans later


def it(*nouns: str, **how: Any) -> Phrase:
    """Return what was spoken of before."""
    return Phrase(again=nouns, **how)  # type: ignore[arg-type]


def both(*phrases: Said) -> Group:
    """Return all of some phrases."""
    return Group("all of", tuple(map(_phrase, phrases)))


def either(*phrases: Said) -> Group:
    """Return one of some phrases."""
    return Group("one of", tuple(map(_phrase, phrases)))


def do(sense: Any, theme: Said = None, goal: Said = None, **how: Any) -> Clause:
    """Return a clause."""
    how |= {k: _reference(how[k]) for k in ("source", "location", "partner") if k in how}
    return Clause(sense, theme=_reference(theme), goal=_reference(goal), **how)


def never(sense: Any, theme: Said = None, goal: Said = None) -> Clause:
    """Return what must not be done."""
    return do(sense, theme, goal, mood="never")


def then(*steps: Any) -> Steps:
    """Return steps in order."""
    return Steps("in order", steps)


def also(*steps: Any) -> Steps:
    """Return steps in any order."""
    return Steps("any order", steps)


def by(*names: str, choose: Any = "named", **how: Any) -> Crew:
    """Return who does it."""
    return Crew(choose, names, **how)  # type: ignore[arg-type]


def _reference(words: Said) -> Any:
    return _phrase(words) if isinstance(words, str) else words


def _phrase(words: Any) -> Phrase:
    return Phrase(words) if isinstance(words, str) else words


def _with_spans(value: Any, text: str) -> Any:
    """Return a part of an utterance, its words as spans of the text."""
    if not is_dataclass(value) or isinstance(value, Span):
        return value
    kinds = {field.name: field.kind for field in fields_of(type(value))}
    made: dict[str, Any] = {}
    for field in fields(value):
        inner = getattr(value, field.name)
        span = kinds[field.name] == "span"
        many = isinstance(inner, tuple)
        ones = [
            _span(i, text) if span else _with_spans(i, text) for i in (inner if many else (inner,))
        ]
        made[field.name] = tuple(ones) if many else ones[0]
    return replace(value, **made)  # type: ignore[type-var]


def _span(words: Any, text: str) -> Span | None:
    if not isinstance(words, str):
        return words  # type: ignore[no-any-return]  # a span, or none
    start = text.lower().index(words.lower())
    return Span(start, start + len(words), text[start : start + len(words)])
