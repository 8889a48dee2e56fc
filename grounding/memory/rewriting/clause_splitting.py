"""A report taken apart: when it was, and its clauses with what each says by itself.

``Some minutes back, I …`` and ``Step one, Petra …`` are read worse than what they introduce, and clauses
worse together than one after the other. Where a whole was not understood, these parts may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS, NUMBERS
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.time_phrases import time_of
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.memory.rewriting.small_talk import is_purpose
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
_JOINT = re.compile(
    r"(?P<end>[.;!?]+)(?:\s+|$)|,?\s+\b(?:and|but|whereas|while)\b(?:\s+then)?\s+"
    r"|(?P<splice>,\s+)(?=(?:it|they|he|she|I|we)\b)",
    re.I,
)
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
    return Dated(rest, time_of(found["words"])) if has_verb(rest) else Dated(text)


def _only_dates(part: str, names_any: Callable[[str], bool]) -> bool:
    words = [word.lower() for word in _WORD.findall(part)]
    if not 0 < len(words) <= _MOST_WORDS or names_any(part):
        return False
    if not _SUBJECTS.isdisjoint(words) or not {"it", "that", "them"}.isdisjoint(words):
        return False
    counts = len(words) <= 2 and bool({words[-1]} & (NUMBERS | _ORDER) or words[-1].isdigit())
    denied = not NEGATIONS.isdisjoint(words) and words[:2] != ["not", "long"]
    return counts or (not denied and (words[0] in _TEMPORAL or words[-1] in _PAST))


def has_verb(text: str) -> bool:
    """Return whether a text has a word that may be a verb."""
    words = [word.lower() for word in _WORD.findall(text)]
    return any(load_lexicon().lemmas(word) or "'" in word or "’" in word for word in words)


def clauses_in(
    text: str, is_person: Callable[[str], bool], names_any: Callable[[str], bool]
) -> list[str]:
    """Return the sentences of a report, and the clauses with subjects of their own that are joined in one.

    Each ends as a sentence does. What it was for, said before it, tells nothing.
    """
    parts, begin = list[str](), 0
    for joint in _JOINT.finditer(text):
        before, after = text[begin : joint.start()], text[joint.end() :]
        purpose = is_purpose(before)
        goes_on = has_verb(before) and (purpose or names_any(before) or not joint["splice"])
        if joint["end"] or (goes_on and _begins_clause(after, is_person, names_any)):
            parts += [] if purpose and joint["splice"] else [f"{before}{joint['end'] or '.'}"]
            begin = joint.end()
    parts.append(text[begin:])
    return [_led_off(part.strip(), is_person, names_any) for part in parts if _WORD.search(part)]


def _begins_clause(
    text: str, is_person: Callable[[str], bool], names_any: Callable[[str], bool]
) -> bool:
    """Return whether words begin with who does something, after at most a phrase that says when."""
    text = _led_off(text, is_person, names_any)
    words = _WORD.findall(text)[:3]
    subject = words[0].partition("'")[0] if words else ""
    if len(words) < 2 or not _is_subject(subject, is_person):
        return False
    named = "'" in words[0] and subject.lower() not in _SUBJECTS  # "Ben's mug"
    return words[1].lower() not in ("and", "or") and not named and has_verb(text)


def _led_off(text: str, is_person: Callable[[str], bool], names_any: Callable[[str], bool]) -> str:
    """Return a clause without what says when in front of its subject: ``at the same time Ben …``."""
    text = undated(text, names_any).text
    words = [*_WORD.finditer(text)][: _MOST_WORDS + 1]
    at = next((n for n, word in enumerate(words) if _is_subject(word[0], is_person)), 0)
    lead = text[: words[at].start()] if at else ""
    return text[words[at].start() :] if lead and _only_dates(lead, names_any) else text


def _is_subject(word: str, is_person: Callable[[str], bool]) -> bool:
    return word.lower() in _SUBJECTS or is_person(word)
