"""What an utterance consists of: its clauses, its phrases and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from operator import attrgetter, is_
from typing import Any, TypeVar

from commonground.grounding.english.utterance import UNMEANT, Clause, Span, Step, Utterance

T = TypeVar("T")
_PLAIN = frozenset([str, int, float, bool, type(None)])
"""Types of values that have no parts and are none."""


class _Names(dict[type, tuple[str, ...]]):
    """By type, the names of its fields; there are none where it is no dataclass."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = tuple(f.name for f in fields(kind)) if is_dataclass(kind) else ()
        return self[kind]


NAMES = _Names()
"""What parts consist of; ``dataclasses.fields`` would take longer than all that is done with them."""


class _Values(dict[type, Callable[[Any], tuple[Any, ...]]]):
    """By type, what gives the values of its fields; it has none where it is no dataclass."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]]:
        names = NAMES[kind]
        several = attrgetter(*names) if len(names) > 1 else None
        self[kind] = several or (lambda value: tuple(getattr(value, name) for name in names))
        return self[kind]


_VALUES = _Values()


class _Walk:
    """All parts of one value, and those of each type that was asked for."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.parts: list[Any] = []
        self.of: dict[type, tuple[Any, ...]] = {}
        left = [value]
        while left:
            part = left.pop()
            self.parts.append(part)
            inner = part if isinstance(part, tuple) else _VALUES[type(part)](part)
            left += [each for each in inner[::-1] if type(each) not in _PLAIN]


_WALKS: dict[int, _Walk] = {}
"""Values walked through of late, by identity: dozens of checks ask for the parts of the same one."""
_MOST_WALKS = 256


def parts_of(value: Any, kind: type[T]) -> Iterator[T]:
    """Yield the parts of one type in an utterance, a clause or a phrase, outer ones first."""
    walk = _WALKS.get(id(value))
    if walk is None or walk.value is not value:
        if len(_WALKS) >= _MOST_WALKS:
            _WALKS.clear()
        walk = _WALKS[id(value)] = _Walk(value)
    if kind not in walk.of:
        walk.of[kind] = tuple(part for part in walk.parts if isinstance(part, kind))
    return iter(walk.of[kind])


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with all parts of it changed, inner ones first; itself where nothing changes."""
    if isinstance(value, tuple):
        parts = tuple(mapped(part, change) for part in value)
        return value if all(map(is_, parts, value)) else parts
    names = NAMES[type(value)]
    if not names:
        return value
    changed = {
        name: new
        for name, old in zip(names, _VALUES[type(value)](value), strict=True)
        if type(old) not in _PLAIN and old != () and (new := mapped(old, change)) is not old
    }
    return change(replace(value, **changed) if changed else value)


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


def is_report(utterance: Utterance) -> bool:
    """Return whether an utterance only tells something, and asks or wants nothing."""
    clauses = parts_of(utterance, Clause)
    return all(clause.mood == "tell" or clause.sense == "nothing" for clause in clauses)


def is_no_order(said: Utterance) -> bool:
    """Return whether nothing is asked for: it was taken back, was of another day, or is only imagined."""
    return all(part.stands in UNMEANT or _is_nothing(part.step) for part in said.parts)


def _is_nothing(step: Step) -> bool:
    return isinstance(step, Clause) and step.sense == "nothing"
