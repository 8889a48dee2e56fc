"""What the predicates of a domain mean to the reader of English; names are only hints.

Who acts, who the people and where the rooms are, what is held and what is somewhere is told by the domain's
actions (`roles.py`). A thing's holder or place stands behind it; a predicate the other way round, or one that
fits none of this, means nothing to the reader of English, which never guesses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from commonground.grounding.memory.english.state_words import STATE_WORDS, State
from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.predicate_names import prepositions_of, tells_where
from commonground.grounding.memory.ontology.roles import Roles

_WATER = frozenset(["tap", "faucet", "water"])


@dataclass(frozen=True, slots=True)
class Derived:
    """What a predicate means, and what tells so."""

    means: str
    because: str
    inverted: bool = False
    present: bool = False
    """Who brings a state about is in the room of the thing."""
    prepositions: tuple[str, ...] = ()


class Derivation:
    """Says what the predicates of a domain mean, by what they do in its actions."""

    def __init__(self, roles: Roles) -> None:
        self.roles, self.vocabulary, self.signatures = roles, roles.vocabulary, roles.signatures

    def meaning(self, relation: str) -> Derived:
        if self.signatures[relation].is_property:
            return self._property(relation)
        if relation in self.vocabulary.changing:
            return self._seated(relation) or self._changing(relation)
        return self._seated(relation) or self._fixed(relation)

    # ---- who and what is where ------------------------------------------------------------------

    def _seated(self, relation: str) -> Derived | None:
        """Return that a predicate tells where its subjects are, or who has them; None where it does not."""
        roles, seat, someone = self.roles, Seat(relation, 0), self._someone
        if seat in roles.holding:
            return Derived("holding", "somebody takes things so, or its name says that he has them")
        somebody = self._is_all(relation, 0, someone)
        if seat in roles.whereabouts and (somebody or roles.fits_some(seat, roles.robots)):
            return Derived("whereabouts", "who acts goes there, or people are there")
        if seat not in roles.positions or somebody:
            return None
        if self._is_all(relation, 1, someone):
            return Derived("holding", "things are taken from a place and given to somebody")
        because = "an action exchanges it for being held, or for another place"
        return Derived("place", because, prepositions=prepositions_of(relation))

    @property
    def _someone(self) -> frozenset[str]:
        return self.roles.robots | self.roles.people

    @cached_property
    def _items(self) -> frozenset[str]:
        """Types of what is held, or is at places."""
        seats = (
            s for s in self.roles.positions if not self._is_all(s.relation, s.at, self._someone)
        )
        return frozenset(t for s in seats for t in self._types(s.relation, s.at))

    @cached_property
    def _places(self) -> frozenset[str]:
        """Types of where things are put."""
        placing = (r for r in self.roles.binary if r in self.vocabulary.changing)
        found = ((r, self._seated(r)) for r in placing)
        return frozenset(t for r, d in found if d and d.means == "place" for t in self._types(r, 1))

    # ---- one predicate --------------------------------------------------------------------------

    def _changing(self, relation: str) -> Derived:
        if not self._is_value(relation, self.vocabulary.changing):
            return Derived("derived", "no action puts anything there")
        if self._touches(relation, 0, self._items):
            return Derived("contents", "an action changes it of a thing that stays where it is")
        return Derived("channel", "one of several values of what is not carried", present=True)

    def _fixed(self, relation: str) -> Derived:
        """What no action changes says how the house is, and who owns what."""
        if self._is_zone(relation, 0) or self._is_zone(relation, 1):
            return self._of_room(relation)
        someone = [self._is_all(relation, at, self._someone) for at in (0, 1)]
        if someone[1] and not someone[0]:
            return Derived("owner", "its objects are people, and no action changes it")
        if relation in self.roles.standing and "of" not in words_of(relation):
            return Derived("derived", "what is kept for something or somewhere is no part of it")
        if self._is_part(relation):
            return Derived("part", "its subjects are places, and its objects none by themselves")
        return self._quality(relation)

    def _of_room(self, relation: str) -> Derived:
        """What no action changes between rooms and what is in them or leads there."""
        if self._is_zone(relation, 0) and self._is_zone(relation, 1):
            return Derived("derived", "it is between rooms")
        if self._is_zone(relation, 0):
            return Derived("inside_of", "its subjects are rooms, and no action changes it")
        if self._joins(relation):
            return Derived("joins", "who passes needs it of two rooms")
        if self.roles.seat_of(relation, self.roles.whereabouts) is None:
            return Derived(
                "derived", "where somebody or something has a place is not where that is"
            )
        return Derived("inside", "its objects are rooms, and no action changes it")

    def _quality(self, relation: str) -> Derived:
        """What no action changes between a thing and what is no place."""
        item = self._touches(relation, 0, self._items)
        if item and self._is_value(relation, self.signatures):
            return Derived("attribute", "its objects stand in no other relation")
        if not item and self._touches(relation, 1, self._contents):
            return Derived("source", "its objects are what things are filled with")
        if tells_where(relation):
            because = "its name, and nothing else"
            return Derived("place", because, prepositions=prepositions_of(relation))
        return Derived("derived", "nothing in the domain tells what it says")

    @cached_property
    def _contents(self) -> frozenset[str]:
        """Types of what things are filled with."""
        changing = [r for r in self.roles.binary if r in self.vocabulary.changing]
        filling = (r for r in changing if self.meaning(r).means == "contents")
        return frozenset(t for r in filling for t in self._types(r, 1))

    def _property(self, relation: str) -> Derived:
        words, kinds = words_of(relation), {*self._kinds(relation)}
        if kinds and all(self.roles.is_a(t, self.roles.robots) for t in kinds):
            return Derived("derived", "it is about who acts")
        for word in words:
            states = STATE_WORDS.get((word,), ())
            if states:
                state = _best(states, {*words, *kinds})
                near = self._is_done_on_the_spot(relation)
                because = f"its name has '{word}'"
                return Derived(state.concepts[0], because, not state.positive, near)
        return Derived("derived", "its name tells no state")

    def _is_done_on_the_spot(self, relation: str) -> bool:
        """Return whether who changes a state has to be in a room for it."""
        of_deed = [(d, {a.predicate for a in (*d.adds, *d.deletes)}) for d in self.roles.deeds]
        doing = [deed for deed, changed in of_deed if relation in changed]
        return bool(doing) and all(
            any(self.meaning(a.predicate).means == "whereabouts" for a in deed.needs if a.args[1:])
            for deed in doing
        )

    def _joins(self, relation: str) -> bool:
        """Return whether an action that takes somebody elsewhere needs it twice of one thing."""
        going = {
            s.relation for s in self.roles.whereabouts if self.roles.fits_some(s, self.roles.robots)
        }
        return any(
            a.predicate == b.predicate == relation and a.args[0] == b.args[0] and a != b
            for deed in self.roles.deeds
            if any(add.predicate in going for add in deed.adds)
            for a, b in product(deed.needs, deed.needs)
        )

    # ---- types ----------------------------------------------------------------------------------

    def _is_part(self, relation: str) -> bool:
        """Return whether a relation is between a place and what is none, no value and no room."""
        if self._touches(relation, 0, self._types(relation, 1)):
            return False
        if self._is_value(relation, self.signatures):
            return False
        kept_apart = self._touches(relation, 1, self._items | self.roles.zones)
        return not kept_apart and self._touches(relation, 0, self._places)

    def _is_value(self, relation: str, among: Iterable[str]) -> bool:
        """Return whether the objects of a relation are spoken of in none of some others."""
        others = {
            t
            for name in among
            for at, listed in enumerate(self.signatures[name].arguments)
            if (name, at) != (relation, 1)
            for t in listed
        }
        return not self._touches(relation, 1, others)

    def _kinds(self, relation: str) -> Iterable[str]:
        return (t for types in self.signatures[relation].arguments for t in types)

    def _types(self, relation: str, at: int) -> tuple[str, ...]:
        return self.signatures[relation].arguments[at]

    def _is_zone(self, relation: str, at: int) -> bool:
        return self._is_all(relation, at, self.roles.zones)

    def _is_all(self, relation: str, at: int, types: Collection[str]) -> bool:
        return all(self.roles.is_a(t, types) for t in self._types(relation, at))

    def _touches(self, relation: str, at: int, types: Collection[str]) -> bool:
        """Return whether things of one type may be both at an argument and of one of some types."""
        own, is_a = self._types(relation, at), self.roles.is_a
        return any(is_a(t, types) or any(is_a(other, (t,)) for other in types) for t in own)


def _best(states: Collection[State], said: set[str]) -> State:
    """Return the state that a word tells: that of water only where water is spoken of."""
    wet = bool(said & _WATER)
    return next((s for s in states if ("flow" in s.concepts) == wet), next(iter(states)))
