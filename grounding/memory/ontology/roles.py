"""What the relations of a domain do, by its actions: who moves where, what is held or exchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from commonground.grounding.memory.ontology.acting import Acting
from commonground.grounding.memory.ontology.deeds import Deed, Seat, seats_of, words_of
from commonground.grounding.memory.ontology.predicate_names import (
    ANIMALS,
    HUMAN,
    is_standing,
    is_usual,
    names_somebody,
    tells_having,
    tells_moving,
    tells_presence,
    tells_where,
)
from commonground.planning.pddl import Atom


class Roles(Acting):
    """Reads a domain for what its relations do."""

    @cached_property
    def whereabouts(self) -> tuple[Seat, ...]:
        """The relations between a zone and what or who is in it.

        A room that is booked for somebody, or that he lives or works in, is not where he is; nor is any that
        no action changes where actions move those who stand in it: gear that is ``kept-in`` a shed.
        """
        found = [
            Seat(relation, at)
            for relation in self.binary
            for at in (0, 1)
            if self._all(relation, 1 - at, self.zones) and not self._all(relation, at, self.zones)
            if "for" not in words_of(relation)  # a room booked for somebody is not where he is
            if self.parts_at(Seat(relation, 1 - at)) == 1  # nor is a spot anywhere
            if relation not in self.usual and relation not in self.standing
        ]
        placed = self._kept(found)
        return tuple(s for s in found if s not in placed)

    def _kept(self, found: Iterable[Seat]) -> set[Seat]:
        """Return the relations that only tell where things have their place that actions move elsewhere."""
        changing = self.vocabulary.changing
        moving = {s for s in found if s.relation in changing} | self.positions
        moved = {k for s in moving for k in self._kinds_at(s)}
        lasting = (s for s in found if s.relation not in changing and not tells_where(s.relation))
        return {s for s in lasting if self._all(s.relation, s.at, moved)}

    @cached_property
    def usual(self) -> frozenset[str]:
        """The relations between people and where they mostly are."""
        return frozenset(filter(is_usual, self.binary))

    @cached_property
    def standing(self) -> frozenset[str]:
        """The relations of where somebody or something has a place, and not of where he is.

        They are called so, and no action needs that people stand in them, as one that meets them would.
        """
        needed = {a.predicate for deed in self.deeds for a in deed.needs}
        return frozenset(
            relation
            for relation in self.binary
            if is_standing(relation) and relation not in self.vocabulary.changing
            if not (relation in needed and self._all(relation, 0, self.people))
        )

    @cached_property
    def people(self) -> frozenset[str]:
        """Types of people: called so, or given things in a relation whose name tells of having."""
        named = {t.name for t in self.vocabulary.domain.types if self._is_called_somebody(t.name)}
        for relation in self.binary:
            if tells_having(relation):
                for seat in self._exchanged_with(self._held_by_robot):
                    if seat.relation == relation:
                        named |= {*self.signatures[relation].arguments[seat.other]}
        for seat in self._handed:  # who has no name hands things to a party, of whatever types
            given = self.signatures[seat.relation].arguments
            if not any(self.is_a(k, given[seat.other]) for k in given[seat.at]):
                named |= {*given[seat.other]}
        known = {t for t in named if not self.is_a(t, self.robots) or self._is_human(t)}
        return frozenset(self._covered(known))

    @property
    def _handed(self) -> Iterator[Seat]:
        """What is handed out of the hand of a robot without a name, in relations called as having it."""
        return (seat for _, seat in self._put_back if tells_having(seat.relation))

    def is_animal(self, kind: str) -> bool:
        """Return whether a type is called as living beings are that people speak of as of people."""
        above = {kind, *self.vocabulary.types.ancestors(kind)}
        return any(ANIMALS & {*words_of(t)} for t in above)

    def _is_human(self, kind: str) -> bool:
        """Return whether a type, or one above it, is called as only people are."""
        return names_somebody({kind, *self.vocabulary.types.ancestors(kind)}, HUMAN)

    @cached_property
    def _held_by_robot(self) -> frozenset[Seat]:
        """What who acts can hold, as the argument of the relations that say so."""
        return frozenset(
            Seat(relation, 1 - at)
            for relation in self.binary
            for at in (0, 1)
            if relation in self.vocabulary.changing
            if self._all(relation, at, self.robots) and not self.in_hand
            if not self._all(relation, 1 - at, self.zones)
            and Seat(relation, at) not in self.boarded
            and (tells_having(relation) or self._is_taken_up(Seat(relation, 1 - at)))
        )

    def _is_taken_up(self, seat: Seat) -> bool:
        """Return whether an action takes a thing into a relation, out of a place or a state of its own.

        What is somebody's task, or was seen by him, is in no hand.
        """
        return any(
            gone.predicate != seat.relation and come.args[seat.at] in gone.args
            for deed in self.deeds
            for come in _of(deed.adds, seat)
            for gone in deed.deletes
        )

    @cached_property
    def _taken_by_robot(self) -> frozenset[Seat]:
        """What who acts takes out of where it is, as the argument of its relation to whoever has it."""
        return frozenset(
            seat
            for deed in self.deeds
            for seat in self._swapped(deed)
            for come in deed.adds
            if come.predicate == seat.relation
            if self._is_done_by(deed, come.args[seat.other])
            and not self._all(seat.relation, seat.at, self.robots | self.zones)
        )

    def _is_done_by(self, deed: Deed, parameter: str) -> bool:
        """Return whether a parameter of an action is who does it."""
        kinds = deed.kinds.get(parameter, ())
        return bool(kinds) and all(self.is_a(k, self._actors) for k in kinds)

    @cached_property
    def _actors(self) -> frozenset[str]:
        """Types of who acts; where nobody is moved anywhere, of people."""
        called = (t.name for t in self.vocabulary.domain.types if self._is_called_somebody(t.name))
        return self.robots or frozenset(called)

    @cached_property
    def boarded(self) -> frozenset[Seat]:
        """Who is in something, as the argument of the relations that actions exchange for being in a zone."""
        going, found = self.going, set[Seat]()
        for deed in self.deeds if going is not None else ():
            for ones, others in ((deed.adds, deed.deletes), (deed.deletes, deed.adds)):
                for here, there in product(ones, others):
                    if going is not None and here.predicate == going.relation:
                        found |= {*seats_of(here.args[going.at], there)} - {going}
        return frozenset(s for s in found if self._all(s.relation, s.at, self.robots))

    # ---- places ---------------------------------------------------------------------------------

    def _exchanged_with(self, known: Iterable[Seat]) -> Iterator[Seat]:
        """Yield what actions exchange for being in a known relation: the same thing in another one."""
        seats = {*known}
        for deed in self.deeds:
            for ones, others in ((deed.adds, deed.undone), (deed.undone, deed.adds)):
                for here, there in product(ones, others):
                    for at in (0, 1) if not _is_promoted(here, there) else ():
                        if len(here.args) == 2 and Seat(here.predicate, at) in seats:
                            yield from seats_of(here.args[at], there)

    @cached_property
    def holding(self) -> frozenset[Seat]:
        """What is held, as the argument of the relations in which somebody holds it.

        They are called so, or actions exchange them for being held by a robot: ``lent`` to a member.
        """
        someone = self.robots | self.people
        found = {
            Seat(relation, 1 - at)
            for relation in self.binary
            for at in (0, 1)
            if tells_having(relation) and self.fits_some(Seat(relation, at), self.people)
            if not self.fits_some(Seat(relation, 1 - at), self.people)
            if not self._all(relation, 1 - at, someone | self.zones)
        }
        handed = {s for s in self._exchanged_with(self._held_by_robot) if self._is_handed(s)}
        return self._held_by_robot | self._taken_by_robot | found | handed

    def _is_handed(self, seat: Seat) -> bool:
        """Return whether what stands in a relation is with people, who are not put anywhere by it."""
        people = self._all(seat.relation, seat.other, self.people)
        return people and not self._all(seat.relation, seat.at, self.robots | self.people)

    @cached_property
    def positions(self) -> frozenset[Seat]:
        """What is somewhere, as the argument of the relations that actions exchange for each other."""
        moved = {seat for deed in self.deeds for seat in self._swapped(deed)}
        known = self.holding | moved | self.boarded
        known |= {seat for _, seat in self._put_back}
        while True:
            more = known | {*self._exchanged_with(known)}
            if more == known:
                return known
            known = more

    @cached_property
    def _put_back(self) -> frozenset[tuple[str, Seat]]:
        """What actions exchange for a state of it and back again: a dog that is led is in no run."""
        out, back = (
            {
                (come.predicate, Seat(gone.predicate, gone.args.index(come.args[0])))
                for deed in self.deeds
                for gone, come in of(deed)
                if len(gone.args) == 2 and len(come.args) == 1 and come.args[0] in gone.args
                if tells_moving(come.predicate)
            }
            for of in (_taken, _put)
        )
        return frozenset(out & back)

    @cached_property
    def in_hand(self) -> frozenset[str]:
        """The states of what is held, carried or led by who acts and has no name."""
        return frozenset(state for state, _ in self._put_back)

    def is_place(self, kind: str) -> bool:
        """Return whether things are put in or on things of a type, which are not put anywhere themselves."""
        placing = [s for s in self.positions if self.fits(kind, s.relation, s.other)]
        carried = any(self.puts(kind, s) for s in self.positions)
        return bool(placing) and not carried and not self.is_a(kind, self.people | self.robots)

    def _swapped(self, deed: Deed) -> Iterator[Seat]:
        """Yield the thing that an action takes out of one relation and puts into another one."""
        for gone, come in product(deed.undone, deed.adds):
            if len(gone.args) == len(come.args) == 2 and gone.predicate != come.predicate:
                for at in (0, 1) if not _is_promoted(gone, come) else ():
                    shared = [*seats_of(come.args[at], gone)]
                    if shared and not self._all(come.predicate, at, self.robots):
                        yield Seat(come.predicate, at)
                        yield from shared

    @cached_property
    def ended_with(self) -> dict[str, frozenset[Seat]]:
        """What ends with a property, by all actions that end it: a screen that is off shows nothing."""
        ended: dict[str, list[set[Seat]]] = {}
        for deed in self.deeds:
            for gone in deed.deletes:
                if len(gone.args) == 1 and deed.adds:
                    ended.setdefault(gone.predicate, []).append(set())  # it is about something else
                elif len(gone.args) == 1:
                    seats = {s for other in deed.deletes for s in seats_of(gone.args[0], other)}
                    ended.setdefault(gone.predicate, []).append(seats)
        placing = {seat.relation for seat in self.positions}
        return {
            relation: frozenset(s for s in set.intersection(*seats) if s.relation not in placing)
            for relation, seats in ended.items()
        }

    def parts_at(self, seat: Seat) -> int:
        """Return how many things make up what a relation is to: several, where that is a spot."""
        spots = self.vocabulary.spots
        return len(spots.placed.get(seat.relation, ((),))) if spots is not None else 1

    @cached_property
    def departing(self) -> frozenset[Seat]:
        """What stands in a relation that an action ends, without putting it elsewhere: what casts off."""
        return frozenset(
            seat
            for deed in self.deeds
            for gone in deed.deletes
            for thing in gone.args
            for seat in seats_of(thing, gone)
            if all(come.args[seat.at] != thing for come in _of(deed.adds, seat))
        )

    def ends(self, relation: str) -> bool:
        """Return whether some action ends a relation or a state."""
        return any(atom.predicate == relation for deed in self.deeds for atom in deed.deletes)

    def is_somebody(self, kinds: Iterable[str]) -> bool:
        """Return whether all of some types are of people or robots."""
        return all(self.is_a(kind, self.people | self.robots) for kind in kinds)

    def presence(self, kind: str) -> str | None:
        """Return the state of those of a type who are there; None where a domain has none."""
        known = (r for r in self.signatures if tells_presence(r))
        return next((r for r in known if r not in self.binary and self.fits(kind, r, 0)), None)

    def seat_of(self, relation: str, seats: Iterable[Seat]) -> int | None:
        """Return at which argument of a relation one of some seats is."""
        return next((s.at for s in seats if s.relation == relation), None)


def _of(atoms: Iterable[Atom], seat: Seat) -> Iterator[Atom]:
    """Yield the atoms of a relation."""
    return (a for a in atoms if a.predicate == seat.relation and len(a.args) == 2)


def _is_promoted(gone: Atom, come: Atom) -> bool:
    """Return whether two things only stand otherwise to each other: reserved for Ann, then adopted by her."""
    return len(gone.args) == 2 and {*gone.args} == {*come.args}


def _taken(deed: Deed) -> Iterator[tuple[Atom, Atom]]:
    """Yield what an action ends with what it begins."""
    return product(deed.undone, deed.adds)


def _put(deed: Deed) -> Iterator[tuple[Atom, Atom]]:
    """Yield what an action begins with what it ends."""
    return product(deed.adds, deed.undone)
