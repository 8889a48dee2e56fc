"""Explanation of a false formula: which part of it is false."""

from __future__ import annotations

from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import And, Compare, Exists, Forall, Formula, Imply, Not, Or
from commonground.planning.pddl.logic import nnf
from commonground.planning.pddl.printer import number_text, to_pddl
from commonground.planning.pddl.substitution import substitute


def first_false(formula: Formula, facts: Facts) -> Formula | None:
    """Return the smallest part that makes a closed formula false, with quantifiers instantiated."""
    if facts.holds(formula):
        return None
    if isinstance(formula, And):
        return next(first_false(part, facts) for part in formula.parts if not facts.holds(part))
    if isinstance(formula, Imply):
        return first_false(formula.right, facts)
    if isinstance(formula, Forall):
        binding = next(facts.answers(Not(formula.body), formula.parameters))
        return first_false(substitute(formula.body, binding), facts)
    if isinstance(formula, Not) and not isinstance(formula.body, Exists):
        inner = nnf(formula)
        return formula if isinstance(inner, Not) else first_false(inner, facts)
    return formula


def why_false(formula: Formula, facts: Facts) -> str:
    """Return a sentence that says what makes a closed formula false; empty where it is true."""
    part = first_false(formula, facts)
    if part is None:
        return ""
    if isinstance(part, Not):
        return f"{to_pddl(part.body)} holds but must not"
    if isinstance(part, Or):
        return (
            f"none of {', '.join(map(to_pddl, part.parts))} holds"
            if part.parts
            else "it can never hold"
        )
    if isinstance(part, Compare):
        left, right = facts.number(part.left), facts.number(part.right)
        values = " and ".join("unknown" if v is None else number_text(v) for v in (left, right))
        return f"{to_pddl(part)} does not hold: the sides are {values}"
    return f"{to_pddl(part)} does not hold"
