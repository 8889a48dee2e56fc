"""Which words a misspelt one is near to: those of a world, of its readers, and of everyday English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import TypeAlias

from commonground.grounding.english.faithful import NUMBERS
from commonground.grounding.words.concepts import everyday, household
from commonground.grounding.words.contractions import JOINED
from commonground.grounding.words.nouns import plural, singulars
from commonground.grounding.words.slips import Slip
from commonground.grounding.words.spelling import Speller, common_words, is_word, spoken_words
from commonground.grounding.words.vocabulary import FUNCTION_WORDS

Slips: TypeAlias = Mapping[str, Slip]
"""Words that may be meant, each with the slip that leads away from it."""


class Near:
    """Finds what may be meant by words that are none."""

    def __init__(self, own: frozenset[str], words: frozenset[str]) -> None:
        """With the words that a world has, and what else readers know."""
        self.own, self._words = own, words

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self.own | self._words | spoken_words() | FUNCTION_WORDS | NUMBERS | JOINED)

    def is_known(self, word: str) -> bool:
        """Return whether a word is one as it stands."""
        forms = {*singulars(word)}
        return not (forms.isdisjoint(self.own) and forms.isdisjoint(self._words)) or is_word(word)

    def to(self, word: str, *, pointed: bool) -> Slips:
        """Return the words that are nearest to one that is none.

        Behind an article (``pointed``) stands no small word but a number, elsewhere it is the likeliest;
        what the world has comes next, and then what readers know, but for what is nearer still.
        """
        known, common = self._speller.near(word), _common().near(word)
        closed = FUNCTION_WORDS - NUMBERS if pointed else FUNCTION_WORDS | NUMBERS
        small = {k: s for k, s in known.items() if k in closed}
        least = min(known.values(), default=Slip.NONE)
        own = {k: s for k, s in known.items() if k in self.own and s <= max(least, Slip.LEFT_OUT)}
        if not pointed and least in small.values():
            return _best(small)
        if own:
            return _best(own)
        near = _best({k: s for k, s in known.items() if k not in small} or common)
        return (
            {}
            if min(common.values(), default=Slip.NONE) < min(near.values(), default=Slip.NONE)
            else near
        )


def _best(near: Slips) -> Slips:
    """Return the words that the likeliest slip leads away from."""
    best = min(near.values(), default=Slip.NONE)
    return {known: slip for known, slip in near.items() if slip == best}


@cache
def _common() -> Speller:
    """Return what corrects towards everyday English."""
    nouns: Iterable[str] = (*everyday().words(), *household().words())
    single = [noun for noun in nouns if " " not in noun]
    return Speller([*common_words(), *single, *map(plural, single)])
