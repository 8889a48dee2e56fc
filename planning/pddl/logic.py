"""Operations on formulas: normal forms, simplification, substitution, expansion over objects."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from commonground.planning.pddl.formula import (
    EQUALS,
    FALSE,
    TRUE,
    And,
    Arithmetic,
    Atom,
    Compare,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Typed,
    is_variable,
    operands,
    rebuilt,
)
from commonground.planning.pddl.substitution import substitute


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Return the parts of a conjunction, or the formula alone."""
    return formula.parts if isinstance(formula, And) else (formula,)


def conjunction(parts: Sequence[Formula]) -> Formula:
    """Return the conjunction, flattened; a single part stays what it is."""
    flat = [inner for part in parts for inner in conjuncts(part)]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: Sequence[Formula]) -> Formula:
    """Return the disjunction, flattened; a single part stays what it is."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,))]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def nnf(formula: Formula, positive: bool = True) -> Formula:
    """Return negation normal form: no implications, negations only at atoms and comparisons."""
    if isinstance(formula, Atom | Compare):
        return formula if positive else Not(formula)
    if isinstance(formula, Not):
        return nnf(formula.body, not positive)
    if isinstance(formula, Imply):
        return nnf(Or((Not(formula.left), formula.right)), positive)
    if isinstance(formula, And | Or):
        parts = [nnf(part, positive) for part in formula.parts]
        return conjunction(parts) if isinstance(formula, And) == positive else disjunction(parts)
    kind = Exists if isinstance(formula, Exists) == positive else Forall
    return kind(formula.parameters, nnf(formula.body, positive))


def simplify(formula: Formula) -> Formula:
    """Return an equivalent formula without constants, repetitions and directly contradictory parts."""
    return _simplified(nnf(formula))


def _simplified(formula: Formula) -> Formula:
    if isinstance(formula, And | Or):
        return _simplified_parts(formula)
    if isinstance(formula, Exists | Forall):
        body = _simplified(formula.body)
        vacuous = body == TRUE if isinstance(formula, Forall) else body == FALSE
        return body if vacuous else type(formula)(formula.parameters, body)
    literal = formula.body if isinstance(formula, Not) else formula
    if isinstance(literal, Atom) and literal.predicate == EQUALS and len(set(literal.args)) == 1:
        return TRUE if literal is formula else FALSE
    return formula


def _simplified_parts(formula: And | Or) -> Formula:
    join, absorbing = (conjunction, FALSE) if isinstance(formula, And) else (disjunction, TRUE)
    joined = join([_simplified(part) for part in formula.parts])
    parts = (
        joined.parts
        if type(joined) is type(formula) and isinstance(joined, And | Or)
        else (joined,)
    )
    kept = dict.fromkeys(parts)
    if absorbing in kept or any(nnf(part, False) in kept for part in kept):
        return absorbing
    return join(list(kept))


def free_variables(formula: Formula) -> frozenset[str]:
    """Return the variables that no quantifier of the formula binds."""
    if isinstance(formula, Atom):
        return frozenset(term for term in formula.args if is_variable(term))
    if isinstance(formula, Compare):
        terms = (*expression_terms(formula.left), *expression_terms(formula.right))
        return frozenset(term for term in terms if is_variable(term))
    bound = formula.parameters if isinstance(formula, Exists | Forall) else ()
    free = frozenset[str]().union(*map(free_variables, operands(formula)))
    return free - {typed.name for typed in bound}


def symbols(formula: Formula) -> frozenset[str]:
    """Return the objects a formula names (`O39`, `p12`, …)."""
    return frozenset(term for term in _terms(formula) if not is_variable(term))


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield a formula and all within it, from left to right."""
    yield formula
    for part in operands(formula):
        yield from subformulas(part)


def atoms(formula: Formula) -> Iterator[Atom]:
    """Yield every atom of a formula, equalities included, from left to right."""
    return (part for part in subformulas(formula) if isinstance(part, Atom))


def comparisons(formula: Formula) -> Iterator[Compare]:
    """Yield every numeric comparison of a formula."""
    return (part for part in subformulas(formula) if isinstance(part, Compare))


def has_quantifier(formula: Formula) -> bool:
    """Return whether a formula quantifies."""
    return any(isinstance(part, Exists | Forall) for part in subformulas(formula))


def _terms(formula: Formula) -> Iterator[str]:
    for atom in atoms(formula):
        yield from atom.args
    for compare in comparisons(formula):
        yield from expression_terms(compare.left)
        yield from expression_terms(compare.right)


def expression_terms(expression: Expression) -> Iterator[str]:
    """Yield the terms inside a numeric expression."""
    if isinstance(expression, Fluent):
        yield from expression.args
    elif isinstance(expression, Arithmetic):
        for part in expression.parts:
            yield from expression_terms(part)


def assignments(
    parameters: Sequence[Typed], members: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, str]]:
    """Yield every binding of typed variables; ``members`` lists the objects of each type."""
    names = [typed.name for typed in parameters]
    choices = [objects_of(typed, members) for typed in parameters]
    for values in itertools.product(*choices):
        yield dict(zip(names, values, strict=True))


def objects_of(typed: Typed, members: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the objects a typed variable ranges over."""
    if len(typed.types) == 1:
        return members.get(typed.types[0], ())
    return list(dict.fromkeys(name for kind in typed.types for name in members.get(kind, ())))


def expand(formula: Formula, members: Mapping[str, Sequence[str]]) -> Formula:
    """Return the formula with its quantifiers written out over the objects of each type."""
    if isinstance(formula, Exists | Forall):
        body = [
            expand(substitute(formula.body, b), members)
            for b in assignments(formula.parameters, members)
        ]
        return disjunction(body) if isinstance(formula, Exists) else conjunction(body)
    return rebuilt(formula, lambda part: expand(part, members))


def dnf(formula: Formula, *, limit: int = 10_000) -> tuple[tuple[Formula, ...], ...] | None:
    """Return the alternatives of a formula, each a set of parts that must all hold.

    Quantified parts stay whole. None where there would be more than ``limit`` alternatives.
    """
    formula = simplify(formula)
    return _alternatives(formula, limit)


def _alternatives(formula: Formula, limit: int) -> tuple[tuple[Formula, ...], ...] | None:
    if isinstance(formula, Or):
        choices: list[tuple[Formula, ...]] = []
        for part in formula.parts:
            found = _alternatives(part, limit)
            if found is None or len(choices) + len(found) > limit:
                return None
            choices += found
        return tuple(choices)
    if not isinstance(formula, And):
        return ((formula,),)
    rows: list[tuple[Formula, ...]] = [()]
    for part in formula.parts:
        found = _alternatives(part, limit)
        if found is None or len(rows) * len(found) > limit:
            return None
        rows = [row + extra for row in rows for extra in found]
    return tuple(
        row for row in (tuple(dict.fromkeys(row)) for row in rows) if not _contradicts(row)
    )


def _contradicts(row: tuple[Formula, ...]) -> bool:
    return any(nnf(part, False) in row for part in row)
