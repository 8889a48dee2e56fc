"""What words call: the things, people, values and qualities of a world that a span of text may mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

from commonground.grounding.memory.english.state_words import STATE_WORDS, State
from commonground.grounding.memory.ontology.name_words import Words, spellings, words_of
from commonground.grounding.memory.ontology.names import SYNONYM, Names
from commonground.grounding.words.colors import is_color
from commonground.grounding.words.concepts import ClassIndex, everyday, household
from commonground.grounding.words.nouns import is_plural, singulars
from commonground.grounding.words.numbers import count_of, rank_of

T = TypeVar("T")
_SMALL = frozenset(words_of("the a an some channel program programme station mr mrs ms dr"))
_LEVELS = {
    "bottom": 1, "bottommost": 1, "lowest": 1, "lower": 1, "top": -1, "topmost": -1, "highest": -1,
    "upper": -1, "uppermost": -1, "last": -1, "middle": 0, "center": 0, "central": 0,
}  # fmt: skip
_PAIR = re.compile(r"\b([^\W\d_]{2,}) ([^\W\d_]{3,})\b")
_HYPHENED = re.compile(r"\b([^\W\d_]+)-([^\W\d_]+)\b")
_BEFORE_LAST = re.compile(r"\b(next[- ]to|second|one before|but one)\b.*|\bpenultimate\b")


class Calling:
    """Finds what spans of text may call."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._by_head: dict[str, list[str]] = {}
        for (_, head), things in names.alike.items():
            if not (names.is_person(things[0]) or names.is_robot(things[0])):
                known = self._by_head.get(" ".join(head), [])
                both = sorted([*known, *things], key=names.order.__getitem__)
                self._by_head[" ".join(head)] = both if known else things
        self._synonyms = ClassIndex(self._by_head, household())
        self._kinds = ClassIndex(self._by_head, everyday())
        tables = (names.nouns, names.people, names.values, names.attributes, STATE_WORDS)
        spoken = [word for table in tables for words in table for word in words]
        self._words = frozenset([*spoken, "upstairs", "downstairs"])

    def things(self, text: str) -> Mapping[str, int]:
        """Return what a noun may mean, and how directly it names each."""
        for words in self._readings(text):
            found = (
                self._named(words)
                or self._alike(words, self._synonyms)
                or self._told_apart(words)
                or self._alike(words, self._kinds)
            )
            if found:
                return found
        return {}

    def rejoined(self, text: str) -> str:
        """Return a text with what is one word here written as one: ``note book``, ``low-fat``."""

        def joined(pair: re.Match[str]) -> str:
            word = f"{pair[1]}{pair[2]}"
            return word if not self._words.isdisjoint(singulars(word.lower())) else pair[0]

        def closed(found: re.Match[str]) -> str:
            return "".join(found.groups()) if self.quality(found[0]) else found[0]

        return _HYPHENED.sub(closed, _PAIR.sub(joined, text))

    def person(self, text: str) -> str | None:
        return self._looked_up(text, self.names.people)

    def quality(self, text: str) -> str | None:
        """Return the color or other attribute that a word stands for."""
        table = self.names.attributes
        shades = (q for words, q in table.items() if is_color(" ".join(words), text, loosely=True))
        return self._looked_up(text, table) or next(shades, None)

    def states(self, text: str) -> tuple[State, ...]:
        """Return the states that a word may describe."""
        return self._looked_up(text, STATE_WORDS) or ()

    def values(self, text: str) -> list[str]:
        """Return the liquids and channels that words may mean."""
        whole = self._looked_up(text, self.names.values)
        if whole is not None:
            return [whole]
        spoken = [{w for w in words if w not in _SMALL} for words in self._readings(text)]
        known = self.names.values.items()
        return [value for words, value in known if any(s and s <= {*words} for s in spoken)]

    def calls_levels(self, text: str) -> bool:
        """Return whether a noun is one for the levels of any shelf."""
        levels = {t for whole in self.names.levels.values() for t in whole}
        return bool(levels & self.things(text).keys())

    # ---- the ways a noun may name a thing -------------------------------------------------------

    def _readings(self, text: str) -> Iterator[Words]:
        """Yield the words of a text, then its singular."""
        for form in singulars(" ".join(_split(text))):
            yield tuple(form.split())

    def _looked_up(self, text: str, table: Mapping[Words, T]) -> T | None:
        """Return what a table has for some words, or for those that matter."""
        for words in self._readings(text):
            telling = tuple(w for w in words if w not in _SMALL)
            for key in (*spellings(words), *spellings(telling)):
                if key in table:
                    return table[key]
        return None

    def _named(self, words: Words) -> Mapping[str, int]:
        return next(filter(None, map(self.names.called, spellings(words))), {})

    def _alike(self, words: Words, classes: ClassIndex) -> Mapping[str, int]:
        """Return the things whose noun has the same meaning or one below it."""
        heads, _ = classes.matches(" ".join(words))
        return {thing: SYNONYM for head in sorted(heads) for thing in self._by_head[head]}

    def _told_apart(self, words: Words) -> Mapping[str, int]:
        """``kitchen table``, ``red mug``: a noun after the room or the quality of what is meant."""
        names = self.names
        for cut in range(1, len(words)):
            apart = {t for t in self._named(words[:cut]) if names.is_room(t)}
            apart |= {q for q in (names.attributes.get(words[:cut]),) if q is not None}
            named = self._named(words[cut:])
            kept = {t: r for t, r in named.items() if apart & _apart(names, t)}
            if kept:
                return kept
        return {}


def _apart(names: Names, thing: str) -> frozenset[str]:
    """Return the room and the qualities that a thing may be called by."""
    name = names.names[thing]
    return name.attributes | ({name.room} if name.room is not None else set())


def plural(text: str) -> bool:
    """Return whether a noun stands in the plural."""
    return is_plural(" ".join(_split(text)))


def level(text: str) -> int | None:
    """Return which level words mean: from the bottom, from the top where negative, the middle as 0."""
    spoken = text.lower()
    if _BEFORE_LAST.search(spoken) and ("last" in spoken or "penultimate" in spoken):
        return -2
    for word in _split(spoken):
        place = _LEVELS.get(word)
        place = rank_of(word) if place is None else place
        place = count_of(word) if place is None else place
        if place is not None:
            return place
    return None


def _split(text: str) -> Words:
    words = words_of(text)
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words
