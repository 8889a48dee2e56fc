"""What is believed of a house, asked about things: where they are, whose, and in which state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.ontology.names import LAST_WORD, SYNONYM, Names

WHOLE = frozenset(
    ["house", "home", "flat", "apartment", "place", "everywhere", "building", "anywhere"]
)
"""Words for all of a house."""
Accepts: TypeAlias = Callable[[str], bool]
Things: TypeAlias = tuple[str, ...]
Known: TypeAlias = dict[str, int]
"""Things a phrase may mean, with how directly it names each."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a clause says beside a phrase, to choose between things that are called the same."""

    rooms: Things = ()
    """The rooms named in the same clause."""
    actor: str | None = None
    """Things without further description are looked for where he is."""
    spots: frozenset[str] = frozenset()
    """Where things come from or are said to be, or who had them: only to choose between equals."""


class House:
    """The names of a world and what is believed of it."""

    def __init__(self, names: Names, view: View) -> None:
        self.names = names
        self.meanings = names.meanings
        self.view = view

    # ---- what a thing can be ---------------------------------------------------------------------

    def is_someone(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.names.is_person(thing) or self.names.is_robot(thing)

    def is_fixed(self, thing: str) -> bool:
        """Return whether a thing is no portable one."""
        return not self.names.is_item(thing)

    def is_scenery(self, thing: str) -> bool:
        """Return whether a thing neither acts nor is carried about: a room, furniture, a level."""
        return self.is_fixed(thing) and not self.is_someone(thing)

    def is_spot(self, thing: str) -> bool:
        """Return whether things may end up there: furniture, a room, somebody's hands."""
        names = self.names
        place = names.is_place(thing) or names.is_room(thing) or names.is_whole(thing)
        return self.is_fixed(thing) and (place or self.is_someone(thing))

    def is_light(self, thing: str) -> bool:
        """Return whether a thing has power and shows no channel."""
        return self.relation(thing, State(("power",))) is not None and not self.is_screen(thing)

    def is_screen(self, thing: str) -> bool:
        """Return whether a thing can show a channel."""
        kind, takes = [self.names.kind(thing)], self.meanings.takes
        return any(takes(relation, 0, kind) for relation in self.meanings.having("channel"))

    def is_vessel(self, thing: str) -> bool:
        """Return whether a thing can have a liquid in it."""
        return self.relation(thing, State(("contents",))) is not None

    def relation(self, thing: str, state: State) -> str | None:
        """Return the property of a thing that a state is about."""
        kind = self.names.kind(thing)
        found = (self.meanings.state_relation(concept, kind) for concept in state.concepts)
        return next((relation for relation in found if relation is not None), None)

    def is_in(self, thing: str, state: State) -> bool:
        """Return whether a thing is believed to be in a state."""
        relation = self.relation(thing, state)
        if relation is None:
            return False
        positive = state.positive != self.meanings.relations[relation].inverted
        return Fact(thing, relation, TRUE if positive else FALSE) in self.view

    # ---- where things are ------------------------------------------------------------------------

    def room(self, thing: str) -> str | None:
        """Return the room a thing or somebody is in."""
        return self.names.room_of(thing, self.view)

    def location(self, thing: str) -> str | None:
        """Return the place a thing is at, the room somebody is in, or who has it."""
        fact = self.names.location(thing, self.view)
        return fact.object if fact is not None else None

    def is_at(self, thing: str, spots: Iterable[str]) -> bool:
        """Return whether a thing is believed to be at one of some places, rooms or people."""
        where = self.location(thing)
        if where is None:
            return False
        return not {where, self.names.names[where].whole, self.room(thing)}.isdisjoint(spots)

    def items_at(self, spots: Iterable[str]) -> list[str]:
        """Return the portable things at some places or in some rooms, in order."""
        wanted, names = {*spots}, self.names
        levels = {level for spot in wanted for level in names.levels.get(spot, ())}
        found: set[str] = set()
        for relation in self.meanings.having("place", "holding"):
            for spot in wanted | levels:
                found.update(self.view.subjects(relation, spot))
        if any(map(names.is_room, wanted)):
            found |= {t for t in names.things if names.is_item(t) and self.is_at(t, wanted)}
        return sorted(found)

    def inside(self, thing: str) -> set[str]:
        """Return what a thing holds: liquids, and the portable things at it."""
        return {fact.object for fact in self.view.about(thing)} | {*self.items_at([thing])}

    def owner(self, thing: str) -> str | None:
        """Return whose a thing is, or whose room it is in for good."""
        name = self.names.names[thing]
        if name.owner is None and name.room not in (None, thing):
            return self.names.names[str(name.room)].owner
        return name.owner

    # ---- choosing by place -----------------------------------------------------------------------

    def at(self, known: Known, spots: set[str], *, soft: bool = True) -> Known:
        """Keep the things at some spots; memory may be behind the speaker about what can be moved."""
        movable = {t: r for t, r in known.items() if self.names.is_item(t)}
        fixed = {t: r for t, r in known.items() if t not in movable}
        rooms = {r for s in spots if (r := self.room(s)) is not None and r != s}
        kept = self._fixed_at(fixed, spots) or self._fixed_at(fixed, rooms)
        there = {t: r for t, r in movable.items() if self.is_at(t, spots)}
        return {**kept, **(there or (movable if soft and not kept else {}))}

    def _fixed_at(self, fixed: Known, spots: set[str]) -> Known:
        """Keep what belongs to one of some spots; of doors, those named after it rather than those in it."""
        names = self.names.names
        kept = {t: r for t, r in fixed.items() if spots & {t, names[t].room, names[t].whole}}
        joining = {t: r for t, r in fixed.items() if spots & names[t].rooms}
        return {**kept, **({} if any(names[t].rooms for t in kept) else joining)}

    def in_room(self, found: Iterable[str], rooms: Iterable[str | None]) -> list[str]:
        """Return the furniture in the first of some rooms that has any, or that doors there lead to."""
        fixed = [t for t in found if self.is_fixed(t)]
        for room in rooms:
            joining = [t for t in fixed if room in self.names.names[t].rooms]
            inside = [t for t in fixed if room == self.room(t)] or joining
            if inside:
                return inside
        return []

    def rooms_of(self, spoken: Iterable[str]) -> list[str]:
        """Return the rooms of what was just spoken of: ``that chest`` is most likely there too."""
        rooms = (self.room(t) for t in spoken if self.is_scenery(t) or self.names.is_item(t))
        return list(dict.fromkeys(room for room in rooms if room is not None))

    def chosen(
        self, known: Known, rooms: Iterable[str | None], tests: Iterable[Accepts]
    ) -> list[str]:
        """Choose between candidates: what is named most directly, in one of some rooms, and passes tests."""
        best = min(known.values(), default=0)
        found = [t for t, r in known.items() if r <= (SYNONYM if best == LAST_WORD else best)]
        inside = self.in_room(found, filter(None, rooms))
        closest = min((known[t] for t in inside or found), default=0)
        for test in (lambda t: t in inside, lambda t: known[t] == closest, *tests):
            found = ([t for t in found if test(t)] or found) if len(found) > 1 else found
        return found
