"""Words that point at what was spoken of: ``that one``, ``those``, ``both``, ``there``."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.ontology.words import (
    COPULAS,
    FROM,
    TO,
    Word,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
)
from commonground.grounding.memory.readers.domain.described.phrase import Phrase

_INSIDE = frozenset(["in", "inside", "into", "on", "onto"])
_BEYOND = (TO | FROM | {",", ".", ";", "!", "and", "but", "so", "now", "any", "again", "too"}) - {
    "for"
}
"""What follows a word that points at something, and is no noun of it."""


def pointing(words: Sequence[Word], start: int) -> tuple[Phrase | None, int]:
    """Return the phrase of words that point at what was spoken of: ``that one``, ``those``, ``you``."""
    text, before = words[start].text, words[start - 1].text if start else ""
    after = [w.text for w in words[start + 1 : start + 3]] or [","]
    if text in ("that", "this") and after[0] == "one" and after[1:] != ["that"]:
        return Phrase((text, "one"), pronoun="it"), 2
    pronoun = _pointed(text, before, after[0])
    if text in ("both", "all") and before in ("", ",", "and") and _tells_of_them(after):
        return Phrase((text,), pronoun="they"), 1
    led = pronoun == "there" and before in {*_INSIDE, "out"}
    said = (before if before == "out" else "in", text) if led else (text,)
    return (Phrase(said, pronoun=pronoun), 1) if pronoun else (None, 0)


def _pointed(text: str, before: str, after: str) -> str:
    """Return the pronoun for a word that points at what was spoken of between two others; '' for none."""
    if text in ("those", "these"):
        return "them" if after in _BEYOND | COPULAS else ""
    if text in ("that", "this"):
        return "it" if after in _BEYOND and is_verb(before) else ""  # "left that on the bench"
    if text == "there":
        return "there" if before in TO | FROM | {"of"} and after not in COPULAS else ""
    given = before in FROM | {"to"} or "give" in classes_of(before, frozenset())
    return "you" if text == "you" and given else ""


def _tells_of_them(after: Sequence[str]) -> bool:
    """Return whether what follows ``both`` or ``all`` tells of those spoken of: ``both standing here``."""
    first, beyond = (*after, "")[:2]
    ends = not beyond.isalpha() or beyond in TO | FROM | {"here", "there"}
    return first in COPULAS or (ends and (is_going_on(first) or is_participle(first)))
