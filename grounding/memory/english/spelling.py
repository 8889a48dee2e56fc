"""Misspelt words in reports: the word of this world, else of the lexicon, one slip of the fingers away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rapidfuzz import process
from rapidfuzz.distance import OSA

from commonground.grounding.words.concepts import word_list

_SWAPPED, _DROPPED, _EXTRA, _WRONG = range(4)
"""Slips, the likeliest first: letters in the wrong order, left out, typed too many, or others instead."""


class Speller:
    """Corrects words that no vocabulary has; the first vocabulary with a single near word wins."""

    def __init__(self, *vocabularies: Iterable[str]) -> None:
        listed = [frozenset(words) for words in vocabularies]
        self._words = frozenset[str]().union(*listed)
        self._vocabularies = [[w for w in words if len(w) > 3] for words in listed]
        self._cache: dict[str, str] = {}

    def is_known(self, word: str) -> bool:
        """Return whether a word needs no correction."""
        return (
            len(word) < 4
            or not word.isalpha()
            or word in self._words
            or any(stem in common_words() for stem in stems(word))
        )

    def correct(self, word: str) -> str:
        """Return the word meant, which is the word itself where none or several are near."""
        if word not in self._cache:
            self._cache[word] = word if self.is_known(word) else self._near(word)
        return self._cache[word]

    def _near(self, word: str) -> str:
        """Return the one word that the likeliest slip leads to; only of names may a letter be wrong."""
        near = [
            process.extract(word, words, scorer=OSA.distance, score_cutoff=1, limit=None)
            for words in self._vocabularies
        ]
        for slip in (_SWAPPED, _DROPPED, _EXTRA, _WRONG):
            for found in near[: 1 if slip == _WRONG else None]:
                meant = [known for known, *_ in found if _slip(word, known) == slip]
                if len(meant) == 1:
                    return meant[0]
        return word


def _slip(word: str, meant: str) -> int:
    """Return which slip makes one word of another that is one slip away."""
    if len(word) != len(meant):
        return _DROPPED if len(word) < len(meant) else _EXTRA
    return _SWAPPED if sorted(word) == sorted(meant) else _WRONG


def stems(word: str) -> Iterator[str]:
    """Yield a word and what it may be an inflected form of."""
    yield word
    for ending in ("s", "es", "d", "ed", "ing", "er", "ly"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            yield stem
            if ending in ("ing", "ed"):
                yield stem + "e"
            if len(stem) > 2 and stem[-1] == stem[-2]:
                yield stem[:-1]
    if word.endswith(("ies", "ied")):
        yield word[:-3] + "y"


def common_words() -> frozenset[str]:
    """Return everyday English words, which are never taken for misspellings of others."""
    return word_list("common.txt")
