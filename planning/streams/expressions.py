"""Reader of facts and formulas over the user's values, to facts and formulas over numbered objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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
from commonground.planning.streams.language import TOTAL_COST, Expression, is_parameter
from commonground.planning.streams.normal_form import type_predicate
from commonground.planning.streams.objects import Objects

Fact = tuple[str, tuple[int, ...]]
_LONGEST = 40
"""Characters of a value in a message."""
_CONNECTIVES = ("and", "or", "not", "imply", "exists", "forall")


class Begin(NamedTuple):
    """An initial state."""

    facts: dict[Fact, None]
    denied: dict[Fact, Expression]
    """What is said not to hold, as it was said; what is not given does not hold anyway."""
    values: dict[Fact, float]


NOTHING = Begin({}, {}, {})


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

    def begin(self, expressions: Iterable[Expression]) -> Begin:
        """Return an initial state; PlanningError where it contradicts itself."""
        found = Begin({}, {}, {})
        self._gather(expressions, found)
        for fact, said in found.denied.items():
            if fact in found.facts:
                raise PlanningError(f"{said!r} contradicts what is given initially")
        return found

    def _gather(self, expressions: Iterable[Expression], found: Begin) -> None:
        for expression in expressions:
            self._require(expression, "an initial fact")
            if len(expression) == 3 and isinstance(expression[1], str) and expression[1] == "-":
                kind = type_predicate(str(expression[2]).lower())
                found.facts[kind, (self.objects.number(expression[0]),)] = None
                continue
            head = self._head(expression)
            if head == "=":
                fact, value = self._value(expression)
                if found.values.setdefault(fact, value) != value:
                    told = f"{found.values[fact]:g} and {value:g}"
                    raise PlanningError(f"{expression[1]!r} is given twice: {told}")
            elif head == "and":
                self._gather(expression[1:], found)
            elif head == "not" and len(expression) == 2:
                found.denied[self.fact(expression[1])] = expression
            else:
                found.facts[self.fact(expression)] = None

    def shown(self, atom: Atom) -> str:
        """Return an atom as the user knows it, objects by their values."""
        values = self.objects.values
        terms = (f"{values[self.constants[a]]}" if a.startswith("@") else a for a in atom.args)
        return str(Atom(atom.predicate, tuple("".join(x.split())[:_LONGEST] for x in terms)))

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
        fact = self.fact(tuple(expression[1]))
        if fact == (TOTAL_COST, ()) and number != 0:
            raise PlanningError(f"{expression!r}: plans begin with a (total-cost) of 0")
        return fact, float(number)

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
        """Return quantified variables, ``?x``, ``(?x, '-', type)`` or ``(?x, '-', (type, …))`` each."""
        found: list[Typed] = []
        for item in listed:
            if is_parameter(item):
                found.append(Typed(item.lower()))
            elif isinstance(item, tuple | list) and len(item) == 3 and is_parameter(item[0]):
                kinds = item[2] if isinstance(item[2], tuple | list) else (item[2],)
                found.append(Typed(item[0].lower(), tuple(str(kind).lower() for kind in kinds)))
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
