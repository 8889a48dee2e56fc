"""What a segment was found to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.roles import Roles
from commonground.planning.pddl import Atom, Formula, Not


class Literals:
    """Collects what the segments of one task ask for."""

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.all: list[Formula] = []

    def add(self, found: Found) -> None:
        """Add what a segment asks for; what is asked of a thing later overrides where it was to be."""
        made = [_literal(fact) for fact in found.made]
        if any(_atom(fact) in self.all for fact in found.ended):
            raise Unclear("which of the two is wanted?")
        self._override(found.made, made)
        placed = {term for fact in found.made for term in (fact.subject, fact.object)}
        left = (f for f in found.ended if placed.isdisjoint((f.subject, f.object)))
        self.all += [*made, *(Not(_atom(fact)) for fact in left)]

    def _override(self, facts: Sequence[Fact], made: Sequence[Formula]) -> None:
        """Drop where things were to be that are to be somewhere else now."""
        for fact in facts:
            at = self.roles.seat_of(fact.relation, self.roles.positions)
            if at is not None:
                thing = fact.subject if at == 0 else fact.object
                self.all = [f for f in self.all if f in made or not self._places(f, thing)]

    def _places(self, literal: Formula, thing: str) -> bool:
        atom = literal.body if isinstance(literal, Not) else literal
        if not isinstance(atom, Atom):
            return False
        at = self.roles.seat_of(atom.predicate, self.roles.positions)
        return at is not None and atom.args[at] == thing


def _atom(fact: Fact) -> Atom:
    arguments = (fact.subject,) if fact.object in (TRUE, FALSE) else (fact.subject, fact.object)
    return Atom(fact.relation, arguments)


def _literal(fact: Fact) -> Formula:
    return Not(_atom(fact)) if fact.object == FALSE else _atom(fact)


@dataclass(slots=True)
class Found:
    """What a segment was found to say."""

    made: list[Fact] = field(default_factory=list)
    ended: list[Fact] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    """The words that it was found by."""

    def things(self) -> list[str]:
        """Return what it is about."""
        return [t for f in (*self.made, *self.ended) for t in (f.subject, f.object)]


def fact(seat: Seat, thing: str, other: str) -> Fact:
    """Return the fact that a thing at an argument of a relation stands in it to another one."""
    return Fact(*((thing, seat.relation, other) if seat.at == 0 else (other, seat.relation, thing)))
