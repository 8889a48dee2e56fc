"""Substitution of objects for variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from commonground.planning.pddl.formula import (
    And,
    Arithmetic,
    Atom,
    Compare,
    Effect,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Imply,
    Not,
    Number,
    Or,
    Update,
)

Binding: TypeAlias = Mapping[str, str]
"""The objects that variables stand for."""


def substitute(formula: Formula, binding: Binding) -> Formula:
    """Return the formula with its free variables replaced by objects."""
    if isinstance(formula, Atom):
        return Atom(formula.predicate, tuple(binding.get(term, term) for term in formula.args))
    if isinstance(formula, Not):
        return Not(substitute(formula.body, binding))
    if isinstance(formula, And | Or):
        return type(formula)(tuple(substitute(part, binding) for part in formula.parts))
    if isinstance(formula, Imply):
        return Imply(substitute(formula.left, binding), substitute(formula.right, binding))
    if isinstance(formula, Exists | Forall):
        bound = {typed.name for typed in formula.parameters}
        inner = {name: value for name, value in binding.items() if name not in bound}
        return type(formula)(formula.parameters, substitute(formula.body, inner))
    return Compare(
        formula.operator,
        substitute_number(formula.left, binding),
        substitute_number(formula.right, binding),
    )


def substitute_number(expression: Expression, binding: Binding) -> Expression:
    """Return the expression with its variables replaced by objects."""
    if isinstance(expression, Fluent):
        return substitute_fluent(expression, binding)
    if isinstance(expression, Number):
        return expression
    parts = tuple(substitute_number(part, binding) for part in expression.parts)
    return Arithmetic(expression.operator, parts)


def substitute_fluent(fluent: Fluent, binding: Binding) -> Fluent:
    """Return the function with its variables replaced by objects."""
    return Fluent(fluent.function, tuple(binding.get(term, term) for term in fluent.args))


def substitute_effect(effect: Effect, binding: Binding) -> Effect:
    """Return the effect with the variables it does not bind itself replaced by objects."""
    bound = {typed.name for typed in effect.parameters}
    inner = {name: value for name, value in binding.items() if name not in bound}
    change = effect.change
    new: Atom | Not | Update
    if isinstance(change, Update):
        new = Update(
            change.operation,
            substitute_fluent(change.fluent, inner),
            substitute_number(change.value, inner),
        )
    elif isinstance(change, Not):
        new = Not(substitute(change.body, inner))
    else:
        new = Atom(change.predicate, tuple(inner.get(term, term) for term in change.args))
    return Effect(new, effect.parameters, substitute(effect.condition, inner))
