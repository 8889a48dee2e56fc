"""A report without what only says when it was: ``Some minutes back, I …``, ``Step one, Petra …``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS, NUMBERS
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.time_phrases import time_of
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.words.nouns import word_set

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LED_IN = re.compile(r"\s*(?P<words>[^,;.!?:]+),\s*")
_TEMPORAL = word_set(
    "at around about after before during once when while since in on over earlier early late later "
    "lately recently today yesterday tonight this meanwhile"
)
_PAST = word_set("ago back earlier before now today morning afternoon evening night")
_SUBJECTS = word_set("i he she they we it")
_ORDER = word_set("first second third next then finally lastly last one")
_MOST_WORDS = 7


class Dated(NamedTuple):
    """A report without the words that only say when, and what these say."""

    text: str
    times: tuple[TimeWords, ...] = ()


def undated(text: str, names_any: Callable[[str], bool]) -> Dated:
    """Return a report without a phrase before its first comma that only says when, or which step it is."""
    found = _LED_IN.match(text)
    if found is None or not _only_dates(found["words"], names_any):
        return Dated(text)
    rest = text[found.end() :]
    return Dated(rest, time_of(found["words"])) if _has_verb(rest) else Dated(text)


def _only_dates(part: str, names_any: Callable[[str], bool]) -> bool:
    words = [word.lower() for word in _WORD.findall(part)]
    if not 0 < len(words) <= _MOST_WORDS or names_any(part):
        return False
    if not _SUBJECTS.isdisjoint(words) or not {"it", "that", "them"}.isdisjoint(words):
        return False
    counts = len(words) <= 2 and bool({words[-1]} & (NUMBERS | _ORDER) or words[-1].isdigit())
    denied = not NEGATIONS.isdisjoint(words) and words[:2] != ["not", "long"]
    return counts or (not denied and (words[0] in _TEMPORAL or words[-1] in _PAST))


def _has_verb(text: str) -> bool:
    """Return whether a text has a word that may be a verb."""
    words = [word.lower() for word in _WORD.findall(text)]
    return any(load_lexicon().lemmas(word) or "'" in word or "’" in word for word in words)
