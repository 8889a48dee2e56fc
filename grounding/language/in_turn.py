"""What is done one after the other, said by a word for all of it: ``the van and the car, in that order``.

The words in between say it instead, so that every reader keeps the order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.language.mentions import BETWEEN, Mention, parts_said
from commonground.grounding.language.put_right import Find

_TOLD = re.compile(
    r"[\s,–—-]*\b(?:but\s+|and\s+)?(?:do\s+(?:so|it|that|them)\s+)?(?:the\s+following\s+)?"
    r"(?:(?P<back>in\s+(?:the\s+)?(?:reversed?|opposite|inverse)\s+order|back\s+to\s+front|last\s+one\s+first)"
    r"|in\s+(?:exactly\s+)?(?:this|that|the\s+following|the\s+given)\s+(?:exact\s+|very\s+)?order"
    r"|(?P<any>in\s+(?:turn|sequence|succession)|one\s+after\s+(?:the\s+other|another)))\b(?P<mark>\s*[:–—-])?",
    re.IGNORECASE,
)


def in_turn(text: str, find: Find) -> str:
    """Return a text that says ``then`` between what is to be done in an order that it tells."""
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
