"""Notes as they are jotted down, in the words that are meant: their envelope, signs and shortened words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.words.envelope import deeds, opened
from commonground.grounding.words.spelling import is_word

_SIGNS: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\s*(?:->|=>|→|⇒)\s*", " to "), (r"\s+=\s+(?=[a-z])", " is "),
        (r"\s*(?:>=|≥)\s*(?=\d)", " at least "), (r"\s*(?:<=|≤)\s*(?=\d)", " at most "),
        (r"\s*>\s*(?=\d)", " more than "), (r"\s*<\s*(?=\d)", " fewer than "),
        (r"(?<=\w)\s+[+&]\s+(?=\w)", " and "), (r"\bw/\s*(?=\w)", "with "),
        ("\\s*[\U0001f300-\U0001faff]+\\s+(?=[^\\W_])", ". "),
        (r"(?<=\s)[-−](?=\d)", "minus "), (r"\b1(?=\s+of\b)", "one"),
    )
]  # fmt: skip
_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_SIDE = re.compile(r"\b(?P<own>[NESW])(?=\s+of\b)|(?<=\bfrom\s)(?P<from>[NESW])\b")
_WORD = re.compile(r"(?<![\w.'’-])[A-Za-z]{3,12}(?P<dot>\.(?=\s+[a-z\d=]))?(?![\w'’-])")
_LEAST, _LEAST_DOTTED = 4, 3
"""Letters that a shortened word has, and one with a full stop behind it."""


def written_out(text: str, robots: Iterable[str] = (), nouns: Collection[str] = ()) -> str:
    """Return a note without its envelope, and with words for its signs and shortened words.

    The names of the team and the nouns of the world are known; what is a word already stays.
    """
    if len(text) > MAX_CHARACTERS:
        return text  # that is not read at all
    rest = _led_to(opened(text, [*robots], nouns), [*robots])
    for sign, words in _SIGNS:
        rest = sign.sub(words, rest)
    rest = _SIDE.sub(lambda side: _SIDES[side[0]], rest)
    return _WORD.sub(_lengthened(nouns), rest)


def _led_to(text: str, robots: Sequence[str]) -> str:
    """Return a text with a comma for each arrow that leads from a case to who does something then."""
    names = "|".join(map(re.escape, robots))
    return (
        re.sub(rf"\s*(?:->|=>|→|⇒)\s*(?=(?:{names})\b)", ", ", text, flags=re.I) if names else text
    )


def _lengthened(nouns: Collection[str]) -> Callable[[re.Match[str]], str]:
    """Return what writes out a word that is only the beginning of one that is known here."""

    def written(found: re.Match[str]) -> str:
        word = found[0].rstrip(".")
        least = _LEAST_DOTTED if found["dot"] else _LEAST
        if len(word) < least or _is_word(word.casefold(), nouns):
            return found[0]
        longer = [
            w for w in _known(nouns) if w.startswith(word.casefold()) and len(w) > len(word) + 1
        ]
        return min(longer, key=lambda w: (len(w), w), default=found[0])

    return written


def _known(nouns: Collection[str]) -> Iterable[str]:
    yield from deeds()
    yield from (noun for noun in nouns if noun.isalpha())


def _is_word(word: str, nouns: Collection[str]) -> bool:
    return word in nouns or is_word(word)
