"""Alternatives of a goal: what must all hold, and small choices that are made together with the order."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from commonground.planning.pddl import And, Atom, Formula, Or
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.vocabulary import FINALS, VISITS, done_by

MOST_BRANCHES = 5_000
"""More alternatives than this are not enumerated."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way to satisfy a goal: all ``literals``, and one literal of each of ``choices``."""

    literals: frozenset[Literal]
    choices: frozenset[tuple[Literal, ...]] = frozenset()

    def __and__(self, other: Branch) -> Branch:
        return Branch(self.literals | other.literals, self.choices | other.choices)

    @property
    def contradictory(self) -> Literal | None:
        """A literal whose negation is demanded too, or None."""
        negated = {Literal(x.predicate, x.args, not x.positive) for x in self.literals}
        both = sorted(self.literals & negated, key=str)
        return both[0] if both else None


def branches(formula: Formula) -> list[Branch] | None:
    """Return the alternatives of a goal in negation normal form, or None if there are too many.

    A disjunction of single facts that are all one stop ("inspect one of these boxes", "put it on any
    place of the lawn") is not multiplied out: it stays a choice, made together with the order.
    """
    if isinstance(formula, Or):
        choice = tuple(sorted(set(literals(formula)), key=str))
        plain = all(isinstance(part, Atom) for part in formula.parts)
        if len(choice) > 1 and plain and one_stop(choice):
            return [Branch(frozenset(), frozenset({choice}))]
        found: list[Branch] = []
        for part in formula.parts:
            inner = branches(part)
            if inner is None or len(found) + len(inner) > MOST_BRANCHES:
                return None
            found += inner
        return list(dict.fromkeys(found))
    if isinstance(formula, And):
        rows = [Branch(frozenset())]
        for part in formula.parts:
            inner = branches(part)
            if inner is None or len(rows) * len(inner) > MOST_BRANCHES:
                return None
            rows = [row & extra for row, extra in itertools.product(rows, inner)]
        return list(dict.fromkeys(rows))
    return [Branch(frozenset(literals(formula)))]


def one_stop(choice: tuple[Literal, ...]) -> bool:
    """Return whether any of these literals is fulfilled by a single stop of the same nature."""
    if not all(literal.positive for literal in choice):
        return False
    predicates = {literal.predicate for literal in choice}
    one_deed = len(predicates) == 1 and predicates <= {"holding", *done_by()}
    if predicates <= VISITS or predicates <= FINALS or one_deed:
        return True
    moved = {literal.args[0] for literal in choice}
    return predicates == {"object-in-place"} and len(moved) == 1
