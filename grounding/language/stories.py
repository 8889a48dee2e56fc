"""What is told before an order that is whole without it: ``the crane creaks, so Anna, check the crane``.

A long story makes a network unsure of everything. Where the order behind it names its robot and its things
itself, takes up nothing of the story, and the story wants, forbids, limits and does nothing, the order may be
read alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import BACK, DETERMINERS, NEGATIONS
from commonground.grounding.english.remarks import WANTING
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of, blanked
from commonground.grounding.words.closed import BE, HAVE, RELATIVES
from commonground.grounding.words.nouns import word_set

_BEGINS = re.compile(r"[.,;:!?–—]\s*(?=\S)")
_PIECE = re.compile(r"[.,;:!?–—]+|(?<![\w-])(?:and|so)(?![\w-])", re.IGNORECASE)
_SHOWN = re.compile(
    r"\byou\s+(?:all\s+)?(?:have|see|hear|know|can\s+(?:see|hear))\b", re.IGNORECASE
)
"""What people are shown, and no robot is told."""
_FILLING = word_set(
    "right well so now okay ok anyway and then hey hello hi yeah um er uh look listen"
)
_TELLING = BE | HAVE | word_set("'s 're 've got left leave leaves told said comes came make makes")
"""A story begins with a clause that has a verb like these."""
_SUBJECTS = DETERMINERS | word_set(
    "i we they he she there it somebody someone everybody everything"
)
_LIMITING = (
    (WANTING - {"like", "can", "could", "may", "to"})
    | NEGATIONS
    | word_set(
        "if when until till unless once only first then either before after you your robot robots limits "
        "bounds closed barred banned forbidden keep stay avoid apart careful dangerous danger but "
        "fire harm hurt"
    )
)
_TAKING_UP = BACK | word_set("one ones both former latter other others same each either rest")
_FEWEST = 4
"""So many words a story has."""


def order_alone(text: str, robots: Sequence[str]) -> str:
    """Return a text of the same length without the story before its order; empty where it has none."""
    called = re.search(any_of(robots), text, re.IGNORECASE)
    ends = [*_BEGINS.finditer(text, 0, called.start())] if called else []
    if called is None or not ends:
        return ""
    before, start = text[: ends[-1].start()], ends[-1].end()
    while len(ends) > 1 and _FILLING.issuperset(_words(text[ends[-2].end() : ends[-1].start()])):
        ends.pop()
        before = text[: ends[-1].start()]
    whole = _is_whole(text[start:])
    return blanked(text, [(0, start)]) if whole and _is_story(before, text[start:]) else ""


def _words(text: str) -> list[str]:
    return [token.text.casefold() for token in tokens_of(text)]


def _is_whole(order: str) -> bool:
    """Return whether an order does something and takes up nothing that was said before it."""
    words = pairwise([*_words(order), ""])
    back = (w in _TAKING_UP and not (w in RELATIVES and b in _TELLING) for w, b in words)
    return bool(_deeds(order)) and not any(back)


def _is_story(told: str, order: str) -> bool:
    """Return whether some clauses tell something, and want, forbid, limit and do nothing."""
    told = _SHOWN.sub("they have", told)
    words = _words(told)
    symbols = (word for word in words if any(map(str.isdigit, word)))
    plain = _LIMITING.isdisjoint(words) and all(symbol in _words(order) for symbol in symbols)
    pieces = [*filter(None, map(_piece, _PIECE.split(told)))]
    tells = bool(pieces) and _has_verb(pieces[0]) and all(map(_begins, pieces))
    return plain and tells and len(words) >= _FEWEST


def _piece(text: str) -> list[str]:
    """Return the words of a clause, without what only fills in at its beginning."""
    words = _words(text)
    while words and words[0] in _FILLING:
        words.pop(0)
    return words


def _begins(words: Sequence[str]) -> bool:
    """Return whether a clause begins as what is told does, with its subject or a verb that is no order's."""
    return words[0] in _SUBJECTS or words[0] in _TELLING or words[0].endswith("ed")


def _has_verb(words: Sequence[str]) -> bool:
    return words[0] in _SUBJECTS and any(w in _TELLING or w.endswith("ed") for w in words)


def _deeds(text: str) -> list[str]:
    return [said.words for said in phrases_in(tokenize(text), DEEDS) if said.words not in BEING]
