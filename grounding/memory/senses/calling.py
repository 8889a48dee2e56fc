"""What words call: the things, people, values and qualities of a world that a span of text may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from rapidfuzz.distance import OSA

from commonground.grounding.memory.names import EXACT, PART, SYNONYM, Names, Words, spellings
from commonground.grounding.memory.senses.states import STATE_WORDS, State
from commonground.grounding.words.concepts import ClassIndex, everyday
from commonground.grounding.words.nouns import plural, singulars
from commonground.grounding.words.spelling import Speller

T = TypeVar("T")
_WORD = re.compile(r"'s\b|[^\W_]+(?:-[^\W_]+)*")
_NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
]
_ORDINALS = [
    "middle",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_ENDS = {
    "bottom": 1, "bottommost": 1, "lowest": 1, "lower": 1, "top": -1, "topmost": -1, "highest": -1,
    "upper": -1, "uppermost": -1, "last": -1, "center": 0, "central": 0,
}  # fmt: skip
_BEFORE_LAST = re.compile(r"\b(next[- ]to|second|one before|last but one|penultimate)\b")
_SMALL = frozenset(
    [
        "the",
        "a",
        "an",
        "some",
        "channel",
        "program",
        "programme",
        "station",
        "mr",
        "mrs",
        "ms",
        "dr",
    ]
)


class Calling:
    """Finds what spans of text may call, misspelled or not."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._by_head: dict[str, list[str]] = {}
        for name in names.names.values():
            if not (names.is_person(name.thing) or names.is_robot(name.thing)):
                self._by_head.setdefault(" ".join(name.head), []).append(name.thing)
        self._classes = ClassIndex(self._by_head)
        known = (names.nouns, names.people, names.values, names.attributes, STATE_WORDS)
        self._speller = Speller(word for keys in known for words in keys for word in _words(words))

    def things(self, text: str) -> dict[str, int]:
        """Return what a noun may mean, and how directly it names each."""
        for words in self._readings(text):
            found = self._named(words) or self._alike(words) or self._compound(words)
            if found:
                return found
        unheard = not any(everyday().senses(word) for word in _split(text))
        return (self._near(text, self.names.nouns) if unheard else None) or {}

    def person(self, text: str) -> str | None:
        """Return the person of a name."""
        return self._looked_up(text, self.names.people)

    def quality(self, text: str) -> str | None:
        """Return the color or other attribute that a word stands for."""
        table = self.names.attributes
        return self._looked_up(text, table) or self._near(text, table)

    def states(self, text: str) -> tuple[State, ...]:
        """Return the states that a word may describe."""
        return self._looked_up(text, STATE_WORDS) or ()

    def values(self, text: str) -> list[str]:
        """Return the liquids and channels that words may mean."""
        whole = self._looked_up(text, self.names.values)
        if whole is not None:
            return [whole]
        spoken = [{w for w in words if w not in _SMALL} for words in self._readings(text)]
        return [
            v for words, v in self.names.values.items() if any(s and s <= {*words} for s in spoken)
        ]

    def is_plural(self, text: str) -> bool:
        """Return whether a noun stands in the plural."""
        words = _split(text)
        return words in self.names.plurals or any(
            plural(one) == " ".join(words) != one for one in singulars(" ".join(words))
        )

    def calls_levels(self, text: str) -> bool:
        """Return whether a noun is one for the levels of any shelf."""
        levels = {t for whole in self.names.levels.values() for t in whole}
        return bool(levels & self.things(text).keys())

    # ---- the ways a noun may name a thing -------------------------------------------------------

    def _readings(self, text: str) -> Iterator[Words]:
        """Yield the words of a text, then its singular, then both with the spelling put right."""
        words = _split(text)
        right = tuple(self._speller.correct(w) or w for w in words)
        for spelled in dict.fromkeys((words, right)):
            for form in singulars(" ".join(spelled)):
                yield tuple(form.split())

    def _looked_up(self, text: str, table: Mapping[Words, T]) -> T | None:
        for words in self._readings(text):
            for form in (words, tuple(w for w in words if w not in _SMALL)):
                found = next((table[key] for key in spellings(form) if key in table), None)
                if found is not None:
                    return found
        return None

    def _near(self, text: str, table: Mapping[Words, T]) -> T | None:
        """Return what is a slip of the pen away, where few words are possible."""
        spelled = " ".join(_split(text))
        near = [key for key in table if OSA.distance(spelled, " ".join(key)) == 1]
        return table[near[0]] if len(near) == 1 and len(spelled) > 3 else None

    def _named(self, words: Words) -> dict[str, int]:
        return next((f for key in spellings(words) if (f := self.names.nouns.get(key))), {})

    def _alike(self, words: Words) -> dict[str, int]:
        """Return the things whose noun has the same meaning or one below it."""
        heads, _ = self._classes.matches(" ".join(words))
        return {thing: SYNONYM for head in sorted(heads) for thing in self._by_head[head]}

    def _compound(self, words: Words) -> dict[str, int]:
        """``kitchen table``, ``red mug``: a noun with what tells the thing apart; else ``bread knife``."""
        for cut in range(1, len(words)):
            before, named = words[:cut], self._named(words[cut:])
            rooms = {t for t in self._named(before) if self.names.is_room(t)}
            quality = self.names.attributes.get(before)
            kept = {
                t: rank
                for t, rank in named.items()
                if self.names.names[t].room in rooms or quality in self.names.names[t].attributes
            }
            if kept:
                return kept
        last = self._named(words[-1:]) if len(words) > 1 else {}
        return {t: PART for t, r in last.items() if r == EXACT and self.names.is_item(t)}


def number(text: str) -> int | None:
    """Return the number that a word stands for."""
    for word in _split(text):
        if word.isdigit():
            return int(word)
        if word in _NUMBERS:
            return _NUMBERS.index(word)
        if word in ("a", "both", "couple", "pair"):
            return 1 if word == "a" else 2
    return None


def level(text: str) -> int | None:
    """Return which level words mean: from the bottom, from the top where negative, the middle as 0."""
    if _BEFORE_LAST.search(text.lower()) and ("last" in text or "penultimate" in text):
        return -2
    for word in _split(text):
        digits = re.match(r"\d+", word)
        if digits is not None:
            return int(digits[0])
        for table in (_ORDINALS, _NUMBERS):
            if word in table:
                return table.index(word)
        if word in _ENDS:
            return _ENDS[word]
    return None


def _split(text: str) -> Words:
    words = tuple(_WORD.findall(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words


def _words(key: Iterable[str]) -> Iterator[str]:
    return (word for part in key for word in part.split("-"))
