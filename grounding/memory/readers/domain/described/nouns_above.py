"""Nouns that name the same as another one, or what is above it, and nouns that words are made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from commonground.grounding.english.lexicon import is_english
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.concepts import Concepts, artifacts, everyday, household
from commonground.grounding.words.nouns import singulars

_STEPS = 4
"""So many nouns above its own may a thing be called by: ``instrument`` for a cello is the second."""
_LONG = 7
"""So many letters has a word at least that two are run together in."""
_PART = 3
"""Letters of a part of a compound, at least; of the one that is said alone more."""


def synonyms(word: str) -> Iterator[str]:
    """Yield the nouns that name the same as a word."""
    for concepts in _taxonomies():
        for sense in concepts.senses(word):
            yield from (w for w in concepts.concepts[sense].words if " " not in w)


def is_noun(word: str) -> bool:
    """Return whether a word is a noun for things, of this world or not."""
    return any(senses_of(form) for form in {word, *singulars(word)})


def senses_of(word: str) -> frozenset[tuple[int, int]]:
    """Return what a word means, but for what is too wide."""
    return frozenset(
        (n, sense) for n, concepts in enumerate(_taxonomies()) for sense in concepts.senses(word)
    )


def senses_above(noun: str) -> Iterator[tuple[int, int]]:
    """Yield the senses of a noun with the nearest above it that are narrow enough."""
    for n, concepts in enumerate(_taxonomies()):
        for sense in concepts.senses(noun):
            line = concepts.line(sense)
            yield from ((n, s) for s in line[:_STEPS][: max(1, len(line) - (n > 1))])


def _taxonomies() -> tuple[Concepts, ...]:
    return household(), everyday(), artifacts()


def is_compound(one: str, other: str) -> bool:
    """Return whether one word is another with a word before or after it: ``glassware``, ``hotplate``."""
    short, long = sorted((one, other), key=len)
    joined = (long.startswith(short) and not names_color(short)) or long.endswith(short)
    return len(short) > _PART and len(long) - len(short) >= _PART and joined


def doers_of(word: str) -> set[str]:
    """Return what does what a word names: heater for ``heating``."""
    return {word[:-3] + end for end in ("er", "or")} if is_gerund(word) else set()


def is_gerund(word: str) -> bool:
    return word.endswith("ing") and len(word) > 4


@lru_cache(maxsize=1 << 12)
def halves_of(word: str) -> tuple[str, ...]:
    """Return the two words that one of a name runs together: ``southbay``; nothing for a word of English."""
    if is_english(word) or len(word) < _LONG:
        return ()
    ways = [(word[:n], word[n:]) for n in range(3, len(word) - 2)]
    found = [way for way in ways if all(map(is_english, way))]
    return found[0] if len(found) == 1 else ()
