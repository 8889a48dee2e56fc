"""Misspelt words: the known word one slip of the fingers away."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files


class Speller:
    """Corrects words that no vocabulary has; the first vocabulary with a single near word wins."""

    def __init__(self, *vocabularies: Iterable[str]) -> None:
        self.vocabularies = [frozenset(v) for v in vocabularies]
        self._cache: dict[str, str] = {}

    def is_known(self, word: str) -> bool:
        """Return whether a word needs no correction."""
        return (
            len(word) < 4
            or not word.isalpha()
            or any(word in v for v in self.vocabularies)
            or any(stem in common_words() for stem in _stems(word))
        )

    def correct(self, word: str) -> str:
        """Return the word meant, which is the word itself where none or several are near."""
        if word not in self._cache:
            self._cache[word] = word if self.is_known(word) else self._near(word)
        return self._cache[word]

    def _near(self, word: str) -> str:
        for slips in (_swapped, _dropped, _extra, _wrong):
            near = list(dict.fromkeys(slips(word)))
            for vocabulary in self.vocabularies[: 1 if slips is _wrong else None]:
                found = [w for w in near if w in vocabulary and len(w) > 3]
                if len(found) == 1:
                    return found[0]
        return word


def _stems(word: str) -> Iterator[str]:
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


def _swapped(word: str) -> Iterator[str]:
    """Two letters typed in the wrong order."""
    for i in range(len(word) - 1):
        yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]


def _dropped(word: str) -> Iterator[str]:
    """A letter left out."""
    for i in range(len(word) + 1):
        for letter in string.ascii_lowercase:
            yield word[:i] + letter + word[i:]


def _extra(word: str) -> Iterator[str]:
    """A letter typed twice or beside another."""
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]


def _wrong(word: str) -> Iterator[str]:
    """A neighbouring key hit."""
    for i in range(len(word)):
        for letter in string.ascii_lowercase:
            yield word[:i] + letter + word[i + 1 :]


@cache
def common_words() -> frozenset[str]:
    """Return everyday English words, which are never taken for misspellings of others."""
    text = (files(__package__) / "common.txt").read_text(encoding="utf-8")
    return frozenset(
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )
