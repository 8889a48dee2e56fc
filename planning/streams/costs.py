"""Costs of actions: a constant plus multiples of numeric functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.errors import PlanningError
from commonground.planning.pddl.formula import (
    TOTAL_COST,
    TRUE,
    Arithmetic,
    Effect,
    Expression,
    Fluent,
    Number,
    Update,
)
from commonground.planning.pddl.printer import to_pddl


@dataclass(frozen=True, slots=True)
class LinearCost:
    """``constant + Σ factor · function(terms)``."""

    constant: float = 0.0
    terms: tuple[tuple[float, Fluent], ...] = ()

    def __add__(self, other: LinearCost) -> LinearCost:
        return LinearCost(self.constant + other.constant, (*self.terms, *other.terms))

    def times(self, factor: float) -> LinearCost:
        return LinearCost(
            factor * self.constant, tuple((factor * f, fluent) for f, fluent in self.terms)
        )


def action_cost(name: str, effects: Sequence[Effect]) -> LinearCost:
    """Return what the effects of an action add to the total cost."""
    total = LinearCost()
    for effect in effects:
        change = effect.change
        if not isinstance(change, Update):
            continue
        if change.fluent != TOTAL_COST or change.operation != "increase":
            raise PlanningError(
                f"'{name}' changes {to_pddl(change.fluent)}: only (total-cost) can increase"
            )
        if effect.parameters or effect.condition != TRUE:
            raise PlanningError(f"the cost of '{name}' depends on a condition; split the action")
        total += _linear(change.value, name)
    if total.constant < 0:
        raise PlanningError(f"'{name}' has a negative cost")
    return total


def _linear(value: Expression, name: str) -> LinearCost:
    if isinstance(value, Number):
        return LinearCost(value.value)
    if isinstance(value, Fluent):
        return LinearCost(0.0, ((1.0, value),))
    return _combined(value, [_linear(part, name) for part in value.parts], name)


def _combined(value: Arithmetic, parts: list[LinearCost], name: str) -> LinearCost:
    if value.operator == "+":
        return sum(parts[1:], parts[0])
    if value.operator == "-":
        return parts[0].times(-1) if len(parts) == 1 else parts[0] + parts[1].times(-1)
    if value.operator == "*":
        functions = [part for part in parts if part.terms]
        factor = 1.0
        for part in parts:
            factor *= 1.0 if part.terms else part.constant
        if len(functions) <= 1:
            return (functions[0] if functions else LinearCost(1.0)).times(factor)
    elif not parts[1].terms and parts[1].constant != 0:
        return parts[0].times(1 / parts[1].constant)
    raise PlanningError(
        f"the cost of '{name}' is not linear: {to_pddl(value)}; write it as one function"
    )
