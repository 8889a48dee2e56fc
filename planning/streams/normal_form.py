"""Normal form of conditions: alternatives of literals; what does not fit becomes a derived predicate.

A universal quantifier is the negation of a derived existential one, and a disjunction with too many
alternatives becomes a derived predicate of its own (Helmert 2009, section 4).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from commonground.errors import PlanningError
from commonground.planning.pddl.formula import (
    EQUALS,
    OBJECT,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Typed,
    is_variable,
)
from commonground.planning.pddl.logic import (
    comparisons,
    conjunction,
    disjunction,
    free_variables,
    nnf,
)
from commonground.planning.pddl.substitution import substitute

_MAX_ALTERNATIVES = 16


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation; ``=`` compares objects."""

    atom: Atom
    positive: bool


Row = tuple[Literal, ...]
"""Literals that hold together; variables that are not parameters are existential."""


@dataclass(frozen=True, slots=True)
class DerivedRows:
    """A derived predicate: it holds where one of the rows does."""

    name: str
    parameters: tuple[str, ...]
    rows: tuple[Row, ...]


def type_predicate(name: str) -> str:
    """Return the predicate that holds for the objects of a type."""
    return f"(type {name})"


@dataclass(slots=True)
class Normalizer:
    """Normalizes conditions and collects the derived predicates they need."""

    derived: list[DerivedRows] = field(default_factory=list)
    _fresh: itertools.count[int] = field(default_factory=itertools.count)

    def rows(self, formula: Formula, parameters: Sequence[Typed] = ()) -> tuple[Row, ...]:
        """Return the alternatives of a condition of typed parameters."""
        return tuple(self._rows(nnf(conjunction([*self.guards(parameters), formula]))))

    def derive(self, name: str, parameters: Sequence[Typed], body: Formula) -> None:
        names = tuple(typed.name for typed in parameters)
        self.derived.append(DerivedRows(name, names, self.rows(body, parameters)))

    def guards(self, parameters: Sequence[Typed]) -> list[Formula]:
        found: list[Formula] = []
        for typed in parameters:
            if OBJECT not in typed.types:
                kinds = [Atom(type_predicate(kind), (typed.name,)) for kind in typed.types]
                found.append(disjunction(kinds))
        return found

    def _rows(self, formula: Formula) -> list[Row]:
        if isinstance(formula, Or):
            return [row for part in formula.parts for row in self._rows(part)]
        if isinstance(formula, And):
            return self._product(formula)
        if isinstance(formula, Exists):
            names = {
                typed.name: f"{typed.name}~{next(self._fresh)}" for typed in formula.parameters
            }
            fresh = [Typed(names[typed.name], typed.types) for typed in formula.parameters]
            return self._rows(conjunction([*self.guards(fresh), substitute(formula.body, names)]))
        if isinstance(formula, Forall):
            witness = Exists(formula.parameters, nnf(formula.body, False))
            return [(Literal(self._named(witness), False),)]
        if isinstance(formula, Not) and isinstance(formula.body, Atom):
            return [(Literal(formula.body, False),)]
        if isinstance(formula, Atom):
            return [(Literal(formula, True),)]
        raise PlanningError("conditions on numbers are not supported with streams; use a predicate")

    def _product(self, formula: And) -> list[Row]:
        rows: list[Row] = [()]
        several = sum(isinstance(part, Exists) for part in formula.parts) > 1
        for part in formula.parts:
            if several and isinstance(part, Exists):  # their witnesses would multiply
                found: list[Row] = [(Literal(self._named(part), True),)]
            else:
                found = self._rows(part)
            if len(found) > 1 and len(rows) * len(found) > _MAX_ALTERNATIVES:
                found = [(Literal(self._named(part), True),)]
            rows = [(*row, *extra) for row in rows for extra in found]
        return rows

    def _named(self, formula: Formula) -> Atom:
        """Return an atom of a new derived predicate that means the formula."""
        variables = tuple(sorted(free_variables(formula)))
        name = f"(condition {next(self._fresh)})"
        self.derived.append(DerivedRows(name, variables, tuple(self._rows(formula))))
        return Atom(name, variables)


def require_no_numbers(formula: Formula, where: str) -> None:
    """Raise unless a formula is free of comparisons of numbers."""
    if any(comparisons(formula)):
        raise PlanningError(f"{where}: conditions on numbers are not supported with streams")


Terms: TypeAlias = tuple[str, tuple[int, ...]]
"""A predicate and its terms."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A row with its variables numbered: what a rule matches and what else must hold.

    A term is the number of a variable, or ``-1 - object``.
    """

    variables: tuple[str, ...]
    positive: tuple[Terms, ...]
    negative: tuple[Terms, ...]
    distinct: tuple[tuple[int, int], ...]
    terms: Mapping[str, int]
    """The term of each variable, those unified away included."""


def pattern(row: Row, parameters: Sequence[str], constants: Mapping[str, int]) -> Pattern | None:
    """Return a row as a pattern; None where its equations contradict each other.

    Parameters are numbered first; variables that no positive literal binds range over all objects.
    """
    same = _unified(row, constants)
    if same is None:
        return None
    names = dict.fromkeys((*parameters, *_variables(row)))
    roots = [name for name in names if same.get(name, name) == name]
    numbers = {name: index for index, name in enumerate(roots)}

    def term(name: str) -> int:
        root = same.get(name, name)
        return numbers[root] if is_variable(root) else -1 - constants[root]

    positive, negative, distinct = _by_kind(row, term)
    if any(a == b for a, b in distinct):
        return None
    bound = {t for _, args in positive for t in args}
    positive += [(OBJECT, (index,)) for index in range(len(numbers)) if index not in bound]
    terms = {name: term(name) for name in names}
    return Pattern(tuple(numbers), tuple(positive), tuple(negative), tuple(distinct), terms)


def _by_kind(
    row: Row, term: Callable[[str], int]
) -> tuple[list[Terms], list[Terms], list[tuple[int, int]]]:
    """Return the positive and the negative literals of a row, and the pairs that must differ."""
    positive: list[Terms] = []
    negative: list[Terms] = []
    distinct: list[tuple[int, int]] = []
    for literal in row:
        predicate, args = literal.atom.predicate, tuple(map(term, literal.atom.args))
        if predicate != EQUALS:
            (positive if literal.positive else negative).append((predicate, args))
        elif not literal.positive:
            distinct.append((args[0], args[1]))
    return positive, negative, distinct


def _variables(row: Row) -> list[str]:
    return [term for literal in row for term in literal.atom.args if is_variable(term)]


def _unified(row: Row, constants: Mapping[str, int]) -> dict[str, str] | None:
    """Return what each variable is replaced by so that all equations of a row hold."""
    same: dict[str, str] = {}

    def root(name: str) -> str:
        while name in same:
            name = same[name]
        return name

    for literal in row:
        if literal.positive and literal.atom.predicate == EQUALS:
            left, right = map(root, literal.atom.args)
            if not is_variable(left):
                left, right = right, left
            if is_variable(left):
                if left != right:
                    same[left] = right
            elif constants[left] != constants[right]:
                return None
    return {name: root(name) for name in same}
