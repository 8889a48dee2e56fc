"""Interference of happenings at one instant: what one reads or changes and another changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonground.planning.pddl.formula import Arithmetic, Atom, Expression, Fluent, Formula, Number
from commonground.planning.pddl.logic import atoms, comparisons, expand, has_quantifier
from commonground.planning.pddl.world import Changes


def clash(
    formulas: Sequence[Sequence[Formula]],
    changes: Sequence[Changes],
    members: Mapping[str, Sequence[str]],
) -> tuple[int, int, str] | None:
    """Return the first two happenings of an instant that interfere, and over what; None where none do.

    Happening i looks at the closed formulas ``formulas[i]`` and makes ``changes[i]``. One interferes with
    another that changes what it reads, deletes what it adds, or changes the same number.
    """
    reads = [_reads(looked_at, members) for looked_at in formulas]
    for i, mine in enumerate(changes):
        for j, other in enumerate(changes):
            if i == j:
                continue
            both: set[Atom | Fluent] = reads[i] & {*other.adds, *other.deletes, *other.numbers}
            both |= mine.adds & other.deletes
            both |= mine.numbers.keys() & other.numbers.keys()
            if both:
                return i, j, min(map(str, both))
    return None


def _reads(formulas: Sequence[Formula], members: Mapping[str, Sequence[str]]) -> set[Atom | Fluent]:
    found: set[Atom | Fluent] = set()
    for formula in formulas:
        ground = expand(formula, members) if has_quantifier(formula) else formula
        found |= set(atoms(ground))
        for compare in comparisons(ground):
            found |= _fluents(compare.left) | _fluents(compare.right)
    return found


def _fluents(expression: Expression) -> set[Fluent]:
    if isinstance(expression, Arithmetic):
        return {fluent for part in expression.parts for fluent in _fluents(part)}
    return set() if isinstance(expression, Number) else {expression}
