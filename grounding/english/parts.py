"""What an utterance consists of: its clauses, its phrases and its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from commonground.grounding.english.utterance import Clause, Span, Step

T = TypeVar("T")


def parts_of(value: Any, kind: type[T]) -> Iterator[T]:
    """Yield the parts of one type in an utterance, a clause or a phrase, outer ones first."""
    if isinstance(value, kind):
        yield value
    if isinstance(value, tuple):
        for part in value:
            yield from parts_of(part, kind)
    elif is_dataclass(value):
        for field in fields(value):
            yield from parts_of(getattr(value, field.name), kind)


def clauses_of(step: Step) -> list[Clause]:
    """Return the clauses of some steps, the first to happen first."""
    if isinstance(step, Clause):
        return [step]
    inner = [clause for part in step.steps for clause in clauses_of(part)]
    return inner[::-1] if step.join == "in reverse" else inner


def in_words(value: Any) -> str:
    """Return the words of a clause or phrase in the order in which they were said."""
    spans = sorted({*parts_of(value, Span)}, key=lambda span: span.start)
    return " ".join(span.text for span in spans)
