"""Where things are that a note names beside them: ``Generator, service yard.``, ``bales, hay barn``.

The network seldom joins what stands side by side. An area that it heard nothing of, and that nothing but a
mark or a preposition parts from a thing, is where that thing is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from commonground.grounding.english.names import GROUPS, Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import (
    Clause,
    Group,
    Part,
    Phrase,
    Reference,
    Relation,
    Span,
    Step,
    Steps,
    Utterance,
)

_BETWEEN = frozenset([",", ":", "(", "-", "–", "on", "in", "at", "from", "the", "our"])
_AREA = GROUPS.index("area")


def placed(utterance: Utterance, text: str, names: Names) -> Utterance:
    """Return an utterance with its things in the one area beside one of them that it heard nothing of."""
    areas = [*_unheard(utterance, text, names)]
    things = [thing for thing in _themes(utterance) if _is_nowhere(thing)]
    if len(areas) != 1 or not any(_beside(thing, areas[0], text) for thing in things):
        return utterance
    where = Relation("in", (Phrase(name=areas[0]),))
    found = {thing: replace(thing, where=(*thing.where, where)) for thing in things}
    return Utterance(tuple(_part(part, found) for part in utterance.parts))


def _unheard(utterance: Utterance, text: str, names: Names) -> Iterator[Span]:
    tokens = tokens_of(text)
    spans = [*parts_of(utterance, Span)]
    for first, end, group in names.hints([token.text for token in tokens]):
        start, last = tokens[first].start, tokens[end - 1].end
        if group == _AREA and not any(s.start < last and start < s.end for s in spans):
            yield Span(start, last, text[start:last])


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


def _part(part: Part, found: dict[Phrase, Phrase]) -> Part:
    return replace(part, step=_step(part.step, found))


def _step(step: Step, found: dict[Phrase, Phrase]) -> Step:
    if isinstance(step, Steps):
        return replace(step, steps=tuple(_step(one, found) for one in step.steps))
    return step if step.theme is None else replace(step, theme=_reference(step.theme, found))


def _reference(reference: Reference, found: dict[Phrase, Phrase]) -> Reference:
    if isinstance(reference, Group):
        return replace(reference, phrases=tuple(found.get(p, p) for p in reference.phrases))
    return found.get(reference, reference)
