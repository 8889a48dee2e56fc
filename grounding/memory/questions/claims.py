"""Whether what a question supposes is so: read as a report, and held against what is believed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import Draft, View
from commonground.grounding.knowledge.spots import PART
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.ontology.predicate_names import OWNING
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.ontology.words import (
    COPULAS,
    FILLING,
    NEGATIONS,
    Word,
    alike,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.account import Account
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.finding import Found
from commonground.grounding.memory.readers.domain.reader import DomainReader

_PLACING = frozenset(["in", "on", "at", "inside", "aboard", "within", "under"])
"""How the names of relations end that say where something is."""
_ELSE = frozenset(["joins", "owner", "attribute"])


class Where:
    """Follows what says where things are, up to the room and down to all that is in it."""

    def __init__(self, roles: Roles, meanings: Meanings, view: View) -> None:
        self.roles, self.meanings, self.view = roles, meanings, view

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """What is somewhere, as the argument of the relations that say where, those of moved things first."""
        moved = {*self.roles.positions, *self.roles.boarded, *self.roles.holding}
        named = {Seat(r, 0) for r in self.roles.binary if words_of(r)[-1:][0] in _PLACING}
        inner = self.meanings.having("part", "inside")
        named |= {Seat(r, 0) for r in inner if r in self.roles.binary}
        others = {*self.roles.whereabouts, *named}
        known = {s.relation for s in moved}
        rest = sorted((s for s in others if s.relation not in known), key=_order)
        return tuple(filter(self._tells_where, (*sorted(moved, key=_order), *rest)))

    def _tells_where(self, seat: Seat) -> bool:
        zones, ends = self.roles.zones, self.roles.signatures[seat.relation].arguments
        between = all(self.roles.is_a(k, zones) for kinds in ends for k in kinds)
        between = between and seat.relation not in self.roles.vocabulary.changing  # rooms stay
        meaning = self.meanings.relations.get(seat.relation)
        other = meaning is not None and meaning.means in _ELSE
        return not (between or other or seat.relation in self.roles.standing)

    def steps(self, thing: str) -> Iterator[tuple[Fact, str]]:
        """Yield what says where a thing is, with the place."""
        for seat in self.seats:
            if seat.at == 0:
                found = [f for f in self.view.about(thing) if f.relation == seat.relation]
                yield from ((f, f.object) for f in sorted(found))
            else:
                for place in sorted(self.view.subjects(seat.relation, thing)):
                    yield Fact(place, seat.relation, thing), place

    def way(self, thing: str) -> list[Fact]:
        """Return where a thing is, and where that is, up to what is nowhere itself."""
        found, seen = list[Fact](), {thing}
        while True:
            step = next(((f, p) for f, p in self.steps(thing) if p not in seen), None)
            if step is None:
                return [f for f in found if not f.relation.startswith(PART)]
            seen.add(step[1])
            found.append(step[0])
            thing = step[1]

    def around(self, thing: str) -> dict[str, list[Fact]]:
        """Return all places that a thing is in, each with what says so."""
        found: dict[str, list[Fact]] = {}
        open_ = [(thing, list[Fact]())]
        while open_:
            inner, facts = open_.pop(0)
            for fact, place in self.steps(inner):
                if place not in found and place != thing:
                    found[place] = [*facts, fact]
                    open_.append((place, found[place]))
        return found

    def within(self, places: Iterable[str]) -> set[str]:
        """Return all that is in some places, or in what is there, and all that a fact joins to either."""
        found, open_ = {*places}, [*places]
        while open_:
            place = open_.pop()
            for seat in self.seats:
                inner = (
                    self.view.subjects(seat.relation, place)
                    if seat.at == 0
                    else (f.object for f in self.view.about(place) if f.relation == seat.relation)
                )
                more = {*inner} - found
                found |= more
                open_ += more
        joined = {f.object for t in places for f in self.view.about(t)}
        for relation in self.roles.binary:
            joined.update(*(self.view.subjects(relation, t) for t in places))
        return found | joined


def _order(seat: Seat) -> tuple[str, int]:
    return seat.relation, seat.at


INSIDE = frozenset(["in", "on", "at", "inside", "aboard", "within"])
_OWNING = OWNING | {"whose"}
_FOR = frozenset(["for", "of"])
_NOW = frozenset(["there", "now", "currently", "still", "right", "already", "yet"])

_FAST = frozenset(["locked", "bolted", "padlocked", "barred", "sealed", "latched", "unlocked"])
"""What says more of a thing than that it is shut, or open."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether something is so, as far as that is known, and the facts that say it."""

    so: bool | None
    facts: tuple[Fact, ...] = ()


