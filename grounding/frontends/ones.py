"""Where a text names one of what was spoken of by its place: ``the one in the yard``, ``the two there``.

The network may pass over the ``one`` and take the place for all of it. What is done is done with the thing,
and with a single one even where several were spoken of.
"""

from __future__ import annotations

import re
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.utterance import (
    Clause,
    Phrase,
    Reference,
    Relation,
    Span,
    Utterance,
)
from commonground.grounding.frontends.otherwise import changed

_ONE = re.compile(
    r"\b(?:the|that|those)\s+(?P<one>one|two|three|four|five|six)(?P<many>s?)\s+(?:over\s+|down\s+|up\s+|out\s+)?(?:in|on|at)\s+(?:(?:the|our|my)\s+)?$",
    re.IGNORECASE,
)
"""What stands right before the name of a place."""


def ones_there(utterance: Utterance, text: str, _names: Names) -> Utterance:
    """Return an utterance that deals with what is somewhere, where its text says so, not with the place."""

    def meant(reference: Reference | None) -> Reference | None:
        if not isinstance(reference, Phrase):
            return reference
        place = _place(reference) if reference.same_noun else reference
        head = place and (place.name or place.noun or place.symbol)
        said = _ONE.search(text[: head.start]) if isinstance(head, Span) else None
        counted = None if said is None else said.span("one")
        if said is None or (
            reference.count and (reference.count.start, reference.count.end) != counted
        ):
            return reference
        one = None if said["many"] else Span(*said.span("one"), said["one"])
        if reference.same_noun:
            return replace(reference, count=one)
        return Phrase(same_noun=True, det="the", count=one, where=(Relation("in", (reference,)),))

    def dealt_with(clause: Clause) -> Clause:
        found = replace(
            clause,
            theme=meant(clause.theme),
            goal=meant(clause.goal),
            location=meant(clause.location),
        )
        if found != clause and clause.sense in ("explore", "enter"):
            return replace(found, sense="inspect" if clause.sense == "explore" else "go to")
        return found

    return changed(utterance, dealt_with)


def _place(one: Phrase) -> Phrase | None:
    """Return the place that tells which is meant."""
    to = [phrase for relation in one.where[:1] for phrase in relation.to]
    return to[0] if len(to) == 1 and isinstance(to[0], Phrase) else None
