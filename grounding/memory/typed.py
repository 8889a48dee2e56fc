"""Writes out what people leave out who type in haste: ``shes``, ``its dirty``, ``aaand``, ``ann``."""

from __future__ import annotations

import re
from collections.abc import Callable

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.spelling import common_words
from commonground.grounding.words.contractions import with_apostrophes
from commonground.grounding.words.nouns import words_of

_STRETCHED = re.compile(r"\b([^\W\d_]*?)([^\W\d_])\2{2,}([^\W\d_]*)\b", re.I)
_ITS = re.compile(r"\b(it)s (?=([^\W\d_]+))", re.I)
_TOLD = frozenset(
    words_of(
        "the a an in on at off out up down under now not no still all again back already there here "
        "so just been my his her our their"
    )
)
"""What follows ``it's``, and no ``its``."""
_NAME = re.compile(r"\b[^\W\d_]+\b")


def typed_out(text: str, is_person: Callable[[str], bool]) -> str:
    """Return a text with its apostrophes, and names with a capital where it has no capitals at all."""
    text = with_apostrophes(_STRETCHED.sub(_once, text))
    text = _ITS.sub(_it_is, text)
    if text != text.lower():
        return text

    def named(found: re.Match[str]) -> str:
        word = found[0]
        person = is_person(word) and word not in common_words()
        return word.capitalize() if person else word

    return _NAME.sub(named, text)


def _once(found: re.Match[str]) -> str:
    """Return a word that is drawn out as it is written, with one letter or two."""
    before, letter, after = found.groups()
    twice = f"{before}{letter}{letter}{after}"
    known = load_lexicon().is_known(twice.lower()) or twice.lower() in common_words()
    return twice if known else f"{before}{letter}{after}"


def _it_is(found: re.Match[str]) -> str:
    """Return ``it's`` for ``its`` before what can only be said of a thing."""
    after = found[2].lower()
    told = after in _TOLD or after in load_lexicon().states
    return f"{found[1]}'s " if told else found[0]
