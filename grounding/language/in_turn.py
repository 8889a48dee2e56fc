"""What is done one after the other, said by a word for all of it: ``the van and the car, in that order``.

The words in between say it instead, so that every reader keeps the order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.language.mentions import BETWEEN, Mention, parts_said
from commonground.grounding.language.put_right import Find
from commonground.grounding.words.blanks import any_of

_TOLD = re.compile(
    r"[\s,–—-]*\b(?:but\s+|and\s+)?(?:do\s+(?:so|it|that|them)\s+)?(?:the\s+following\s+)?"
    r"(?:(?P<back>in\s+(?:the\s+)?(?:reversed?|opposite|inverse)\s+order|back\s+to\s+front|last\s+one\s+first)"
    r"|in\s+(?:exactly\s+)?(?:this|that|the\s+following|the\s+given)\s+(?:exact\s+|very\s+)?order"
    r"|(?P<any>in\s+(?:turn|sequence|succession)|one\s+after\s+(?:the\s+other|another)))\b(?P<mark>\s*[:–—-])?",
    re.IGNORECASE,
)
_FINALLY = re.compile(
    r"(?P<row>\b(?:first|then)\b[^.;!?\n]*?)(?:\s*,)?\s+and\s+(?:finally|lastly|last\s+of\s+all|then\s+finally)\s+(?=(?:to\s+)?(?:the|O\d)\b)",
    re.IGNORECASE,
)
_LATER = r"(?:then|after\s+(?:that|which|him|her|it)|afterwards?|next)"
_TOO = r"(?:\s*,?\s*(?:too|as\s+well|also|likewise))?"


def in_turn(text: str, find: Find, robots: Sequence[str]) -> str:
    """Return a text that says ``then`` between what is to be done, or by whom, in an order that it tells."""
    text = _FINALLY.sub(r"\g<row>, then ", _by_turns(text, any_of(robots)))
    told = _TOLD.search(text)
    if told is None:
        return text
    start, end = told.span()
    apart = f"{text[:start]};{' ' * (end - start - 1)}{text[end:]}"
    for row in _rows(apart, find(apart)):
        parts = [part for one in row for part in parts_said(apart, one)]
        first, last = row[0].start, row[-1].end
        if len(parts) > 1 and all(parts) and not (apart[last:start] + apart[end:first]).strip():
            said = ", then ".join(reversed(parts) if told["back"] else parts)
            return f"{text[: min(first, start)].rstrip()} {said}{text[max(last, end) :]}"
    return text[:start] + text[end:] if told["any"] else text


def _rows(text: str, named: Sequence[Mention]) -> list[list[Mention]]:
    """Return what is named in lists."""
    rows: list[list[Mention]] = []
    for one in named:
        if rows and BETWEEN.fullmatch(text, rows[-1][-1].end, one.start):
            rows[-1].append(one)
        else:
            rows.append([one])
    return rows


def _by_turns(text: str, name: str) -> str:
    """Return a text that tells one robot after the other what both are to do: ``then Spot too``."""
    after = re.compile(
        rf"(?P<told>\b{name}\b(?P<call>\s*,)?(?P<what>\s+[^.;!?\n]+?))\s*[,.;]?\s+(?:and\s+)?{_LATER}\s*,?\s+(?P<who>{name})"
        rf"(?:\s+(?:does|should|can|will|is\s+to|goes|may)(?:\s+(?:it|that|so|the\s+same|do\s+(?:it|so|that|the\s+same)))?)?{_TOO}(?=\s*(?:[.!?]|$))",
        re.IGNORECASE,
    )
    text = after.sub(_both, text)
    who = rf"{name}\b(?:\s*,)?(?:\s+and)?(?:\s+(?:{_LATER}|finally|lastly|last)\b(?:\s*,)?)?\s+"
    first = re.compile(
        rf"\bfirst\s*,?\s*(?P<row>(?:{who}){{2,}})(?P<what>[^.;!?\n]+)", re.IGNORECASE
    )
    return first.sub(lambda one: _each(one, name), text)


def _each(said: re.Match[str], name: str) -> str:
    robots = re.findall(rf"\b{name}\b", said["row"], re.IGNORECASE)
    later = re.findall(rf"\b(?:{_LATER}|finally|lastly|last)\b", said["row"], re.IGNORECASE)
    if len(later) < len(robots) - 1:
        return said[0]
    return ". Then ".join(f"{robot}, {said['what']}" for robot in robots)


def _both(said: re.Match[str]) -> str:
    if re.search(rf"\b{re.escape(said['who'])}\b", said["told"], re.IGNORECASE):
        return said[0]
    return f"{said['told']}. Then {said['who']}{said['call'] or ''}{said['what']}"
