"""Sentences in their usual order: ``it was the key that Ann took`` is ``Ann took the key``."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
    COPULAS,
    Word,
    is_participle,
    is_verb,
)

_JOINING = frozenset(["that", "who", "which"])
_MARKS = frozenset([",", ":", ";", "-", "–"])
_DOERS = frozenset(["he", "she", "they", "it"])


def in_usual_order(parts: Sequence[Part], *, begun: bool = False) -> list[Part]:
    """Return parts with what ``it was`` puts first in its place, and what a heading says of all behind it.

    ``begun``: ``it was`` may be left out at the beginning.
    """
    return _unheaded(_uncleft(parts, begun=begun))


def _uncleft(parts: Sequence[Part], *, begun: bool) -> list[Part]:
    """Return ``Ann took the key`` for ``it was the key that Ann took``, and so for who did something."""
    first = _focus(parts, begun=begun)
    if first is None:
        return [*parts]
    end = next((n for n in range(first, len(parts)) if text_of(parts[n]) in _MARKS), len(parts))
    joins = next((n for n in range(first + 1, end) if _joins(parts, n)), end)
    focus, rest = [*parts[first:joins]], [*parts[joins:end]]
    rest = rest[1:] if rest and text_of(rest[0]) in _JOINING else rest
    if not any(_tells(text_of(p)) for p in rest):
        return [*parts]
    turned = [*rest, *focus] if isinstance(rest[0], Phrase) else [*focus, *rest]
    return [*parts[: max(first - 2, 0)], *turned, *parts[end:]]


def _focus(parts: Sequence[Part], *, begun: bool) -> int | None:
    """Return where what ``it was`` puts first stands; None where nothing is."""
    start = next((n for n in range(len(parts) - 3) if _is_cleft(parts, n)), None)
    if start is not None:
        return start + 2
    first = parts[0] if parts else None
    return 0 if begun and isinstance(first, Phrase) and not first.pronoun else None


def _is_cleft(parts: Sequence[Part], at: int) -> bool:
    """Return whether ``it is`` and a thing stand at a place."""
    it, focus = parts[at], parts[at + 2]
    named = isinstance(it, Phrase) and it.pronoun == "it" and not it.owner
    begins = at == 0 or isinstance(parts[at - 1], Word)
    thing = isinstance(focus, Phrase) and not focus.pronoun
    return named and begins and thing and text_of(parts[at + 1]) in COPULAS


def _joins(parts: Sequence[Part], at: int) -> bool:
    """Return whether a clause about what stands before begins at a place."""
    part, after = parts[at], text_of(parts[at + 1]) if at + 1 < len(parts) else ""
    if isinstance(part, Phrase):
        before = isinstance(parts[at - 1], Phrase)
        return before and (part.pronoun in _DOERS or bool(part.things)) and _tells(after)
    return part.text in _JOINING


def _unheaded(parts: Sequence[Part]) -> list[Part]:
    """Return ``tray 1 and tray 2 watered`` for ``watered: tray 1, tray 2``."""
    done, rest = text_of(parts[0]) if parts else "", parts[2:]
    named = [p for p in rest if isinstance(p, Phrase)]
    marks = all(isinstance(p, Phrase) or p.text in (",", "and") for p in rest)
    if not (named and marks and is_participle(done) and text_of(parts[1]) == ":"):
        return [*parts]
    listed = [p for phrase in named for p in (Word("and"), phrase)][1:]
    return [*listed, Word("are" if len(named) > 1 else "is"), Word(done)]


def _tells(text: str) -> bool:
    return text in AUXILIARIES or (bool(text) and is_verb(text))
