"""Things that are narrowed down in the same breath: ``check the barrels, but only the red ones``.

Only those are meant; a reader that takes the addition for an exception or for more to do does the opposite.
"""

from __future__ import annotations

import re
from itertools import pairwise

from commonground.grounding.language.put_right import Find, of_the_same_kind, whole
from commonground.grounding.meaning import ELIDED, Thing

_ONLY = re.compile(
    r"\s*(?:[,;:(–—-]|\.{2,}|…)?\s*(?:(?:but|and|though|well)\s*,?\s+)?(?:only|just|merely|solely)\s+",
    re.I,
)
_TAG = re.compile(
    r"\s*,?\s*\b(?:mind(?:\s+you)?|though|that\s+is|i\s+mean)\b(?=\s*[,.;:!?)]|\s*$)", re.I
)
_OVER = re.compile(r"\s*(?:[,.;:!?)–—-]|$)|\s+(?:and|then|please)\b", re.I)
"""Behind what is added; ``only the red ones are empty`` tells more of them."""


def narrowed(text: str, find: Find) -> str:
    """Return a text that names only what is meant of several things, where it says so behind them."""
    named = [whole(one, text) for one in find(text)]
    for first, meant in pairwise(named):
        if not isinstance(first.what, Thing) or not isinstance(meant.what, Thing):
            continue
        between = text[first.end : meant.start]
        if meant.what.noun != ELIDED or first.what.but or not _ONLY.fullmatch(between):
            continue
        taken, right = of_the_same_kind(first, first.what.noun, text[meant.start : meant.end])
        tag = _TAG.match(text, meant.end)
        end = tag.end() if tag else meant.end
        if taken is not None and _OVER.match(text, end):
            return f"{text[: first.start]}{right}{text[end:]}"
    return text
