"""What a command only says by contrast: ``the cup, not the mug``.

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
_NAMED = rf"{_OWN}\s+[a-z]+(?:\s+(?!(?:{_PLACE[3:-1]}|but|and|or|nor)\b)[a-z]+){{0,2}}"
_BUT = re.compile(
    r"\b(?:neither|not|(?:do\s?n['’o]?t|do\s+not|never)\s+(?P<verb>[a-z]+(?:\s(?:up|down|on|off|out))?))\s+"
    rf"(?P<denied>{_NAMED}(?:,?\s+nor\s+{_NAMED})*)(?P<place>(?:\s+{_PLACE}\s+{_NAMED})?)"
    rf"\s*,?\s+but\s+(?:rather\s+)?(?P<asked>(?P<into>{_PLACE}\s+)?{_NAMED})"
    rf"(?=\s*(?:[.,;:!?]|$|\s{_PLACE}\b))",
    re.IGNORECASE,
)
"""``neither the milk nor the bread in the fridge but the knife``, ``don't put it there but on the shelf``."""
_AMENDED = re.compile(
    rf"(?:(?<=^)|(?<=[.;:!?]\s))not\s+(?P<what>{_NAMED})\s*,\s*(?=(?:{_PLACE}\s+)?{_OWN}\s)",
    re.IGNORECASE,
)
"""``not the egg, the apple goes in the bowl``."""
_FIRST = re.compile(
    rf"(?:(?<=^)|(?<=[.;:!?]\s))(?:instead\s+of|rather\s+than)\s+(?P<what>{_NAMED})\s*,?\s+(?=[a-z]+\s+{_OWN}\s)",
    re.IGNORECASE,
)
"""``instead of the egg put the apple in the bowl``."""
_ELSEWHERE = re.compile(
    rf"\bnot\s+{_PLACE}\s+(?P<what>{_NAMED})\s*,?\s+but\s+(?:rather\s+)?(?={_PLACE}\s)",
    re.IGNORECASE,
)
"""``not in the fridge but on the counter``."""


class Contrast(NamedTuple):
    """A command without what it only says by contrast, and that."""

    text: str
    excluded: tuple[str, ...] = ()


def contrasted(text: str) -> Contrast:
    """Return a command without its contrasts, which say again by their opposite what is wanted."""
    whole = text
    excluded = [one for found in _BUT.finditer(text) for one in _denied(found)]
    text = _BUT.sub(_asked, text)
    for way in (_AMENDED, _FIRST, _ELSEWHERE, _NOT, _BARE):
        excluded += [found["what"] for found in way.finditer(text)]
        text = way.sub("", text)
    return Contrast(text, tuple(excluded)) if any(c.isalnum() for c in text) else Contrast(whole)


def _denied(found: re.Match[str]) -> list[str]:
    """Return the things that are not asked for; none where only the place is another."""
    return [] if found["into"] else re.split(r",?\s+nor\s+", found["denied"])


def _asked(found: re.Match[str]) -> str:
    """Return what is asked for in place of what is denied."""
    verb = f"{found['verb']} " if found["verb"] else ""
    if found["into"]:
        return f"{verb}{found['denied']} {found['asked']}"
    return f"{verb}{found['asked']}{found['place']}"
