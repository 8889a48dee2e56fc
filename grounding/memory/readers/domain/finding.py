"""What a segment was found to say."""

from __future__ import annotations

from dataclasses import dataclass, field

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.ontology.deeds import Seat


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
