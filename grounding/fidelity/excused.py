"""Robots that a text says have nothing to do: ``Husky, nothing for you on this one.``, ``Spot: no action.``

The sentence is not read, as what it says would be taken for a task; nothing may be asked of that robot then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.names import Names
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.words.blanks import blanked

_NEEDLESS = re.compile(
    r"\b(?:(?:need(?:n['’]?t| not)|(?:do|does)(?:n['’]?t| not) (?:need|have)(?: to)?"
    r"|no need(?: for (?:you|him|her|it))?(?: to)?)"
    r"(?:\s+(?:bother|come|help|go|do (?:it|that|this|anything)))?(?:\s+(?:too|as well|either|along))?"
    r"|not (?:you|him|her))\W*$",
    re.IGNORECASE,
)
"""What says at the end of a sentence that its robot need do nothing."""
_IDLE = re.compile(
    r"\bno\s+(?:action|task|job|work|orders?|part)s?\b|\bnothing\s+(?:for|to\s+do)\b|\bday\s+off\b"
    r"|\bstands?\s+down\b|\bnot\s+(?:needed|required|involved)\b|\bsits?\s+(?:this\s+one|it)\s+out\b"
    r"|\bstays?\s+out\s+of\s+(?:this|it)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?;\n]+")
_LIMITS = re.compile(r"\b(?:until|till|unless|if|before|after|once|when|while|and|then)\b", re.I)


class Excused(NamedTuple):
    """A text without the sentences that give robots nothing to do, and those robots."""

    text: str
    """As long as before, with blanks."""
    robots: tuple[str, ...] = ()


def excused(text: str, robots: Sequence[str], names: Names) -> Excused:
    """Return a text without the sentences in which one robot is given nothing to do, where others have."""
    idle = [*_sentences(text, robots, names)]
    rest, found = blanked(text, (one[:2] for one in idle)), [robot for *_, robot in idle]
    told = {robot for robot in robots if _named(robot, rest)}
    return Excused(rest, tuple(found)) if told.difference(found) else Excused(text)


def _sentences(text: str, robots: Sequence[str], names: Names) -> Iterator[tuple[int, int, str]]:
    for sentence in _SENTENCE.finditer(text):
        words = sentence[0]
        here = [robot for robot in robots if _named(robot, words)]
        if len(here) != 1 or not _is_idle(words, here[0]) or _LIMITS.search(words):
            continue
        said = [token.text for token in tokens_of(words)]
        others = [
            said[k].casefold() for first, end, _ in names.hints(said) for k in range(first, end)
        ]
        if {*others} <= {here[0].casefold()} and not any(c.isdigit() for c in words):
            yield sentence.start(), sentence.end(), here[0]


def _is_idle(words: str, robot: str) -> bool:
    """Return whether a sentence about a robot gives it nothing to do."""
    spoken_to = re.sub(rf"\W*\b{re.escape(robot)}\W*$", "", words, flags=re.IGNORECASE)
    return bool(_IDLE.search(words) or _NEEDLESS.search(spoken_to))


def _named(robot: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(robot)}\b", text, re.IGNORECASE) is not None
