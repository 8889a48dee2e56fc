"""Relative clauses as they stand in a sentence: where they begin, how they open, and where they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_at
from commonground.grounding.memory.domain.described.said import OBTAINING
from commonground.grounding.memory.domain.described.segment import PREPOSITIONS
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
    COPULAS,
    MODALS,
    NEGATIONS,
    OF_IT,
    PARTICLES,
    Word,
    is_going_on,
    is_participle,
    is_verb,
    says_nothing,
)

_THAT = frozenset(["that", "which", "who"])
_OPENING = _THAT | {"whose", "where"}
_ENDS = frozenset([",", ";", ":", ".", "?", "-", "–", "and", "but", "then", "so", "while"])
_SUBJECTS = frozenset(["he", "she", "it", "they"])
_LACKING = frozenset(["needs", "need", "wants", "want", "belongs", "belong"])
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

    @property
    def words(self) -> list[str]:
        """Return its other words."""
        return [p.text for p in self.parts if isinstance(p, Word)]


def clause_at(parts: Sequence[Part], start: int) -> Clause | None:
    """Return the relative clause that begins at a part, if one does."""
    if start >= len(parts):
        return None
    first = parts[start]
    if isinstance(first, Phrase):
        return _without_opening(parts, start)
    if first.text not in _OPENING:
        return _reduced(parts, start)
    end = _end(parts, start + 1)
    body = [*parts[start + 1 : end]]
    return Clause(first.text, body, end) if body else None


def _reduced(parts: Sequence[Part], start: int) -> Clause | None:
    """Return what a participle before the verb tells of a phrase: ``trays standing in the hall are``."""
    first, before = text_at(parts, start), [p.text for p in parts[:start] if isinstance(p, Word)]
    if not (is_going_on(first) or is_participle(first)) or {*before} & _FINITE:
        return None
    for at in range(start + 1, len(parts)):
        text = text_at(parts, at)
        if text in _ENDS or (text in OBTAINING and not isinstance(parts[at - 1], Phrase)):
            return None
        if text in _FINITE - {"'s"} | _LACKING:
            named = any(isinstance(p, Phrase) for p in parts[start + 1 : at])
            return Clause("", [*parts[start:at]], at) if named else None
    return None


def _without_opening(parts: Sequence[Part], start: int) -> Clause | None:
    """Return a clause without a word before it: ``the tray he is carrying``, ``the horse it belongs to``."""
    subject = parts[start]
    if not isinstance(subject, Phrase):
        return None
    if subject.pronoun not in _SUBJECTS and subject.source[:1] != ("that",):
        return None
    end = _end(parts, start)
    body = [*parts[start:end]]
    ends = bool(body) and isinstance(body[-1], Word) and body[-1].text not in COPULAS
    return Clause("", body, end) if ends and len(body) > 1 else None


def _end(parts: Sequence[Part], start: int) -> int:
    """Return where a relative clause ends: before the next verb, or after what its own verb has with it."""
    subject = verb = main = False
    for at in range(start, len(parts)):
        part = parts[at]
        if isinstance(part, Phrase):
            if part.pronoun in OF_IT and _is_noun(text_at(parts, at + 1)):
                continue  # "that has not had its supper"
            if verb:  # what is after the verb of another subject belongs to the clause no more
                return at if subject and main else _listed(parts, at + 1)
            subject = True
            continue
        if part.text in _ENDS or (main and _goes_on(part.text)):
            return at
        verb = verb or _is_verb(part.text, first=at == start)
        main = main or (verb and _is_main(part.text))
    return len(parts)


def _is_noun(text: str) -> bool:
    return text.isalpha() and text not in _ENDS | _FINITE and not says_nothing(text)


def _is_verb(text: str, *, first: bool) -> bool:
    """Return whether a word may be the verb of a clause; what it begins with is one, known or not."""
    return text in _FINITE or is_verb(text) or (first and not says_nothing(text))


def _is_main(text: str) -> bool:
    return text not in _FINITE | NEGATIONS | PREPOSITIONS and not says_nothing(text)


def _goes_on(text: str) -> bool:
    """Return whether a word is the verb of what goes on after a clause that is complete."""
    return text in _FINITE or (is_verb(text) and text not in PARTICLES | PREPOSITIONS)


def _listed(parts: Sequence[Part], at: int) -> int:
    """Return where a list of places in a row ends: ``the first and the third``."""
    while at + 1 < len(parts):
        joining, other = parts[at], parts[at + 1]
        ranked = isinstance(other, Phrase) and other.rank is not None and not other.things
        if not (isinstance(joining, Word) and joining.text in ("and", ",") and ranked):
            break
        at += 2
    return at
