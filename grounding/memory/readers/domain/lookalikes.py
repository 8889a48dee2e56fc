"""Things that are called alike: those whose names differ only in their numbers are looked at as one.

A world has many things and few names: trays 1 to 9,000 are all called ``tray``. What a word may speak of is
found out once for all that are called alike, by the first of them, and what a number tells by a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from commonground.grounding.memory.ontology.name_words import Words

T = TypeVar("T")
_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(r"\S*\d\S*")


def is_numbered(word: str) -> bool:
    """Return whether a word has a digit in it: such words tell things apart that are called alike."""
    return _DIGITS.search(word) is not None


@dataclass(slots=True)
class Kin:
    """Things that are called alike, in the order of their world."""

    first: str
    """The thing that stands for all."""
    own: Words
    """The words of its name."""
    things: list[str] = field(default_factory=list)

    @property
    def plain(self) -> Words:
        """The words of their names that all of them have, in order; what has digits is left out."""
        return tuple(w for w in self.own if not is_numbered(w))


class Kindred:
    """The things of a world by how they are called."""

    def __init__(
        self,
        kinds: Mapping[str, str],
        own_words: Mapping[str, Words],
        others: Mapping[str, Words],
        comments: Mapping[str, str],
    ) -> None:
        """Group things by their types and words: of names, of ids that say it otherwise, of comments."""
        self.order = {thing: at for at, thing in enumerate(kinds)}
        self.all: list[Kin] = []
        self.of: dict[str, Kin] = {}
        self.numbered: dict[str, list[str]] = {}
        """The things with a word with a digit in their names."""
        known: dict[tuple[str, str, str], Kin] = {}
        for thing, kind in kinds.items():
            own, comment = own_words[thing], comments.get(thing, "")
            text = " ".join(own)
            if thing in others:
                text = f"{text}\n{' '.join(others[thing])}"
            numbered = _NUMBERED.findall(text)
            key = kind, comment, _DIGITS.sub("#", text) if numbered else text
            kin = known.get(key)
            if kin is None:
                kin = known[key] = Kin(thing, own)
                self.all.append(kin)
            kin.things.append(thing)
            self.of[thing] = kin
            for word in {*numbered}:
                self.numbered.setdefault(word, []).append(thing)
        self.words = self._table()

    def _table(self) -> dict[str, list[Kin]]:
        """Return who has a word without digits in their names."""
        found: dict[str, list[Kin]] = {}
        for kin in self.all:
            for word in {*kin.own}:
                if not is_numbered(word):
                    found.setdefault(word, []).append(kin)
        return found

    def having(self, word: str) -> list[str]:
        """Return the things with a word in their names, in the order of their world."""
        if not is_numbered(word):
            return self.in_order(t for kin in self.words.get(word, ()) for t in kin.things)
        return self.numbered.get(word, [])

    def in_order(self, things: Iterable[str]) -> list[str]:
        """Return things in the order of their world."""
        return sorted(things, key=self.order.__getitem__)

    def among(self, things: Iterable[str]) -> list[Kin]:
        """Return those who are called alike of which some things are."""
        return [*{id(kin): kin for kin in map(self.of.__getitem__, things)}.values()]


class OfFirst(dict[str, T]):
    """What is found out of a thing once, when it is asked for; it is asked of the first that is called so."""

    def __init__(self, found: Callable[[str], T]) -> None:
        super().__init__()
        self._found = found

    def __missing__(self, thing: str) -> T:
        self[thing] = found = self._found(thing)
        return found
