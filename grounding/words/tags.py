"""Tags: names of signs, digits and single letters (``V-102``, ``spot-a``), however they are written.

Who reads English takes a hyphen for one that joins words, and digits for a number. So a tag is read under a
word of its own that no reader takes apart: `Aliases` has those of robots, `Tagged` those of the map.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from commonground.grounding.english.lexicon import is_english

_PART = re.compile(r"[^\W\d_]+|\d+")
_LEAST = 4
"""Letters of a word that is written in capitals; fewer may be a code."""
_APOSTROPHE = re.compile(r"['’]")
_GAP = re.compile(r"[-–_./#]?|\s+")
"""What may stand between the parts of a tag; a full stop before a blank ends a sentence."""


class Tag(NamedTuple):
    """Where a text has a tag, and whose name it is."""

    start: int
    end: int
    name: str


def is_tag(name: str) -> bool:
    """Return whether a name is no word, and no words with a number behind them: ``V-102``, but ``ward 4``."""
    parts = _PART.findall(_APOSTROPHE.sub("", name))
    words = [part for part in parts if not part.isdigit()]
    if len(parts) < 2 or not words:
        return False
    if len(name.split()) == 1:
        return any(part.isdigit() or len(part) == 1 for part in parts)
    return len(words) < len(parts) and not any(map(_is_word, words))


def _is_word(part: str) -> bool:
    """Return whether letters in a name are a word rather than a code: ``bay``, but ``GD``."""
    return is_english(part.casefold()) and not (part.isupper() and len(part) < _LEAST)


def key_of(name: str) -> str:
    """Return what all ways to write a name have in common."""
    return "".join(_PART.findall(name)).casefold()


class Tags:
    """Finds names in texts, whatever joins their parts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: Mapping[str, str] = {key_of(name): name for name in names}
        self._most = max((len(_PART.findall(name)) for name in self._names.values()), default=0)

    def within(self, text: str) -> Iterator[Tag]:
        """Yield the longest names in a text, from left to right."""
        parts, end = [*_PART.finditer(text)] if self._names else [], 0
        for at, first in enumerate(parts):
            if first.start() < end or _goes_on(text[: first.start()][-2:]):
                continue
            found = self._longest(text, parts[at : at + self._most])
            if found is not None:
                end = found.end
                yield found

    def _longest(self, text: str, parts: list[re.Match[str]]) -> Tag | None:
        found, key, before = None, "", parts[0].start()
        for part in parts:
            if not _GAP.fullmatch(text, before, part.start()):
                break
            key, before = key + part[0].casefold(), part.end()
            if key in self._names and not _goes_on(text[before : before + 2][::-1]):
                found = Tag(parts[0].start(), before, self._names[key])
        return found


def _goes_on(beside: str) -> bool:
    """Return whether a word goes on at its end, where two letters stand beside that, the nearer last."""
    return beside[-1:].isalnum() or (beside[-1:] in ("-", "_") and beside[:1].isalnum())


def is_apart(said: str, name: str) -> bool:
    """Return whether a text may have words where a name has one: ``spot a fire``, ``go 2 m``."""
    if " " in name or len(said.split()) < 2:
        return False
    words = (part for part in _PART.findall(said) if part.islower())
    return any(len(word) == 1 or is_english(word) for word in words)
