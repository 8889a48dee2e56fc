"""Misspelt words: the one known word that is near enough, or none.

The distance is that of Damerau and Levenshtein (optimal string alignment). A word that English has is
never taken for a misspelling of another, nor is anything short.
"""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import OSA

from commonground.grounding.words.concepts import word_list


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
        near = self._near(word)
        ranked = sorted((_rank(word, candidate, near[candidate]), candidate) for candidate in near)
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return ranked[0][1]

    def _near(self, word: str) -> dict[str, int]:
        """Return the known words near a word, with their distances."""
        limit = 1 if len(word) < 7 else 2
        near: dict[str, int] = {}
        for letter in dict.fromkeys((word[0], word[1])):
            for candidate in self._by_letter.get(letter, ()):
                apart = OSA.distance(word, candidate, score_cutoff=limit)
                if apart <= limit and (len(word) > 4 or _likely_slip(word, candidate)):
                    near[candidate] = apart
        return near


def _rank(word: str, candidate: str, apart: int) -> tuple[int, bool, bool]:
    """Return how a candidate compares with others, the likeliest first."""
    return apart, not _likely_slip(word, candidate), candidate[0] != word[0]


def _likely_slip(word: str, candidate: str) -> bool:
    """Return whether only the order or the doubling of letters differs."""
    return sorted(word) == sorted(candidate) or _undoubled(word) == _undoubled(candidate)


def _undoubled(word: str) -> str:
    return "".join(
        letter for letter, before in zip(word, " " + word, strict=False) if letter != before
    )


def real_words() -> frozenset[str]:
    """Return English words that look like words of the vocabulary and are not."""
    return word_list("lookalikes.txt")
