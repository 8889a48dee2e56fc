"""How many are meant: determiner, number words and the noun's own number → amount, count and total."""

from __future__ import annotations

from typing import Any

from commonground.grounding.english.utterance import Phrase
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.nouns import is_plural, words_of
from commonground.grounding.words.numbers import count_of, rank_of

ANY = {"any": None, "any one": 1, "any two": 2}
"""Determiners that leave a choice, with their numbers."""
EVERY = {"all": None, "each": None, "both": 2, "the two": 2}


DEFINITE = frozenset(words_of("all both his its my our the their these those your"))
"""Words before a number that say there are no more: ``the two doors``, not ``two doors``."""
INDEFINITE = frozenset(["a", "an"])


def amount_of(phrase: Phrase, noun: str, text: str = "") -> dict[str, Any]:
    """Return the amount, count and total of the things that a phrase with a noun means.

    The text tells ``the two doors``, all there are, from ``two doors``, which are any.
    """
    if phrase.total is not None and count_of(phrase.total.text) is None:
        raise Unclear(f"How many is '{phrase.total.text}'?")
    if phrase.count is not None:
        return _numbered(phrase, text)
    total = None if phrase.total is None else count_of(phrase.total.text)
    if phrase.det in ANY or (total is None and _has_article(phrase, text)):
        single = 1 if not is_plural(noun) else None
        return {"amount": "any", "count": ANY.get(phrase.det) or single, "total": total}
    if phrase.det == "each":
        return {"amount": "all", "count": 1, "total": total}
    if phrase.det in EVERY:
        return {"amount": "all", "total": EVERY[phrase.det] or total}
    return {"amount": "all" if _is_many(phrase, noun) else "the", "total": total}


def _is_many(phrase: Phrase, noun: str) -> bool:
    return phrase.best is None and (phrase.total is not None or is_plural(noun))


def _numbered(phrase: Phrase, text: str) -> dict[str, Any]:
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
    free = phrase.det in ANY or (phrase.det == "the" and _is_indefinite(phrase, text))
    if free or (total is not None and n < total):
        return {"amount": "any", "count": n, "total": total}
    return {"amount": "all", "total": n} if n > 1 else {"amount": "the"}


def _has_article(phrase: Phrase, text: str) -> bool:
    """Return whether a thing is said with ``a``, which leaves a choice, whatever was read."""
    spans = [s for s in (phrase.color, phrase.attribute, phrase.noun) if s is not None]
    plain = phrase.det == "the" and phrase.best is None and phrase.corrected is None
    if not plain or not spans:
        return False
    before = text[: min(s.start for s in spans)].lower().split()
    said = spans[-1].text.lower().split()[:1] if len(spans) == 1 else []
    return not INDEFINITE.isdisjoint([*before[-1:], *said])


def _is_indefinite(phrase: Phrase, text: str) -> bool:
    """Return whether a number stands there without article; of superlatives that says nothing."""
    if phrase.count is None or phrase.best is not None or not text:
        return False
    before = text[: phrase.count.start].lower().split()
    number = phrase.count.text.lower().split()
    return DEFINITE.isdisjoint([*before[-1:], *number[:1]])
