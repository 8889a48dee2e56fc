"""Robots that wait for each other, or hear from each other, where an answer does not hold it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from commonground.grounding.fidelity.held import Held
from commonground.grounding.words.blanks import any_of

_BEFORE = (
    r"(?:before|after|until|till|once|when|whenever|as\s+soon\s+as|then|afterwards?|next|later)"
)
_SERIES = re.compile(
    r"\b(?:afterwards?|next|second|later|last|third|after\s+(?:him|her|that|them))\s*(?:[.;,!?]|and\b|$)",
    re.I,
)
_FIRST = re.compile(r"\bfirst\b(?!\s+(?:one|of|\w+\s+(?:on|in|by|from)\b))", re.IGNORECASE)
_DONE = re.compile(
    r"\b(?:when|once|after|as\s+soon\s+as|until)\s+(?:that|this|it|(?:he|she|they)(?:\s+(?:is|are|has|have))?)"
    r"(?:'s|\s+is|\s+has\s+been)?\s*(?:done|finished|ready|through|over|there|back|checked|inspected)\b",
    re.IGNORECASE,
)


def lost_waits(held: Held) -> Iterator[str]:
    """Yield where a text has one robot wait for what another does, and the answer has no order."""
    text = held.text
    named = rf"\b(?P<who>{any_of(held.robots)})\b"
    ordered = any(one.then for one in held.meaning.assignments[1:])
    for mark in re.finditer(rf"\b{_BEFORE}\s*,?\s+{named}", text, re.IGNORECASE):
        if not ordered and _others(mark["who"], held):
            yield f"the text says '{mark[0]}', and the answer has no robot wait for another"
    here = list(re.finditer(named, text, re.IGNORECASE))
    for first, last in pairwise(here):
        between, behind = text[first.end() : last.start()], text[last.end() :]
        if first["who"].casefold() == last["who"].casefold() or ordered:
            continue
        if _DONE.search(between) or (
            _FIRST.search(text[: last.start()]) and _SERIES.match(behind.lstrip(" ,"))
        ):
            yield f"{last['who']} is to wait for {first['who']}, and the answer has no robot wait for another"


def _others(who: str, held: Held) -> bool:
    """Return whether a text also names another, or somebody."""
    others = [name for name in held.robots if name.casefold() != who.casefold()]
    somebody = rf"\b(?:{any_of(others)}|some(?:one|body)|one of you)\b"
    return re.search(somebody, held.text, re.I) is not None


def lost_news(held: Held) -> Iterator[str]:
    """Yield who is to be told something: no robot tells another anything."""
    names = any_of(held.robots)
    told = re.search(
        rf"\b(?:let\s+(?:{names})\s+know|(?:inform|notify|warn)s?\s+(?:{names})\b"
        rf"|tells?\s+(?:{names})(?:\s+(?:about|that|when|what|how|if|whether|where)\b|\s*[.;!?]|\s*$)"
        rf"|reports?\s+(?:back\s+|it\s+|that\s+)?to\s+(?:{names})\b)",
        held.text,
        re.IGNORECASE,
    )
    if told and held.meaning.assignments:
        yield f"the text says '{told[0]}', and no robot tells another anything"
