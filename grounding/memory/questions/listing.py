"""Of which things something is so, or of how many: ``which vials are labelled``, ``who is in the hall``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.ontology.words import COPULAS, Word
from commonground.grounding.memory.questions.answers import Answered, cut
from commonground.grounding.memory.questions.claims import INSIDE, Claim
from commonground.grounding.memory.questions.question import DO, HAVE, VERBS, Asked, named, third
from commonground.grounding.memory.readers.domain.described.phrase import (
    Part,
    Phrase,
    text_at,
    text_of,
)

_MANY = 200
"""Of more things it is not looked at each of them."""
_ANY = frozenset(["any", "a", "an", "some"])
_ANYBODY = frozenset(["anybody", "anyone", "somebody", "someone"])
_ANYTHING = frozenset(["anything", "something"])


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question asks for: which of some things make a clause true; the clause has a gap for them."""

    things: tuple[str, ...]
    before: tuple[Part, ...]
    after: tuple[Part, ...]
    none: str = "none"
    """What is answered where there is none."""

    def clause(self, thing: str) -> list[Part]:
        return [*self.before, named(thing), *self.after]


class Seeking(Asked):
    """Finds of which things something is so."""

    def _sought(self, parts: Sequence[Part]) -> Sought | None:
        """Return what is asked for of a kind of things: ``freezers are there in the cold room``."""
        kind, rest = (parts[0] if parts else None), [*parts[1:]]
        if not isinstance(kind, Phrase):
            return None
        things = self._all(kind)
        place = rest[1] if len(rest) > 1 else None
        if text_at(rest, 0) in INSIDE and isinstance(place, Phrase) and len(rest) > 2:
            within = next(iter(self._one(place).things))  # "books in the hall are damaged"
            things = tuple(t for t in things if within in self.where.around(t))
            rest = rest[2:]
        return self._gap(things, rest)

    def _gap(
        self, things: tuple[str, ...], rest: Sequence[Part], none: str = "none"
    ) -> Sought | None:
        """Return a clause with a gap: after its verb where somebody else does what is asked for."""
        verb, after = text_at(rest, 0), rest[1] if len(rest) > 1 else None
        if not rest or (len(rest) == 1 and not verb):
            return None
        if isinstance(rest[0], Phrase):  # "what Ann has"
            return Sought(things, (self._one(rest[0]), *self._resolved(rest[1:])), (), none)
        if verb in VERBS and isinstance(after, Phrase) and (verb not in HAVE or len(rest) > 2):
            (own,) = self._one(after).things
            others = tuple(t for t in things if t != own)
            return Sought(others, (named(own), *self._said_of(verb, rest[2:])), (), none)
        there = verb in COPULAS and text_at(rest, 1) == "there"
        said = [rest[0], *rest[2:]] if there else rest
        return Sought(things, (), tuple(self._resolved(said)), none)

    def _said_of(self, verb: str, rest: Sequence[Part]) -> list[Part]:
        """Return what is said of a subject after the verb that a question begins with: ``does she own``."""
        told = self._resolved(rest)
        return [*map(third, told[:1]), *told[1:]] if verb in DO else [Word(verb), *told]

    def _claims_of(self, sought: Sought) -> dict[str, Claim] | None:
        """Return whether the clause is so of each thing of which it may be said; None where of none."""
        if len(sought.things) > _MANY:
            named = {
                t
                for p in (*sought.before, *sought.after)
                if isinstance(p, Phrase)
                for t in p.things
            }
            found = self._near_claims(sought, named) if named else self._like_claims(sought)
        else:
            found = self._claims(sought, sought.things)
        return found or None

    def _claims(self, sought: Sought, things: Iterable[str]) -> dict[str, Claim]:
        claims = ((thing, self.claims.of(sought.clause(thing))) for thing in things)
        return {thing: claim for thing, claim in claims if claim is not None}

    def _near_claims(self, sought: Sought, named: set[str]) -> dict[str, Claim]:
        """Return the claims of what has to do with the things that a clause names, where it is so of any."""
        near = self.where.within(named)
        found = self._claims(sought, (thing for thing in sought.things if thing in near))
        if any(c.so and not any(f.is_property for f in c.facts) for c in found.values()):
            return found
        return self._claims(sought, sought.things)

    def _like_claims(self, sought: Sought) -> dict[str, Claim]:
        """Return the claims of many things: of those in the same states, what is so of some of them.

        A state is told of all of them alike; where it is not, each is looked at.
        """
        of: dict[tuple[object, ...], list[str]] = {}
        states = [*self._states()]
        for thing in sought.things:
            key = (self.kinds[thing], *(thing in about for about in states))
            of.setdefault(key, []).append(thing)
        found: dict[str, Claim] = {}
        for things in of.values():
            some = [things[0], things[len(things) // 2], things[-1]]
            told = self._claims(sought, some)
            alike = {_said_of(told[t], t, "") if t in told else None for t in some}
            claim = next(iter(alike))
            if len(alike) > 1:
                found |= self._claims(sought, things)
            elif claim is not None:
                found |= {t: _said_of(claim, "", t) for t in things}
        return {thing: found[thing] for thing in sought.things if thing in found}

    def _states(self) -> Iterator[Collection[str]]:
        """Yield the things of which each state is known to be so, or not to be."""
        for relation, signature in self.roles.signatures.items():
            for value in (TRUE, FALSE) if signature.is_property else ():
                yield self.view.subjects(relation, value)

    def _listed(self, sought: Sought | None, *, count: bool = False) -> Answered | None:
        """Return of which things a clause is so, or of how many; None where it is not understood."""
        if sought is None:
            return None
        if count and len(sought.after) == 1 and text_of(sought.after[0]) in COPULAS:
            return self._known_of(sought.things, str(len(sought.things)))
        found = self._claims_of(sought)
        if found is None:
            return None
        held = [c for c in found.values() if c.so]
        if not held:
            return self._none(found, "0" if count else sought.none)
        told = self._told_facts(_facts(held), str(len(held)) if count else "")
        left = self._left_open(found)
        open_ = (f"; not known of {of}" for of in (", ".join(left), cut(left, ", ")))
        return told.and_then(*open_) if left else told

    def _left_open(self, found: dict[str, Claim]) -> list[str]:
        """Return what has a state or its contrary, where states are asked for, and nobody knows which."""
        stated = any(f.is_property for c in found.values() for f in c.facts)
        return [self._name(t) for t, c in found.items() if stated and c.so is None]

    def _none(self, found: dict[str, Claim], word: str) -> Answered:
        """Return that of none of some things something is so, where that is known of all."""
        against = [f for c in found.values() if c.so is False for f in c.facts]
        if any(c.so is None for c in found.values()) or not against:
            return Answered("unknown", "nothing is known of that")
        about = {f.relation for f in against}
        if len(about) == 1 and all(f.is_property for f in against):
            return self._told_facts(against, word)
        elsewhere = [*dict.fromkeys(f for f in against if not f.is_property)]
        if len(elsewhere) == 1:
            return self._told_facts(elsewhere, word)
        return Answered("ok", f"{word}, as far as is known")

    def _known_of(self, things: Sequence[str], word: str) -> Answered:
        if not things:
            return Answered("unknown", "nothing is known of that")
        return Answered.listing(word, [*map(self._name, things)], joint=", ")

    # ---- whether any is --------------------------------------------------------------------------------

    def _some(self, parts: Sequence[Part]) -> tuple[tuple[str, ...], Sequence[Part]] | None:
        """Return of which things it is asked whether any is such, and the rest; None where of one."""
        first, kind = text_at(parts, 0), parts[1] if len(parts) > 1 else None
        if first in _ANYBODY:
            return self._somebody(), parts[1:]
        if first in _ANYTHING:
            return self._something(), parts[1:]
        if first in _ANY and isinstance(kind, Phrase):
            return self._all(kind), parts[2:]
        kind = parts[0] if parts else None
        if isinstance(kind, Phrase) and kind.source[:1] in (("a",), ("an",), ("any",), ("some",)):
            return self._all(kind), parts[1:]
        return None

    def _any(self, sought: Sought, *, there: bool) -> Answered | None:
        if there and len(sought.after) == 1:  # "are there any vials"
            return self._known_of(sought.things, "yes")
        found = self._claims_of(sought)
        if found is None:
            return None
        held = [f for c in found.values() if c.so for f in c.facts]
        if held:
            return self._told_facts(held, "yes")
        return self._none(found, "no")


def _facts(claims: Iterable[Claim]) -> list[Fact]:
    return [fact for claim in claims for fact in claim.facts]


def _said_of(claim: Claim, one: str, other: str) -> Claim:
    """Return a claim about one thing as one about another."""
    facts = tuple(f._replace(subject=other) if f.subject == one else f for f in claim.facts)
    return replace(claim, facts=facts)
