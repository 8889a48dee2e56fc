"""Things said by what they are for: ``something to sit on`` is a seat."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from commonground.grounding.words.concepts import word_file

LONGEST = 6
"""Words of a purpose at most."""
_PHRASE = re.compile(
    r"\b(?P<head>something|anything|(?:an?|some|any) (?:thing|object|item))\s+"
    r"(?:(?:that|which) )?(?:(?:i|we|you|one|he|she|they|people|somebody|someone) )?(?:to|can)\s+(?=[a-z])",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+")
_UNSAID = frozenset(["a", "an", "the", "my", "your", "our", "his", "her", "their", "some"])
_NO_PURPOSE = frozenset(["be", "have", "do"])


@dataclass(frozen=True, slots=True)
class Named:
    """A text in which things that were said by their purpose have their names."""

    text: str
    notes: tuple[str, ...] = ()
    """What was taken for what."""
    unknown: str = ""
    """A purpose for which nothing is known."""


def named_by_function(text: str) -> Named:
    """Return a text with ``a seat`` for ``something to sit on``; the first unknown purpose is told."""
    out, notes, at, unknown = [], [], 0, ""
    for found in _PHRASE.finditer(text):
        if found.start() < at:
            continue
        end, noun = _purpose(text, found.end())
        if noun:
            said = text[found.start() : end]
            article = "any" if found["head"].lower().startswith("any") else "a"
            out += [text[at : found.start()], f"{article} {noun}"]
            notes.append(f"took '{said}' for a {noun}")
            at = end
        elif not unknown and text[found.end() :].split(maxsplit=1)[0].lower() not in _NO_PURPOSE:
            unknown = " ".join(text[found.start() :].split()[:5]).rstrip(".,;!?")
    return Named("".join([*out, text[at:]]), tuple(notes), unknown)


def _purpose(text: str, start: int) -> tuple[int, str]:
    """Return where a purpose that begins in a text ends, and what serves it; the longest one counts."""
    end, noun, key = start, "", ""
    at = start
    for _ in range(LONGEST):
        word = _WORD.match(text, at)
        if word is None:
            break
        if word[0].lower() not in _UNSAID:
            key = f"{key} {word[0].lower()}".strip()
            if key in _functions():
                end, noun = word.end(), _functions()[key]
        at = word.end() + (text[word.end() : word.end() + 1] == " ")
    return end, noun


@cache
def _functions() -> Mapping[str, str]:
    lines = [line.partition("=") for line in word_file("functions.txt").splitlines()]
    known = [(noun.strip(), ways) for noun, _, ways in lines if noun[:1] != "#"]
    return {way.strip(): noun for noun, ways in known for way in ways.split(",")}
