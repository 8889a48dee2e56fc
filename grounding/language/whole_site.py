"""A word for the whole place, where no area is called so: ``every skip on the lot`` is every one there is."""

from __future__ import annotations

import re
from collections.abc import Callable

_WORDS = (
    r"(?:site|lot|yard|park|property|premises|grounds|compound|campus|estate|farm|ranch|plant|facility|complex|base"
    r"|depot|works|camp|resort|fairground|showground|place|shop|building|map)"
)
_ON = re.compile(
    rf"\s+(?:(?:any|every)where\s+|all\s+)?(?:on|in|at|around|round|over|across|throughout)\s+(?:the|this|our)\s+(?:(?P<whole>whole|entire)\s+)?(?P<word>{_WORDS})\b"
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|but|or|that|which|who|needs?|has|have|is|are|must|should|to|please|today|now|for|inspected|checked|before)\b)",
    re.IGNORECASE,
)
_STAYING = re.compile(
    r"\b(?:wait|stay|stand|park|remain|keep|go|drive|get|be|end\s+up|allowed|work|drop|put|place|set|leave)\w*(?:\s+(?:it|them|him|her|you|somewhere))?$",
    re.I,
)
"""Right before, these make the place where one is to be."""
_PUTTING = re.compile(r"\b(?:put|place|set|leave|drop|dump)s?\b[^.;!?,\n]*$", re.IGNORECASE)
_TO = re.compile(r"\s+(?:to|in|into|on|onto|at|by|near|next)\b", re.IGNORECASE)


def on_site(text: str, is_area: Callable[[str], bool]) -> str:
    """Return a text without the words that only say that something is somewhere on the whole place."""

    def told(found: re.Match[str]) -> str:
        before = text[: found.start()]
        put = _PUTTING.search(before) and not _TO.match(text, found.end())
        stays = put or _STAYING.search(before) or not before[-1:].isalnum()
        return found[0] if stays or is_area(found["word"]) else ""

    return _ON.sub(told, text)
