"""What people say they do, beside what they want done: ``I've got the stallion loose in there``."""

from __future__ import annotations

from collections.abc import Callable

from commonground.grounding.english.tokens import Token, stretch, tokens_of
from commonground.grounding.english.utterance import Span
from commonground.grounding.words.nouns import word_set

MARKS = frozenset(".,;:!?()–—")
PEOPLE = frozenset(["i", "we", "they", "he", "she", "somebody", "someone"])
"""Who begins a clause that tells why: ``I've got the stallion loose in there``."""
JOINING = word_set("and but so as since because for where when until till while")
WANTING = word_set("want wants need needs like 'd would should must better expect require wish can could may "
             "please to ask")  # fmt: skip


def remarks(text: str) -> Callable[[Span | Token], bool]:
    """Return what tells of words whether their clause only says what people do, and wants nothing."""
    tokens = tokens_of(text)
    words = [token.text.casefold() for token in tokens]

    def told(span: Span | Token) -> bool:
        at = next(k for k, token in enumerate(tokens) if token.end > span.start)
        begin = stretch(words, at, MARKS)[0]
        while begin < at and words[begin] in JOINING:
            begin += 1
        clause = words[begin:at]
        return bool(clause) and clause[0] in PEOPLE and WANTING.isdisjoint(clause)

    return told
