"""Who is called somebody's partner has a name: ``Husky, inspect the sign, and your colleague the gate``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.words.blanks import any_of

_PARTNER = re.compile(
    r"\byour\s+(?:colleague|partner|teammate|team-mate|companion|counterpart|mate|buddy|pal|sidekick)\b(?!['’]s)",
    re.IGNORECASE,
)


def partners_named(text: str, robots: Sequence[str]) -> str:
    """Return a text with the name of the other of two robots, where one alone is spoken to."""
    named = {name.casefold() for name in re.findall(rf"\b{any_of(robots)}\b", text, re.IGNORECASE)}
    others = [name for name in robots if name.casefold() not in named]
    if len(robots) != 2 or len(others) != 1:
        return text
    (name,) = others
    return _PARTNER.sub(name.capitalize() if name.islower() else name, text)