class Claims:
    """Judges what is said of things in one state of a world."""

    def __init__(
        self, reader: DomainReader, meanings: Meanings, groups: Groups, view: View, talk: Discourse
    ) -> None:
        self.reader, self.groups, self.view, self.talk = reader, groups, view, talk
        self.roles, self.kinds = reader.roles, reader.calling.kinds
        self.where = Where(self.roles, meanings, view)

    def account(self) -> Account:
        """Return what reads clauses of reports, and guesses none."""
        meant = self.reader.meant(self.view, self.talk)
        return Account(self.reader.described, meant, task=False, denying=False, likely=False)

    def of(self, parts: Sequence[Part]) -> Claim | None:
        """Return whether a clause is so, of phrases for one thing each; None if not understood."""
        said = [p for p in parts if text_of(p) not in _NOW]
        negated = any(text_of(p) in NEGATIONS for p in said)
        bare = [p for p in said if text_of(p) not in NEGATIONS]
        found = self._located(bare) or self._related(bare)
        read = None if found else self._read(said)
        return _turned(found) if found is not None and negated else found or read

    # ---- ``the vial is in the cold room`` -----------------------------------------------------------

    def _located(self, parts: Sequence[Part]) -> Claim | None:
        """Return whether something is somewhere, however far down."""
        thing, place = parts[0], parts[-1]
        if not (len(parts) > 2 and isinstance(thing, Phrase) and isinstance(place, Phrase)):
            return None
        between = [*map(text_of, parts[1:-1])]
        if between[-1:][0] not in INSIDE or not {*between[:-1]} <= COPULAS | INSIDE | {"been"}:
            return None
        one, other = next(iter(thing.things)), next(iter(place.things))
        around = self.where.around(one)
        if other in around:
            return Claim(True, tuple(around[other][:1]))
        if not self._takes(other):
            return None
        zone = self.roles.is_a(self.kinds[other], self.roles.zones)
        zones = [p for p in around if self.roles.is_a(self.kinds.get(p, ""), self.roles.zones)]
        if around and (zones or not zone):
            return Claim(False, tuple(next(iter(around.values()))[:1]))
        return Claim(None)

    def _takes(self, place: str) -> bool:
        """Return whether anything can be at a thing at all."""
        kind, fits = self.kinds[place], self.roles.fits
        return any(fits(kind, s.relation, s.other) for s in self.where.seats)

    # ---- ``Mira works in the prep room``, ``the book is reserved for her`` ---------------------------

    def _related(self, parts: Sequence[Part]) -> Claim | None:
        """Return whether two things stand in the relation that words name."""
        phrases, words = _phrases(parts), _telling(parts)
        if len(phrases) != 2 or not words:
            return None
        one, other = (next(iter(p.things)) for p in phrases)
        if "by" in map(text_of, parts):
            one, other = other, one
        facts = [*self.facts_by(words, one, other)]
        if not facts:
            return None
        held = [f for f in facts if f in self.view]
        if held:
            return Claim(True, tuple(held))
        against = [old for f in facts for old in self._instead(f)]
        return Claim(False if against else None, tuple(dict.fromkeys(against)))

    def facts_by(self, words: Sequence[str], one: str, other: str) -> Iterator[Fact]:
        """Yield the facts of two things that words may tell: as named first, else the other way round."""
        for relation in self.relations(words):
            fits = self.roles.fits
            for a, b in ((one, other), (other, one)):
                if fits(self.kinds[a], relation, 0) and fits(self.kinds[b], relation, 1):
                    yield Fact(a, relation, b)
                    break

    def relations(self, words: Sequence[str]) -> list[str]:
        """Return the relations of two things that some words name, all of them."""
        owning = all(w in _OWNING for w in words)
        return [
            r
            for r in self.roles.binary
            if all(any(alike(w, part) for part in words_of(r)) for w in words)
            or (owning and _OWNING & {*words_of(r)})
        ]

    def _instead(self, fact: Fact) -> Iterator[Fact]:
        """Yield what is believed instead of a fact: of the same thing by its relation, or its rivals."""
        same = [f for f in self.view.about(fact.subject) if f.relation == fact.relation]
        yield from same or self.groups.add(Draft(self.view), fact)

    # ---- whatever a report may tell -----------------------------------------------------------------

    def _read(self, parts: Sequence[Part]) -> Claim | None:
        """Return whether what a clause would tell as a report is so."""
        account = self.account()
        first = parts[0]
        agents = [*first.things] if isinstance(first, Phrase) else []
        agents = [t for t in agents if account.telling.is_somebody(t)]
        try:
            claim = self._judged(account.as_told(parts, agents))
        except Unclear:
            return None
        fast = _FAST.intersection(map(text_of, parts)) - {*self.reader.sayings.state_words}
        return Claim(None) if claim.so and fast else claim

    def _judged(self, found: Found) -> Claim:
        """Return whether all is so that a clause begins, and nothing that it ends."""
        gone = [f for f in found.ended if not f.is_property]
        made = [*found.made, *(f.opposite for f in found.ended if f.is_property)]
        lacking = [f for f in made if f not in self.view]
        against = self._denying(lacking, gone)
        if against or not (lacking or gone):
            return Claim(not against, tuple(dict.fromkeys(against or made)))
        return Claim(None) if lacking else self._elsewhere(gone)

    def _elsewhere(self, gone: Sequence[Fact]) -> Claim:
        """Return that things are not where they are said not to be, as far as it is known where they are."""
        known = [f for one in gone for f in self.where.way(one.subject)[:1]]
        return Claim(True if known else None, tuple(known))

    def _denying(self, lacking: Sequence[Fact], gone: Sequence[Fact]) -> list[Fact]:
        """Return what is believed and denies what is lacking, or that something is no longer so."""
        others = (old for fact in lacking for old in self._against(fact))
        return [*(f for f in gone if f in self.view), *others]

    def _against(self, fact: Fact) -> Iterator[Fact]:
        """Yield what is believed and excludes a fact."""
        if fact.is_property:
            yield from [fact.opposite] if fact.opposite in self.view else []
            return
        yield from self.groups.add(Draft(self.view), fact)
        at = self.roles.seat_of(fact.relation, self.roles.positions)
        if at is not None:  # a thing is in one place, or with somebody
            yield from (
                f for f, _ in self.where.steps((fact.subject, fact.object)[at]) if f != fact
            )


def _phrases(parts: Sequence[Part]) -> list[Phrase]:
    return [p for p in parts if isinstance(p, Phrase)]


def _telling(parts: Sequence[Part]) -> list[str]:
    """Return the words that tell how things stand to each other: ``for`` and ``of`` where no others do."""
    said = [p.text for p in parts if isinstance(p, Word)]
    words = [w for w in said if w.isalpha() and w not in FILLING and not says_nothing(w)]
    return words or [w for w in said if w in _FOR]


def _turned(claim: Claim) -> Claim:
    """Return the claim of the contrary."""
    return Claim(None if claim.so is None else not claim.so, claim.facts)
