"""Which things of a world a single word may speak of: as their noun, or by what is so of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from commonground.grounding.knowledge.facts import TRUE, Fact
from commonground.grounding.memory.domain.changes import Changes
from commonground.grounding.memory.domain.deeds import words_of
from commonground.grounding.memory.domain.described.named import NAME, Named
from commonground.grounding.memory.domain.described.nouns_above import is_gerund
from commonground.grounding.memory.domain.shortened import skipped
from commonground.grounding.memory.domain.states import BY_DEED, COVERS
from commonground.grounding.memory.domain.words import (
    DETERMINERS,
    OF_IT,
    PERSONAL,
    Word,
    alike,
    classes_of,
    states_of,
)
from commonground.grounding.words.colors import is_color
from commonground.grounding.words.nouns import singular

_LETTERED = re.compile(r"\d+([a-z])|([a-z])\d+")
_FEW = 3
"""An action tells what is for it by a type of which there are so few things."""

_MANY = 100
"""Facts about so many things are looked through rather than looked up."""

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
            if len(given) < _MANY:
                told.update(*(subjects(relation, value) for value in given))
            else:
                told |= self._given_by(word, relation, given, changes)
        for relation, holds in states:
            so, may = subjects(relation, TRUE), self._standing(relation, 0)
            told |= may.intersection(so) if holds else may.difference(so)
        return told | self.lettered(word)

    def _given_by(
        self, word: str, relation: str, given: frozenset[str], changes: Changes
    ) -> set[str]:
        """Return the things that a relation joins to one of many; what is believed is looked through once."""
        facts, draft = changes.base.facts_of(relation), changes.draft
        known = self._given.get((word, relation))
        if known is None or known[0] is not facts:
            known = facts, frozenset(f.subject for f in facts if f.object in given)
            self._given[word, relation] = known
        fresh = {
            f.subject for part in (draft.added, draft.removed) for f in part.facts_of(relation)
        }
        told = {
            t
            for t in fresh
            if any(f.relation == relation and f.object in given for f in draft.about(t))
        }
        return {*(known[1] - fresh), *told}

    @cached_property
    def _given(self) -> dict[tuple[str, str], tuple[Collection[Fact], frozenset[str]]]:
        return {}

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

    def uncovered(self, words: Sequence[Word]) -> list[Word]:
        """Return words with how a thing is that has its lid on or off: ``with its lid on`` is closed."""
        found = [*words]
        for at in range(len(words) - 1, 0, -1):
            text, end = found[at].text, at + 1
            end += end < len(found) and found[end].text in ("'s", "is", "are")
            state = found[end].text if end < len(found) else ""
            if text not in COVERS or state not in ("on", "off") or self.noun(text):
                continue
            begin = at - (found[at - 1].text in DETERMINERS | OF_IT)
            begin -= begin > 0 and found[begin - 1].text == "with"
            states = () if _is_taken(found, begin, end) else self._covered(text)
            if states:
                told = ["it", "is", states[state == "off"]]
                found[begin : end + 1] = [Word(t) for t in ([",", *told] if begin else told)]
        return found

    def _covered(self, cover: str) -> tuple[str, ...]:
        """Return what a thing is with its cover on, and off; nothing where a part of states is called so."""
        own = next((w for w in self.sayings.state_words if alike(w, cover)), "")
        if own:
            return own, f"un{own}"
        return () if cover in self.stated else ("closed", "open")

    def lettered(self, word: str) -> frozenset[str]:
        """Return the things that a word tells by a letter beside a number: ``upper`` of ``1u``."""
        found: set[str] = set()
        for letters in self._letters.values() if len(word) > 3 else ():
            if len({*letters.values()}) > 1:
                found |= {t for t, letter in letters.items() if word.startswith(letter)}
        return frozenset(found)

    @cached_property
    def _letters(self) -> dict[str, dict[str, str]]:
        """The letters beside numbers in the names of things, by type, of types where all have one."""
        found: dict[str, dict[str, str]] = {}
        for kin in self.calling.kindred.all:
            words = kin.own if len(kin.own) > 1 else ()  # a code such as "l106" tells none
            letters = [m[1] or m[2] for w in words if (m := _LETTERED.fullmatch(w)) is not None]
            of = dict.fromkeys(kin.things, letters[0] if len(letters) == 1 else "")
            found.setdefault(self.calling.kinds[kin.first], {}).update(of)
        return {kind: of for kind, of in found.items() if all(of.values())}

    def is_numbered_for(self, thing: str, whole: str) -> bool:
        """Return whether a number that several of a kind share is that of what they are parts of."""
        number, kinds = self.number_of(thing), self.calling.kinds
        if number is None or number != self.number_of(whole) or kinds[thing] == kinds[whole]:
            return False
        own = {p for p in self.pieces(thing) if p.isalpha() and len(p) > 1}
        of_kind = (t for t in self.numbered(str(number)) if kinds[t] == kinds[thing])
        same = (t for t in of_kind if self.number_of(t) == number)
        return any(t != thing and own & self.pieces(t) for t in same)

    def is_trait(self, thing: str) -> bool:
        """Return whether facts give a thing to others for good, as a color is given."""
        kind, fits = self.calling.kinds[thing], self.roles.fits
        changing = (r for r in self.roles.binary if r in self.roles.vocabulary.changing)
        return thing in self.values and not any(
            fits(kind, r, at) for r in changing for at in (0, 1)
        )

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


def _is_taken(words: Sequence[Word], begin: int, end: int) -> bool:
    """Return whether somebody takes a cover off, or off what is named next."""
    before = words[begin - 1].text if begin else ""
    after = words[end + 1].text if end + 1 < len(words) else ""
    takes = words[end].text == "off" and "take" in classes_of(before, frozenset())
    return takes or after in DETERMINERS | PERSONAL
