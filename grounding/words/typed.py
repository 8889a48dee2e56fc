"""A text as it was meant to be typed: haste written out, slips of the fingers and of the ear put right.

A word is put right where exactly one known word is near it: what readers know and what a world has come
before the rest of everyday English. A word of English stays what it is, and so does what may be a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from commonground.grounding.words.contractions import JOINED, with_apostrophes
from commonground.grounding.words.envelope import deeds
from commonground.grounding.words.near import Near
from commonground.grounding.words.nouns import plural, word_set
from commonground.grounding.words.slips import Slip
from commonground.grounding.words.spelling import spoken_words
from commonground.grounding.words.vocabulary import FUNCTION_WORDS

_HASTY = {
    "u": "you", "ur": "your", "n": "and", "em": "them", "tho": "though", "thru": "through",
    "pls": "please", "plz": "please", "nt": "not", "dnt": "don't",
}  # fmt: skip
"""Words as they are typed in haste, without most of their letters."""
_IN_HASTE = re.compile(rf"(?<![\w.'’-])(?:{'|'.join(_HASTY)})(?![\w'’.-]*\w)")
_AN = re.compile(r"(?<![\w.'’-])an(?=\s+(?P<next>[b-df-hj-np-tv-z][a-z]*))")
"""An article never stands before a consonant."""
_WORD = re.compile(r"(?<![\w.'’-])[^\W\d_]{3,}(?![\w'’-])")
_BEFORE = re.compile(r"([^\W\d_]+)\s+$")
_BEGINS = re.compile(r"(?:^|[.!?\n:])\W*$")
_OBJECT = re.compile(r"\s+(?:the|an?|all|every|both|each|any|[OPR]\d+)\b", re.I)
"""What stands behind an order rather than behind a name."""
_DETERMINER = re.compile(r"\b(?:the|an?|this|that|each|every|any|no|my|your|our)\s+$", re.I)
_WITH_PERSONS = word_set("ask tell let have make with for by from like mr mrs miss ms dr")
"""Behind these a word that nobody knows may be somebody's name."""
_WITH_BOTH = word_set("to and or not")
"""Behind these it may be an order, too."""
_SURE = 5
"""Letters of a word that is no name for all that, where only their order or doubling is wrong."""


class Righted(NamedTuple):
    """A text as it was meant."""

    text: str
    question: str = ""
    """What to ask where a word may mean several."""
    put_right: tuple[tuple[str, str], ...] = ()
    """Words as they were typed, each with what it was taken for."""


class Typed:
    """Puts right what is typed about one world."""

    def __init__(
        self, nouns: Iterable[str] = (), names: Iterable[str] = (), words: Iterable[str] = ()
    ) -> None:
        """With what things are called, who is spoken to or of, and what else readers know."""
        single = {word.casefold() for noun in nouns for word in noun.split()}
        self._names = frozenset(word.casefold() for name in names for word in name.split())
        plurals = {plural(word) for word in single if word.isalpha()}
        own, read = self._names.union(single, plurals), frozenset(words)
        self._near, self._spoken = Near(own, read), spoken_words() | read

    def in_full(self, text: str) -> str:
        """Return a text with the letters and apostrophes that haste leaves out."""
        text = _IN_HASTE.sub(self._written_out, with_apostrophes(text))
        joining = FUNCTION_WORDS.union(deeds(), ["then"])
        return _AN.sub(lambda found: "and" if found["next"] in joining else found[0], text)

    def right(self, text: str) -> Righted:
        """Return a text in full, with its slips put right."""
        written = self.in_full(text)
        made, end, question = "", 0, ""
        put_right = []
        for found in _WORD.finditer(written):
            meant = self._meant_by(found)
            if len(meant) == 1:
                made, end = made + written[end : found.start()] + meant[0], found.end()
                put_right.append((found[0], meant[0]))
            elif meant and not question:
                question = f"Does '{found[0]}' mean {' or '.join(map(repr, meant))}?"
        return Righted(with_apostrophes(made + written[end:]), question, tuple(put_right))

    def _written_out(self, found: re.Match[str]) -> str:
        return found[0] if found[0] in self._near.own else _HASTY[found[0]]

    def _meant_by(self, found: re.Match[str]) -> list[str]:
        """Return what a word that is none may mean where it stands: nothing, one word or several."""
        said, word = found[0], found[0].casefold()
        if said[1:] != said[1:].lower() or self._near.is_known(word):
            return []
        before, after = found.string[: found.start()], found.string[found.end() :]
        near = self._near.to(word, pointed=_DETERMINER.search(before) is not None)
        capital = said[0].isupper()
        for meant, how in near.items():
            spoken = how <= Slip.LEFT_OUT and meant in self._spoken
            if meant in self._names:
                called = how > Slip.LEFT_OUT
            elif capital:
                called = _is_called(before, meant, how, order=spoken and bool(_OBJECT.match(after)))
            else:
                called = _may_be_called(before, meant, how, order=spoken)
            if called:
                return []
        return [meant.capitalize() if capital else meant for meant in near]


def _is_called(before: str, meant: str, how: Slip, *, order: bool) -> bool:
    """Return whether a word with a capital is a name: one that begins a sentence may be an order instead."""
    small = how == Slip.LIGHT and _is_small(meant)
    return _BEGINS.search(before) is None or not (order or small)


def _may_be_called(before: str, meant: str, how: Slip, *, order: bool) -> bool:
    """Return whether a word without a capital may still be somebody's name where it stands."""
    last = _BEFORE.search(before)
    word = last[1].casefold() if last is not None else ""
    both = not word or word in _WITH_BOTH
    if _is_small(meant) or (both and order):
        return False
    return (both or word in _WITH_PERSONS) and (how != Slip.LIGHT or len(meant) < _SURE)


def _is_small(word: str) -> bool:
    return word in FUNCTION_WORDS or word in JOINED or word == "then"
