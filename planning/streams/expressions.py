"""Reader of facts and formulas over the user's values, to facts and formulas over numbered objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from commonground.errors import PlanningError
from commonground.planning.pddl.formula import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Typed,
)
from commonground.planning.streams.language import Expression, is_parameter
from commonground.planning.streams.normal_form import type_predicate
from commonground.planning.streams.objects import Objects

Fact = tuple[str, tuple[int, ...]]
_CONNECTIVES = ("and", "or", "not", "imply", "exists", "forall")


class Reader:
    """Reads expressions of one problem; values become objects, and objects get names in formulas."""

    def __init__(self, objects: Objects, constants: dict[str, int]) -> None:
        self.objects, self.constants = objects, constants

    def name(self, value: Any) -> str:
        """Return the name that stands for a value in formulas."""
        number = self.objects.number(value)
        name = f"@{number}"
        self.constants[name] = number
        return name

    def facts(self, expressions: Iterable[Expression]) -> tuple[list[Fact], dict[Fact, float]]:
        """Return the facts and the numeric values of an initial state."""
        facts: dict[Fact, None] = {}
        values: dict[Fact, float] = {}
        for expression in expressions:
            self._require(expression, "an initial fact")
            if len(expression) == 3 and isinstance(expression[1], str) and expression[1] == "-":
                facts[
                    type_predicate(str(expression[2]).lower()),
                    (self.objects.number(expression[0]),),
                ] = None
                continue
            head = self._head(expression)
            if head == "=":
                fact, value = self._value(expression)
                values[fact] = value
            elif head == "and":
                inner, numbers = self.facts(expression[1:])
                facts.update(dict.fromkeys(inner))
                values.update(numbers)
            elif head != "not":  # what is not given is false anyway
                facts[self.fact(expression)] = None
        return list(facts), values

    def fact(self, expression: Expression) -> Fact:
        """Return one ground fact."""
        self._require(expression, "a fact")
        head = self._head(expression)
        if head in _CONNECTIVES:
            raise PlanningError(f"{expression!r} is a formula where a fact is expected")
        return head, tuple(self.objects.number(value) for value in expression[1:])

    def _value(self, expression: Expression) -> tuple[Fact, float]:
        if len(expression) != 3 or not isinstance(expression[1], tuple | list) or not expression[1]:
            raise PlanningError(f"{expression!r} must be ('=', ('function', …), number)")
        number = expression[2]
        if isinstance(number, bool) or not isinstance(number, int | float) or not number > -1e300:
            raise PlanningError(f"{expression!r} gives no number")
        if number < 0:
            raise PlanningError(f"{expression!r} gives a negative cost")
        return self.fact(tuple(expression[1])), float(number)

    def formula(self, expression: Expression) -> Formula:
        """Return a goal as a formula."""
        self._require(expression, "a formula")
        head = self._head(expression)
        rest = expression[1:]
        if head == "and":
            return And(tuple(map(self.formula, rest)))
        if head == "or":
            return Or(tuple(map(self.formula, rest)))
        if head == "not" and len(rest) == 1:
            return Not(self.formula(rest[0]))
        if head == "imply" and len(rest) == 2:
            return Imply(self.formula(rest[0]), self.formula(rest[1]))
        if head in ("exists", "forall") and len(rest) == 2:
            kind = Exists if head == "exists" else Forall
            variables = self.variables(rest[0])
            return kind(variables, self.formula(rest[1])) if variables else self.formula(rest[1])
        if head in _CONNECTIVES:
            raise PlanningError(f"{expression!r} has the wrong number of parts for '{head}'")
        return Atom(head, tuple(term if is_parameter(term) else self.name(term) for term in rest))

    def variables(self, listed: Sequence[Any]) -> tuple[Typed, ...]:
        """Return quantified variables, ``?x`` or ``(?x, '-', type)`` each."""
        found: list[Typed] = []
        for item in listed:
            if is_parameter(item):
                found.append(Typed(item.lower()))
            elif isinstance(item, tuple | list) and len(item) == 3 and is_parameter(item[0]):
                found.append(Typed(item[0].lower(), (str(item[2]).lower(),)))
            else:
                raise PlanningError(f"{item!r} is no variable; one is written '?x'")
        return tuple(found)

    @staticmethod
    def _require(expression: Any, what: str) -> None:
        if not isinstance(expression, tuple | list) or not expression:
            raise PlanningError(
                f"{expression!r} is not {what}; one is written ('predicate', value, …)"
            )

    @staticmethod
    def _head(expression: Expression) -> str:
        head = expression[0]
        if not isinstance(head, str):
            raise PlanningError(f"{expression!r} does not begin with a predicate's name")
        return head.lower()
