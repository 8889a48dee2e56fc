"""Formulas, numeric expressions and effects: the inner half of the PDDL syntax tree.

A term is a plain string: ``?x`` is a variable, anything else an object. Equality is an `Atom` of the
predicate ``=``. The empty conjunction is true and the empty disjunction is false.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

OBJECT = "object"
EQUALS = "="


@dataclass(frozen=True, slots=True)
class Typed:
    """A variable, object or type with the types it may have (several: PDDL's ``either``)."""

    name: str
    types: tuple[str, ...] = (OBJECT,)


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate applied to terms."""

    predicate: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.args))})"


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    body: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction; true when empty."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction; false when empty."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Imply:
    """Implication."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    """Existential quantification over the objects of the given types."""

    parameters: tuple[Typed, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Forall:
    """Universal quantification over the objects of the given types."""

    parameters: tuple[Typed, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric constant."""

    value: float


@dataclass(frozen=True, slots=True)
class Fluent:
    """A numeric function applied to terms, ``(distance ?a ?b)``."""

    function: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.function, *self.args))})"


Operator: TypeAlias = Literal["+", "-", "*", "/"]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``+``, ``-``, ``*`` or ``/`` of expressions; ``-`` of one is its negative."""

    operator: Operator
    parts: tuple[Expression, ...]


Comparator: TypeAlias = Literal["<", "<=", "=", ">=", ">"]


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two numeric expressions."""

    operator: Comparator
    left: Expression
    right: Expression


Expression: TypeAlias = "Number | Fluent | Arithmetic"
Formula: TypeAlias = "Atom | Not | And | Or | Imply | Exists | Forall | Compare"

TRUE = And()
FALSE = Or()
TOTAL_COST = Fluent("total-cost")

Operation: TypeAlias = Literal["assign", "increase", "decrease", "scale-up", "scale-down"]


@dataclass(frozen=True, slots=True)
class Update:
    """A numeric effect."""

    operation: Operation
    fluent: Fluent
    value: Expression


@dataclass(frozen=True, slots=True)
class Effect:
    """One change, for all values of ``parameters`` for which ``condition`` holds.

    ``change`` is an atom that becomes true, its negation, or a numeric update. Nested PDDL effects
    are read into a flat tuple of these.
    """

    change: Atom | Not | Update
    parameters: tuple[Typed, ...] = ()
    condition: Formula = TRUE


def operands(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas right within a formula, from left to right."""
    if isinstance(formula, And | Or):
        return formula.parts
    if isinstance(formula, Imply):
        return formula.left, formula.right
    return (formula.body,) if isinstance(formula, Not | Exists | Forall) else ()


def rebuilt(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return a formula with each of those right within it changed; an atom or comparison as it is."""
    if isinstance(formula, And | Or):
        return type(formula)(tuple(map(change, formula.parts)))
    if isinstance(formula, Not):
        return Not(change(formula.body))
    if isinstance(formula, Imply):
        return Imply(change(formula.left), change(formula.right))
    if isinstance(formula, Exists | Forall):
        return type(formula)(formula.parameters, change(formula.body))
    return formula


def negated_atom(change: Atom | Not | Update) -> Atom | None:
    """Return the atom a change makes false, or None."""
    return change.body if isinstance(change, Not) and isinstance(change.body, Atom) else None


def is_variable(term: str) -> bool:
    return term.startswith("?")
