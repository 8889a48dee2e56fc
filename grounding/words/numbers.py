"""Numbers in words and digits: counts, ranks and lengths as people say them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from commonground.grounding.words.nouns import word_set, words_of

_ONES = words_of(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = words_of("twenty thirty forty fifty sixty seventy eighty ninety")
_GROUPS = {
    "single": 1, "once": 1, "both": 2, "couple": 2, "pair": 2, "twosome": 2,
    "twice": 2, "thrice": 3, "trio": 3, "threesome": 3, "quartet": 4, "quintet": 5, "dozen": 12,
    "score": 20, "hundred": 100, "thousand": 1000,
}  # fmt: skip
NUMBER_WORDS = {word: i for i, word in enumerate(_ONES)} | {
    word: 10 * (i + 2) for i, word in enumerate(_TENS)
}
_WORDS = NUMBER_WORDS | _GROUPS
_ARTICLES = frozenset(["a", "an"])
_BESIDE = _ARTICLES.union(words_of("all any exactly just of only other the these those"))
_AFTER = word_set("at away distance from least less more most off or radius")
_FACTORS = frozenset(["dozen", "score", "hundred", "thousand"])
_IRREGULAR = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
}  # fmt: skip
_METERS = {
    "m": 1.0, "km": 1000.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "yd": 0.9144, "in": 0.0254,
    "meter": 1.0, "metre": 1.0, "kilometer": 1000.0, "kilometre": 1000.0, "centimeter": 0.01,
    "centimetre": 0.01, "millimeter": 0.001, "millimetre": 0.001, "foot": 0.3048, "feet": 0.3048,
    "yard": 0.9144, "inch": 0.0254, "mile": 1609.344,
}  # fmt: skip
_UNIT, _TEEN, _TEN = "|".join(_ONES[1:10]), "|".join(_ONES[10:]), "|".join(_TENS)
_BELOW_100 = rf"(?:(?:{_TEN})(?:[- ](?:{_UNIT}))?|{_TEEN}|{_UNIT})"
_HUNDREDS = rf"{_BELOW_100}[- ]hundred(?:[- ](?:and[- ])?{_BELOW_100})?"
_COMPOUND = re.compile(rf"\b(?:{_HUNDREDS}|(?:{_TEN})[- ](?:{_UNIT}))\b", re.IGNORECASE)
_PIECES = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+")


def compound_numbers(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield where numbers of several words begin and end, and the numbers: ``twenty-five``."""
    for match in _COMPOUND.finditer(text):
        yield match.start(), match.end(), int(number_of(match[0]) or 0)


def count_of(text: str) -> int | None:
    """Return the count that words state: ``three``, ``12``, ``a couple``; None if they state none."""
    value = number_of(text)
    return int(value) if value is not None and value == int(value) and value > 0 else None


@lru_cache(4096)
def number_of(text: str) -> float | None:
    """Return the number that words state: ``1.5``, ``one and a half``, ``twenty-five``, ``a dozen``."""
    value, rest = _leading(_PIECES.findall(text.lower()))
    return value if not rest else None


@lru_cache(4096)
def rank_of(text: str) -> int | None:
    """Return the rank that an ordinal states: ``second``, ``2nd``, ``twenty-first``."""
    words = re.sub(r"[-\s]+", " ", text.lower()).strip()
    digits = re.fullmatch(r"(\d+) ?(?:st|nd|rd|th)?", words)
    if digits:
        return int(digits[1]) or None
    tens, _, last = words.rpartition(" ")
    above = _WORDS.get(tens, 0) if tens in _TENS else 0
    if tens and not above:
        return None
    known = _ordinals()
    rank = known.get(last, 0)
    return above + rank if rank else None


def meters_of(text: str) -> float | None:
    """Return the meters that words state: ``12 m``, ``a dozen meters``, ``under half a kilometer``."""
    words = _PIECES.findall(text.lower())
    while words and not (words[0] in _ARTICLES or words[0] == "half" or _value(words[0])):
        words.pop(0)
    value, rest = _leading(words)
    unit = _unit(rest[0]) if rest else None
    known = value is not None and unit is not None and _AFTER.issuperset(rest[1:])
    return value * unit if known and value is not None and unit is not None else None


def _unit(word: str) -> float | None:
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        if form in _METERS:
            return _METERS[form]
    return None


def _leading(words: list[str]) -> tuple[float | None, list[str]]:
    """Return the number at the beginning of words, and the words after it."""
    at, value = 0, None
    while at < len(words):
        word = words[at]
        part = _value(word)
        if word == "point" and value is not None:
            return _decimal(value, words, at)
        if word == "half":
            value = 0.5 if value is None else value + 0.5
        elif part is not None:
            value = _joined(value, part, word)
        elif word not in _BESIDE and not (word == "and" and value is not None):
            break
        at += 1
    if value is None and not _ARTICLES.isdisjoint(words[:at]):
        value = 1.0
    return value, words[at:]


def _joined(value: float | None, part: float, word: str) -> float:
    """``two`` + ``hundred``, ``twenty`` + ``five``, ``half`` + ``dozen``."""
    if value is None:
        return part
    return value * part if word in _FACTORS else value + part


def _decimal(value: float, words: list[str], at: int) -> tuple[float, list[str]]:
    """``one point five``."""
    end, digits = at + 1, ""
    while end < len(words) and (digit := _WORDS.get(words[end])) is not None and digit < 10:
        digits, end = f"{digits}{digit}", end + 1
    return float(f"{int(value)}.{digits or 0}"), words[end:]


@lru_cache(4096)
def _value(word: str) -> float | None:
    if word[0].isdecimal():
        return float(word.replace(",", "."))
    return float(_WORDS[word]) if word in _WORDS else None


@cache
def _ordinals() -> dict[str, int]:
    """Return ``first`` to ``ninetieth``."""
    regular = {f"{word}th": i for i, word in enumerate(_ONES) if i > 3}
    tens = {f"{word[:-1]}ieth": 10 * (i + 2) for i, word in enumerate(_TENS)}
    return regular | tens | _IRREGULAR
