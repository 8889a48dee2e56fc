"""Words said twice before a speaker goes on, and colors given up: ``the green... the, uh, the red shed``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of

_HESITATION = (
    r"(?:\s*(?:[,–—-]|…|\.{2,})?\s*\b(?:uh|um|er|erm|ah|eh|hmm?)\b\s*(?:[,–—-]|…|\.{2,})?\s*)"
)
_BROKEN_OFF = r"(?:\s*(?:…|\.{2,})\s*)"
_TWICE = re.compile(
    rf"\b(?P<word>the|an?|and)(?:{_HESITATION}|{_BROKEN_OFF}|\s*[,–—]\s*)(?P=word)\b"
    rf"|\b(?P<small>to|of|in|on|at|by|from|with|for|not|or|then|I['’]d|it['’]s)(?:{_HESITATION}|{_BROKEN_OFF})(?P=small)\b",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    rf"\b(?:the|an?)\s+(?P<color>\w+){_BROKEN_OFF}(?=(?:the|an?)\s)", re.IGNORECASE
)
_COLORS = frozenset(["COLOR"])


def unstuttered(text: str, robots: Sequence[str]) -> str:
    """Return a text that says once what it says twice in a row, and only the color that is meant."""
    text = _TWICE.sub(lambda said: said["word"] or said["small"], text)
    text = re.sub(
        rf"\b(?P<who>{any_of(robots)}){_HESITATION}(?P=who)\b", r"\g<who>", text, flags=re.I
    )
    return _GIVEN_UP.sub(
        lambda said: "" if phrases_in(tokenize(said["color"]), _COLORS) else said[0], text
    )
