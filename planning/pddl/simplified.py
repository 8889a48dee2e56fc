"""Formulas in which some facts are known."""

from __future__ import annotations

from collections.abc import Callable

from commonground.planning.pddl.formula import FALSE, TRUE, And, Atom, Formula, Not, Or


def simplified(formula: Formula, value: Callable[[Atom], bool | None]) -> Formula:
    """Return a formula in negation normal form with the atoms put in that have a value."""
    if isinstance(formula, And | Or):
        return _joined(formula, [simplified(part, value) for part in formula.parts])
    atom = formula.body if isinstance(formula, Not) else formula
    known = value(atom) if isinstance(atom, Atom) else None
    if known is None:
        return formula
    return TRUE if known is not isinstance(formula, Not) else FALSE


def _joined(formula: And | Or, inner: list[Formula]) -> Formula:
    """Return a conjunction or disjunction of simplified parts, without parts that change nothing."""
    neutral, ends = (TRUE, FALSE) if isinstance(formula, And) else (FALSE, TRUE)
    if ends in inner:
        return ends
    flat = [q for p in inner for q in (p.parts if isinstance(p, type(formula)) else (p,))]
    parts = tuple(p for p in flat if p != neutral)
    return parts[0] if len(parts) == 1 else type(formula)(parts)
