"""Where things are that a note names beside them: ``Generator, service yard.``, ``bales, hay barn``.

The network seldom joins what stands side by side. An area that it heard nothing of, and that nothing but a
mark or a preposition parts from a thing, is where that thing is; so is one that an order begins with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from commonground.grounding.english.names import GROUPS, Names
from commonground.grounding.english.parts import mapped, parts_of
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import (
    Clause,
    Phrase,
    Reference,
    Relation,
    Span,
    Utterance,
)

_BETWEEN = frozenset([",", ":", "(", "-", "–", "on", "in", "at", "from", "the", "our"])
_OPENS = re.compile(r"\s*(?:please\s+)?(?:in|on|at|inside)\s+(?:(?:the|our)\s+)?", re.IGNORECASE)
_MARKS = re.compile(r"[.;!?,:\n]")
_AREA = GROUPS.index("area")


def placed(utterance: Utterance, text: str, names: Names) -> Utterance:
    """Return an utterance with its things in the one area beside one of them that it heard nothing of."""
    unheard = [*_unheard(utterance, text, names)]
    things = [thing for thing in _themes(utterance) if _is_nowhere(thing)]
    areas = [
        span
        for span, group in unheard
        if _opens(span, text)
        or (group == _AREA and any(_beside(thing, span, text) for thing in things))
    ]
    if not things or len(areas) != 1 or len([*filter(lambda one: one[1] == _AREA, unheard)]) > 1:
        return utterance
    where = Relation("in", (Phrase(name=areas[0]),))

    def there(one: Any) -> Any:
        here = isinstance(one, Phrase) and one in things
        return replace(one, where=(*one.where, where)) if here else one

    return cast(Utterance, mapped(utterance, there))


def _unheard(utterance: Utterance, text: str, names: Names) -> Iterator[tuple[Span, int]]:
    tokens = tokens_of(text)
    spans = [*parts_of(utterance, Span)]
    for first, end, group in names.hints([token.text for token in tokens]):
        start, last = tokens[first].start, tokens[end - 1].end
        if not any(s.start < last and start < s.end for s in spans):
            yield Span(start, last, text[start:last]), group


def _opens(area: Span, text: str) -> bool:
    """Return whether a clause begins with where it is: ``in the gym please check ...``."""
    return _OPENS.fullmatch(_MARKS.split(text[: area.start])[-1]) is not None


def _themes(utterance: Utterance) -> Iterator[Phrase]:
    for clause in parts_of(utterance, Clause):
        if clause.mood == "do" and not clause.negated and clause.theme is not None:
            yield from _phrases(clause.theme)


def _phrases(reference: Reference) -> tuple[Phrase, ...]:
    return (reference,) if isinstance(reference, Phrase) else reference.phrases


def _is_nowhere(thing: Phrase) -> bool:
    return thing.noun is not None and not any(one.how == "in" for one in thing.where)


def _beside(thing: Phrase, area: Span, text: str) -> bool:
    spans = [*parts_of(thing, Span)]
    first, last = min(s.start for s in spans), max(s.end for s in spans)
    between = text[last : area.start] if last <= area.start else text[area.end : first]
    return _BETWEEN.issuperset(token.text.casefold() for token in tokens_of(between))
