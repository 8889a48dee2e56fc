"""How many are meant: determiner, number words and the noun's own number → amount, count and total."""

from __future__ import annotations

from typing import Any

from commonground.grounding.english.utterance import Phrase
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.nouns import is_plural
from commonground.grounding.words.numbers import count_of, rank_of

ANY = {"any": None, "any one": 1, "any two": 2}
"""Determiners that leave a choice, with their numbers."""
EVERY = {"all": None, "each": None, "both": 2, "the two": 2}


def amount_of(phrase: Phrase, noun: str) -> dict[str, Any]:
    """Return the amount, count and total of the things that a phrase with a noun means."""
    if phrase.total is not None and count_of(phrase.total.text) is None:
        raise Unclear(f"How many is '{phrase.total.text}'?")
    if phrase.count is not None:
        return _numbered(phrase)
    total = None if phrase.total is None else count_of(phrase.total.text)
    if phrase.det in ANY:
        single = 1 if not is_plural(noun) else None
        return {"amount": "any", "count": ANY.get(phrase.det) or single, "total": total}
    if phrase.det == "each":
        return {"amount": "all", "count": 1, "total": total}
    if phrase.det in EVERY:
        return {"amount": "all", "total": EVERY[phrase.det] or total}
    return {"amount": "all" if _is_many(phrase, noun) else "the", "total": total}


def _is_many(phrase: Phrase, noun: str) -> bool:
    return phrase.best is None and (phrase.total is not None or is_plural(noun))


def _numbered(phrase: Phrase) -> dict[str, Any]:
    """Return the amount where a number was said; ``some`` and ``a few`` are none."""
    words = "" if phrase.count is None else phrase.count.text
    n = count_of(words)
    total = None if phrase.total is None else count_of(phrase.total.text)
    if n is None:
        rank = rank_of(words)
        if rank is not None:
            return {"trait": f"number {rank}", "total": total}
        return {"amount": "any", "total": total}
    if total is not None and n > total:
        raise Unclear(f"How can {n} be of {total}?")
    if phrase.det in ANY or (total is not None and n < total):
        return {"amount": "any", "count": n, "total": total}
    return {"amount": "all", "total": n} if n > 1 else {"amount": "the"}
