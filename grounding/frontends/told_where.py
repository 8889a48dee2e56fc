"""A place that a sentence before only tells is where a thing is, not where it goes.

``On the shore is lying a bag. Take it, Spot``: what the order takes is there, and nobody said where to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.utterance import (
    Clause,
    Phrase,
    Relation,
    Span,
    Utterance,
    Where,
)
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.frontends.otherwise import changed
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.closed import BE, MODALS
from commonground.grounding.words.nouns import word_set

_SENTENCE = re.compile(r"[^.;!?\n]+")
_IS = (BE - {"be"}) | word_set("lies lie lying stands stand standing sits sit sitting left there")
_DUE = MODALS | word_set("be to belongs belong goes needs need wants want supposed meant ought let")
"""With these a sentence tells where something is to be."""
_THERE = re.compile(r"\b(?:there(?!['’]s|\s+(?:is|are)\b)|back|where|home)\b", re.IGNORECASE)
_TAKING = frozenset(["PICK", "PICK_OR_PLACE"])
_HOW: Mapping[str, Where] = {
    "on": "on", "in": "in", "at": "in", "near": "near", "by": "near", "beside": "near", "under": "under",
    "behind": "behind",
}  # fmt: skip


def told_where(utterance: Utterance, text: str, _names: Names) -> Utterance:
    """Return an utterance in which things are taken from where they are told to be."""

    def taken(clause: Clause) -> Clause:
        what, where = clause.theme, clause.goal
        put = clause.sense == "put" and clause.mood == "do" and not clause.negated
        if not put or not isinstance(what, Phrase) or where is None or not _is_told(clause, text):
            return clause
        at = min((span.start for span in parts_of(where, Span)), default=0)  # there has none
        words = re.findall(r"\w+", text[:at].casefold())
        how: Where = next((_HOW[word] for word in reversed(words[-3:]) if word in _HOW), "in")
        there = replace(what, where=(*what.where, Relation(how, (where,))))
        return replace(clause, sense="hold", theme=there, goal=None)

    return changed(utterance, taken)


def _is_told(clause: Clause, text: str) -> bool:
    """Return whether all that a clause names stands in one sentence that only tells where something is."""
    spans = [*parts_of(clause, Span)]
    if not spans:
        return False
    begin, end = min(s.start for s in spans), max(s.end for s in spans)
    said = next(
        (s for s in _SENTENCE.finditer(text) if s.start() <= begin and end <= s.end()), None
    )
    if said is None or not phrases_in(tokenize(text[said.end() :]), _TAKING):
        return False
    words = {*re.findall(r"\w+", said[0].casefold())}
    later = _THERE.search(text, said.end()) is not None
    return not words.isdisjoint(_IS) and words.isdisjoint(_DUE) and not later
