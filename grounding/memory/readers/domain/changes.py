"""What becomes so, and what that ends: a thing is in one place, and who has it is where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import Draft, View
from commonground.grounding.memory.interpretation.unclear import Excluding, Unclear
from commonground.grounding.memory.ontology.action_effects import Entailed
from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.predicate_names import OWNING
from commonground.grounding.memory.ontology.roles import Roles


class Changes:
    """Facts that a report makes so, on a draft of what was believed before."""

    def __init__(self, roles: Roles, groups: Groups, base: View, kinds: Mapping[str, str]) -> None:
        self.roles, self.groups, self.kinds = roles, groups, kinds
        self.base, self.draft = base, Draft(base)
        self.asserted: list[Fact] = []
        self.retracted: list[Fact] = []
        self.now: list[Fact] = []
        """What a report says is so, and not what was done."""
        self.clash: list[Fact] = []
        """What of that another part of the same report excludes."""
        self.denied: set[str] = set()
        """What a report names only as what it is not, or no more: ``instead of Ann``."""

    def assert_all(self, facts: Iterable[Fact]) -> None:
        """Make some facts so at the same time, and end what they replace."""
        new = [*dict.fromkeys(f for fact in facts for f in (fact, *self._inverse(fact)))]
        self._check_types(new)
        gone = [old for fact in new for old in self._end_replaced(fact, new)]
        together = frozenset(new)
        for fact in new:
            rivals = [*self.groups.add(self.draft, fact)]
            if not together.isdisjoint(rivals):
                raise Unclear("can all of that be so at the same time?")
            gone += rivals
            if rivals:
                self.asserted = [f for f in self.asserted if f not in rivals]
            self._note(fact)
        for fact in gone:
            self._leave(fact, new)
        self._turn_world((*new, *(f.opposite for f in gone if f.is_property)))
        for fact in new:
            self._follow(fact, new)

    def displaced(self) -> list[str]:
        """Return what was somewhere, or was said to be, and is now nowhere.

        Something else has come into the hand that it was in, say, and nobody has told where it went.
        """
        seats = {*self.roles.positions, *self.roles.whereabouts}
        left = {
            _end(f, s.at)
            for f in (*self.draft.removed, *self.retracted)
            for s in seats
            if s.relation == f.relation
        }
        return [thing for thing in sorted(left) if not any(self.where(thing, seats))]

    def left_behind(self, named: Iterable[str]) -> Iterator[str]:
        """Yield what stays where it is, though an action may have moved it along with what moves."""
        for one, other in self.roles.moved_along:
            gone = [f for f in self.draft.removed if f.relation == one.seat.relation]
            gone = [f for f in gone if self._is_a(_end(f, one.seat.at), one.kinds)]
            begun = {_end(f, one.seat.other) for f in gone}
            moved = {_end(f, one.seat.at) for f in gone}
            for thing in sorted({*named} - moved):
                here = [*self.where(thing, [other.seat])] if self._is_a(thing, other.kinds) else []
                unsaid = not any(f in self.asserted for f in here)
                if unsaid and begun.intersection(_end(f, other.seat.other) for f in here):
                    yield thing

    def _is_a(self, thing: str, kinds: Iterable[str]) -> bool:
        return self.roles.is_a(self.kinds.get(thing, ""), kinds)

    def unattended(self, actors: Iterable[str]) -> Iterator[str]:
        """Yield who must be where something was brought, and is believed to be elsewhere."""
        placing = {*self.roles.positions, *self.roles.whereabouts}
        come = [
            (_end(f, s.at), s, _end(f, s.other))
            for f in self.asserted
            if f not in self.base
            for s in placing
            if s.relation == f.relation
        ]
        told = {
            _end(f, s.at)
            for f in (*self.asserted, *self.draft.removed)
            for s in self.roles.whereabouts
            if s.relation == f.relation
        }
        for actor in sorted({*actors} - told):
            for thing, seat, place in come:
                seats = self.roles.attended(self.kinds.get(thing, ""), seat, self.kinds[actor])
                at = {_end(f, s.other) for s in seats for f in self.where(actor, [s])}
                if at and place not in at:
                    yield actor

    def check_at_once(self) -> None:
        """Raise Excluding where a report says that something is so, and something else that excludes it."""
        if self.clash:
            raise Excluding(f"is it so that {self.clash[0]}? The rest excludes it")

    def check_others(self) -> None:
        """Raise Unclear where a thing may stand in a relation to another one besides, or instead.

        Where it is said which, what it stood in that relation to before is ended.

        Each stands in it to one so far, and nothing proves that it may only do so: of people, that goes for
        what they stand in it to.
        """
        for fact in [*self.asserted]:
            if fact in self.base or self._is_settled(fact):
                continue
            at = self._end_of_somebody(fact)
            others = [f for f in self.where(_end(fact, at), [Seat(fact.relation, at)]) if f != fact]
            over = [f for f in others if _end(f, 1 - at) in self.denied]
            for other in over:
                self.retract(other)
            if others and not over and self._is_to_one(fact.relation, at):
                raise Unclear(f"is {others[0]} no longer so, or both?")

    def _end_of_somebody(self, fact: Fact) -> int:
        """Return which end of a fact about somebody and something is the thing; else the first."""
        people = self.roles.people | self.roles.robots
        ends = (fact.subject, fact.object)
        return int([self.roles.is_a(self.kinds.get(t, ""), people) for t in ends] == [True, False])

    def _is_to_one(self, relation: str, at: int) -> bool:
        """Return whether each is known to stand in a relation to one so far, and that is no accident."""
        facts = (f for t in self.kinds for f in self.base.about(t) if f.relation == relation)
        known = [_end(f, at) for f in facts]
        often = len(known) > 1 or not OWNING.isdisjoint(words_of(relation))
        return often and len({*known}) == len(known)

    def _is_settled(self, fact: Fact) -> bool:
        """Return whether it is known, by kind or by what actions do, what a fact ends."""
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        told = fact.is_property or fact.relation in placing or bool(self.groups.of(fact.relation))
        return told or fact.relation in self.roles.vocabulary.changing

    def _check_types(self, facts: Iterable[Fact]) -> None:
        """Raise Unclear where things of some types may not stand in the relation of a fact."""
        for fact in facts:
            ends = (fact.subject,) if fact.is_property else (fact.subject, fact.object)
            if not all(self.may_stand(t, Seat(fact.relation, at)) for at, t in enumerate(ends)):
                raise Unclear("can that be so?")

    def may_stand(self, thing: str, seat: Seat) -> bool:
        """Return whether a thing may stand at an argument of a relation.

        Where that takes things of any type, or people among others, it takes those of types that stand
        there, or are put there by actions: racks are said to stand in rooms, and people are not.
        """
        kind = self.kinds.get(thing, "")
        if not kind or not self.roles.fits(kind, seat.relation, seat.at):
            return False
        if not (self.roles.takes_anything(seat) or self._is_among_others(kind, seat)):
            return True
        known = {self.kinds[t] for t in self.standing(seat)}
        return not known or self.roles.is_a(kind, known) or self.roles.puts(kind, seat)

    def standing(self, seat: Seat) -> set[str]:
        """Return all that stand at an argument of a relation, as is believed by now."""
        return {_end(f, seat.at) for f in self.draft.facts_of(seat.relation)} & self.kinds.keys()

    def _is_among_others(self, kind: str, seat: Seat) -> bool:
        """Return whether people of a type are only some of what may be somewhere."""
        kinds = self.roles.signatures[seat.relation].arguments[seat.at]
        person = self.roles.is_a(kind, self.roles.people - self.roles.robots)
        placing = seat in (*self.roles.positions, *self.roles.whereabouts)
        return person and placing and not all(self.roles.is_a(k, self.roles.people) for k in kinds)

    def _end_replaced(self, fact: Fact, new: list[Fact]) -> list[Fact]:
        """End what a fact replaces; return that."""
        replaced = [*self._replaced(fact, new)]
        for old in replaced:
            self.retract(old)
        return replaced

    def _note(self, fact: Fact) -> None:
        self.retracted = [f for f in self.retracted if f != fact]
        if fact not in self.asserted:
            self.asserted.append(fact)

    def _follow(self, fact: Fact, told: list[Fact]) -> None:
        """Make so what every action makes so that brings a fact about, where it is not so yet."""
        ends = (fact.subject,) if fact.is_property else (fact.subject, fact.object)
        for holds, relation, at in self.roles.entailed(fact.relation, self._kinds(fact)):
            if fact.object == FALSE or len(at) > 1 or any(f.relation == relation for f in told):
                continue
            if at == (-1,) or self._is_refuted(fact.relation, (holds, relation, at)):
                continue
            so = Fact(ends[at[0]], relation, TRUE)
            if holds != (so in self.draft):
                self.groups.add(self.draft, so if holds else so.opposite)
                self._note(so if holds else so.opposite)
                self._turn_world([so if holds else so.opposite])

    def _is_refuted(self, relation: str, entailed: Entailed) -> bool:
        """Return whether what actions bring about with a relation was not so beside it before.

        A bench is used by what the robot works on there, and stays clean below what people lay on it.
        """
        holds, state, (at,) = entailed
        known = self.base.facts_of(relation)
        about = {_end(f, at) for f in known if f.object != FALSE and f.subject in self.kinds}
        so = self.base.subjects(state, TRUE)
        return not about.issubset(so) if holds else not about.isdisjoint(so)

    def _turn_world(self, facts: Iterable[Fact]) -> None:
        """Turn the states of the world that turn with what its robot holds: then its hands are free."""
        for fact in facts:
            if fact.relation in self.roles.in_hand:
                self._turn_with(fact)

    def _turn_with(self, turned: Fact) -> None:
        """Turn the states of the world that all actions turn together with a state."""
        turns = self.roles.left if turned.object == FALSE else self.roles.entailed
        for holds, relation, at in turns(turned.relation, self._kinds(turned)):
            kinds = self.roles.signatures[relation].arguments[0]
            bearers = [t for t, kind in self.kinds.items() if self.roles.is_a(kind, kinds)]
            if at == (-1,) and len(bearers) == 1:
                so = Fact(bearers[0], relation, TRUE)
                if holds != (so in self.draft):
                    self.groups.add(self.draft, so if holds else so.opposite)
                    self._note(so if holds else so.opposite)

    def _leave(self, gone: Fact, told: list[Fact]) -> None:
        """Make so what every action makes so that ends a fact of two things, unless another one keeps it."""
        for holds, relation, at in self.roles.left(gone.relation, self._kinds(gone)):
            if len(at) > 1 or any(f.relation == relation for f in told):
                continue
            if relation in self.roles.in_hand or at == (-1,):
                continue  # what people take away is in no hand of the robot
            seat = Seat(gone.relation, at[0])
            so = Fact(_end(gone, at[0]), relation, TRUE)
            if not self.roles.fits(self.kinds.get(so.subject, ""), relation, 0):
                continue
            if holds != (so in self.draft) and not any(self.where(_end(gone, at[0]), [seat])):
                self.groups.add(self.draft, so if holds else so.opposite)
                self._note(so if holds else so.opposite)

    def _kinds(self, fact: Fact) -> list[str]:
        """Return the types of what a fact is about."""
        ends = (fact.subject,) if fact.is_property else (fact.subject, fact.object)
        return [self.kinds.get(end, "") for end in ends]

    def retract(self, fact: Fact) -> None:
        """End a fact."""
        if fact.object in (TRUE, FALSE):
            self.assert_all([fact.opposite])
            return
        for gone in (fact, *self._inverse(fact)):
            self.draft.discard(gone)
            self.asserted = [f for f in self.asserted if f != gone]
            if gone not in self.retracted:
                self.retracted.append(gone)
            self._leave(gone, [])

    def _inverse(self, fact: Fact) -> Iterator[Fact]:
        """Yield the fact that says the same the other way round, where the domain has one."""
        relation = self.roles.inverses.get(fact.relation)
        if relation is not None:
            yield Fact(fact.object, relation, fact.subject)

    def _replaced(self, fact: Fact, new: list[Fact]) -> Iterator[Fact]:
        """Yield what no longer holds of the thing that a fact puts somewhere else, or whose state ends."""
        if fact.object == FALSE:
            yield from self.where(fact.subject, self.roles.ended_with.get(fact.relation, ()))
        for old in (*self._others_of(fact, self.roles.changed), *self._left(fact, new)):
            if old not in new:
                yield old
        at = self.roles.seat_of(fact.relation, self.roles.whereabouts)
        if at is not None and self._is_one(fact, at):
            yield from self._others_of(fact, self.roles.whereabouts)

    def _others_of(self, fact: Fact, seats: Iterable[Seat]) -> Iterator[Fact]:
        """Yield the other facts by which a thing stands in the same relation."""
        for seat in seats:
            if seat.relation == fact.relation:
                yield from (f for f in self.where(_end(fact, seat.at), [seat]) if f != fact)

    def _left(self, fact: Fact, new: list[Fact]) -> Iterator[Fact]:
        """Yield where a thing was before a fact puts it somewhere, but for what goes together with it."""
        at = self.roles.seat_of(fact.relation, self.roles.positions)
        known = () if at is None else self.where(_end(fact, at), self.roles.positions)
        for old in known:
            pairs = (frozenset((old.relation, f.relation)) for f in new)
            if old.relation == fact.relation or not any(p in self.roles.together for p in pairs):
                yield old

    def _is_one(self, fact: Fact, at: int) -> bool:
        """Return whether a thing is in one zone: a door between two is in both."""
        seats = [Seat(fact.relation, at)]
        return len([*self.where(_end(fact, at), seats)]) < 2

    def where(self, thing: str, seats: Iterable[Seat]) -> Iterator[Fact]:
        """Yield what is believed of where a thing is, by some relations."""
        for seat in seats:
            if seat.at == 0:
                facts = [f for f in self.draft.about(thing) if f.relation == seat.relation]
                yield from sorted(facts)
            else:
                for owner in sorted(self.draft.subjects(seat.relation, thing)):
                    yield Fact(owner, seat.relation, thing)

    def carried(self, facts: Iterable[Fact]) -> list[Fact]:
        """Return facts with what carries a thing in place of a thing that goes only by it.

        Where trays are moved and rolls are not, rolls on a tray are in the oven when that is.
        """
        return [*map(self._carried, facts)]

    def _carried(self, fact: Fact) -> Fact:
        for seat in self.roles.positions:
            if seat.relation != fact.relation or fact.is_property:
                continue
            thing, place = _end(fact, seat.at), _end(fact, seat.other)
            carrier = self.goes_by(thing, seat)
            if carrier not in (thing, place):
                ends = (carrier, place) if seat.at == 0 else (place, carrier)
                return Fact(ends[0], fact.relation, ends[1])
        return fact

    def goes_by(self, thing: str, seat: Seat) -> str:
        """Return what is put somewhere where a thing is said to be there: what carries it, or itself."""
        if thing not in self.kinds or self.roles.puts(self.kinds[thing], seat):
            return thing
        nobody = self.roles.people | self.roles.robots
        for other in sorted(self.roles.positions, key=lambda s: (s.relation, s.at)):
            for fact in self.where(thing, [other]) if other.relation != seat.relation else ():
                carrier = _end(fact, other.other)
                if carrier not in self.kinds or self.roles.is_a(self.kinds[carrier], nobody):
                    continue
                if self.roles.puts(self.kinds[carrier], seat):
                    return carrier
        return thing

    def between(self, one: str, other: str) -> Iterator[Fact]:
        """Yield what is believed of two things."""
        for a, b in ((one, other), (other, one)):
            yield from sorted(f for f in self.draft.about(a) if f.object == b)

    def zone_of(self, thing: str) -> str | None:
        """Return the zone a thing or a person is in."""
        seen: set[str] = set()
        while thing not in seen:
            seen.add(thing)
            for seat in self.roles.whereabouts:
                for fact in self.where(thing, [seat]):
                    return _end(fact, seat.other)
            above = [_end(f, s.other) for s in self.roles.positions for f in self.where(thing, [s])]
            if not above:
                return None
            thing = above[0]
        return None

    def places_of(self, thing: str) -> list[str]:
        """Return where a thing is, with all that it is in or on."""
        seats = {*self.roles.positions, *self.roles.whereabouts}
        found = {_end(f, s.other) for s in seats for f in self.where(thing, [s])}
        return sorted(found)

    def related(self, one: str, other: str, *, moved: bool = False) -> bool:
        """Return whether a fact of two things holds that lasts, or one of them is in the other.

        Where things are put changes; that counts only if ``moved``.
        """
        passing = () if moved else {seat.relation for seat in self.roles.positions}
        pairs = ((one, other), (other, one))
        lasting = (f for a, b in pairs for f in self.draft.about(a) if f.object == b)
        return any(f.relation not in passing for f in lasting) or (self.zone_of(one) == other)


def _end(fact: Fact, at: int) -> str:
    return fact.subject if at == 0 else fact.object
