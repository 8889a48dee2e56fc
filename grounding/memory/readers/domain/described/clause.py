"""Relative clauses as they stand in a sentence: where they begin, how they open, and where they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    MODALS,
    NEGATIONS,
    PARTICLES,
    Word,
    is_participle,
    is_verb,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_at
from commonground.grounding.memory.readers.domain.described.segment import PREPOSITIONS

_THAT = frozenset(["that", "which", "who"])
_OPENING = _THAT | {"whose", "where"}
_ENDS = frozenset(
    [",", ";", ":", ".", "?", "-", "–", "and", "but", "then", "so", "while", "except", "apart"]
)
_SUBJECTS = frozenset(["he", "she", "it", "they"])
_HAVING = frozenset(["has", "had", "wants", "needs"])
_FINITE = AUXILIARIES | MODALS | {"'s"}


@dataclass(frozen=True, slots=True)
class Clause:
    """A relative clause: how it opens, and its parts without that word."""

    opening: str
    parts: list[Part]
    end: int

    @property
    def phrases(self) -> list[Phrase]:
        """Return the noun phrases in it."""
        return [p for p in self.parts if isinstance(p, Phrase)]


def clause_at(parts: Sequence[Part], start: int) -> Clause | None:
    """Return the relative clause that begins at a part, if one does."""
    if start >= len(parts):
        return None
    first = parts[start]
    if isinstance(first, Phrase):
        return _without_opening(parts, start)
    if first.text not in _OPENING:
        return None
    end = _end(parts, start + 1)
    body = _without_one([*parts[start + 1 : end]])
    return Clause(first.text, body, end) if body else None


def _without_opening(parts: Sequence[Part], start: int) -> Clause | None:
    """Return a clause without a word before it: ``the tray he is carrying``, ``the horse it belongs to``."""
    subject = parts[start]
    if not isinstance(subject, Phrase):
        return None
    known = subject.pronoun in _SUBJECTS or subject.source[:1] == ("that",)
    if not known and not _is_contact(parts, start):
        return None
    end = _end(parts, start)
    body = [*parts[start:end]]
    ends = bool(body) and isinstance(body[-1], Word) and body[-1].text not in COPULAS
    return Clause("", body, end) if ends and len(body) > 1 else None


def _is_contact(parts: Sequence[Part], start: int) -> bool:
    """Return whether somebody's name begins a clause right behind a noun: ``all the keys Ann has``."""
    head, subject = parts[start - 1] if start else None, parts[start]
    if not (isinstance(head, Phrase) and isinstance(subject, Phrase)):
        return False
    led = subject.source[:1] in (("the",), ("a",), ("an",)) or subject.owner or subject.every
    return not led and text_at(parts, start + 1) in _FINITE | _HAVING


def _end(parts: Sequence[Part], start: int) -> int:
    """Return where a relative clause ends: before the next verb, or after what its own verb has with it."""
    subject = verb = main = False
    for at in range(start, len(parts)):
        part = parts[at]
        if isinstance(part, Phrase):
            if verb:
                return _after(parts, at, other=subject and main)
            subject = subject or not verb
            continue
        noun = text_at(parts, at - 1) in ("a", "an", "no")  # "that is in a mess"
        if not noun and _ends(part.text, main=main):
            return at
        verb = verb or _is_verb(part.text, first=at == start)
        main = main or noun or (verb and _is_main(part.text)) or _is_had(parts, at)
    return len(parts)


def _after(parts: Sequence[Part], at: int, *, other: bool) -> int:
    """Return where a clause ends with a phrase behind its verb: before that where another one acts."""
    return _before_place(parts, at) if other else at + 1


def _before_place(parts: Sequence[Part], at: int) -> int:
    """Return where what leads to a phrase begins: not ``on`` of ``what Ann works on to the hall``."""
    at -= text_at(parts, at - 1) in PREPOSITIONS
    return at - (text_at(parts, at - 1) == "back")


def also_at(parts: Sequence[Part], start: int, clause: Clause) -> Clause | None:
    """Return what a clause goes on with after ``and``: ``that is in the hall and is not clean``."""
    if text_at(parts, start) != "and" or text_at(parts, start + 1) not in _FINITE:
        return None
    end = _end(parts, start + 1)
    return Clause(clause.opening, [*parts[start + 1 : end]], end)


def _is_verb(text: str, *, first: bool) -> bool:
    """Return whether a word may be the verb of a clause; what it begins with is one, known or not."""
    return text in _FINITE or is_verb(text) or (first and not says_nothing(text))


def _is_had(parts: Sequence[Part], at: int) -> bool:
    """Return whether somebody has something, where no other verb follows: ``what Ann has on the desk``."""
    before = parts[at - 1] if at else None
    has = text_at(parts, at) in ("has", "have", "had") and isinstance(before, Phrase)
    return has and not is_participle(text_at(parts, at + 1))


def _is_main(text: str) -> bool:
    return text not in _FINITE | NEGATIONS | PREPOSITIONS and not says_nothing(text)


def _ends(text: str, *, main: bool) -> bool:
    """Return whether a clause ends before a word, which may be the verb of what goes on after it."""
    return text in _ENDS or (main and _goes_on(text))


def _goes_on(text: str) -> bool:
    """Return whether a word is the verb of what goes on after a clause that is complete."""
    return text in _FINITE or (is_verb(text) and text not in PARTICLES | PREPOSITIONS)


def _without_one(parts: list[Part]) -> list[Part]:
    """Return parts with several things for one of them: ``that is in one of the bays``."""
    return [
        p
        for n, p in enumerate(parts)
        if not (text_at(parts, n) in ("one", "any") and text_at(parts, n + 1) == "of")
        and not (text_at(parts, n) == "of" and text_at(parts, n - 1) in ("one", "any"))
    ]
