"""Relative clauses: what a noun phrase means is narrowed to the things of which its clause is so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeGuard

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.predicate_names import prepositions_of
from commonground.grounding.memory.ontology.words import Word, classes_of, is_participle
from commonground.grounding.memory.readers.domain.described.clause import Clause, also_at, clause_at
from commonground.grounding.memory.readers.domain.described.named import EXACT, NAME
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_at
from commonground.grounding.memory.readers.domain.described.referents import Referents
from commonground.grounding.memory.readers.domain.described.said import OBTAINING
from commonground.grounding.memory.readers.domain.described.segment import (
    PREPOSITIONS,
    Segment,
    segment,
)
from commonground.grounding.memory.readers.domain.described.wording import Wording
from commonground.grounding.memory.readers.domain.finding import Found, fact

Holds = Callable[[str], bool]
Reads = Callable[[Sequence[Part], list[str]], Found]


class Readings:
    """Says a clause of each thing that may be meant, and holds what that would tell against what is so."""

    def __init__(self, referents: Referents, reads: Reads) -> None:
        self.referents, self.changes = referents, referents.changes
        self.roles, self.kinds = referents.roles, referents.kinds
        self.reads = reads
        """Reads a segment as a report of it is read."""

    def of(self, clause: Clause, head: Phrase) -> Iterator[Holds]:
        """Yield the ways to tell whether a clause is so of a thing by reading it as a report."""
        was = Word("was") in clause.parts and any(p.pronoun for p in clause.phrases)
        if was and not self.referents.task:
            return  # it may be elsewhere now
        if clause.opening in ("that", "which", "who", "", "where"):
            yield from self._of_reading(clause, head)

    def _of_reading(self, clause: Clause, head: Phrase) -> Iterator[Holds]:
        """Yield whether what a clause would tell of a thing, were it said of that, is so already."""
        denied = Word("not") in clause.parts or Word("no") in clause.parts
        told = {thing: self._told_of(thing, head, clause) for thing in head.things}
        ways = {frozenset(of) for of in told.values() if of}
        if len(ways) != 1:
            return
        (way,) = ways

        def holds(thing: str) -> bool:
            fits = all(self.changes.may_stand(thing, seat) for seat, _, _ in way)
            so = all(
                (fact(seat, thing, other) in self.changes.draft) == is_so
                for seat, other, is_so in way
            )
            return fits and so != denied

        yield holds

    def _told_of(self, thing: str, head: Phrase, clause: Clause) -> list[tuple[Seat, str, bool]]:
        """Return what a clause would tell of a thing: how it stands to what, and whether it does."""
        one = replace(head, things={thing: EXACT}, every=False, words=("it",), source=("it",))
        said, agents = self._said_of(one, clause)
        try:
            found = self.reads(said, agents)
        except Unclear:
            return []
        led = agents if text_at(clause.parts, len(clause.parts) - 1) in PREPOSITIONS else [thing]
        if found.ended or any(not {thing, *led} <= {f.subject, f.object} for f in found.made):
            return []
        return [(*self._seat(f, thing), f.object != FALSE) for f in found.made]

    def _said_of(self, one: Phrase, clause: Clause) -> tuple[list[Part], list[str]]:
        """Return a clause as it is said of one thing, where it denies nothing, and who acts in it."""
        left_out = (Word("not"), Word("yet"))
        said = [Word("a") if p == Word("no") else p for p in clause.parts if p not in left_out]
        first = said[0] if said else None
        if clause.opening == "where":
            return [*said, Word("in"), one], []
        if isinstance(first, Phrase):
            agents = self.referents.candidates(first)
            return [*said, one], [*filter(self.is_somebody, agents)]
        return [one, *said], []

    @staticmethod
    def _seat(told: Fact, thing: str) -> tuple[Seat, str]:
        if told.is_property:
            return Seat(told.relation, 0), TRUE
        at = int(told.subject != thing)
        return Seat(told.relation, at), told.subject if at else told.object

    def is_somebody(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.roles.is_a(self.kinds[thing], self.roles.people | self.roles.robots)


PLACED = frozenset(["in", "on", "at", "inside", "by", "near", "over", "up", "down", "out", "under"])
"""What stands between a thing and where it is."""
_BEGINNING = frozenset([",", "and", "but", "that", "because", "so", "while", ":"])
"""What a clause may begin after."""
BELONGING = frozenset(["belong", "belongs", "go", "goes", "live", "lives"])
_INTO = {"in": "into", "on": "onto", "at": "to"}
_KEPT = frozenset(["is", "has", "are", "have"])
_OWNING = frozenset(["own", "owns", "belongs", "belong", "hers", "his", "theirs", "mine"])


class Relatives:
    """Narrows noun phrases by the relative clauses after them."""

    def __init__(self, referents: Referents, wording: Wording, reads: Reads) -> None:
        self.referents, self.wording, self.changes = referents, wording, referents.changes
        self.readings = Readings(referents, reads)
        self.roles, self.kinds = referents.roles, referents.kinds

    def resolved(self, parts: Sequence[Part]) -> list[Part]:
        """Return parts with clauses taken into the phrases before them; Unclear if they tell of none."""
        found = self._usual_place([*self._with_owners(parts)])
        for at in range(len(found) - 1, -1, -1):
            clause = clause_at(found, at + 1)
            while clause is not None and _is_narrowed(head := found[at]):
                found[at : clause.end] = self._with(head, clause, found[:at])
                clause = also_at(found, at + 1, clause) if self.referents.task else None
        return found

    def _usual_place(self, parts: list[Part]) -> list[Part]:
        """Return parts with the place for ``where it belongs``, which only praises one that is named."""
        for at in range(len(parts) - 3, 0, -1):
            end = at + 2 + (text_at(parts, at + 2) in _KEPT)
            if not (_is_usual_place(parts[at : at + 2]) and self._tells_usual(text_at(parts, end))):
                continue
            place, before = parts[at - 1], [p for p in parts[:at] if isinstance(p, Phrase)][-1:]
            if isinstance(place, Phrase) and place.things and self._are_where(place.things):
                return [*parts[:at], *parts[end + 1 :]]
            known = self._kept_at(before, text_at(parts, end))
            if len(known) == 1:
                there = Phrase(("there",), {known[0].object: NAME}, source=("there",))
                led = prepositions_of(known[0].relation)[0]
                led = _INTO.get(led, led) if self.referents.task else led
                return [*parts[:at], Word(led), there, *parts[end + 1 :]]
            if self.referents.task and not self._names_where(place):
                raise Unclear("where does that belong?")
        return parts

    def _kept_at(self, before: Sequence[Phrase], verb: str) -> list[Fact]:
        """Return what lasts of where things are: what a verb says, else whatever is a place."""
        things = [t for p in before for t in self.referents.candidates(p)]
        lasting = [f for t in things for f in self._lasting(t)]
        known = [f for f in lasting if self.wording.is_word_of(verb, f.relation)]
        return known or [f for f in lasting if self._are_where([f.object])]

    def _names_where(self, place: Part) -> bool:
        is_where = self.referents.denoting.is_where
        return isinstance(place, Phrase) and any(map(is_where, place.things))

    def _tells_usual(self, verb: str) -> bool:
        """Return whether a verb tells where something has its place, in general or in this domain."""
        lasting = {*self.roles.binary} - self.roles.vocabulary.changing
        return verb in BELONGING or any(self.wording.is_word_of(verb, r) for r in lasting)

    def _lasting(self, thing: str) -> list[Fact]:
        """Return what lasts of how a thing stands to others, among that where it has its place."""
        lasting = {*self.roles.binary} - self.roles.vocabulary.changing
        return [f for f in self.changes.draft.about(thing) if f.relation in lasting]

    def _are_where(self, things: Iterable[str]) -> bool:
        """Return whether others are put where some things are."""
        return all(map(self.referents.denoting.is_where, things))

    def _with(self, head: Phrase, clause: Clause, before: Sequence[Part]) -> list[Part]:
        """Return a phrase narrowed by a clause; both as they are where it may be none."""
        shorter = self._shorter(clause)
        for reading in (False, True):
            for said in (shorter, clause) if reading else (clause, shorter):
                narrowed = said and self._kept(head, said, before, reading=reading)
                if said is not None and narrowed:
                    return [narrowed, *clause.parts[len(said.parts) :]]
        if clause.opening or clause.phrases[0].source[:1] == ("that",):
            said_of = " ".join(p.text for p in clause.parts)
            raise Unclear(f"which '{head.text}' is meant by '{said_of}'?")
        return [head, *clause.parts]

    def _shorter(self, clause: Clause) -> Clause | None:
        """Return a clause without where what it tells of goes: ``put the cup that is dirty in the sink``."""
        at = len(clause.parts) - 1
        while at > 0 and text_at(clause.parts, at - 1) in PREPOSITIONS:
            at -= 1
        led = 1 < at < len(clause.parts) - 1 and isinstance(clause.parts[-1], Phrase)
        return replace(clause, parts=clause.parts[:at]) if led and self.referents.task else None

    def _with_owners(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield parts with what is ``hers`` or ``its`` narrowed to what is of the last named who has such."""
        for at, part in enumerate(parts):
            if isinstance(part, Phrase) and part.owners and part.owners[0].pronoun:
                yield self._of_owner(part, parts[:at])
            else:
                yield part

    def _of_owner(self, owned: Phrase, before: Sequence[Part]) -> Phrase:
        if len(owned.things) == 1 and EXACT in owned.things.values():
            return replace(owned, owners=())  # "their antibiotics", of which there are no others
        for meant in self._meant(owned.owners[0], before):
            own = {t for owner in meant for t in self.referents.owned_by(owned.things, owner)}
            mine = {t: rank for t, rank in owned.things.items() if t in own}
            if mine:
                return replace(owned, things=mine, owners=())
        return owned

    def _kept(
        self, head: Phrase, clause: Clause, before: Sequence[Part], *, reading: bool
    ) -> Phrase | None:
        """Return a phrase for those of its things of which a clause is so; None where it is so of none."""
        tests = self.readings.of(clause, head) if reading else self._tests(clause, head, before)
        for holds in tests:
            kept = {t: rank for t, rank in head.things.items() if holds(t)}
            if kept:
                many = head.every or (len(kept) > 1 and head.is_plural)
                ranks = {t: min(rank, NAME) if many else rank for t, rank in kept.items()}
                return replace(head, things=ranks, every=many)
        return None

    def _tests(self, clause: Clause, head: Phrase, before: Sequence[Part]) -> Iterator[Holds]:
        """Yield the ways to tell whether a clause is so of a thing, surest first."""
        if clause.opening == "where":
            return
        if clause.phrases:
            yield from self._of_relation(clause, head, before)

    # ---- ``that is in the shed``, ``he is carrying``, ``it belongs to`` ------------------------------

    def _of_relation(self, clause: Clause, head: Phrase, before: Sequence[Part]) -> Iterator[Holds]:
        made = self._segment(head, clause)
        relations = self._relations(made, head)
        if len(clause.phrases) > 1 or not relations:
            return
        whole = not head.is_general  # everything in a hall is none of what people there have
        for meant in self._meant(clause.phrases[0], before):
            yield partial(self._is_so, made=made, meant=meant, relations=relations, whole=whole)
            if made.negated:
                return

    def _relations(self, made: Segment, head: Phrase) -> frozenset[str]:
        """Return the relations that a clause may tell; none where its words tell none."""
        binary = frozenset(
            r for r in self.roles.binary if self._fits(head, r, 0) or self._fits(head, r, 1)
        )
        words = {w for w in made.words if not self.wording.says_little(w)}
        told = frozenset(r for r in binary if self.wording.told(r, made))
        if told:
            known = {w for w in words for r in told if self.wording.is_word_of(w, r)}
            return told if words <= known | {*made.verbs} else frozenset()
        return binary & self._by_verb(words, made)

    def _by_verb(self, words: set[str], made: Segment) -> frozenset[str]:
        """Return the relations that words for owning, having or being somewhere may tell."""
        every, changing = frozenset(self.roles.binary), self.roles.vocabulary.changing
        classes = [classes_of(w, frozenset()) for w in words]
        if not _OWNING.isdisjoint((*words, *made.words)):
            return every - changing
        if words & OBTAINING or any("hold" in of for of in classes):
            return frozenset(s.relation for s in self.roles.holding)
        if "for" in made.leading and all(map(is_participle, words)):  # "meant for the school"
            return every - {s.relation for s in self.roles.positions}
        return self._by_place(made) if all("located" in of for of in classes) else frozenset()

    def _by_place(self, made: Segment) -> frozenset[str]:
        """Return the relations that a word for being somewhere may tell: any, but of people only those."""
        about = made.roles[0].phrase.things
        if about and all(map(self.readings.is_somebody, about)):
            return frozenset(s.relation for s in self.roles.positions - self.roles.holding)
        return frozenset(self.roles.binary)

    def _meant(self, phrase: Phrase, before: Sequence[Part]) -> Iterator[set[str]]:
        """Yield what a phrase in a clause may mean; a pronoun means what was named before, the last first."""
        if not phrase.pronoun:
            yield {*self.referents.here(phrase, self.referents.candidates(phrase))}
            yield {*phrase.things}
            return
        for part in reversed(before):
            if isinstance(part, Phrase) and not (part.pronoun or part.owner):
                meant = self.referents.candidates(part)
                if len(meant) == 1 and self.referents.meant.is_called(meant[0], phrase.pronoun):
                    yield {*meant}
        found = self.referents.candidates(phrase)
        if len(found) == 1:
            yield {*found}

    def _is_so(
        self, thing: str, made: Segment, meant: set[str], relations: frozenset[str], *, whole: bool
    ) -> bool:
        """Return whether a thing stands in a relation to others, or does not where that is said."""
        related = not meant.isdisjoint(self._others(thing, relations, whole=whole)) or any(
            thing in self._others(other, relations, whole=whole) for other in meant
        )
        return related != made.negated

    def _others(self, thing: str, relations: frozenset[str], *, whole: bool) -> Iterator[str]:
        """Yield what a thing stands in some relations to, and the zone it is in where these tell that."""
        for known in self.changes.draft.about(thing):
            if known.relation in relations and known.object not in (TRUE, FALSE):
                yield known.object
        zone = self.changes.zone_of(thing) if whole else None
        if zone is not None and relations & {s.relation for s in self.roles.whereabouts}:
            yield zone

    def _segment(self, head: Phrase, clause: Clause) -> Segment:
        parts = (
            clause.parts
            if clause.phrases and clause.parts[0] in clause.phrases
            else [head, *clause.parts]
        )
        return segment(parts, self.wording.sayings.is_deed)

    def _fits(self, head: Phrase, relation: str, at: int) -> bool:
        return any(self.roles.fits(self.kinds[t], relation, at) for t in head.things)


def _is_usual_place(parts: Sequence[Part]) -> bool:
    """Return whether parts begin to say ``where it belongs``."""
    where, subject = parts
    stands = isinstance(subject, Phrase) and subject.pronoun in ("it", "they")
    return stands and where == Word("where")


def _is_narrowed(head: Part) -> TypeGuard[Phrase]:
    """Return whether a clause may tell which thing is meant by what is before it."""
    return isinstance(head, Phrase) and bool(head.things) and not (head.pronoun or head.owner)
