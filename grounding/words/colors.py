"""Color words: whether a color on a map is the one that was said."""

from __future__ import annotations

import re

_SAME = {"grey": "gray", "golden": "gold", "silvery": "silver", "violet": "purple", "cyan": "turquoise",
         "teal": "turquoise", "tan": "beige", "cream": "beige", "lilac": "purple"}  # fmt: skip
_SHADES = {"maroon": "red", "crimson": "red", "scarlet": "red", "burgundy": "red", "navy": "blue",
           "azure": "blue", "olive": "green", "lime": "green", "emerald": "green", "charcoal": "gray",
           "amber": "orange", "khaki": "brown", "chestnut": "brown"}  # fmt: skip
_BASIC = frozenset(["red", "blue", "green", "yellow", "orange", "purple", "pink", "brown", "black", "white",
                    "gray", "gold", "silver", "beige", "turquoise"])  # fmt: skip
_STRENGTHS = frozenset(["dark", "light", "bright", "pale", "deep"])


def is_color(given: str, wanted: str, *, loosely: bool = False) -> bool:
    """Return whether a thing that is ``dark red`` on the map is ``red``, or loosely, ``maroon``."""
    have, want = _words(given), _words(wanted)
    if not loosely:
        return bool(want) and want <= have
    return bool(want) and {_SHADES.get(w, w) for w in want - _STRENGTHS} <= {
        _SHADES.get(w, w) for w in have
    }


def names_color(word: str) -> bool:
    """Return whether a word is one for a color."""
    return bool(_words(word) & (_BASIC | _SHADES.keys() | _STRENGTHS))


def _words(text: str) -> frozenset[str]:
    words = re.findall(r"[a-z]+", text.lower())
    plain = (re.sub(r"(?:ish|[- ]?colou?red)$", "", word) for word in words)
    return frozenset(_SAME.get(w, w) for w in plain if w not in ("color", "colour", ""))
