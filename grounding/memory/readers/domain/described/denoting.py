"""Which things of a world a single word may speak of: as their noun, or by what is so of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from commonground.grounding.knowledge.facts import TRUE
from commonground.grounding.memory.ontology.abbreviations import skipped
from commonground.grounding.memory.ontology.deeds import words_of
from commonground.grounding.memory.ontology.predicate_words import BY_DEED
from commonground.grounding.memory.ontology.words import alike, states_of
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.memory.readers.domain.described.named import NAME, Named
from commonground.grounding.memory.readers.domain.described.nouns_above import is_gerund
from commonground.grounding.words.colors import is_color
from commonground.grounding.words.nouns import singular

_FEW = 3
"""An action tells what is for it by a type of which there are so few things."""

_WORDS = 4096
"""What so many words say of states is kept; who tells a memory for years uses more."""


class Denoting(Named):
    """Tells what words may speak of in one world."""

    def described(self, word: str, changes: Changes) -> set[str]:
        """Return the things that a word before a noun may tell apart: by what is so of them."""
        found, values, states = self._lasting_of(word)
        subjects, told = changes.draft.subjects, {*found}
        for relation in self.roles.binary if values else ():
            given = values & self._standing(relation, 1)
            told.update(*(subjects(relation, value) for value in given))
        for relation, holds in states:
            so, may = subjects(relation, TRUE), self._standing(relation, 0)
            told |= may.intersection(so) if holds else may.difference(so)
        return told

    def _standing(self, relation: str, at: int) -> frozenset[str]:
        """Return the things that may stand at an argument of a relation."""
        known = self._seats.get((relation, at))
        if known is None:
            of = self.calling.of_kinds(lambda kind: self.roles.fits(kind, relation, at))
            known = self._seats[relation, at] = frozenset(of)
        return known

    @cached_property
    def _seats(self) -> dict[tuple[str, int], frozenset[str]]:
        return {}

    def _lasting_of(
        self, word: str
    ) -> tuple[frozenset[str], frozenset[str], tuple[tuple[str, bool], ...]]:
        """Return what a word tells apart however things are: things, values of things, and states."""
        if word not in self._told:
            named = is_gerund(word) and word not in self.stated
            found = (
                {
                    t
                    for kin in self.calling.kindred.all
                    if self._is_for(word, kin.first)
                    for t in kin.things
                }
                if named
                else set[str]()
            )
            values = {
                t
                for t, rank in self.noun(word).items()
                if rank == NAME and self._tells_apart(word, t)
            }
            values |= self._colors(word)
            if len(self._told) >= _WORDS:
                self._told.clear()
            states = (
                self._states(word) if singular(word) == word else ()
            )  # "the weeds" are no plots
            self._told[word] = frozenset(found), frozenset(values), (*states,)
        return self._told[word]

    @cached_property
    def _told(
        self,
    ) -> dict[str, tuple[frozenset[str], frozenset[str], tuple[tuple[str, bool], ...]]]:
        return {}

    def _tells_apart(self, word: str, thing: str) -> bool:
        """Return whether a part of a thing's name may tell which others are meant: not a number."""
        number = any(c.isdigit() for c in word)
        return not (number or self.calling.is_person(thing))

    def _colors(self, word: str) -> set[str]:
        """Return the values that a word for a color means, also where names shorten them."""
        return {
            thing
            for kin in self.calling.kindred.all
            if kin.first in self.values
            and any(
                is_color(own, word, loosely=True) or skipped(own, word) is not None
                for own in kin.own
            )
            for thing in kin.things
        }

    @cached_property
    def values(self) -> frozenset[str]:
        """Things that facts only give to others, as a color is given."""
        signatures = self.roles.signatures.values()
        first = {k for s in signatures for k in s.arguments[0]} - {"object"} | self.roles.zones
        return frozenset(self.calling.of_kinds(lambda kind: not self.roles.is_a(kind, first)))

    @cached_property
    def movable(self) -> list[str]:
        """What is neither a zone nor who acts, nor only given to others as a color is."""
        beyond = self.roles.robots | self.roles.people | self.roles.zones
        found = self.calling.of_kinds(lambda kind: not self.roles.is_a(kind, beyond))
        return [thing for thing in found if thing not in self.values | self.spots]

    def _states(self, word: str) -> Iterator[tuple[str, bool]]:
        """Yield the properties that a word for a state tells, and whether they hold then."""
        for relation, signature in self.roles.signatures.items():
            told = self.sayings.told(relation, [word], ()) if signature.is_property else None
            if told is not None and told.how != BY_DEED:
                yield relation, told.holds

    def _is_for(self, word: str, thing: str) -> bool:
        """Return whether a word names what an action does that needs such a thing: ``scrubbing brush``."""
        kind = self.calling.kinds[thing]
        own, states = self._plain_pieces(thing), {s.concept for s in states_of(word)}
        if any(len(w) > 2 and alike(word, w) for w in own | self._kind_words[kind]):
            return True
        for deed in self.roles.deeds:
            narrow = [k for k in deed.kinds.values() if self.roles.is_a(kind, k)]
            name = words_of(deed.name)[0]
            same = alike(word, name) or bool(states & {s.concept for s in states_of(name)})
            if same and any(self._count(k) <= _FEW for k in narrow):
                return True
        return False

    def _count(self, kinds: tuple[str, ...]) -> int:
        of = self.calling.of_kind.items()
        return sum(len(things) for kind, things in of if self.roles.is_a(kind, kinds))
