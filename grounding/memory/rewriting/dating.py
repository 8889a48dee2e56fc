"""A report without what only says when it was, and how a thing had been: ``Step one, …``, ``it was open``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS, NUMBERS
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.time_phrases import time_of, times_in
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.words.nouns import word_set

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LED_IN = re.compile(r"(?:^|(?<=[.;!?] ))\s*(?P<words>[^,;.!?:]+)[,:]\s+")
_END = re.compile(r"[.;!?]")
_TEMPORAL = word_set(
    "at around about after before during once when while since in on over earlier early late later "
    "lately recently today yesterday tonight this meanwhile"
)
_PAST = word_set("ago back earlier before now today morning afternoon evening night")
_SUBJECTS = word_set("i he she they we it")
_ORDER = word_set("first second third next then finally lastly last one")
_MOST_WORDS = 7


_STAMP = re.compile(
    r"^\s*(?:(?:at|around|about) )?[\[(]?\d{1,2}[:.]\d{2}(?:\s*h\b)?[\])]?[\s.,:;–-]*",
    re.IGNORECASE,
)
_WATCH = re.compile(r"^\s*(?=\d{4}(?:\s*h\b)?[\s,:;–-]+[A-Z])([01]\d|2[0-3])([0-5]\d)")
"""The time in a log without a mark: ``0755 Gate opened``."""
_HAD_BEEN = re.compile(
    r"(?:\s*[,;.!–—]\s*|\s+)(?:(?:because|as|since|cos)\s+)?(?:(?:it|they|that|those|both)(?:\s+(?:was|were|had\s+been)|['’]d\s+been)"
    r"|(?:some(?:body|one)|he|she|they|I|we)(?:\s+had|['’]d)\s+left\s+(?:it|them))\b"
    r"(?:(?!\b(?:now|again|still|then|after|afterwards|and|but|so)\b)[^,;.!?])*(?=[,;.!?]|\s*$)",
    re.IGNORECASE,
)
"""What is told of something that was done something to, as of before."""


class Dated(NamedTuple):
    """A report without the words that only say when, and what these say."""

    text: str
    times: tuple[TimeWords, ...] = ()


def without_stamp(text: str) -> Dated:
    """Return a line of a log without the time that it begins with, and that time."""
    text = _WATCH.sub(r"\1:\2", text)
    found = _STAMP.match(text)
    times = times_in(found[0]) if found is not None else ()
    return Dated(text[found.end() :], times) if found is not None and times else Dated(text)


def without_before(text: str) -> str:
    """Return a text without clauses that only tell how what was just spoken of had been: ``it was open``."""
    return _HAD_BEEN.sub("", text)


def undated(text: str, names_any: Callable[[str], bool]) -> Dated:
    """Return a report whose sentences do not begin with a phrase that only says when, or which step it is.

    Where a later one says when that was, it is left as it is: it was not at the time of the first.
    """
    times: list[TimeWords] = []

    def told(found: re.Match[str]) -> str:
        rest = _END.split(text[found.end() :], maxsplit=1)[0]
        when = time_of(found["words"])
        if not (_only_dates(found["words"], names_any) and _has_verb(rest)):
            return found[0]
        if found.start() and when:
            return found[0]
        times.extend(when)
        return ""

    return Dated(_LED_IN.sub(told, text), tuple(times))


def _only_dates(part: str, names_any: Callable[[str], bool]) -> bool:
    words = [word.lower() for word in _WORD.findall(part)]
    if not 0 < len(words) <= _MOST_WORDS or names_any(part):
        return False
    if not _SUBJECTS.isdisjoint(words) or not {"it", "that", "them"}.isdisjoint(words):
        return False
    counted = {words[0], words[-1]} & (NUMBERS | _ORDER)
    counts = len(words) <= 2 and bool(counted or words[-1].isdigit())
    denied = not NEGATIONS.isdisjoint(words) and words[:2] != ["not", "long"]
    return counts or (not denied and (words[0] in _TEMPORAL or words[-1] in _PAST))


def _has_verb(text: str) -> bool:
    """Return whether a text has a word that may be a verb."""
    words = [word.lower() for word in _WORD.findall(text)]
    return any(load_lexicon().lemmas(word) or "'" in word or "’" in word for word in words)
