"""What people say they do, beside what they want done: ``I've got the stallion loose in there``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.english.tokens import Token, stretch, tokens_of
from commonground.grounding.english.utterance import Span
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.tense import is_past

MARKS = frozenset(".,;:!?()–—")
PEOPLE = frozenset(["i", "we", "they", "he", "she", "somebody", "someone"])
"""Who begins a clause that tells why: ``I've got the stallion loose in there``."""
JOINING = word_set("and but so as since because for where when until till while")
WANTING = word_set("want wants need needs like 'd would should must better expect require wish can could may "
             "please to ask")  # fmt: skip


_DENYING = frozenset(["not", "n't", "never"])
_NOBODY = frozenset(["nobody", "none", "nothing"])
_HAVING = word_set("have has had 've")
_WHICH = word_set(
    "that which who whose if unless when ones those whichever whoever where sure ensure"
)
"""Before a negation these make a case of it, or pick out what it is said of."""
_WHY = frozenset(["because", "since", "as", "cause"])
_BINDING = WANTING - {"can", "could"} | {"you", "nobody", "anybody", "anyone"}


def only_tells(words: Sequence[str], at: int) -> bool:
    """Return whether a negation says what was not, or why: ``nobody has seen to it for months``.

    No order has that tense, and a reason that speaks of others forbids nothing.
    """
    begin, end = stretch(words, at, MARKS)
    before = words[begin:at]
    why = next((k for k in range(at - 1, begin - 1, -1) if words[k] in _WHY), None)
    if why is not None and words[at] in _DENYING and _BINDING.isdisjoint(words[why:end]):
        return True
    behind = words[at + 1 : at + 4]
    had = words[at] in _DENYING and before[-1:] and before[-1] in _HAVING
    had = had or (words[at] in _NOBODY and behind[:1] and behind[0] in _HAVING)
    return bool(had) and any(map(is_past, behind)) and _WHICH.isdisjoint(before)


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
