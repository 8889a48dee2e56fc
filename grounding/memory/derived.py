"""What the predicates of a domain mean, as far as its actions and types tell; names are only hints.

Who acts is whom most actions need and one of them moves; where he is moved are the rooms. What an action
takes from somewhere and gives to him is held, and where it was is a place. What no action changes says how
the house is. A predicate that fits none of this means nothing to the reader of English, which never guesses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from commonground.grounding.memory.domain.effects import Effects
from commonground.grounding.memory.domain.naming import is_standing
from commonground.grounding.memory.senses.states import STATE_WORDS, State

_SOMEBODY = frozenset(["person", "human", "people", "agent", "actor", "robot"])
_HAS = frozenset(
    ["held", "holds", "holding", "hand", "hands", "has", "carried", "given", "gripped", "with"]
)
_OWNS = frozenset(["owned", "owner", "owns", "belongs", "property"])
_WATER = frozenset(["tap", "faucet", "water"])
_IN = frozenset(["in", "inside", "into", "within"])
_ON = frozenset(["on", "onto", "upon", "atop"])
_WHERE = _IN | _ON | {"at", "is", "located", "location", "loc", "position"}


@dataclass(frozen=True, slots=True)
class Derived:
    """What a predicate means, and what tells so."""

    means: str
    because: str
    inverted: bool = False
    present: bool = False
    """Who brings a state about is in the room of the thing."""
    prepositions: tuple[str, ...] = ()


class Derivation(Effects):
    """Reads a domain for what its predicates mean."""

    def meaning(self, relation: str) -> Derived:
        """Return what a predicate means."""
        words = relation.lower().replace("-", "_").split("_")
        if self.signatures[relation].is_property:
            return self._property(relation, words)
        if relation in self.vocabulary.changing:
            return self._changing(relation, words)
        return self._fixed(relation, words)

    # ---- who acts, and where --------------------------------------------------------------------

    @cached_property
    def _moving(self) -> frozenset[str]:
        """The relation in which some action moves whom most actions need."""
        moved = {
            a.predicate: self._needed(a.predicate)
            for deed in self.deeds
            for a, b in product(deed.adds, deed.deletes)
            if a.predicate == b.predicate and len(a.args) == 2 and a.args[0] == b.args[0]
        }
        most = max(moved.values(), default=0)
        enough = max(most, (len(self.deeds) + 1) // 2, 1)
        return frozenset(r for r, needed in moved.items() if needed >= enough)

    def _needed(self, relation: str) -> int:
        """Return how many actions are done by what a relation is about."""
        return sum(
            any(a.predicate == relation for a in (*deed.needs, *deed.deletes))
            for deed in self.deeds
        )

    @cached_property
    def _robots(self) -> frozenset[str]:
        return frozenset(t for r in self._moving for t in self._types(r, 0))

    @cached_property
    def _rooms(self) -> frozenset[str]:
        rooms = frozenset(t for r in self._moving for t in self._types(r, 1))
        return rooms or frozenset(["room"]) & {t.name for t in self.vocabulary.domain.types}

    @cached_property
    def _people(self) -> frozenset[str]:
        """Types of people: kin of who acts, or called so, or who is only ever handed things."""
        above = {a for t in self._robots for a in self._above(t)} | _SOMEBODY
        listed = (t.name for t in self.vocabulary.domain.types)
        kin = {t for t in listed if self._above(t) & above and t not in self._robots}
        return frozenset(kin | {t for r in self._handed() for t in self._types(r, 1)})

    def _handed(self) -> Iterator[str]:
        """Yield the relations whose names tell of having, in which who acts puts what he held."""
        for deed in self.deeds:
            for given, gone in product(deed.adds, deed.deletes):
                held = given.args[:1] == gone.args[:1] and gone.predicate in self._held_by_robot
                if held and len(given.args) == 2 and _words(given.predicate) & _HAS:
                    yield given.predicate

    @cached_property
    def _held_by_robot(self) -> frozenset[str]:
        """The relations between things and who acts that actions change."""
        return frozenset(
            r
            for r in self.binary
            if r in self.vocabulary.changing and r not in self._moving
            if self._is_all(r, 1, self._robots)
        )

    @cached_property
    def _items(self) -> frozenset[str]:
        """Types of what is held, or moved from one thing to another."""
        held = {t for r in self._held_by_robot for t in self._types(r, 0)}
        moved = {
            t
            for deed in self.deeds
            for a, b in product(deed.adds, deed.deletes)
            if len(a.args) == len(b.args) == 2 and a.args[0] == b.args[0]
            if a.predicate not in self._moving
            if a.predicate == b.predicate
            for t in self._types(a.predicate, 0)
        }
        return frozenset(held or moved)

    # ---- one predicate --------------------------------------------------------------------------

    def _changing(self, relation: str, words: Sequence[str]) -> Derived:
        if relation in self._moving:
            return Derived("whereabouts", "an action moves there whom most actions need")
        if self._is_all(relation, 1, self._robots | self._people):
            if self._touches(relation, 0, self._items):
                return Derived("holding", "things are taken from a place and given to somebody")
            return Derived("derived", "it is between people and what is never carried")
        if self._is_all(relation, 0, self._people) and self._is_all(relation, 1, self._rooms):
            return Derived("whereabouts", "people are in rooms")
        item = self._touches(relation, 0, self._items)
        if item and self._exchanged(relation):
            return Derived(
                "place",
                "an action exchanges it for being held, or for another place",
                prepositions=_prepositions(words),
            )
        if item:
            return Derived("contents", "an action changes it of a thing that stays where it is")
        if self._is_value(relation):
            return Derived("channel", "one of several values of what is not carried", present=True)
        return Derived("derived", "no action carries anything there")

    def _exchanged(self, relation: str) -> bool:
        """Return whether an action exchanges it for another place of the thing, or for its holder."""
        return any(
            a.args[0] == b.args[0] and relation in (a.predicate, b.predicate)
            for deed in self.deeds
            for a, b in product(deed.adds, deed.deletes)
            if len(a.args) == len(b.args) == 2
            and (
                a.predicate == b.predicate
                or {a.predicate, b.predicate} & self._held_by_robot
                or any(self._is_all(r, 1, self._people) for r in (a.predicate, b.predicate))
            )
        )

    def _fixed(self, relation: str, words: Sequence[str]) -> Derived:
        """What no action changes says how the house is, who owns what, and where people are."""
        someone = [self._is_all(relation, at, self._people | self._robots) for at in (0, 1)]
        if any(self._is_all(relation, at, self._rooms) for at in (0, 1)):
            return self._of_room(relation, someone[0])
        if someone[1] and not someone[0]:
            if _words(relation) & _HAS and not {*words} & _OWNS:
                return Derived("holding", "its name, and that its objects are people")
            return Derived("owner", "its objects are people, and no action changes it")
        if self._is_part(relation):
            return Derived("part", "its subjects are places, and its objects none by themselves")
        return self._quality(relation, words)

    def _of_room(self, relation: str, somebody: bool) -> Derived:
        """What no action changes between rooms and what is in them or leads there."""
        if not self._is_all(relation, 1, self._rooms):
            return Derived("inside_of", "its subjects are rooms, and no action changes it")
        if self._is_all(relation, 0, self._rooms):
            return Derived("derived", "it is between rooms")
        if somebody and is_standing(relation) and not self._needed(relation):
            return Derived("derived", "where somebody has a place is not where he is")
        if somebody:
            return Derived("whereabouts", "people are in rooms")
        if self._joins(relation):
            return Derived("joins", "who passes needs it of two rooms")
        return Derived("inside", "its objects are rooms, and no action changes it")

    def _quality(self, relation: str, words: Sequence[str]) -> Derived:
        """What no action changes between a thing and what is no place."""
        item = self._touches(relation, 0, self._items)
        if item and self._is_value(relation):
            return Derived("attribute", "its objects stand in no other relation")
        if not item and self._touches(relation, 1, self._ends["contents"]):
            return Derived("source", "its objects are what things are filled with")
        if {*words} <= _WHERE:
            return Derived("place", "its name, and nothing else", prepositions=_prepositions(words))
        return Derived("derived", "nothing in the domain tells what it says")

    def _property(self, relation: str, words: Sequence[str]) -> Derived:
        kinds = {t for types in self.signatures[relation].arguments for t in types}
        if kinds and all(self.is_a(t, self._robots) for t in kinds):
            return Derived("derived", "it is about who acts")
        for word in words:
            states = STATE_WORDS.get((word,), ())
            if states:
                state = _best(states, {*words, *kinds})
                near = self._is_done_on_the_spot(relation)
                return Derived(
                    state.concepts[0], f"its name has '{word}'", not state.positive, near
                )
        return Derived("derived", "its name tells no state")

    def _is_done_on_the_spot(self, relation: str) -> bool:
        """Return whether who changes a state has to be in a room for it."""
        doing = [
            d for d in self.deeds if any(a.predicate == relation for a in (*d.adds, *d.deletes))
        ]
        return bool(doing) and all(
            any(a.predicate in self._moving for a in deed.needs) for deed in doing
        )

    @cached_property
    def _ends(self) -> Mapping[str, Collection[str]]:
        """What the relations that actions change mean → the types of their objects."""
        found: dict[str, set[str]] = {"contents": set(), "place": set()}
        for relation in self.binary:
            if relation in self.vocabulary.changing:
                found.setdefault(self.meaning(relation).means, set()).update(
                    self._types(relation, 1)
                )
        return found

    # ---- types ----------------------------------------------------------------------------------

    def _joins(self, relation: str) -> bool:
        """Return whether an action that moves somebody needs it twice of one thing."""
        return any(
            a.predicate == b.predicate == relation and a.args[0] == b.args[0] and a != b
            for deed in self.deeds
            if any(add.predicate in self._moving for add in deed.adds)
            for a, b in product(deed.needs, deed.needs)
        )

    def _is_part(self, relation: str) -> bool:
        """Return whether a relation is between a place and what is none, no value and no room."""
        if self._touches(relation, 0, self._types(relation, 1)) or self._is_value(relation):
            return False
        kept_apart = self._touches(relation, 1, self._items | self._rooms)
        return not kept_apart and self._touches(relation, 0, self._ends["place"])

    def _is_value(self, relation: str) -> bool:
        """Return whether the objects of a relation are spoken of in no other one, nor moved or held."""
        types = self._types(relation, 1)
        others = {
            t
            for name, signature in self.signatures.items()
            for at, listed in enumerate(signature.arguments)
            if (name, at) != (relation, 1)
            for t in listed
        }
        return not any(self._meets(t, others) for t in types)

    def _types(self, relation: str, at: int) -> tuple[str, ...]:
        return self.signatures[relation].arguments[at]

    def _is_all(self, relation: str, at: int, types: Collection[str]) -> bool:
        return all(self.is_a(t, types) for t in self._types(relation, at))

    def _touches(self, relation: str, at: int, types: Collection[str]) -> bool:
        return any(self._meets(t, types) for t in self._types(relation, at))

    def _meets(self, kind: str, types: Collection[str]) -> bool:
        return self.is_a(kind, types) or any(self.is_a(t, (kind,)) for t in types)

    def _above(self, kind: str) -> set[str]:
        return {*self.vocabulary.types.ancestors(kind)} - {"object"}


def _words(relation: str) -> set[str]:
    """Return the words of a name; what ``has been`` done nobody has."""
    name = relation.lower().replace("-", "_")
    return {*name.replace("has_been_", "been_").split("_")}


def _best(states: Sequence[State], said: set[str]) -> State:
    """Return the state that a word tells: that of water only where water is spoken of."""
    wet = bool(said & _WATER)
    return next((s for s in states if ("flow" in s.concepts) == wet), states[0])


def _prepositions(words: Sequence[str]) -> tuple[str, ...]:
    """Return the prepositions that suit a place, as far as its name has one."""
    if {*words} & _IN:
        return ("in", "into", "inside", "within", "to", "at")
    if {*words} & _ON:
        return ("on", "onto", "upon", "atop", "to", "at")
    return ("on", "onto", "upon", "in", "into", "inside", "at", "to")
