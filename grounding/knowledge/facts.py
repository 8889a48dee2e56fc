"""Facts: what a knowledge graph consists of."""

from __future__ import annotations

from typing import NamedTuple

from commonground.planning.pddl import Atom

TRUE = "true"
FALSE = "false"
BOOLEANS = frozenset((TRUE, FALSE))


class Fact(NamedTuple):
    """``(subject, relation, object)``; the object of a property is ``"true"`` or ``"false"``.

    A tuple rather than a dataclass: a graph holds 100,000 of them and hashes them all the time.
    """

    subject: str
    relation: str
    object: str

    def __str__(self) -> str:
        return f"({self.subject}, {self.relation}, {self.object})"

    @property
    def is_property(self) -> bool:
        """Return whether this says yes or no about one thing."""
        return self.object in BOOLEANS

    @property
    def opposite(self) -> Fact:
        """The same property with the other truth value."""
        return Fact(self.subject, self.relation, FALSE if self.object == TRUE else TRUE)


def atom_of(fact: Fact) -> Atom | None:
    """Return the PDDL atom a fact asserts, or None where it says that one is false."""
    if fact.object == FALSE:
        return None
    args = (fact.subject,) if fact.object == TRUE else (fact.subject, fact.object)
    return Atom(fact.relation, args)


def fact_of(atom: Atom) -> Fact:
    """Return the fact of a ground atom with one or two arguments; what bears one without is left out."""
    subject, *rest = atom.args or ("",)
    return Fact(subject, atom.predicate, rest[0] if rest else TRUE)
