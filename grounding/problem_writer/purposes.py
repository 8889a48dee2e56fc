"""Vague commands: which purposes of things a text speaks of, and what is to be done with them.

What follows from that for a house is worked out by `serving`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.grounding.english.remarks import remarks
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.words.concepts import artifacts
from commonground.grounding.words.likeness import likeness
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.numbers import NUMBER_WORDS
from commonground.settings import Settings

Manner = Literal["clean", "order", "keep", "end", "use"]
MANNERS: tuple[Manner, ...] = get_args(Manner)
Words = tuple[str, ...]
_TO_PEOPLE = re.compile(r"\b\w+ (?=(?:me|us|you|him|her|everybody|everyone)\b)")
"""What is done to people is done to no thing: a coffee would ``save me``."""


class Purpose(Settings):
    """What people do at home, and which things serve it; the fields are told in ``purposes.yaml``."""

    words: Words = ()
    says: Words = ()
    lacks: Words = ()
    serving: Words = Field(default=(), alias="with")
    several: int = Field(default=1, ge=1, le=100)
    served: Words = Field(default=(), alias="as")
    at: Words = ()
    kept: Words = ()
    room: Words = ()
    ends: Words = ()


class Purposes(Settings):
    """A file of purposes."""

    purposes: dict[str, Purpose] = Field(default_factory=dict)
    manners: dict[Manner, Words] = Field(default_factory=dict)

    @classmethod
    def load(cls, file: str | Path | None = None) -> Purposes:
        """Return the purposes of a file, or those that come with the program."""
        return _own() if file is None else cls._read(str(file))

    @classmethod
    def _read(cls, path: str) -> Purposes:
        values, lines = read_yaml(path)
        return validated(cls, values, {k: f"{path}:{n}" for k, n in lines.items()}, path)

    def spoken_of(
        self, text: str, asking: str | None = None
    ) -> Iterator[tuple[Manner, list[tuple[str, frozenset[str]]]]]:
        """Yield what a text may want done with which purposes, each with the words for it.

        ``asking`` is the text without what it only tells: ``after washing up I had no lunch`` orders neither.
        """
        said = _plain(text)
        words = _words_in(said)
        asked = said if asking is None else _plain(asking)
        sentences = [_words_in(sentence) for sentence in re.split(r"[.;!?]+", asked)]
        of_things = [_words_in(one) for one in re.split(r"[.;!?]+", _TO_PEOPLE.sub("", asked))]
        listed = self.listed
        lacking = self.lacking(said)
        if lacking:
            yield "use", lacking
            return
        for manner in MANNERS:
            told = sentences if manner == "use" else of_things
            wanting = [each for each in told if _used(self.manners.get(manner, ()), each, ())]
            found = [
                (name, used)
                for name, purpose in self.purposes.items()
                if (used := self._words_for(purpose, manner, words, listed, wanting))
            ]
            if found or wanting:
                yield manner, _particular(found)

    @staticmethod
    def _words_for(
        purpose: Purpose,
        manner: Manner,
        words: Sequence[str],
        listed: frozenset[str],
        asking: Sequence[Sequence[str]],
    ) -> frozenset[str]:
        """Return the words of a text that speak of a purpose as something to be treated so.

        What asks for it and what is asked for are said in one sentence.
        """
        room = purpose.room if manner in ("clean", "order", "keep") else ()
        used = [_used((*purpose.words, *room), sentence, listed) for sentence in asking]
        if manner == "use":
            used.append(_used(purpose.says, words, listed))
        return frozenset().union(*used)

    def lacking(self, text: str) -> list[tuple[str, frozenset[str]]]:
        """Return what a text complains to be missing, each with the words for it."""
        sentences = [_words_in(each) for each in re.split(r"[.;!?]+", text.lower())]
        found = (
            (name, frozenset().union(*(_used(p.lacks, each, ()) for each in sentences)))
            for name, p in self.purposes.items()
        )
        return _particular([each for each in found if each[1]])

    @cached_property
    def listed(self) -> frozenset[str]:
        """Return all words that purposes are spoken of by."""
        ways = (w for p in self.purposes.values() for w in (*p.words, *p.says, *p.lacks, *p.room))
        return frozenset(word for way in ways for word in way.split())


def _plain(text: str) -> str:
    """Return a text in the words that purposes are spoken of by."""
    return _UNSEEN.sub("dark too", _AS_IT_IS.sub(_by_light, _ALSO.sub("", text.lower())))


def _words_in(text: str) -> list[str]:
    return re.findall(r"[a-z]+|\d+", text)


def _particular(
    found: Sequence[tuple[str, frozenset[str]]],
) -> list[tuple[str, frozenset[str]]]:
    """Return the purposes that are not part of how others are spoken of: it is ``too dark``, not ``dark``."""
    return [each for each in found if not any(each[1] < other for _, other in found)]


def counts(text: str) -> dict[str, int]:
    """Return the numbers of a text by the word after each; how often makes no difference in the end."""
    told = remarks(text)
    words = [token.text.lower() for token in tokens_of(text) if not told(token)]
    found = {}
    for word, after in itertools.pairwise([*words, ""]):
        count = int(word[:9]) if word.isdecimal() else NUMBER_WORDS.get(word, 0)
        if (count > 1 or word.isdecimal()) and after not in ("time", "times"):
            found[after] = count
    return found


def _used(ways: Iterable[str], words: Sequence[str], listed: Collection[str]) -> frozenset[str]:
    """Return the words of a text that make up some of the ways to speak of something."""
    return frozenset().union(*(_mention(way.split(), words, listed) for way in ways))


def _mention(way: Sequence[str], words: Sequence[str], listed: Collection[str]) -> frozenset[str]:
    used: set[str] = set()
    for wanted in way:
        hit = next((w for w in words if w not in used and _means(w, wanted, listed)), None)
        if hit is None:
            return frozenset()
        used.add(hit)
    return frozenset(used)


def _means(word: str, wanted: str, listed: Collection[str]) -> bool:
    """Return whether a word is another in any form, or for a kind of it where no purpose lists it."""
    forms = _forms(word)
    if wanted in forms:
        return True
    return bool(listed) and forms.isdisjoint(listed) and wanted in _above(word)


@lru_cache(maxsize=4096)  # every way to speak of every purpose is looked for in a text
def _forms(word: str) -> frozenset[str]:
    return frozenset(bases(word))


@cache
def _above(word: str) -> frozenset[str]:
    """Return the words for what a made thing or food is a kind of."""
    known = artifacts()
    lines = (known.line(sense)[:_STEPS] for sense in known.senses(word))
    return frozenset(w for line in lines for row in line for w in known.concepts[row].words)


def _by_light(found: re.Match[str]) -> str:
    """Return how bright it is in the words of the purposes."""
    alike = (word for word in ("dark", "bright") if likeness(found["how"], word) >= _CLOSE)
    return f"{found['it']} too {next(alike, found['how'])}"


_CLOSE = 0.85
"""How near in meaning words for the same brightness are."""
_AS_IT_IS = re.compile(
    r"(?P<it>\bit(?:['’]s| is| was)(?: \w+)?) (?:as|so|very|really|terribly|awfully|too) (?P<how>[a-z]+)\b"
)
"""Who tells how bright it is minds that."""
_ALSO = re.compile(r",?\s*\btoo\b(?=\s*(?:[.,;:!?]|and\b|please\b|$))")
"""``too`` that says nothing of how much."""
_UNSEEN = re.compile(
    r"\b(?:can(?:n['’]t|['’]t|not| not| hardly| barely)|unable to) (?:see|make out|read)\b|\bsquint(?:ing)?\b"
)
"""Who cannot see wants light."""
_STEPS = 2
"""So many steps up from a word, itself included, something is still close to what was said."""


def bases(word: str) -> Iterator[str]:
    """Yield a word and what it may be a form of."""
    yield from singulars(word)
    for ending in ("ing", "ed", "d", "ation"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            yield from (stem, stem + "e", stem[:-1])


@cache
def _own() -> Purposes:
    """Return the purposes that come with the program."""
    own = files("commonground.grounding.problem_writer").joinpath("data/purposes.yaml")
    return Purposes._read(str(own))
