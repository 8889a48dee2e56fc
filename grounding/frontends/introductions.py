"""Sentences that only introduce what the orders are about: ``We run two forklifts.``, ``About those hoses:``.

What takes it up later says what is to be done: ``inspect the yellow one``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.remarks import WANTING
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.mentions import Mention, refers_back
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import Reference, Relation, Several, Thing
from commonground.grounding.words.nouns import word_set

_SENTENCE = re.compile(r"[^.!?;:\n]+(?:[.!?;:\n]+(?=\s|$)|$)|[.!?;:\n]+")
_TAKING_UP = word_set(
    "it them they that those these one ones both former latter other others each either em first "
    "second third last all"
)
_KEEPING = DEEDS - {"STAY", "END"}
_ORDERING = (
    (WANTING - {"like", "can", "could", "may"})
    | NEGATIONS
    | {"if", "when", "until", "after", "before", "once"}
)


_TELLERS = frozenset(["i", "we"])


class Introduction(NamedTuple):
    """A sentence, and what it introduces."""

    start: int
    end: int
    named: Mention


def introductions(
    text: str, mentions: Sequence[Mention], robots: Iterable[str], is_area: frozenset[int]
) -> Iterator[Introduction]:
    """Yield the sentences of a text that introduce something; ``is_area`` tells which mentions are areas."""
    names = {robot.casefold() for robot in robots}
    spans = [match.span() for match in _SENTENCE.finditer(text)]
    for start, end in spans[:-1]:
        later = {t.text.casefold() for t in tokens_of(text[end:])}
        here = [k for k, m in enumerate(mentions) if start <= m.start < end]
        if here and not _TAKING_UP.isdisjoint(later) and _introduces(text[start:end], names):
            named = _named([mentions[k] for k in here], [k in is_area for k in here])
            if named is not None:
                yield Introduction(start, end, named)


def _introduces(sentence: str, robots: set[str]) -> bool:
    said = [token.text.casefold() for token in tokens_of(sentence)]
    words = set(said)
    if words & robots or words & _ORDERING:
        return False
    if said[0] in _TELLERS:
        return True
    return all(said.words in BEING for said in phrases_in(tokenize(sentence), _KEEPING))


def _named(mentions: Sequence[Mention], areas: Sequence[bool]) -> Mention | None:
    """Return what a sentence introduces: what it names, in the area that it names beside."""
    things = [m for m, area in zip(mentions, areas, strict=True) if not area] or list(mentions)
    places = [m for m in mentions if m not in things]
    if len(things) != 1 or len(places) > 1:
        return None
    what = _first_named(things[0].what)
    if what is None or refers_back(what):
        return None
    if not places:
        return Mention(things[0].start, things[0].end, what)
    if isinstance(what, Several) or isinstance(places[0].what, Several):
        return None
    what = replace(what, where=(*what.where, Relation("in", (places[0].what,))))
    first, last = sorted((things[0], places[0]))
    return Mention(first.start, last.end, what)


def _first_named(what: Reference) -> Reference | None:
    """Return what is named for the first time: ``those hoses`` are all there are, ``two`` of them as well."""
    if isinstance(what, Thing) and what.noun and what.of in ("it", "them"):
        what = replace(what, of=None)
    if (
        isinstance(what, Thing)
        and what.amount == "any"
        and what.count
        and what.count > 1
        and not what.total
    ):
        what = replace(what, amount="all", count=None, total=what.count)
    return what
