"""Stratification of derived predicates: an order in which each negation is settled first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from commonground.planning.pddl.domain import Axiom
from commonground.planning.pddl.formula import Atom, Formula, Imply, Not, operands


def literals(formula: Formula, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Yield the atoms of a formula with their polarity (equality and numbers left out)."""
    if isinstance(formula, Atom):
        if formula.predicate != "=":
            yield formula, positive
    elif isinstance(formula, Imply):
        yield from literals(formula.left, not positive)
        yield from literals(formula.right, positive)
    else:
        for part in operands(formula):
            yield from literals(part, positive != isinstance(formula, Not))


def closed(uses: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """Return what each name uses, directly or through others."""
    found = {name: set(used) for name, used in uses.items()}
    for through, beyond in found.items():
        for used in found.values():
            if through in used:
                used |= beyond
    return found


def depends(axioms: Sequence[Axiom]) -> dict[str, set[str]]:
    """Return the predicates that each derived one depends on, directly or through others."""
    uses: dict[str, set[str]] = {}
    for axiom in axioms:
        body = {atom.predicate for atom, _ in literals(axiom.body)}
        uses.setdefault(axiom.head.name, set()).update(body)
    return closed(uses)


def levels(axioms: Sequence[Axiom]) -> dict[str, int] | None:
    """Return the stratum of each derived predicate, or None where a negation is cyclic.

    level(head) >= level(positive body atom), level(head) > level(negated body atom).
    """
    level = {axiom.head.name: 0 for axiom in axioms}
    edges = {
        (axiom.head.name, atom.predicate, positive)
        for axiom in axioms
        for atom, positive in literals(axiom.body)
        if atom.predicate in level
    }
    for _ in range(len(level) + 1):
        changed = False
        for head, body, positive in edges:
            need = level[body] + (not positive)
            if level[head] < need:
                level[head], changed = need, True
        if not changed:
            return level
    return None


def negative_cycle(axioms: Sequence[Axiom]) -> str | None:
    """Return a derived predicate that depends on its own negation, or None."""
    if levels(axioms) is not None:
        return None
    names = sorted({axiom.head.name for axiom in axioms})
    for name in names:
        remaining = [axiom for axiom in axioms if axiom.head.name != name]
        if levels(remaining) is not None:
            return name
    return names[0]


def strata(axioms: Sequence[Axiom]) -> tuple[tuple[Axiom, ...], ...]:
    """Return the axioms in layers; those of a layer negate only what earlier layers derive."""
    level = levels(axioms) or {}
    numbers = sorted(set(level.values()))
    return tuple(tuple(a for a in axioms if level.get(a.head.name) == n) for n in numbers)
