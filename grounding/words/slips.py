"""Slips of the fingers and of the ear: which one makes a word of another, and how likely that is."""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum
from itertools import pairwise

from commonground.grounding.words.sounds import sounded

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_PLACES = {key: (row, at) for row, keys in enumerate(_ROWS) for at, key in enumerate(keys)}
_VOWELS = frozenset("aeiou")
_LONG = 6
"""Letters of a word that is still known with a vowel for another, or with a letter too many."""
_HEARD = 2
"""So many letters fewer or more a word has that is written by ear."""


class Slip(IntEnum):
    """Kinds of slips, the likeliest first."""

    LIGHT = 0
    """Letters in the wrong order, or a consonant doubled or not."""
    LEFT_OUT = 1
    """A letter left out, or written by ear."""
    BESIDE = 2
    """The key beside was hit instead, or as well."""
    LONG = 3
    """In a long word a vowel stands for another, or a letter is too many."""
    NONE = 9


def slip(word: str, meant: str) -> Slip:
    """Return which slip makes a word of another that is one letter away or sounds the same.

    Nobody takes another first letter.
    """
    doubled = meant in _undoubled(word) or word in _undoubled(meant, but=_VOWELS)
    if sorted(word) == sorted(meant) or doubled:
        return Slip.LIGHT
    if word[0] != meant[0] or abs(len(word) - len(meant)) > _HEARD:
        return Slip.NONE
    if sounded(word) == sounded(meant) or len(word) < len(meant):
        return Slip.LEFT_OUT
    return _hit(word, meant)


def _hit(word: str, meant: str) -> Slip:
    """Return the slip of who hit another key or one too many."""
    at = next((n for n, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), len(meant))
    if len(word) > len(meant):
        beside = any(_is_beside(word[at], other) for other in word[at - 1 : at + 2 : 2])
        return Slip.BESIDE if beside else _if_long(word)
    if _is_beside(word[at], meant[at]):
        return Slip.BESIDE
    return _if_long(word) if {word[at], meant[at]} <= _VOWELS else Slip.NONE


def _if_long(word: str) -> Slip:
    return Slip.LONG if len(word) >= _LONG else Slip.NONE


def _is_beside(one: str, other: str) -> bool:
    """Return whether two letters lie side by side or one above the other on a keyboard."""
    if one == other or one not in _PLACES or other not in _PLACES:
        return False
    (row, at), (other_row, other_at) = _PLACES[one], _PLACES[other]
    if row == other_row:
        return abs(at - other_at) == 1
    low, high = (at, other_at) if row > other_row else (other_at, at)
    return abs(row - other_row) == 1 and high - low in (0, 1)


def _undoubled(word: str, but: Collection[str] = ()) -> set[str]:
    """Return a word without one letter of two alike: without one of two vowels it sounds otherwise."""
    pairs = enumerate(pairwise(word))
    return {word[:at] + word[at + 1 :] for at, (a, b) in pairs if a == b and a not in but}
