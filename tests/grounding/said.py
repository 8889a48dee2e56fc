"""Utterances in short notation, with their words placed in a text as a reader would find them."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

from commonground.grounding.english.utterance import (
    Best,
    Clause,
    Crew,
    Group,
    Part,
    Phrase,
    Relation,
    Span,
    Steps,
    Utterance,
)

_WORDS = ("symbol", "name", "person", "count", "total", "color", "attribute", "corrected")


def words(text: str) -> Span:
    """Return words whose place is not known yet; ``door#2`` is the second door of the text."""
    return Span(-1, -1, text)


def a(noun: str = "", det: Any = "the", *where: Relation, **more: Any) -> Phrase:
    """Return a phrase."""
    made = {k: words(v) if k in _WORDS else v for k, v in more.items()}
    made["again"] = tuple(map(words, more.get("again", ())))
    return Phrase(words(noun) if noun else None, det=det, where=where, **made)


def place(name: str) -> Phrase:
    """Return an area by its proper name."""
    return Phrase(name=words(name))


def node(symbol: str) -> Phrase:
    """Return a node by its symbol."""
    return Phrase(symbol=words(symbol))


def at(how: Any, *to: Phrase | Group, far: str = "") -> Relation:
    """Return a condition on where something is."""
    return Relation(how, to, words(far) if far else None)


def best(how: Any, to: Phrase | None = None, rank: str = "", other: str = "") -> Best:
    """Return a superlative."""
    return Best(how, words(other) if other else None, to, words(rank) if rank else None)


def do(sense: Any, what: Any = None, **more: Any) -> Clause:
    """Return an order; where it leads is its goal, all else its theme."""
    role = "goal" if sense in ("go to", "end up at") else "theme"
    made = {k: words(v) if k in ("verb", "state", "manner") else v for k, v in more.items()}
    return Clause(sense, **{role: what, **made})


def never(sense: Any, what: Any) -> Clause:
    """Return a ban."""
    return Clause(sense, "never", theme=what)


def then(*steps: Any) -> Steps:
    """Return steps in order."""
    return Steps("in order", steps)


def both(*phrases: Phrase) -> Group:
    """Return several phrases."""
    return Group("all of", phrases)


def either(*phrases: Phrase) -> Group:
    """Return a choice of phrases."""
    return Group("one of", phrases)


def by(who: str, step: Any, *introduced: Phrase, **more: Any) -> Part:
    """Return what a crew is told: a robot's name, or ``all``, ``any one``, ``other``, ``unnamed``."""
    choices = ("all", "any one", "other", "unnamed")
    crew: Any = Crew(who) if who in choices else Crew("named", (words(who),)) if who else None  # type: ignore[arg-type]
    return Part(step, crew, introduced, **more)


def said(text: str, *parts: Part) -> Utterance:
    """Return an utterance whose words stand where the text has them."""
    placing = _Placing(text)
    first = [tuple(map(placing.placed, part.introduced)) for part in parts]
    rest = (
        replace(placing.placed(replace(part, introduced=())), introduced=introduced)
        for part, introduced in zip(parts, first, strict=True)
    )
    return Utterance(tuple(rest))


class _Placing:
    """Finds words in a text: each next time the next place, taken up again the first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.used: dict[str, int] = {}

    def placed(self, value: Any, name: str = "") -> Any:
        """Return a value with its words in place."""
        if isinstance(value, tuple):
            return tuple(self.placed(v, name) for v in value)
        if isinstance(value, Span):
            return self._span(value.text, again=name == "again")
        if not is_dataclass(value):
            return value
        made = {f.name: self.placed(getattr(value, f.name), f.name) for f in fields(value)}
        return type(value)(**made)

    def _span(self, wanted: str, *, again: bool) -> Span:
        plain, _, number = wanted.partition("#")
        places = [
            m.start() for m in re.finditer(rf"(?<!\w){re.escape(plain)}(?!\w)", self.text, re.I)
        ]
        if not places:
            raise ValueError(f"{plain!r} is not in {self.text!r}")
        at = 0 if again else self.used.get(plain, 0)
        if number:
            at = int(number) - 1
        elif not again:
            self.used[plain] = at + 1
        start = places[min(at, len(places) - 1)]
        return Span(start, start + len(plain), self.text[start : start + len(plain)])
