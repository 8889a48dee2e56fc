"""What a report gives a reading to stand on: what nobody spoke of is not moved, nor to where nobody said.

A network that has to choose finds some place for everything; what was told before, and where that is or
was, is spoken of as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from commonground.grounding.english.pronouns import SPEAKERS
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.checks.exceptions import excepted_in
from commonground.grounding.memory.interpretation.events import (
    Become,
    Go,
    Named,
    agent_of,
    spoken_of,
    themes_of,
)
from commonground.grounding.memory.interpretation.house import House
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.ontology.name_words import Words, words_of
from commonground.grounding.memory.ontology.names import PART
from commonground.grounding.memory.retrieval.query import mentions_in, telling
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import count_of

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_LONGEST = 4
_THEM = word_set("them these those")
_PLURAL = word_set("them they these those both all everything lot rest others pair each stuff")
_PAIRS = {"both": 2, "pair": 2, "couple": 2}
_BEFORE_LEAVING = re.compile(
    r"\bbefore (?:leaving|[^\W\d_]+ (?:left|went (?:out|off)|took off|headed (?:out|off)))"
    r"(?=\s*[,;.!?]|\s*$)",
    re.I,
)
_GOES = re.compile(
    r"(?:^|[,;.!?–—]\s*|\b(?:and|then|but|so|while|before|after)\s+)(?P<who>he|she)\s+"
    r"(?P<goes>(?:(?!\band (?:he|she|they|i)\b)[^,;.!?–—])*)",
    re.I,
)
"""Who goes somewhere by a clause that calls him by no name: ``and he went out``."""
_BESIDE = re.compile(
    r"\b(?:next to|alongside|beside|close to) (?:(?:the|that|an?|my|his|her|our|their) )?$"
)
_TAKEN_UP = word_set("it them that those these both all everything")
_IDLE = word_set("i me my it its he him his she her they them their a an the is was there")


class Grounds:
    """What one text speaks of, with all that lies or lay there."""

    def __init__(self, text: str, memory: Memory, speaker: str | None) -> None:
        self.names, self.previous = memory.names, memory.discourse.previous
        self.text, self.memory = text, memory
        self.house = House(memory.names, memory.store.facts)
        told = [*memory.discourse.before.events, *memory.discourse.now.events]
        if memory.last is not None:
            told += memory.last.events
        before = chain.from_iterable((*spoken_of(e), agent_of(e)) for e in told)
        called = {*self._called(text, memory)}
        silent = SPEAKERS.isdisjoint(words_of(text)) and speaker not in called
        self.silent = speaker if silent else None
        """Who speaks, where nothing says that it is about him."""
        named = (*called, *before, *self.names.robots, speaker)
        named_only = (e for e in memory.discourse.now.events if isinstance(e, Named))
        self.either = {t for e in named_only for t in themes_of(e)} - called
        """What a report before named that was not understood: ``it`` is one of these."""
        self.left = _BEFORE_LEAVING.search(text) is not None
        self.one = _PLURAL.isdisjoint(words_of(text))
        self.spoken = {thing for thing in named if thing in self.names.things}
        self.counted = [*self._counted(words_of(text), memory)]
        self.beside = {*self._beside(words_of(text), memory)}
        self.several = max([0, *_several(words_of(text))])
        self.places = {*self.spoken, *self._whereabouts(self.spoken)}
        self.places |= {p for t in self.spoken for p in self._parts(t)}

    def _called(self, text: str, memory: Memory) -> Iterator[str]:
        """Yield whatever any words of a text may call."""
        words, calling = words_of(text), memory.retriever.calling
        for at in range(len(words)):
            for end in range(at + 1, min(len(words), at + _LONGEST) + 1):
                key = words[at:end]
                if not _IDLE.issuperset(key):
                    known = calling.things(" ".join(key))
                    part = PART if min(known.values(), default=PART) < PART else PART + 1
                    yield from (thing for thing, rank in known.items() if rank < part)
                    yield from filter(None, [self.names.people.get(key)])

    def _counted(self, words: Words, memory: Memory) -> Iterator[tuple[int, set[str]]]:
        """Yield how many are meant of what a noun calls, unless another phrase may call some of these."""
        every = mentions_in(" ".join(words), memory.retriever.calling)
        mentions = [mention for mention in every if count_of(mention.words) is None]
        for at, mention in enumerate(mentions):
            count = count_of(words[mention.start - 1]) if mention.start else None
            others = {t for m in (*mentions[:at], *mentions[at + 1 :]) for t in m.things}
            if count is not None and others.isdisjoint(mention.things):
                yield count, mention.things

    def _beside(self, words: Words, memory: Memory) -> Iterator[str]:
        """Yield what is named only as what something else is next to, and is not taken up again."""
        mentions = mentions_in(" ".join(words), memory.retriever.calling)
        near = [m for m in mentions if _BESIDE.search(" ".join(words[: m.start]) + " ")]
        meant = [(m in near, m, telling(m, self.names) or m.things) for m in mentions if m.things]
        others = [things for is_near, _, things in meant if not is_near]
        for is_near, one, things in meant:
            named = any(other <= things for other in others)
            if is_near and not named and _TAKEN_UP.isdisjoint(words[one.start :]):
                yield from things

    def _parts(self, thing: str) -> Iterator[str]:
        yield from self.names.levels.get(thing, ())
        yield from filter(None, [self.names.names[thing].whole])

    def _whereabouts(self, things: Iterable[str]) -> Iterator[str]:
        """Yield where things are, and where they were before."""
        for thing in things:
            yield from filter(None, [self.house.location(thing)])
            yield from (fact.object for fact in filter(None, [self.previous.get(thing)]))

    def under(self, reading: Reading) -> Reading:
        """Return a reading, or the question about what it moves without being told to."""
        if reading.status != "ok":
            return reading
        reading = self._as_left(reading)
        missing = next(chain(self._carried_along(reading), self._missing(reading)), None)
        if missing is None:
            return reading
        name = self.names.things[missing].name
        return replace(
            Reading("ask", question=f"what has '{name}' to do with it?"), spoken=reading.spoken
        )

    def _as_left(self, reading: Reading) -> Reading:
        """Return a reading without where somebody was when he did what he did before he left."""
        gone = {e.who for e in reading.events if isinstance(e, Go)}
        if not self.left or not reading.facts:
            return reading
        did = {
            who for event in reading.events if isinstance(event, Become) and (who := event.actor)
        }
        kept = tuple(f for f in reading.facts if f.subject not in did - gone)
        return replace(reading, facts=kept) if kept else reading

    def _carried_along(self, reading: Reading) -> Iterator[str]:
        """Yield what a reading moves and something else only is next to."""
        return (
            f.subject for f in reading.facts if f.subject in self.beside and self._is_elsewhere(f)
        )

    def _missing(self, reading: Reading) -> Iterator[str]:
        """Yield the things and places of a reading that nobody spoke of, and who is not meant."""
        yield from self._miscounted(
            {f.subject for f in reading.facts if self.names.is_item(f.subject)}
        )
        _, added, removed = self.memory.judge.change(reading)
        yield from excepted_in(self.text, (*added, *removed), self.memory.retriever.calling)
        yield from self._others(added)
        yield from (fact.object for fact in added if fact.object == self.silent)
        lying: set[str] | None = None
        for fact in (*reading.facts, *reading.retracted):
            if self._is_place(fact) and fact.object not in self.places:
                yield fact.object
            if self.names.is_item(fact.subject) and fact.subject not in self.spoken:
                lying = lying or {*self.house.items_at(filter(self._may_empty, self.places))}
                if fact.subject not in lying:
                    yield fact.subject

    def _miscounted(self, moved: set[str]) -> Iterator[str]:
        """Yield what is more than a text counts, or all where it is less."""
        for count, called in self.counted:
            yield from sorted(moved & called)[count:]
        if self.one:
            yield from sorted(moved & self.either)[1:]
        if moved and len(moved) < self.several:
            yield from sorted(moved)

    def _others(self, added: Iterable[Fact]) -> Iterator[str]:
        """Yield who would go somewhere where a text says so of another: of ``him``, who is no ``her``."""
        calling, traits = self.memory.retriever.calling, self.names.things
        going = {(f.subject, f.object) for f in added if self.names.is_person(f.subject)}
        pronouns = {who: traits[who].traits.get("pronoun") for who, _ in going}
        for found in _GOES.finditer(self.text) if going else ():
            mentions, said = mentions_in(found["goes"], calling), found["who"].lower()
            named = {t for m in mentions for t in (*m.things, *m.people)}
            there = {who for who, room in going if room in named}
            if said not in {pronouns[who] for who in there}:
                yield from sorted(w for w in there - named if pronouns[w] in ("he", "she"))

    def _may_empty(self, spot: str) -> bool:
        """Return whether all at a spot may be meant: not all in the room where somebody happens to be."""
        return spot in self.spoken or not self.names.is_room(spot)

    def _is_elsewhere(self, fact: Fact) -> bool:
        """Return whether a fact has an item where it is not."""
        return (
            self.names.is_item(fact.subject)
            and self._is_place(fact)
            and (self.house.location(fact.subject) != fact.object)
        )

    def _is_place(self, fact: Fact) -> bool:
        """Return whether a fact tells at which place a thing is."""
        return self.names.meanings.relations[fact.relation].means == "place"


def _several(words: Words) -> Iterator[int]:
    """Yield how many of what was spoken of are meant: ``the pair of them``, ``both of these``."""
    for count, of, what in zip(words, words[1:], words[2:], strict=False):
        if of == "of" and what in _THEM:
            yield _PAIRS.get(count) or count_of(count) or 0
