"""What the actions of a domain need, bring about and end, and what stands at an argument of a relation."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from commonground.grounding.knowledge.invariants import literals
from commonground.planning.pddl import Action, Atom
from commonground.planning.pddl.formula import negated_atom


@dataclass(slots=True)
class Deed:
    """What one action needs, brings about and ends, over its variables."""

    name: str
    kinds: dict[str, tuple[str, ...]]
    needs: list[Atom] = field(default_factory=list)
    adds: list[Atom] = field(default_factory=list)
    deletes: list[Atom] = field(default_factory=list)

    @property
    def undone(self) -> list[Atom]:
        """What it needs and ends; what is ended only in case it is so is exchanged for nothing."""
        return [atom for atom in self.deletes if atom in self.needs]


@dataclass(frozen=True, slots=True)
class Seat:
    """One argument of a predicate: whose place a relation tells, for example."""

    relation: str
    at: int

    @property
    def other(self) -> int:
        """Return the other argument of two."""
        return 1 - self.at


def deed_of(action: Action, spoken: Container[str]) -> Deed:
    changes = [(negated_atom(e.change), e.change) for e in action.effects]
    deletes = [gone for gone, _ in changes if gone is not None]
    adds = [come for gone, come in changes if gone is None and isinstance(come, Atom)]
    needs, deletes, adds = (
        [atom for atom in atoms if atom.predicate in spoken]
        for atoms in (literals(action.precondition)[0], deletes, adds)
    )
    return Deed(action.name, {p.name: p.types for p in action.parameters}, needs, adds, deletes)


def seats_of(thing: str, atom: Atom) -> Iterator[Seat]:
    """Yield where a variable stands in an atom of two arguments, if at one place."""
    if len(atom.args) == 2 and atom.args.count(thing) == 1:
        yield Seat(atom.predicate, atom.args.index(thing))


def words_of(name: str) -> list[str]:
    return [w for w in name.lower().replace("-", "_").split("_") if w]
