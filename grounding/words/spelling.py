"""Misspelt words: the one known word that is near enough, or none.

The distance is that of Damerau and Levenshtein (optimal string alignment). A word that English has is
never taken for a misspelling of another, nor is anything short.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from rapidfuzz.distance import OSA


class Speller:
    """Corrects words towards a vocabulary."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._by_letter: dict[str, list[str]] = {}
        for word in sorted(set(vocabulary)):
            if len(word) > 2 and word.isalpha():
                self._by_letter.setdefault(word[0], []).append(word)

    def correct(self, word: str) -> str | None:
        """Return the known word that ``word`` is a misspelling of; None if there is none or several."""
        if len(word) < 4 or word in real_words():
            return None
        limit = 1 if len(word) < 7 else 2
        near: dict[str, int] = {}
        for letter in dict.fromkeys((word[0], word[1])):
            for candidate in self._by_letter.get(letter, ()):
                apart = OSA.distance(word, candidate, score_cutoff=limit)
                if apart <= limit and (len(word) > 4 or _likely_slip(word, candidate)):
                    near[candidate] = apart
        ranked = sorted(near, key=lambda c: (near[c], not _likely_slip(word, c), c[0] != word[0]))
        if not ranked:
            return None
        best = ranked[0]
        rivals = [
            c
            for c in ranked[1:]
            if near[c] == near[best]
            and _likely_slip(word, c) == _likely_slip(word, best)
            and (c[0] == word[0]) == (best[0] == word[0])
        ]
        return None if rivals else best


def _likely_slip(word: str, candidate: str) -> bool:
    """Return whether only the order or the doubling of letters differs."""
    return sorted(word) == sorted(candidate) or _undoubled(word) == _undoubled(candidate)


def _undoubled(word: str) -> str:
    return "".join(
        letter for letter, before in zip(word, " " + word, strict=False) if letter != before
    )


@cache
def real_words() -> frozenset[str]:
    """Return English words that look like words of the vocabulary and are not."""
    text = (files("commonground.grounding") / "words" / "data" / "lookalikes.txt").read_text(
        "utf-8"
    )
    return frozenset(
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )
