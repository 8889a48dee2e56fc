"""Words that order things by size: which of them is the largest, given what each may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.grounding.nodes import Nodes

_ADJECTIVES: Mapping[str, tuple[str, int]] = {
    "large": ("volume", 1), "big": ("volume", 1), "great": ("volume", 1), "bulky": ("volume", 1),
    "small": ("volume", -1), "little": ("volume", -1), "tiny": ("volume", -1),
    "tall": ("height", 1), "high": ("height", 1), "low": ("height", -1), "short": ("height", -1),
    "long": ("length", 1), "wide": ("width", 1), "broad": ("width", 1), "narrow": ("width", -1),
}  # fmt: skip
"""Adjective → what it measures, and whether more or less of it is meant."""
_VOWELS = "aeiou"
ALIKE = 1e-3
"""By what share measures may differ that are told alike: boxes are given no finer."""


class Extreme(NamedTuple):
    """The one with the most, or the least, of a measure."""

    word: str
    measure: str
    sign: int

    def chances(self, nodes: Nodes, p: Floats) -> Floats:
        """Return how likely each node (n,) is the extreme one of a kind that it is of with ``p`` (n,).

        It is if it is of the kind and no more extreme one is; several of one size may each be. What has no
        size is none.
        """
        size = np.maximum(nodes.high - nodes.low, 0.0)
        flat = np.sort(size[:, :2], axis=1)
        amount = self.sign * {
            "volume": size.prod(axis=1), "height": size[:, 2], "width": flat[:, 0], "length": flat[:, 1],
        }[self.measure]  # fmt: skip
        there = np.where((size > 0).all(axis=1), np.nan_to_num(p), 0.0)
        order = np.argsort(-amount, kind="stable")
        ranked = amount[order]
        none = np.r_[1.0, np.cumprod(1.0 - there[order])]
        more = np.searchsorted(-ranked, -(ranked + ALIKE * np.abs(ranked)), side="left")
        out = np.empty(len(p))
        out[order] = there[order] * none[more]
        return out


def extreme_in(words: str) -> tuple[Extreme | None, str]:
    """Return the extreme that words ask for, and the words without it.

    Comparatives ask for it as well: of two things one is the smaller.
    """
    said = words.split()
    for k, word in enumerate(said[:-1]):
        found = _FORMS.get(word.lower())
        if found is not None:
            return Extreme(word, *found), " ".join(said[:k] + said[k + 1 :])
    return None, words


def _forms(adjective: str) -> Iterator[str]:
    """Yield an adjective's comparative and superlative."""
    stem = adjective.removesuffix("e")
    if adjective.endswith("y"):
        stem = f"{adjective[:-1]}i"
    elif len(adjective) == 3 and adjective[1] in _VOWELS and adjective[2] not in f"{_VOWELS}w":
        stem = adjective + adjective[-1]
    yield from (f"{stem}er", f"{stem}est")


_FORMS = {form: meant for word, meant in _ADJECTIVES.items() for form in _forms(word)}
