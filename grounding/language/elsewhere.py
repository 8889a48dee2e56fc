"""Where something is after all: ``on your left, no, on your right``, ``in A... in B, sorry, in B``."""

from __future__ import annotations

import re

from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.put_right import AFTER, CUES, MARKS, TAKING_BACK, Find

_AT = r"(?:in|on|at|by|near|behind|beside|from|next to)"
_WHERE = re.compile(rf"(?P<at>{_AT})\s+[^,.;:!?]*?{AFTER.pattern}", re.I)
_SORRY = re.compile(r"[\s,]*\b(?:sorry|my (?:mistake|bad|fault)|i mean)\b(?=\s*[,.;!?]|\s*$)", re.I)
_SAID_TWICE = re.compile(
    rf"(?:…|\.{{2,}})\s*(?P<what>(?:{_AT}|to|the)\s[^.,;:!?]*?)\s*,\s*(?P<cue>{TAKING_BACK})\s*,\s*(?P=what)\b",
    re.I,
)
"""What takes back is said behind what is meant."""


def elsewhere(text: str, find: Find) -> str:
    """Return a text that tells only where something is after all, if that is plain."""
    text = _SAID_TWICE.sub(r", \g<cue>, \g<what>", text)
    for named in find(text):
        if where := _after_all(text, named.end):
            said = _moved(text, named, where)
            if [one.end for one in find(said)] == [len(said)]:
                behind = text[where.end() :]
                again = _SORRY.match(behind)
                return f"{text[: named.start]}{said}{behind[again.end() :] if again else behind}"
    return text


def _after_all(text: str, at: int) -> re.Match[str] | None:
    """Return where something is that a text says behind words that take back what it said before."""
    back = False
    while cue := CUES.match(text, at):
        back, at = back or cue["back"] is not None, cue.end()
    marks = MARKS.match(text, at)
    return _WHERE.match(text, marks.end() if marks else at) if back else None


def _moved(text: str, named: Mention, where: re.Match[str]) -> str:
    """Return a phrase with another place for its last, or only, one; empty where it may have been another."""
    words = text[named.start : named.end]
    places = [*re.finditer(rf"\b{_AT}\b", words, re.I)]
    plain = places and (len(places) == 1 or places[-1][0] == where["at"])
    return f"{words[: places[-1].start()]}{where[0].rstrip()}" if plain else ""
