"""Clauses that tell which thing is meant, read as reports: ``every cup that is not washed yet``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.words import Word
from commonground.grounding.memory.readers.domain.described.clause import Clause
from commonground.grounding.memory.readers.domain.described.named import EXACT
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_at
from commonground.grounding.memory.readers.domain.described.referents import Referents
from commonground.grounding.memory.readers.domain.described.segment import PREPOSITIONS
from commonground.grounding.memory.readers.domain.finding import Found, fact

Holds = Callable[[str], bool]
Reads = Callable[[Sequence[Part], list[str]], Found]


class Readings:
    """Says a clause of each thing that may be meant, and holds what that would tell against what is so."""

    def __init__(self, referents: Referents, reads: Reads) -> None:
        self.referents, self.changes = referents, referents.changes
        self.roles, self.kinds = referents.roles, referents.kinds
        self.reads = reads
        """Reads a segment as a report of it is read."""

    def of(self, clause: Clause, head: Phrase) -> Iterator[Holds]:
        """Yield the ways to tell whether a clause is so of a thing by reading it as a report."""
        was = Word("was") in clause.parts and any(p.pronoun for p in clause.phrases)
        if was and not self.referents.task:
            return  # it may be elsewhere now
        if clause.opening in ("that", "which", "who", "", "where"):
            yield from self._of_reading(clause, head)

    def _of_reading(self, clause: Clause, head: Phrase) -> Iterator[Holds]:
        """Yield whether what a clause would tell of a thing, were it said of that, is so already."""
        denied = Word("not") in clause.parts or Word("no") in clause.parts
        told = {thing: self._told_of(thing, head, clause) for thing in head.things}
        ways = {frozenset(of) for of in told.values() if of}
        if len(ways) != 1:
            return
        (way,) = ways

        def holds(thing: str) -> bool:
            fits = all(self.changes.may_stand(thing, seat) for seat, _, _ in way)
            so = all(
                (fact(seat, thing, other) in self.changes.draft) == is_so
                for seat, other, is_so in way
            )
            return fits and so != denied

        yield holds

    def _told_of(self, thing: str, head: Phrase, clause: Clause) -> list[tuple[Seat, str, bool]]:
        """Return what a clause would tell of a thing: how it stands to what, and whether it does."""
        one = replace(head, things={thing: EXACT}, every=False, words=("it",), source=("it",))
        said, agents = self._said_of(one, clause)
        try:
            found = self.reads(said, agents)
        except Unclear:
            return []
        led = agents if text_at(clause.parts, len(clause.parts) - 1) in PREPOSITIONS else [thing]
        if found.ended or any(not {thing, *led} <= {f.subject, f.object} for f in found.made):
            return []
        return [(*self._seat(f, thing), f.object != FALSE) for f in found.made]

    def _said_of(self, one: Phrase, clause: Clause) -> tuple[list[Part], list[str]]:
        """Return a clause as it is said of one thing, where it denies nothing, and who acts in it."""
        left_out = (Word("not"), Word("yet"))
        said = [Word("a") if p == Word("no") else p for p in clause.parts if p not in left_out]
        first = said[0] if said else None
        if clause.opening == "where":
            return [*said, Word("in"), one], []
        if isinstance(first, Phrase):
            agents = self.referents.candidates(first)
            return [*said, one], [*filter(self.is_somebody, agents)]
        return [one, *said], []

    @staticmethod
    def _seat(told: Fact, thing: str) -> tuple[Seat, str]:
        if told.is_property:
            return Seat(told.relation, 0), TRUE
        at = int(told.subject != thing)
        return Seat(told.relation, at), told.subject if at else told.object

    def is_somebody(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.roles.is_a(self.kinds[thing], self.roles.people | self.roles.robots)
