"""Robots that are to do each what the other was told: ``no, hang on, the other way round``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.fidelity.corrections import OTHER_WAY
from commonground.grounding.language.put_right import HESITATING, TAKING_BACK
from commonground.grounding.words.blanks import any_of

_MARKS = r"[\s,.;:!?…–—-]*"
_SWAPPED = re.compile(
    rf"(?:(?<=[.;!?\n])|(?:{_MARKS}\b(?:{TAKING_BACK}|{HESITATING})\b)+){_MARKS}"
    rf"(?:(?:but|do (?:it|that)|have (?:it|that|them))\s+)?(?:{OTHER_WAY}{_MARKS})+"
    rf"(?:(?:please|thanks?|thank you){_MARKS})?$",
    re.IGNORECASE,
)


def other_way(text: str, robots: Sequence[str]) -> str:
    """Return a text in which two robots that it names once each have changed places, if it ends so."""
    swapped = _SWAPPED.search(text)
    if swapped is None:
        return text
    told = text[: swapped.start()]
    names = re.compile(rf"\b{any_of(robots)}\b", re.IGNORECASE)
    named = [one[0] for one in names.finditer(told)]
    if len(named) != 2 or named[0].casefold() == named[1].casefold():
        return text
    return names.sub(lambda _: named.pop(), told) + "."
