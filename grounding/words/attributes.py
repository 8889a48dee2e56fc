"""Attributes that one can see: colors, materials and states, each a choice among a few words."""

from __future__ import annotations

from functools import cache

from commonground.grounding.words.nouns import words_of

FAMILIES = (
    words_of("red orange yellow green blue purple pink brown black white gray beige turquoise"),
    words_of("wooden metal plastic stone concrete brick glass leather fabric paper rubber ceramic"),
    words_of("striped spotted checkered plain"),
    words_of("open closed"),
    words_of("full empty"),
    words_of("broken intact"),
    words_of("clean dirty"),
    words_of("wet dry"),
)
"""Words of which, of one thing, one at most is true."""
_ALSO = {
    "grey": "gray", "violet": "purple", "wood": "wooden", "steel": "metal", "iron": "metal",
    "metallic": "metal", "shut": "closed", "cloth": "fabric", "damaged": "broken",
    "stripes": "striped", "stripe": "striped", "stripy": "striped", "dots": "spotted", "dotted": "spotted",
}  # fmt: skip


def attribute_of(word: str) -> str:
    """Return an attribute by the word for it that others are held against, '' for a word that is none."""
    word = _ALSO.get(word.lower(), word.lower())
    return word if _family(word) else ""


def rivals(word: str) -> tuple[str, ...]:
    """Return what a thing may be instead of what an attribute says; empty for a word that is none."""
    word = word.lower()
    return tuple(w for w in _family(word) if w != _ALSO.get(word, word))


@cache
def _family(word: str) -> tuple[str, ...]:
    return next((family for family in FAMILIES if _ALSO.get(word, word) in family), ())
