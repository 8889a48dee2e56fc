"""How the things of a world are called: nouns, owners, colors, rooms and numbers, by every word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from commonground.grounding.knowledge.facts import BOOLEANS, Fact
from commonground.grounding.knowledge.files import Thing, spoken
from commonground.grounding.knowledge.index import View, objects
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.ontology.name_words import (
    Words,
    head_of,
    plain_words,
    singular_and_plural,
    spellings,
    without_the,
    words_of,
)
from commonground.grounding.memory.ontology.noun_table import NounTable
from commonground.reading import whole_number

_NUMBER = re.compile(r"\d+$")
_OF = "of"

EXACT, LAST_WORD, SYNONYM, TYPE, PART = range(5)
"""How directly a noun names a thing; the more direct one is meant."""


class Name(NamedTuple):
    """What one can say to mean a thing."""

    thing: str
    kind: str
    head: Words
    """The noun: ``floor lamp`` of ``floor lamp in the living room``."""
    owner: str | None = None
    """Whose it is, by a fact or by the name (``Maya's bedroom``)."""
    attributes: frozenset[str] = frozenset()
    """The things (colors) that describe it."""
    room: str | None = None
    whole: str | None = None
    """What it is a part of: a level's shelf."""
    number: int | None = None
    """Of a level, from the bottom."""
    rooms: frozenset[str] = frozenset()
    """The rooms a door joins."""
    own: Words = ()
    """All words of its name, with those apart that a hyphen joins."""
    other: Words = ()
    """The words of its id where they are others: ``n1`` for the first north house."""


class Names:
    """All names of a world."""

    def __init__(
        self,
        things: Iterable[Thing],
        facts: View,
        meanings: Meanings,
        kept: Mapping[str, Name] | None = None,
    ) -> None:
        """Name things; ``kept`` holds names made before that still hold."""
        self.meanings = meanings
        self.things = {thing.id: thing for thing in things}
        self.order = dict(zip(self.things, range(len(self.things)), strict=True))
        """Where in the world each thing stands."""
        self.kinds = {key: thing.kind for key, thing in self.things.items()}
        self.of_kind: dict[str, list[str]] = {}
        """The things of each type, in the order of the world."""
        for key, kind in self.kinds.items():
            self.of_kind.setdefault(kind, []).append(key)
        self._facts = facts
        self._kept = kept or {}
        self._value_kinds: dict[tuple[str, Words], bool] = {}
        """Whether things of a type are values of some meanings: types are few and things many."""
        self._kinds: dict[tuple[str, frozenset[str]], bool] = {}
        self.people: dict[Words, str] = {}
        """Who is called what: people, and robots that have names."""
        self.values: dict[Words, str] = {}
        """Liquids, channels, colors, by what they are called."""
        self.nouns = NounTable(self.order)
        self.plurals: set[Words] = set()
        self.longest = 1
        """The most words of a noun."""
        self.attributes: dict[Words, str] = {}
        self._call_people()
        self._call_attributes()
        self.names = {key: self._kept.get(key) or self._name(t) for key, t in self.things.items()}
        self._levels()
        self.alike: dict[tuple[str, Words], list[str]] = {}
        """Type and noun → the things of them, in the order of the world: many share theirs."""
        for name in self.names.values():
            self.alike.setdefault((name.kind, name.head), []).append(name.thing)
        self._call_values()
        for (kind, head), alike in self.alike.items():
            for words, rank in self._ways_to_name(alike[0], kind, head):
                self._tell(words, alike, rank)
        self._call_by_contents()

    def _call_by_contents(self) -> None:
        """Let things be called by what they are of, if nothing else is: ``the Merlot``."""
        held: dict[Words, list[str]] = {}
        for name in self.names.values():
            if _OF in name.own and self.is_item(name.thing):
                held.setdefault(name.own[name.own.index(_OF) + 1 :], []).append(name.thing)
        for words, things in held.items():
            if words and words not in self.nouns:
                self._tell(words, things, SYNONYM)

    def also_called(self, nouns_like: Callable[[str], Iterable[str]]) -> None:
        """Let things be called by other nouns for their own."""
        for (_, head), things in self.alike.items():
            if not (self.is_person(things[0]) or self.is_robot(things[0])):
                for noun in nouns_like(" ".join(head)):
                    self._tell(tuple(noun.split()), things, SYNONYM)

    def called(self, words: Words) -> Mapping[str, int]:
        """Return what a noun, or one with its number (``room 7``), may mean, and how directly."""
        known = self.nouns.get(words)
        if known is None and len(words) > 1:
            number = whole_number(words[-1])
            if number is not None:
                return {
                    t: rank
                    for t, rank in self.nouns.get(words[:-1], {}).items()
                    if (name := self.names[t]).number == number and name.whole is None
                }
        return known or {}

    def name_at(self, words: Sequence[str], at: int) -> int:
        """Return how many words of a name of this world begin at a place."""
        for size in range(min(self.longest + 1, len(words) - at), 0, -1):
            key = tuple(words[at : at + size])
            if key in self.people or key in self.values:
                return size
            if any(rank <= LAST_WORD for rank in self.called(key).values()):
                return size
        return 0

    # ---- what a thing is ----------------------------------------------------------------------

    def kind(self, thing: str) -> str:
        return self.kinds[thing]

    def of(self, suits: Callable[[str], bool]) -> list[str]:
        """Return the things of the types that suit, in the order of the world."""
        found = [things for kind, things in self.of_kind.items() if suits(kind)]
        if len(found) < 2:
            return [t for things in found for t in things]
        return sorted((t for things in found for t in things), key=self.order.__getitem__)

    def is_named_person(self, word: str) -> bool:
        return words_of(word) in self.people

    def is_only_robot(self, word: str) -> bool:
        """Return whether a word names the robot, where there is but one."""
        if len(self.robots) != 1:
            return False
        words = words_of(word)
        return self.robots[0] == self.people.get(words) or self.robots[0] in self.called(words)

    def _is(self, thing: str, types: frozenset[str]) -> bool:
        """Return whether a thing is of some types: types are few and things many."""
        key = self.kinds[thing], types
        known = self._kinds.get(key)
        if known is None:
            known = self._kinds[key] = self.meanings.is_a(key[0], types)
        return known

    def is_person(self, thing: str) -> bool:
        return self._is(thing, self.meanings.person_types)

    def is_robot(self, thing: str) -> bool:
        return self._is(thing, self.meanings.robot_types)

    def is_room(self, thing: str) -> bool:
        return self.meanings.is_a(self.kind(thing), self.meanings.room_types)

    def is_item(self, thing: str) -> bool:
        """Return whether a thing can be held or put somewhere."""
        return self.meanings.is_a(self.kind(thing), self.meanings.item_types)

    def is_place(self, thing: str) -> bool:
        """Return whether things can be put on or into it."""
        return self.meanings.is_a(self.kind(thing), self.meanings.place_types)

    def is_whole(self, thing: str) -> bool:
        """Return whether a thing has levels."""
        return thing in self.levels

    def is_fixture(self, thing: str) -> bool:
        """Return whether a thing belongs to a room."""
        return self.meanings.is_a(self.kind(thing), self.meanings.fixture_types)

    def _is_value(self, kind: str, *means: str) -> bool:
        if (kind, means) not in self._value_kinds:
            self._value_kinds[kind, means] = any(
                self.meanings.takes(relation, 1, [kind])
                for relation in self.meanings.having(*means)
                if not self.meanings.vocabulary.signatures[relation].is_property
            )
        return self._value_kinds[kind, means]

    def relation(self, means: str, subject: str, value: str) -> str | None:
        """Return the predicate of a meaning that holds between two things of the world, if any may."""
        return self.meanings.relation_between(means, self.kind(subject), self.kind(value))

    def is_liquid(self, thing: str) -> bool:
        """Return whether a thing can be in a vessel."""
        return self._is_value(self.kind(thing), "contents")

    def is_channel(self, thing: str) -> bool:
        """Return whether a screen can show it."""
        return self._is_value(self.kind(thing), "channel")

    @cached_property
    def robots(self) -> list[str]:
        """The robots."""
        return self.of(lambda kind: self.meanings.is_a(kind, self.meanings.robot_types))

    # ---- building -----------------------------------------------------------------------------

    def _call_people(self) -> None:
        for key in self.of(lambda kind: self.meanings.is_a(kind, self.meanings.person_types)):
            self.people[words_of(self.things[key].name)] = key
            self.people.setdefault(words_of(self.things[key].name)[:1], key)
        for key in self.robots:
            name = words_of(self.things[key].name)
            if self.has_name_of_its_own(key):
                self.people.setdefault(name, key)

    def has_name_of_its_own(self, robot: str) -> bool:
        """Return whether a robot is called otherwise than what it is: ``Pip``, and not ``the robot``."""
        kinds = map(words_of, (self.kinds[robot], *self.meanings.nouns(self.kinds[robot])))
        return words_of(self.things[robot].name)[-1:] not in {kind[-1:] for kind in kinds}

    def _call_attributes(self) -> None:
        new = self.things.keys() - self._kept.keys()
        used = {value for name in self._kept.values() for value in name.attributes}
        used |= {value for thing in new for value in self._all(thing, "attribute")}
        for key in used.union(self.of(lambda kind: self._is_value(kind, "attribute"))):
            for words in spellings(without_the(words_of(self.things[key].name))):
                self.attributes[words] = key

    def _all(self, thing: str, means: str) -> frozenset[str]:
        """Return what the facts about a thing say by the predicates of a meaning."""
        relations = set(self.meanings.having(means))
        return frozenset(f.object for f in self._facts.about(thing) if f.relation in relations)

    def _one(self, thing: str, means: str) -> str | None:
        for relation in self.meanings.having(means):
            found = objects(self._facts, thing, relation)
            if found and found[0] not in BOOLEANS:
                return found[0]
        return None

    def _name(self, thing: Thing) -> Name:
        words = words_of(thing.name)
        owner = self._one(thing.id, "owner")
        if "'s" in words[:4] and not self.is_person(thing.id):
            cut = words.index("'s")
            called = self.people.get(words[:cut])
            if called is not None and (owner in (None, called)):
                owner, words = called, words[cut + 1 :]
        described = self._all(thing.id, "attribute")
        for size in range(min(3, len(words) - 1), 0, -1):
            if self.attributes.get(words[:size]) in described:
                words = words[size:]
                break
        rooms = self._all(thing.id, "joins")
        numbers = map(whole_number, (*reversed(words), *_NUMBER.findall(thing.id)))
        own, other = plain_words(thing.name), plain_words(spoken(thing.id))
        return Name(
            thing.id,
            thing.kind,
            head_of(words),
            owner,
            described,
            self._one(thing.id, "inside")
            or self._room_that_has(thing.id)
            or self._named_room(words, rooms),
            self._one(thing.id, "part"),
            next((n for n in numbers if n is not None), None),
            rooms,
            own,
            other if other != own else (),
        )

    def _room_that_has(self, thing: str) -> str | None:
        """Return the room that has a thing, where the domain says it of the room."""
        having = self.meanings.having("inside_of")
        return next((r for of in having for r in sorted(self._facts.subjects(of, thing))), None)

    def _named_room(self, words: Words, rooms: frozenset[str]) -> str | None:
        """Return the room a door is named after: the one whose words its name has."""
        text = " ".join(words)
        named = [r for r in rooms if " ".join(words_of(self.things[r].name)) in text]
        return max(named, key=lambda r: len(self.things[r].name), default=None)

    def _levels(self) -> None:
        self.levels: dict[str, list[str]] = {}
        """Shelf → its levels, from the bottom."""
        for name in self.names.values():
            if name.whole is not None:
                self.levels.setdefault(name.whole, []).append(name.thing)
        for levels in self.levels.values():
            levels.sort(key=lambda key: (self.names[key].number or 0, key))

    def _call_values(self) -> None:
        for thing in self.of(lambda kind: self._is_value(kind, "contents", "channel", "attribute")):
            for words in spellings(without_the(words_of(self.things[thing].name))):
                self.values[words] = thing
                if words[:-1] and words[-1:] == words_of(self.kind(thing)):
                    for short in (words[:-1], (*words[:-2], f"{words[-2]}s")):
                        self.values.setdefault(short, thing)  # the sports channel is "sports"

    def _ways_to_name(self, thing: str, kind: str, head: Words) -> Iterator[tuple[Words, int]]:
        """Yield the nouns for a thing of a type and a noun, and how directly they name it."""
        if not (self.is_person(thing) or self.is_robot(thing)):
            for words in spellings(head):
                yield words, EXACT
            if len(head) > 1:
                yield head[-1:], LAST_WORD
            for noun in self.meanings.parts(kind):
                yield words_of(noun), PART
        for noun in self.meanings.nouns(kind):
            yield words_of(noun), TYPE

    def _tell(self, words: Words, things: Sequence[str], rank: int) -> None:
        for spelled in singular_and_plural(words):
            self.longest = max(self.longest, len(spelled))
            if spelled != words:
                self.plurals.add(spelled)
            self.nouns.tell(spelled, things, rank, behind=rank == SYNONYM)

    def room_of(self, thing: str, view: View) -> str | None:
        """Return the room a thing, person or place is in, as far as the facts say."""
        seen: set[str] = set()
        while thing not in seen:
            seen.add(thing)
            if self.is_room(thing):
                return thing
            above = self._container(thing, view) or self._room_that_has(thing)
            if above is None:
                return None
            thing = above
        return None

    def _container(self, thing: str, view: View) -> str | None:
        facts: dict[str, str] = {}
        for fact in view.about(thing):
            meaning = self.meanings.relations.get(fact.relation)
            if meaning is not None and fact.object not in BOOLEANS:
                facts[meaning.means] = fact.object
        return next(
            (facts[m] for m in ("whereabouts", "inside", "place", "holding", "part") if m in facts),
            None,
        )

    def location(self, thing: str, view: View) -> Fact | None:
        """Return the fact that says where a thing, person or robot is."""
        return location(thing, view, self.meanings)


def location(thing: str, view: View, meanings: Meanings) -> Fact | None:
    """Return the fact that says where a thing, person or robot is."""
    for fact in sorted(view.about(thing)):
        meaning = meanings.relations.get(fact.relation)
        if meaning is not None and meaning.means in ("place", "holding", "whereabouts"):
            return fact
    return None
