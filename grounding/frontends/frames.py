"""A text with a plain name for each thing: ``Spot, go to O1`` for ``Spot, go to the bench by the gate``.

The grammar reads noun phrases well, and only what its author would say around them; the network has read what
many people say around things, and fewer kinds of things. So the network reads the frame, and what the grammar
made of the phrases is put back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.parts import mapped
from commonground.grounding.english.reader import Reading
from commonground.grounding.english.remarks import WANTING
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Described, Phrase, Span, Utterance
from commonground.grounding.fidelity.nouns import is_turn
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.lists import LETTERS
from commonground.grounding.language.mentions import Mention, refers_back
from commonground.grounding.language.parser import OfflineParser
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import ELIDED, Reference, Relation, Several, Thing, things_in
from commonground.grounding.nodes import NodeKind
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.nouns import word_set
from commonground.grounding.world import World

NODES: tuple[NodeKind, ...] = ("object", "region", "place")
FIRST, STEP = 101, 13
"""The numbers of the names look like those of any map."""


class _Piece(NamedTuple):
    """Where a piece of a frame begins and ends, and where its words stand in the text."""

    start: int
    end: int
    first: int
    last: int
    mention: Mention | None


class Frame:
    """A text in which things have plain names."""

    def __init__(
        self,
        text: str,
        named: Sequence[tuple[Mention, str]] = (),
        introduced: Sequence[Introduction] = (),
    ) -> None:
        """Each mention comes with its name; what only introduces something is left out."""
        self.whole, self.introduced = text, introduced
        self._plain = not named and not introduced
        self._pieces: list[_Piece] = []
        self.text, at = "", 0
        text = blanked(text, (one[:2] for one in introduced))
        for mention, name in named:
            self._add(text[at : mention.start], at, None)
            self._add(name, mention.start, mention)
            at = mention.end
        self._add(text[at:], at, None)

    def _add(self, words: str, first: int, mention: Mention | None) -> None:
        start = len(self.text)
        self.text += words
        last = first + len(words) if mention is None else mention.end
        self._pieces.append(_Piece(start, len(self.text), first, last, mention))

    def back(self, reading: Reading) -> Reading:
        """Return a reading of the frame as one of the text."""
        if self._plain:
            return reading
        return replace(
            reading,
            utterance=self._introducing(mapped(reading.utterance, self._back)),
            unsure=tuple(map(self._span, reading.unsure)),
            chatter=tuple(map(self._span, reading.chatter)),
            others=tuple(map(self.back, reading.others)),
        )

    def _introducing(self, utterance: Utterance | None) -> Utterance | None:
        """Return an utterance with what the sentences that were left out introduce."""
        if utterance is None or not self.introduced:
            return utterance
        spans = [
            Described(m.start, m.end, self.whole[m.start : m.end], m.what)
            for _, _, m in self.introduced
        ]
        first, *others = utterance.parts
        named = tuple(Phrase(noun=span) for span in spans)
        return Utterance((replace(first, introduced=(*named, *first.introduced)), *others))

    def _back(self, value: Any) -> Any:
        """Return a span of the frame as that of the text; anything else is itself."""
        if not isinstance(value, Span):
            return value
        span = self._span(value)
        return value if span == value and type(span) is type(value) else span

    def _span(self, span: Span) -> Span:
        here = [p for p in self._pieces if p.start < span.end and span.start < p.end]
        start, end = here[0].first, here[-1].last
        if here[0].mention is None:
            start += max(span.start - here[0].start, 0)
        if here[-1].mention is None:
            end -= max(here[-1].end - span.end, 0)
        words = self.whole[start:end]
        if len(here) == 1 and here[0].mention is not None:
            return Described(start, end, words, here[0].mention.what)
        return Span(start, end, words)


class Framer:
    """Frames texts about one world."""

    def __init__(self, world: World, parser: OfflineParser) -> None:
        self.world, self.parser = world, parser

    def frame(self, text: str) -> Frame:
        """Return a text with a name for each thing: the same one where it is said in the same words."""
        found = self._mentions(text)
        areas = frozenset(k for k, m in enumerate(found) if self._letter(m.what) == "R")
        introduced = [*introductions(text, found, self.world.team.robots, areas)]
        found = [m for m in found if not any(i.start <= m.start < i.end for i in introduced)]
        names: dict[str, str] = {}
        for mention in found:
            words = text[mention.start : mention.end].casefold()
            names.setdefault(words, f"{self._letter(mention.what)}{FIRST + STEP * len(names)}")
        named = [(m, names[text[m.start : m.end].casefold()]) for m in found]
        return Frame(text, named, introduced)

    def _mentions(self, text: str) -> list[Mention]:
        """Return what a text names that the map has."""
        tokens = tokens_of(text)
        said = [token.text.casefold() for token in tokens]
        turns = {t.end for k, t in enumerate(tokens) if is_turn(said, k, k + 1)}
        found = self.parser.mentions(text)
        return [m for m in found if self._is_known(m.what) and m.end not in turns]

    def _is_known(self, what: Reference) -> bool:
        """Return whether the map has what a phrase names; ``a lot`` and ``your lights`` are only talk."""
        return all(
            t.ids or t.noun in ("", ELIDED) or self.world.pools(t.noun, NODES)
            for t in things_in(what)
        )

    def _letter(self, what: Reference) -> str:
        """Return the letter of the symbols of such things."""
        thing = next(things_in(what))
        while not (thing.noun or thing.ids) and thing.among is not None:
            thing = next(things_in(thing.among))
        if thing.ids and thing.ids[0][0].isalpha():
            return thing.ids[0][0]
        if thing.kind in LETTERS:
            return LETTERS[thing.kind]
        return next((LETTERS[k] for k in NODES if self.world.pools(thing.noun, [k])), "O")


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
    """Yield sentences of a text that only introduce something; ``is_area`` tells which mentions are areas.

    ``We run two forklifts.``, ``About those hoses:``; what takes it up later says what is to be done.
    """
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
