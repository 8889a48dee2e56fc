"""Texts with blanks for some of their words, as long as before, and patterns for any of some names."""

from __future__ import annotations

import re
from collections.abc import Iterable


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length that has blanks from where to where spans reach."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return "".join(letters)


def any_of(names: Iterable[str]) -> str:
    """Return a pattern for any of some names; where there are none, nothing matches."""
    return f"(?:{'|'.join(map(re.escape, names)) or '(?!)'})"
