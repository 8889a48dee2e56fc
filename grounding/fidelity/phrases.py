"""Phrases of the closed vocabulary in a text: deeds, superlatives, colors, words of order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from commonground.grounding.words.tokens import Token
from commonground.grounding.words.vocabulary import vocabulary


class Said(NamedTuple):
    """A phrase that a text has, and what it may be."""

    start: int
    """Offset in the text."""
    words: str
    next: str
    """The word behind it, '' at the end."""
    senses: frozenset[tuple[str, str]]
    """Categories of the vocabulary, each with its value."""

    def values(self, category: str) -> Iterator[str]:
        """Yield what it means as a phrase of a category."""
        return (value for kind, value in self.senses if kind == category)


def phrases_in(tokens: Sequence[Token], categories: frozenset[str]) -> list[Said]:
    """Return the longest phrases of some categories, from left to right."""
    found = _phrases(tuple(token.text for token in tokens), categories)
    return [Said(tokens[at].start, *said) for at, said in found]


@lru_cache(maxsize=512)  # each reading of a text is checked against it, in many ways
def _phrases(
    words: tuple[str, ...], categories: frozenset[str]
) -> tuple[tuple[int, tuple[str, str, frozenset[tuple[str, str]]]], ...]:
    """Return the phrases among some words: where each begins, and all else that is said of it."""
    phrases = vocabulary()[0]
    found = []
    at = 0
    while at < len(words):
        if words[at] not in phrases.children:
            at += 1
            continue
        here = [
            (end, category, str(value))
            for end, category, value, _ in phrases.matches(words, at)
            if category.removesuffix("_D") in categories
        ]
        last = max((end for end, *_ in here), default=at + 1)
        senses = {(kind.removesuffix("_D"), value) for end, kind, value in here if end == last}
        if senses:
            said, behind = " ".join(words[at:last]), "".join(words[last : last + 1])
            found.append((at, (said, behind, frozenset(senses))))
        at = last
    return tuple(found)
