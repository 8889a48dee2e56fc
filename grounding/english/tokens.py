"""Text as tokens with their places, and the pieces of a word that a reader knows words by.

No word list is closed: a word is known by its letters (hashed pieces of three to five, and the whole),
so that plurals, compounds, slips of the keys and names never seen are near to what they look like.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from commonground.grounding.words.numbers import compound_numbers

BUCKETS = 1 << 15
"""Rows of the table of pieces; row 0 is empty."""
MAX_PIECES = 24
MAX_LETTERS = 24
"""Of a longer word the beginning and the end count."""
_TOKEN = re.compile(
    r"n't\b|'(?:s|re|ve|ll|d|m)\b|[^\W_]+?(?=n't\b)|[^\W_]+(?:\.\d+)?|[^\w\s]|_", re.I
)
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark of the text."""

    start: int
    end: int
    text: str


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text; they leave out nothing but spaces.

    A number of several words is one token, which reads as its digits do.
    """
    return [*_tokens_of(text)]


@lru_cache(256)  # each reading of a text is checked against it
def _tokens_of(text: str) -> tuple[Token, ...]:
    plain = text.translate(_APOSTROPHES)
    tokens, end = [], 0
    for start, stop, number in [*compound_numbers(plain), (len(plain), len(plain), 0)]:
        matches = _TOKEN.finditer(plain, end, start)
        tokens += [Token(m.start(), m.end(), text[m.start() : m.end()]) for m in matches]
        if number:
            tokens.append(Token(start, stop, str(number)))
        end = stop
    return tuple(tokens)


def stretch(words: Sequence[str], at: int, marks: Collection[str]) -> tuple[int, int]:
    """Return from which word to which those around one reach, up to marks: its sentence or its clause."""
    begin = next((k + 1 for k in range(at - 1, -1, -1) if words[k] in marks), 0)
    return begin, next((k for k in range(at, len(words)) if words[k] in marks), len(words))


@lru_cache(maxsize=65536)
def pieces(word: str) -> tuple[int, ...]:
    """Return the rows of the pieces of a word, the whole word's first."""
    plain = unicodedata.normalize("NFKC", word.translate(_APOSTROPHES)).casefold()
    if len(plain) > MAX_LETTERS:
        plain = plain[: MAX_LETTERS // 2] + plain[-MAX_LETTERS // 2 :]
    around = f"<{plain}>"
    found = [f"={plain}"]
    for size in (3, 4, 5):
        found += [around[i : i + size] for i in range(len(around) - size + 1)]
    return tuple(1 + zlib.crc32(p.encode()) % (BUCKETS - 1) for p in found[:MAX_PIECES])


def shape(word: str) -> tuple[float, ...]:
    """Return what a word looks like: capital first, all capitals, digits, one sign, a mark."""
    letters = [c for c in word if c.isalpha()]
    return (
        float(bool(letters) and letters[0].isupper()),
        float(len(letters) > 1 and all(c.isupper() for c in letters)),
        float(any(c.isdigit() for c in word)),
        float(len(word) == 1),
        float(not any(c.isalnum() for c in word)),
    )
