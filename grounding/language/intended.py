"""What was only meant to be done, before something else is told: ``I was going to send you home, but``.

It is no order any more, and readers take it for one. Who is called there is told what follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.fidelity.corrections import intended_in
from commonground.grounding.fidelity.negation import negators
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of

_ENDS = re.compile(r"[.;!?\n]\s*")
_BUT = r"\s*,?\s*\b(?:but|so)\b\s*,?\s*"
_TAKES_UP = re.compile(
    r"\b(?:it|them|they|there|those|these|that|this|same|others?|exchang\w*|swap\w*|switch\w*|revers\w*|round)\b",
    re.IGNORECASE,
)
"""With one of these, what follows may be about what was meant before."""


def unintended(text: str, robots: Sequence[str]) -> str:
    """Return a text without what was only meant to be done, where what is told instead needs none of it."""
    instead = re.compile(rf"(?:\s*,\s*{any_of(robots)}\b)?{_BUT}", re.IGNORECASE)
    for start, end in intended_in(text, robots):
        begin = max((mark.end() for mark in _ENDS.finditer(text, 0, start)), default=0)
        over = _ENDS.search(text, end)
        stop = over.end() if over else len(text)
        but = instead.match(text, end)
        if but and _ordered(text[but.end() : stop], robots):
            stop = but.end()  # I was going to send you home, but check the gate
        between = text[end:stop]
        if not _orders(text[stop:]) or any(map(_orders, (text[begin:start], between))):
            continue
        if negators(between):
            continue  # I was going to send you home, but nobody is to use the road
        following = _ENDS.split(text[stop:], maxsplit=1)[0]
        if _TAKES_UP.search(following):
            continue
        called = re.search(rf"\b{any_of(robots)}\b", text[begin:start] + between, re.I)
        again = re.search(rf"\b{any_of(robots)}\b", following, re.IGNORECASE)
        who = f"{called[0]}, " if called and not again else ""
        return unintended(f"{text[:begin]}{who}{text[stop:]}", robots)
    return text


def _ordered(words: str, robots: Sequence[str]) -> bool:
    """Return whether words begin with an order."""
    called = re.match(rf"\s*(?:please\s+|{any_of(robots)}\s*,?\s*)*", words, re.IGNORECASE)
    rest = words[called.end() :] if called else words
    deeds = phrases_in(tokenize(rest), DEEDS)
    return bool(deeds) and deeds[0].start == 0 and deeds[0].words not in BEING


def _orders(words: str) -> bool:
    return any(one.words not in BEING for one in phrases_in(tokenize(words), DEEDS))
