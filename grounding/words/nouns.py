"""Number of English nouns: plurals, what a word may be the plural of, and nouns without one."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from commonground.grounding.english.lexicon import is_english


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list in a string, as a set."""
    return frozenset(text.split())


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a list in a string."""
    return tuple(text.split())


_PLURALS = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet",
    "tooth": "teeth", "mouse": "mice", "shelf": "shelves", "leaf": "leaves", "loaf": "loaves",
    "knife": "knives", "half": "halves", "bus": "buses", "gas": "gases", "goose": "geese",
    "quay": "quays", "bookshelf": "bookshelves", "scarf": "scarves", "wharf": "wharves",
    "housewife": "housewives", "handkerchief": "handkerchiefs",
}  # fmt: skip
_MASS = word_set(
    "trash rubbish garbage litter waste refuse seating storage food decor clothing furniture "
    "laundry luggage baggage parking fencing signage shelving vegetation grass sand gravel "
    "ground equipment machinery decoration greenery water flora pavement tarmac asphalt "
    "lighting foliage debris fruit"
)
_PLURAL_ONLY = {
    "clothes", "stairs", "scissors", "groceries", "garments", "premises", "snacks", "greens",
    "traffic lights", "railings", "bushes",
}  # fmt: skip
_INVARIANT = {"sheep", "fish", "aircraft", "series", "species"}
_SINGULAR_S = {"atlas", "canvas", "chaos", "cosmos", "gas", "lens", "pancreas", "series", "species"}
_WITH_ES = {"go", "do", "undergo", "redo", "undo", "echo", "potato", "tomato"}
_VOWELS = "aeiou"
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


@lru_cache(4096)
def spoken(name: str) -> str:
    """Return a name as one says it: lower case, words apart, ``pallet_jack`` as ``pallet jack``."""
    return " ".join(re.sub(r"[_\-/]+", " ", name.lower()).split())


def plainly(word: str) -> tuple[str, ...]:
    """Return how a word is written without letters that English has not: Tür as tuer and tur."""
    if word.isascii():
        return ()
    word = unicodedata.normalize("NFC", word.lower())
    both = word.translate(_LETTERS | _UMLAUTS), word.translate(_LETTERS)
    bare = (re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFD", w)) for w in both)
    return tuple(dict.fromkeys(bare))


def plural(phrase: str) -> str:
    """Return the plural of a noun phrase; its last word changes."""
    head, _, last = phrase.rpartition(" ")
    return f"{head} {_plural_word(last)}".strip()


def is_plural_only(phrase: str) -> bool:
    """Return whether a noun is always plural (``clothes``)."""
    last = phrase.rpartition(" ")[2]
    return phrase in _PLURAL_ONLY or last in _PLURAL_ONLY


def is_plural(phrase: str) -> bool:
    """Return whether a noun phrase stands for several things by its form (``boats``, ``clothes``)."""
    last = phrase.rpartition(" ")[2]
    if last in _MASS or last in _INVARIANT or last in _SINGULAR_S:
        return False
    if last in _PLURALS.values() or is_plural_only(phrase):
        return True
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is"))


def singular(phrase: str) -> str:
    """Return the singular of a noun phrase, for showing; a singular stays as it is."""
    head, _, last = phrase.rpartition(" ")
    if not is_plural(phrase) or is_plural_only(phrase):
        return phrase
    word = next((s for s, p in _PLURALS.items() if p == last), "")
    if not word and last.endswith("ies"):
        word = last[:-3] + "y"
    elif not word:
        short = re.search(r"(x|z|ch|sh|ss)es$", last) and not _keeps_e(last)
        word = last[:-2] if short else last[:-1]
    return f"{head} {word}".strip()


def _keeps_e(word: str) -> bool:
    """Return whether only with its e the singular is a word: ``quiche``."""
    return is_english(word[:-1]) and not is_english(word[:-2])


def singulars(phrase: str) -> list[str]:
    """Return what a noun phrase may be the plural of, itself first."""
    return [*_singulars(phrase)]


@lru_cache(4096)  # a text is read in several ways, and each is checked against its words
def _singulars(phrase: str) -> tuple[str, ...]:
    head, _, last = phrase.rpartition(" ")
    found = [last, *(s for s, p in _PLURALS.items() if p == last)]
    if last.endswith("ies") and len(last) > 4:
        found.append(last[:-3] + "y")
    if last.endswith("ves"):
        found += [last[:-3] + "f", last[:-3] + "fe"]
    if last.endswith("es"):
        found.append(last[:-2])
    if last.endswith("s") and not last.endswith("ss"):
        found.append(last[:-1])
    return tuple(f"{head} {word}".strip() for word in dict.fromkeys(found))


def _plural_word(word: str) -> str:
    if word in _PLURALS:
        return _PLURALS[word]
    if word in _MASS or word in _INVARIANT or word in _PLURAL_ONLY:
        return word
    return with_s(word)


def with_s(word: str) -> str:
    """Return a word with its regular ending -s: nouns in the plural, verbs in the third person."""
    if re.search(r"(s|x|z|ch|sh)$", word) or word in _WITH_ES:
        return word + "es"
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"
