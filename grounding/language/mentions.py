"""Things that a text names, wherever they stand: noun phrases that the grammar reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.chart import Chart, Reading
from commonground.grounding.language.tokens import Token, sentences, tokenize
from commonground.grounding.meaning import ELIDED, Reference, Relation, Several, Thing, things_in
from commonground.grounding.words.nouns import singulars, word_set

ChartOf = Callable[[Sequence[Token]], Chart]
DEAREST = 0.6
"""Phrases that cost more are hardly meant as such."""
_BARE = 0.3
"""What a noun without determiner costs at least."""
_TAKEN_UP = frozenset(["former", "latter"])
_OF_YOU = frozenset(["you", "robot", "robots", "ye"])
_OPEN = word_set("at on in of to by for from with and or but no not which is are")
"""Words that no phrase ends or begins with."""
BETWEEN = re.compile(r"\s*(?:,|,?\s*\band\b)\s*", re.IGNORECASE)
"""What joins the things of a list."""
_THERE_IS = frozenset(["THERE_BE"])
_ALONE = frozenset(["one", "other", "others", "ones"])
"""Words that may stand for a robot as well as for a thing."""


class Mention(NamedTuple):
    """A noun phrase of a text, and what it means."""

    start: int
    end: int
    what: Reference


def mentions(text: str, chart_of: ChartOf, robots: Sequence[str]) -> list[Mention]:
    """Return the longest noun phrases of a text that name things, from left to right."""
    names = {robot.casefold() for robot in robots}
    found: list[Mention] = []
    for tokens in sentences(tokenize(text)):
        chart, at = chart_of(tokens), 0
        while at < len(tokens):
            reading = _longest(chart.parse("ref", at), tokens, at, names)
            if reading is not None:
                found.append(
                    Mention(tokens[at].start, _end(tokens, reading.end), _plain(reading.value))
                )
            at = at + 1 if reading is None else reading.end
    return found


def _end(tokens: Sequence[Token], end: int) -> int:
    """Return where words end, without what is written in one with the last: ``the van's been inspected``."""
    last, behind = tokens[end - 1], tokens[end : end + 1]
    joined = any(token.start == last.start for token in behind)
    return last.start + len(last.text) if joined else last.end


def _plain(what: Reference) -> Reference:
    """Return ``that one which is in the bay`` as ``the one``: what describes it picks it out."""
    if isinstance(what, Thing) and what.of in ("it", "them") and what.noun and what.where:
        return replace(what, of=None, amount="the" if what.of == "it" else what.amount)
    return what


def _longest(
    readings: Sequence[Reading], tokens: Sequence[Token], at: int, robots: set[str]
) -> Reading | None:
    """Return the reading of the most words, without words that only stand behind it."""
    best: Reading | None = None
    for reading in sorted(readings, key=lambda r: (r.end, r.cost)):
        if reading.cost > DEAREST or not _is_thing(reading, tokens, at, robots):
            continue
        more = best is None or reading.value != best.value or _ends_in_noun(reading, tokens)
        if best is None or (reading.end > best.end and more):
            best = reading
    return best


def _ends_in_noun(reading: Reading, tokens: Sequence[Token]) -> bool:
    """Return whether the last word is what a thing is called: ``the red bin and the blue bin``."""
    last = singulars(tokens[reading.end - 1].text)
    return any(t.noun and t.noun.split()[-1] in last for t in things_in(reading.value))


def _is_thing(reading: Reading, tokens: Sequence[Token], at: int, robots: set[str]) -> bool:
    words = [token.text for token in tokens[at : reading.end]]
    behind = {token.text for token in tokens[reading.end : reading.end + 2]}
    last = tokens[reading.end - 1]
    if (
        _leads_in(tokens, reading.end, joined="and" in words)
        or last.kind == "mark"
        or last.text in _OPEN
        or words[0] in _OPEN
        or (words[-1] in _ALONE and behind & _OF_YOU)
    ):
        return False
    if words[0] in _ALONE and len(words) == 1:
        return False
    if reading.cost >= _BARE and any(
        said.start == tokens[at].start for said in phrases_in(tokens, DEEDS)
    ):
        return False  # without determiner it is as likely a verb
    return all(map(_is_named, things_in(reading.value))) and not any(
        _is_elsewhere(thing, robots) for thing in parts_of(reading.value, Thing)
    )


def _leads_in(tokens: Sequence[Token], end: int, *, joined: bool) -> bool:
    """Return whether words lead in something else: ``a bag, and on the dock there is a flag``."""
    there = {said.start for said in phrases_in(tokens, _THERE_IS)}
    behind = end < len(tokens) and tokens[end].start in there
    return tokens[end - 1].start in there or (joined and behind)


def _is_named(thing: Thing) -> bool:
    """Return whether a phrase names a thing, or one of those named before."""
    return bool(thing.noun or thing.ids or thing.of in _TAKEN_UP or thing.among is not None)


def _is_elsewhere(thing: Thing, robots: set[str]) -> bool:
    """Return whether a phrase names a robot, or some point that is no thing."""
    if any(
        t.kind == "place" or (t.ids[:1] and t.ids[0][0] == "P")
        for r in thing.where
        for t in _anchors(r)
    ):
        return True  # put the bucket on P100
    return thing.noun.casefold() in robots or (thing.kind == "place" and not thing.ids)


def _anchors(relation: Relation) -> Iterator[Thing]:
    for one in relation.to:
        yield from things_in(one)


def refers_back(what: Reference) -> bool:
    """Return whether a phrase is understood only with what was named before."""
    return any(
        t.noun == ELIDED or t.of is not None or (t.among is not None and refers_back(t.among))
        for t in things_in(what)
    )


def parts_said(text: str, named: Mention) -> list[str]:
    """Return the words for each thing that a phrase names; an empty one where they are not told apart."""
    what = named.what
    single = isinstance(what, Thing) and len(what.ids) < 2
    number = len(what.things) if isinstance(what, Several) else max(1, len(what.ids))
    words = text[named.start : named.end]
    parts = [words] if single else BETWEEN.split(words)
    together = isinstance(what, Several) and what.join == "any"
    return [""] if together or len(parts) != number else parts
