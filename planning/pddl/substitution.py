"""Substitution of objects for variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from commonground.planning.pddl.formula import (
    Arithmetic,
    Atom,
    Compare,
    Effect,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Not,
    Number,
    Typed,
    Update,
    rebuilt,
)

Binding: TypeAlias = Mapping[str, str]
"""The objects that variables stand for."""


def substitute(formula: Formula, binding: Binding) -> Formula:
    """Return the formula with its free variables replaced by objects."""
    if isinstance(formula, Atom):
        return Atom(formula.predicate, tuple(binding.get(term, term) for term in formula.args))
    if isinstance(formula, Compare):
        both = (substitute_number(side, binding) for side in (formula.left, formula.right))
        return Compare(formula.operator, *both)
    if isinstance(formula, Exists | Forall):
        binding = _unbound(binding, formula.parameters)
    return rebuilt(formula, lambda part: substitute(part, binding))


def _unbound(binding: Binding, parameters: Sequence[Typed]) -> Binding:
    """Return a binding without the variables that parameters bind anew."""
    bound = {typed.name for typed in parameters}
    return {name: value for name, value in binding.items() if name not in bound}


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
    inner, change = _unbound(binding, effect.parameters), effect.change
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
