"""What a command only says by contrast: ``the cup, not the mug``, ``don't leave it here, it goes there``.

Nothing more is asked for by that, so it is not read; but what is asked for must not have to do with it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OWN = r"(?:the|an?|my|your|our|his|her|their|that|this)"
_PLACE = r"(?:in|on|at|into|onto|to|with|by|from|for|under)"
_NOT = re.compile(
    rf"(?:,\s*(?:and\s+|but\s+)?not|,?\s*\b(?:rather\s+than|instead\s+of|as\s+opposed\s+to))\s+(?:{_PLACE}\s+)?"
    rf"(?P<what>{_OWN}\s(?:(?!\s(?:and|then|but)\b)[^,.;:!?]){{1,80}})",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!['’]s)(?<!,)\s+not\s+(?:{_PLACE}\s+)?"
    rf"(?P<what>{_OWN}\s[a-z]+(?:\s[a-z]+)?)(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
)
"""``in the mug not the cup``: without a mark before it, it has to end there."""
_DOING = re.compile(
    r",?\s*\b(?:instead\s+of|rather\s+than)\s+[a-z]+ing\s+(?:it|them|that|those|him|her)(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
)
"""``cool it instead of heating it``."""
_LEFT = re.compile(
    rf"\b(?:do\s?n['’o]?t|do\s+not|never)\s+leave\s+(?P<thing>{_OWN}\s[^,.;:!?]{{1,60}}?\s"
    rf"{_PLACE}\s+{_OWN}\s[^,.;:!?]{{1,40}})"
    r"(?=\s*[,;–—-]+\s*(?:that|it|this|they|those|these)\s+(?:goes?|belongs?|needs?|lives?|should|must)\b)",
    re.IGNORECASE,
)


class Contrast(NamedTuple):
    """A command without what it only says by contrast, and that."""

    text: str
    excluded: tuple[str, ...] = ()


def contrasted(text: str) -> Contrast:
    """Return a command without its contrasts, which say again by their opposite what is wanted."""
    excluded = tuple(found["what"] for way in (_NOT, _BARE) for found in way.finditer(text))
    rest = _DOING.sub("", _BARE.sub("", _NOT.sub("", text)))
    rest = _LEFT.sub(lambda found: found["thing"], rest)
    return Contrast(rest, excluded) if any(c.isalnum() for c in rest) else Contrast(text)
