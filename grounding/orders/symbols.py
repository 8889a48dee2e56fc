"""Nodes of the map by their letters and numbers, as people say them: ``item O44``, ``regions 7, 12``."""

from __future__ import annotations

import re

from commonground.grounding.meaning import Kind, Thing
from commonground.grounding.resolver.candidates import LETTERS
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.layers import layer_of
from commonground.grounding.words.numbers import number_of

_SYMBOL = re.compile(r"(?<![^\W\d_])([oprOPR])[\s.#_(-]*(\d+)|(\d+)")
_JOINS = frozenset(["and", "or", "the", "plus", "both", "either", "as", "well"])
_RANGE = re.compile(r"(\d)\s*(?:[-–—]|\b(?:to|through|thru)\b)\s*([oprOPR]?)\s*(?=\d)")
MAX_RANGE = 200


def symbol_of(text: str, kind: Kind = "thing") -> Thing:
    """Return the nodes that a text names; ``kind`` is that of numbers before, where it says none itself."""
    text = _RANGE.sub(r"\1 .. \2", text)
    ids = _ids(text)
    words = [w.lower() for w in re.findall(r"[^\W\d_]+", _SYMBOL.sub(" ", text))]
    layers = [found for word in words if (found := layer_of(word)) is not None]
    others = [word for word in words if layer_of(word) is None and word not in _JOINS]
    if not ids:
        number = number_of(" ".join(others))
        if number is None or (kind == "thing" and not layers):  # it may be a year
            raise Unclear(f"Which node of the map is '{text}'?")
        ids, others = [str(int(number))], []
    every = tuple(dict.fromkeys(ids))
    noun, layer = " ".join(others), _kind(layers, every[-1], kind)
    if "or" not in words:
        return Thing(noun, layer, every, "all" if len(every) > 1 else "the")
    if "and" in words:
        raise Unclear(f"Does '{text}' mean all of them, or one?")
    return Thing(noun, layer, every, "any", count=1)


def _ids(text: str) -> list[str]:
    """Return letters and numbers as symbols, those of ``3 .. 6`` with all between."""
    ids: list[str] = []
    end = 0
    for match in _SYMBOL.finditer(text):
        letter, digits, bare = match.groups()
        number = int(digits or bare)
        before = ids[-1] if ids and ".." in text[end : match.start()] else None
        if before is not None:
            letter = letter or before.rstrip("0123456789")
            first = int(re.sub(r"\D", "", before))
            if not first < number <= first + MAX_RANGE:
                raise Unclear(f"Which nodes of the map are '{text}'?")
            ids += [f"{letter.upper()}{n}" for n in range(first + 1, number)]
        ids.append(f"{(letter or '').upper()}{number}")
        end = match.end()
    return ids


def _kind(layers: list[Kind], last: str, before: Kind) -> Kind:
    """Return the layer named beside a number, else that of its letter, or of the number before."""
    if layers:
        return next((kind for kind in layers if kind != "thing"), "thing")
    return LETTERS.get(last[0], before)
