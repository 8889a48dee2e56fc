"""Where things are and what is in them, by all of the relations that put something somewhere.

What is on a bench that is in a room is in the room, too. How rooms lie, whose something is, or where somebody
works says nothing of where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.knowledge.spots import PART
from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.ontology.roles import Roles

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
