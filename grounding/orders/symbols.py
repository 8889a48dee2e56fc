"""Nodes of the map by their letters and numbers, as people say them: ``item O44``, ``regions 7, 12``."""

from __future__ import annotations

import re
from typing import Literal

from commonground.grounding.meaning import Kind, Thing
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.numbers import number_of

KINDS: dict[str, Kind] = {
    "object": "object", "item": "object", "obj": "object", "region": "region", "area": "region",
    "zone": "region", "room": "region", "place": "place", "waypoint": "place", "location": "place",
    "node": "thing", "number": "thing", "no": "thing", "nr": "thing", "symbol": "thing", "id": "thing",
    "thing": "thing", "mesh": "thing",
}  # fmt: skip
"""Words beside a number, and what layer they speak of."""
LETTERS: dict[str, Kind] = {"O": "object", "R": "region", "P": "place"}
_SYMBOL = re.compile(r"(?<![^\W\d_])([oprOPR])[\s.#_(-]*(\d+)|(\d+)")
_JOINS = frozenset(["and", "or", "the", "plus", "both", "either", "as", "well"])


def symbol_of(text: str, kind: Kind = "thing") -> Thing:
    """Return the nodes that a text names; ``kind`` is that of numbers before, where it says none itself."""
    ids = [f"{letter.upper()}{digits or bare}" for letter, digits, bare in _SYMBOL.findall(text)]
    words = [w.lower() for w in re.findall(r"[^\W\d_]+", _SYMBOL.sub(" ", text))]
    layers = [found for word in words if (found := _layer(word)) is not None]
    others = [word for word in words if _layer(word) is None and word not in _JOINS]
    if not ids:
        number = number_of(" ".join(others))
        if number is None:
            raise Unclear(f"Which node of the map is '{text}'?")
        ids, others = [str(int(number))], []
    every = tuple(dict.fromkeys(ids))
    amount: Literal["all", "the"] = "all" if len(every) > 1 else "the"
    return Thing(" ".join(others), _kind(layers, every[-1], kind), every, amount)


def _kind(layers: list[Kind], last: str, before: Kind) -> Kind:
    """Return the layer named beside a number, else that of its letter, or of the number before."""
    if layers:
        return next((kind for kind in layers if kind != "thing"), "thing")
    return LETTERS.get(last[0], before)


def _layer(word: str) -> Kind | None:
    return next((KINDS[form] for form in singulars(word) if form in KINDS), None)
