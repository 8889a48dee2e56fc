"""Misspelt words: the one known word that is a slip of the fingers or of the ear away, or none.

A word that English has is never taken for a misspelling of another, nor is anything short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from commonground.grounding.english.lexicon import is_english
from commonground.grounding.words.concepts import artifacts, everyday, household, word_list
from commonground.grounding.words.nouns import plural, singulars
from commonground.grounding.words.slips import Slip, slip
from commonground.grounding.words.sounds import sounded
from commonground.grounding.words.verbs import irregular_verbs, verb_forms
from commonground.grounding.words.vocabulary import FUNCTION_WORDS, vocabulary

_LEAST = 3
"""Letters that a word has at least; with no more it is only taken for a small one."""
_INFLECTED, _DERIVED = ("s", "es", "ed", "ing"), ("er", "est", "ly", "y")
_SURE = 5
"""Letters of a word from which any other may be derived: a ``lader`` does not lade."""
_BEGINNINGS = ("un", "re")
_PART = 4
"""Letters of each part of a compound word."""


class Speller:
    """Corrects words towards a vocabulary."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._words = sorted({w for w in vocabulary if len(w) >= _LEAST and w.isalpha()})
        self._by_sound: dict[str, list[str]] = {}
        for word in self._words:
            self._by_sound.setdefault(sounded(word), []).append(word)

    def correct(self, word: str) -> str | None:
        """Return the known word that ``word`` is a misspelling of; None if there is none or several."""
        near = self.near(word)
        best = min(near.values(), default=Slip.NONE)
        meant = [known for known, how in near.items() if how == best]
        return meant[0] if len(meant) == 1 else None

    def near(self, word: str) -> Mapping[str, Slip]:
        """Return the known words that a word may be a misspelling of, each with the slip."""
        if len(word) < _LEAST or is_word(word):
            return {}
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        found = process.extract(word, self._words, scorer=OSA.distance, score_cutoff=1, limit=None)
        near = {*(known for known, *_ in found), *self._by_sound.get(sounded(word), ())}
        slips = {known: slip(word, known) for known in sorted(near)}
        return {known: how for known, how in slips.items() if _is_likely(word, known, how)}


def _is_likely(word: str, meant: str, how: Slip) -> bool:
    """Return whether a slip may be one: short words are a letter away from many others."""
    if len(word) == _LEAST:
        return how != Slip.NONE and meant in FUNCTION_WORDS
    return how == Slip.LIGHT if len(meant) == _LEAST else how != Slip.NONE


@lru_cache(4096)
def is_word(word: str) -> bool:
    """Return whether English has a word in this form."""
    rests = [word, *(word[2:] for begin in _BEGINNINGS if word.startswith(begin))]
    forms = {stem for rest in rests if len(rest) >= _LEAST for stem in _stems(rest, _INFLECTED)}
    forms |= {*singulars(word)} | {stem for form in forms for stem in _stems(form, _INFLECTED)}
    derived = {stem for form in forms for stem in _stems(form, _DERIVED)}
    sure = (*forms, plural(word), *(stem for stem in derived if len(stem) >= _SURE))
    listed = any(map(_is_listed, sure)) or any(map(_is_compound, singulars(word)))
    return listed or not known_forms().isdisjoint(derived)


def _is_compound(word: str) -> bool:
    """Return whether two words of English make up one: ``brewhouse``."""
    cuts = range(_PART, len(word) - _PART + 1)
    return any(is_english(word[:cut]) and is_english(word[cut:]) for cut in cuts)


def _stems(word: str, endings: Iterable[str]) -> Iterator[str]:
    """Yield a word and what it may be made of with an ending."""
    yield word
    for ending in endings:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            if ending == "s" == stem[-1]:
                continue  # neither a plural nor a form of a verb ends so
            yield stem
            if ending[0] in "aeiouy":
                yield stem + "e"
            if len(stem) > 2 and stem[-1] == stem[-2]:
                yield stem[:-1]
            if stem[-1] == "i":
                yield stem[:-1] + "y"


def _is_listed(word: str) -> bool:
    return is_english(word) or any(
        word in concepts().by_word for concepts in (everyday, artifacts, household)
    )


@cache
def known_forms() -> frozenset[str]:
    """Return the words of everyday English that dictionaries of nouns and verbs have not in this form."""
    irregular = (form for lemma in irregular_verbs() for form in verb_forms(lemma))
    return frozenset(irregular) | FUNCTION_WORDS | spoken_words() | common_words()


@cache
def spoken_words() -> frozenset[str]:
    """Return the words of the closed vocabulary, as far as they are words of English alone."""
    words = vocabulary()[1]
    made_up = {
        w for w in words - FUNCTION_WORDS if not FUNCTION_WORDS.isdisjoint(_stems(w, _INFLECTED))
    }
    return words - made_up


def common_words() -> frozenset[str]:
    """Return everyday English words, which are never taken for misspellings of others."""
    return word_list("common.txt")
