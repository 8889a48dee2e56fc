"""Symbols of a map that a text names, and those of its meaning: the same ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.held import Held
from commonground.grounding.meaning import Thing
from commonground.grounding.words.tokens import Token

_RANGING = frozenset(["to", "through", "thru", "until", "till", "between", "-", "–", "—"])
_SYMBOL = re.compile(r"([A-Za-z]?)\W*(\d+)")


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a text or a meaning calls a thing on the map by."""

    letter: str
    number: int
    start: int

    def __str__(self) -> str:
        return f"{self.letter.upper()}{self.number}"

    def is_like(self, other: Symbol) -> bool:
        """Return whether both may be the same; a bare number may be of any layer."""
        letters = {self.letter, other.letter} - {""}
        return self.number == other.number and len(letters) < 2


def wrong_symbols(held: Held) -> Iterator[str]:
    """Yield the symbols that only a text has, or only its meaning."""
    said = symbols_said(held.tokens)
    meant = list(meant_symbols(held.meaning))
    for symbol in said:
        if not any(map(symbol.is_like, meant)):
            yield f"the text names {symbol}, which is left out"
    yield from _named_twice(held)
    numbers = [Symbol("", int(t.value), t.start) for t in held.tokens if t.kind == "number"]
    spoken = [*said, *numbers]
    between = range(0) if _RANGING.isdisjoint(held.words) else _between(spoken)
    for symbol in meant:
        if symbol.number not in between and not any(map(symbol.is_like, spoken)):
            yield f"{symbol} is not in the text"


def _named_twice(held: Held) -> Iterator[str]:
    """Yield a ``them`` that is one thing, named by noun and symbol: ``the shears, O94, take them``."""
    if not any(thing.of == "them" for thing in held.parts(Thing)):
        return
    rows = zip(*(held.tokens[k:] for k in range(5)), strict=False)
    for before, mark, token, behind, after in rows:
        twice = token.kind == "symbol" and mark.text == behind.text == ","
        if twice and before.kind == "word" and after.kind != "symbol":  # Bert: O84, O147, ...
            yield f"the text says which {before.text} is meant: {token.text}"


def _between(symbols: Sequence[Symbol]) -> range:
    numbers = [symbol.number for symbol in symbols]
    return range(min(numbers), max(numbers)) if numbers else range(0)


def symbols_said(tokens: Sequence[Token]) -> list[Symbol]:
    """Return the symbols that a text names."""
    return [s for t in tokens if t.kind == "symbol" for s in symbols_in(t.text, t.start)]


def symbols_in(text: str, start: int = 0) -> Iterator[Symbol]:
    """Yield the symbol that a word is, if it is one."""
    found = _SYMBOL.search(text)
    if found:
        yield Symbol(found[1].lower(), int(found[2]), start)


def meant_symbols(meaning: Any) -> Iterator[Symbol]:
    """Yield the symbols of what is meant."""
    for thing in parts_of(meaning, Thing):
        for key in thing.ids:
            yield from symbols_in(key)
        if re.fullmatch(r"[OPRopr]-?\d+", thing.noun):
            yield from symbols_in(thing.noun)
