"""The noun phrases of a text: what they may stand for here, and as phrases of an utterance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from commonground.grounding.english.utterance import Group, Phrase, Reference, Span
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.state_words import STATE_WORDS
from commonground.grounding.memory.interpretation.events import Event, agent_of, place_of, themes_of
from commonground.grounding.memory.interpretation.house import Accepts, House
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.names import EXACT, Names

_LONG = 1000
"""Longer than any phrase."""
_NOUN = 4
_COUNT = 3
_BEFORE = frozenset(["it", "this", "they"])
"""Pronouns for things spoken of before."""
_SPECIAL = {0: "middle", -1: "top"}


class Mentions:
    """The noun phrases of one text, and what its pronouns take up."""

    def __init__(self, names: Names, house: House, told: Sequence[Event], speaker: str | None):
        self.names = names
        self.house = house
        self.told = told
        """What was reported before."""
        self.speaker = speaker
        self.barred: str | None = None
        """Who acts in the clause: ``him`` and ``her`` in it mean somebody else."""
        self.subject: Mention | None = None
        self.themes: list[Mention] = []
        """What the text was about so far, the last first."""
        self.things: list[Mention] = []
        self.uttered: list[Mention] = []
        """The phrases that clauses of the utterance have."""
        self.people: list[str] = []
        self.subjects: list[str] = []
        self.owners: list[str] = []
        """People mentioned only as owners of things."""
        self._places: dict[Mention, int] = {}
        """Where the words of each phrase stand, apart from those of all others."""
        self._qualities = {v: " ".join(k) for k, v in names.attributes.items()}

    # ---- what they may stand for -----------------------------------------------------------------

    def may_be(self, mention: Mention | None, accepts: Accepts) -> bool:
        """Return whether a phrase could mean something acceptable, whatever it turns out to mean."""
        if mention is None:
            return False
        if mention.kind in ("person", "value"):
            return mention.thing is not None and accepts(mention.thing)
        if mention.kind == "several":
            return all(self.may_be(part, accepts) for part in mention.parts)
        if mention.kind == "pronoun":
            return self._pronoun_may_be(mention, accepts)
        return mention.kind == "thing" and any(map(accepts, self.called(mention)))

    def _pronoun_may_be(self, mention: Mention, accepts: Accepts) -> bool:
        if mention.pronoun == "you":
            return any(map(accepts, self.names.robots))
        if mention.pronoun in _BEFORE:
            return self.taken_up(mention, accepts) is not None or any(
                accepts(t) for t in self.spoken_of() if not self.names.is_person(t)
            )
        who = self.person(mention)
        return who is not None and accepts(who)

    def called(self, mention: Mention) -> Iterator[str]:
        """Yield what the noun of a phrase may mean."""
        if mention.head == ("",):
            return iter({t: EXACT for levels in self.names.levels.values() for t in levels})
        return iter(self.names.called(mention.head))

    def taken_up(self, mention: Mention, accepts: Accepts) -> Mention | None:
        """Return the phrase of the same text that a pronoun takes up; None if it reaches further back."""
        if mention.pronoun not in _BEFORE:
            return None
        found = (m for m in (*self.themes, *self.things) if m.kind != "person")
        fitting = (m for m in found if m.kind == "group" or self.may_be(m, accepts))
        return next((m for m in fitting if m is not mention), None)

    def spoken_of(self) -> Iterator[str]:
        """Yield the things and places of the reports before, the last first."""
        for event in reversed(self.told):
            yield from themes_of(event)
        yield from filter(None, map(place_of, reversed(self.told)))

    def person(self, mention: Mention | None) -> str | None:
        """Return the person a phrase means, if that is clear."""
        if mention is None:
            return None
        if mention.kind == "several":
            return self.person(mention.parts[0])
        if mention.kind == "person":
            return mention.thing
        if mention.kind != "pronoun":
            return None
        if mention.pronoun == "i":
            return self.speaker
        if mention.pronoun == "they":
            return next(iter([*self.subjects, *self.people]), None)
        return self._third_person(mention) if mention.pronoun in ("he", "she") else None

    def _third_person(self, mention: Mention) -> str | None:
        """Return the person last spoken of; who acts is not ``him`` or ``her`` in the same clause."""
        free = mention.possessive or mention is self.subject
        before = [w for event in reversed(self.told) if (w := agent_of(event)) is not None]
        before += [t for event in reversed(self.told) for t in themes_of(event)]
        for who in (*self.subjects, *self.people, *self.owners, *before):
            barred = who == self.barred and not free
            if not barred and self._is_called(who, mention.pronoun or ""):
                return who
        return None

    def _is_called(self, who: str, pronoun: str) -> bool:
        if not self.names.is_person(who) or who == self.speaker:
            return False
        return self.names.things[who].traits.get("pronoun", pronoun) in (pronoun, "they")

    # ---- as phrases of an utterance --------------------------------------------------------------

    def phrase(self, mention: Mention, accepts: Accepts | None = None) -> Reference | None:
        """Return a phrase as one of an utterance; None for whoever and wherever that is."""
        if mention.kind == "several":
            parts = (self.phrase(part, accepts) for part in mention.parts)
            return Group("all of", tuple(p for p in parts if isinstance(p, Phrase)))
        return self.one(mention, accepts)

    def one(self, mention: Mention, accepts: Accepts | None = None) -> Phrase | None:
        """Return a phrase that is no list as one of an utterance."""
        if mention.kind == "pronoun":
            return self._of_pronoun(mention, accepts)
        if mention.kind == "hand":
            return self._robot() if mention.owner is None else self.one(mention.owner)
        if mention.kind == "person" and mention.thing is not None:
            return self.somebody(mention.thing)
        if mention.kind == "place word" or mention.kind == "person":
            return None
        if mention.kind == "group":
            return self.group(mention)
        if mention.kind in ("unknown", "value"):
            return Phrase(noun=self.span(mention.words, mention, _NOUN))
        return self._described(mention)

    def somebody(self, who: str) -> Phrase:
        """Return somebody known as a phrase."""
        words = self.names.things[who].name
        at = -_LONG * sum(map(ord, who))
        named = Span(at, at + len(words), words)
        return (
            Phrase(person=named)
            if self.names.is_person(who)
            else Phrase(symbol=replace(named, text=who))
        )

    def _robot(self) -> Phrase | None:
        return self.somebody(self.names.robots[0]) if len(self.names.robots) == 1 else None

    def _of_pronoun(self, mention: Mention, accepts: Accepts | None) -> Phrase | None:
        if mention.pronoun == "i":
            return Phrase(speaker=True)
        if mention.pronoun in ("we", "everyone"):
            return Phrase(everybody=True)
        if mention.pronoun in ("someone", "nobody", "who"):
            return None
        if mention.pronoun == "you":
            return self._robot()
        who = self.person(mention) if mention.pronoun not in ("it", "this") else None
        if (
            mention.pronoun == "they"
            and accepts is not None
            and who is not None
            and not accepts(who)
        ):
            who = None
        if who is not None:
            return self.somebody(who)
        meant = self.taken_up(mention, accepts or self.names.is_item)
        if meant is not None and meant.kind == "group" and meant not in self.uttered:
            return self.group(meant)
        if meant is None or meant.kind != "thing" or meant.head in ((), ("",)):
            return Phrase()
        if meant in self.uttered:
            return Phrase(again=(self.span(" ".join(meant.head), meant, _NOUN),))
        self.uttered.append(meant)
        return self._described(meant)

    def span(self, words: str, mention: Mention, part: int = 0) -> Span:
        """Return words of a phrase; those of one part of it stand before those of the next."""
        at = self._places.setdefault(mention, _LONG * len(self._places)) + part * _LONG // 10
        return Span(at, at + len(words), words)

    def group(self, mention: Mention) -> Phrase:
        """Return ``everything on the sofa``; without a place, what was spoken of: ``all of it``."""
        where = next((self.one(place) for _, place in mention.where), None)
        found = Phrase(everything=True, located=where) if where is not None else Phrase()
        return self.without(found, mention.excluding)

    def without(self, found: Phrase, excluded: Sequence[Mention]) -> Phrase:
        """Return a phrase with its exception."""
        if len(excluded) > 1:
            raise Unclear(f"all but which ones: '{excluded[0].words}'?")
        return replace(found, but=self.one(excluded[0])) if excluded else found

    def _described(self, mention: Mention) -> Phrase:
        """Return a noun with its owner, color, level and place."""
        made: dict[str, object] = {}
        if mention.head and mention.head != ("",):
            made["noun"] = self.span(" ".join(mention.head), mention, _NOUN)
        words = [self._qualities.get(q, q) for q in sorted(mention.attributes)]
        words += [" ".join(w) for w in self._states(mention)]
        for part, (key, word) in enumerate(zip(("color", "attribute"), words, strict=False)):
            made[key] = self.span(word, mention, 1 + part)
        if mention.ordinal is not None:
            rank = _SPECIAL.get(mention.ordinal, str(mention.ordinal))
            made["level"] = self.span(rank, mention)
        if mention.shared:
            made["owner"] = Phrase(everybody=True)
        elif mention.owner is not None:
            made["owner"] = self.one(mention.owner)
        held = [self.one(mention.holder)] if mention.holder is not None else []
        places = [self.one(m) for _, m in mention.where if m.kind in ("thing", "person")]
        for key, place in zip(("room", "located"), filter(None, chain(places, held)), strict=False):
            made[key] = place
        if mention.count is not None:
            made["count"] = self.span(str(mention.count), mention, _COUNT)
        found = Phrase(**made)  # type: ignore[arg-type]
        if mention.every or mention.plural:
            found = replace(found, det="all" if mention.every else "the")
        return self.without(found, mention.excluding)

    def _states(self, mention: Mention) -> Iterator[tuple[str, ...]]:
        for state in mention.states[:1]:
            yield from [words for words, states in STATE_WORDS.items() if state in states][:1]

    # ---- what has been spoken of -----------------------------------------------------------------

    def knows_place(self) -> bool:
        """Return whether a place was spoken of, so that ``there`` is somewhere."""
        return any(map(place_of, self.told)) or self.latest_place() is not None

    def latest_place(self) -> Phrase | None:
        """Return the place that the text named last, a room only where there is no other."""
        found = [m for m in self.things if self.may_be(m, self.house.is_spot)]
        found = [m for m in found if not self.may_be(m, self.names.is_item)]
        spots = [m for m in found if not self.may_be(m, self.names.is_room)]
        return next(filter(None, map(self.one, spots or found)), None)

    def note(self, mention: Mention) -> None:
        """Remember what a clause spoke of, for the pronouns that follow."""
        for part in mention.parts or [mention]:
            for _, where in part.where:
                self.note(where)
            if part.kind in ("thing", "group"):
                self.things.insert(0, part)
            if part.owner is not None and part.owner.thing is not None:
                _bring_forward(self.owners, part.owner.thing)
            who = self.person(part)
            if who is not None:
                _bring_forward(self.people, who)

    def note_subject(self, mention: Mention | None) -> None:
        """Remember who acts before what he does is read: ``Ben took his mug``."""
        for part in (mention.parts or [mention]) if mention is not None else ():
            who = self.person(part)
            if who is not None and self.names.is_person(who):
                _bring_forward(self.subjects, who)


def _bring_forward(known: list[str], one: str) -> None:
    if one in known:
        known.remove(one)
    known.insert(0, one)
