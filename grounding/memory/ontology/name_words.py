"""The words of a name: split, in singular and plural, with hyphens or without, and its noun."""

from __future__ import annotations

import re
from functools import lru_cache

from commonground.grounding.words.nouns import plural

Words = tuple[str, ...]
_OF_SEVERAL = re.compile(r"(?<=[^\W\d_]s)'(?= \w)")
"""``grandparents' room``."""
_WORD = re.compile(r"'s\b|[^\W_]+(?:-[^\W_]+)*")


@lru_cache(maxsize=1 << 14)
def singular_and_plural(words: Words) -> frozenset[Words]:
    """Return a noun in singular and plural; most things share theirs with others."""
    return frozenset({words, words_of(plural(" ".join(words)))})


def words_of(text: str) -> Words:
    """Return the words of a text in lower case, the possessive split off."""
    plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return tuple(_WORD.findall(_OF_SEVERAL.sub("'s", plain)))


def plain_words(name: str) -> Words:
    """Return the words of a name without its article, those apart that a hyphen joins."""
    words = tuple(w for w in words_of(name) if w != "'s")
    words = tuple(part for word in words for part in word.split("-"))
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words


def spellings(words: Words) -> set[Words]:
    """Return a phrase with its hyphens kept, opened and closed."""
    text = " ".join(words)
    forms = {text, text.replace("-", " "), text.replace("-", "")}
    return {tuple(form.split()) for form in forms if form.strip()}


def without_the(words: Words) -> Words:
    """Return a name without the article that it begins with."""
    return words[1:] if words[:1] == ("the",) and len(words) > 1 else words


def head_of(words: Words) -> Words:
    """Return the noun of a name: what stands before ``in``, ``of`` and the like."""
    for i, word in enumerate(words):
        if i and word in ("in", "of", "at", "on", "from", "to", "for", "near", "by", "between"):
            words = words[:i]
            break
    kept = tuple(word for word in words if word not in ("the", "a", "an") and not word.isdigit())
    return kept or words
