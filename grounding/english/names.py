"""Names and nouns that a world has, found in a text: a hint for the reader, never an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from commonground.grounding.english.tokens import tokens_of

Group = Literal["robot", "person", "noun", "area"]
GROUPS: tuple[Group, ...] = ("robot", "person", "noun", "area")
HINTS = 2 * len(GROUPS)
"""Numbers of a token: for each group whether a name begins there, and whether one goes on."""
MAX_WORDS = 6
Hint = tuple[int, int, int]
"""First token, token after the last, group."""


class Names:
    """The names of one world; a text may use them or not."""

    def __init__(self, names: Mapping[Group, Iterable[str]] | None = None) -> None:
        self._groups: dict[tuple[str, ...], int] = {}
        for group, found in (names or {}).items():
            for name in found:
                words = singular([t.text for t in tokens_of(name)])
                if 0 < len(words) <= MAX_WORDS:
                    self._groups.setdefault(words, GROUPS.index(group))

    def hints(self, words: Sequence[str]) -> list[Hint]:
        """Return the longest names in a text, from left to right."""
        found: list[Hint] = []
        at = 0
        while self._groups and at < len(words):
            for end in range(min(len(words), at + MAX_WORDS), at, -1):
                group = self._groups.get(singular(words[at:end]))
                if group is not None:
                    found.append((at, end, group))
                    at = end - 1
                    break
            at += 1
        return found


def marks(hints: Iterable[Hint], count: int) -> npt.NDArray[np.float32]:
    """Return the numbers of a number of tokens."""
    made = np.zeros((count, HINTS), np.float32)
    for start, end, group in hints:
        made[start, 2 * group] = 1
        made[start + 1 : end, 2 * group + 1] = 1
    return made


def singular(words: Sequence[str]) -> tuple[str, ...]:
    """Return words without capitals, the last in the singular as far as its ending tells."""
    lower = [w.casefold() for w in words]
    if lower and len(lower[-1]) > 3 and lower[-1].endswith("s") and not lower[-1].endswith("ss"):
        last = lower[-1]
        if last.endswith("ies"):
            last = last[:-3] + "y"
        elif last.endswith(("ches", "shes", "xes", "sses", "zes")):
            last = last[:-2]
        else:
            last = last[:-1]
        lower[-1] = last
    return tuple(lower)
