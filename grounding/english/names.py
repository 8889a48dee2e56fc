"""Names and nouns that a world has, found in a text: a hint for the reader, never an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from commonground.grounding.english.tokens import tokens_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Group = Literal["robot", "person", "noun", "area"]
GROUPS: tuple[Group, ...] = ("robot", "person", "noun", "area")
ROBOT = GROUPS.index("robot")
HINTS = 2 * len(GROUPS)
"""Numbers of a token: for each group whether a name begins there, and whether one goes on."""
MAX_WORDS = 6
_VOWELS = frozenset("aeiouy")
Hint = tuple[int, int, int]
"""First token, token after the last, group."""


class Names:
    """The names of one world; a text may use them or not."""

    def __init__(self, names: Mapping[Group, Iterable[str]] | None = None) -> None:
        self._groups: dict[tuple[str, ...], int] = {}
        self._first: set[str] = set()
        for group, found in (names or {}).items():
            for name in found:
                words = singular([t.text for t in tokens_of(name)])
                if 0 < len(words) <= MAX_WORDS:
                    self._groups.setdefault(words, GROUPS.index(group))
                    self._first.add(words[0])

    def hints(self, words: Sequence[str]) -> list[Hint]:
        """Return the longest names in a text, from left to right."""
        if not self._groups:
            return []
        found: list[Hint] = []
        lower = [word.casefold() for word in words]
        single = [_single(word) for word in lower]
        end = 0
        for at in range(len(lower)):
            if at >= end and not self._first.isdisjoint((lower[at], single[at])):
                group, end = self._longest(lower, single, at)
                if group is not None:
                    found.append((at, end, group))
        return found

    def _longest(
        self, lower: Sequence[str], single: Sequence[str], at: int
    ) -> tuple[int | None, int]:
        """Return the group of the longest name that begins at a word, and where it ends."""
        for end in range(min(len(lower), at + MAX_WORDS), at, -1):
            group = self._groups.get((*lower[at : end - 1], single[end - 1]))
            if group is not None:
                return group, end
        return None, at


def marks(hints: Iterable[Hint], count: int) -> npt.NDArray[np.float32]:
    """Return the numbers of a number of tokens."""
    import numpy as np

    made = np.zeros((count, HINTS), np.float32)
    for start, end, group in hints:
        made[start, 2 * group] = 1
        made[start + 1 : end, 2 * group + 1] = 1
    return made


def singular(words: Sequence[str]) -> tuple[str, ...]:
    """Return words without capitals, the last in the singular as far as its ending tells."""
    lower = [w.casefold() for w in words]
    return (*lower[:-1], *map(_single, lower[-1:]))


def _single(word: str) -> str:
    short = len(word) <= 3 and not _VOWELS.isdisjoint(word)  # but ``TVs``
    if short or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses", "zes")) else word[:-1]
