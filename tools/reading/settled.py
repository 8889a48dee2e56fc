"""One form for each meaning, where the language of utterances has several.

A reader learns faster what has one answer. A thing that is spoken of in a sentence of its own ("there is a
fan by the door; go to it") is written where it is taken up; deeds that differ in one thing alone ("visit the
hall and visit the attic, in any order") are one deed with a group of things.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from commonground.grounding.english.utterance import (
    Clause,
    Group,
    Part,
    Phrase,
    Reference,
    Span,
    Step,
    Steps,
    Utterance,
)

T = TypeVar("T")
GROUPS = {"any order": "all of", "one of": "one of"}
ARRIVING = ("go to", "end up at")
ALL = ("all", "each", "all but")


def settled(said: Utterance) -> Utterance:
    """Return the same meaning in its one form."""
    return Utterance(tuple(_merged(_arriving(_inlined(part))) for part in said.parts))


def changed(value: T, change: Callable[[Any], Any]) -> T:
    """Return a value with a change made to everything in it, from within."""
    if isinstance(value, tuple):
        return tuple(changed(v, change) for v in value)  # type: ignore[return-value]
    if not is_dataclass(value) or isinstance(value, (Span, type)):
        return value
    inner = {f.name: changed(getattr(value, f.name), change) for f in fields(value)}
    return change(replace(value, **inner))  # type: ignore[no-any-return]


def _inlined(part: Part) -> Part:
    """Write things that are spoken of first where they are taken up."""
    first = {head: p for p in part.introduced if (head := p.noun or p.symbol or p.name)}

    def taken(value: Any) -> Any:
        if not isinstance(value, Phrase) or len(value.again) != 1 or value.again[0] not in first:
            return value
        return _choosing(first.pop(value.again[0]), value)

    made = changed(replace(part, introduced=()), taken)
    return replace(made, introduced=tuple(first.values()))


def _choosing(first: Phrase, again: Phrase) -> Phrase:
    """Return a phrase of which all or some are taken up."""
    if again.det == "the" or (again.det == "all" and first.det in ALL):
        return first
    some = again.det in ("any one", "any two")
    counts = {"count": None, "total": first.count} if some and first.count else {}
    return replace(first, det=again.det, **counts)  # type: ignore[arg-type]


def _arriving(part: Part) -> Part:
    """Where one goes is a goal."""

    def going(value: Any) -> Any:
        wanted = isinstance(value, Clause) and value.sense in ARRIVING and value.mood == "do"
        if not wanted or value.goal is not None:
            return value
        return replace(value, theme=None, goal=value.theme)

    return changed(part, going)


def _merged(part: Part) -> Part:
    """Write deeds that differ in one thing alone as one deed with a group."""
    return replace(part, step=_one(part.step))


def _one(step: Step) -> Step:
    if isinstance(step, Clause):
        return step
    steps = tuple(map(_one, step.steps))
    clauses = [s for s in steps if isinstance(s, Clause)]
    join = GROUPS.get(step.join)
    if join is None or len(clauses) < len(steps) or clauses[0].sense == "end up at":
        return Steps(step.join, steps)
    for role in ("theme", "goal"):
        bare = {_without(clause, role) for clause in clauses}
        told: list[Reference | None] = [getattr(clause, role) for clause in clauses]
        phrases = [p for p in told if isinstance(p, Phrase)]
        if len(bare) == 1 and len(phrases) == len(told):
            group = Group(join, tuple(phrases))  # type: ignore[arg-type]
            return replace(clauses[0], **{role: group})  # type: ignore[arg-type]
    return Steps(step.join, steps)


def _without(clause: Clause, role: str) -> Clause:
    return replace(clause, **{role: None})  # type: ignore[arg-type]
