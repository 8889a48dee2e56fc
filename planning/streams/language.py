"""Types of PDDLStream problems and solutions: plain tuples over the user's own values.

The names and shapes are those of the PDDLStream interface (Garrett, Lozano-Pérez and Kaelbling, ICAPS
2020), so that a problem written for it runs here when its imports are changed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

INF = math.inf
TOTAL_COST = "total-cost"
DEBUG = "debug"
"""As a stream map or in it: every stream succeeds once with made-up values."""
SHARED_DEBUG = DEBUG
"""PDDLStream's name for values that many calls share; here such values are told apart only where need be."""

Expression: TypeAlias = tuple[Any, ...]
"""A fact, formula or numeric equation, such as ``("atpose", block, pose)``."""
Procedure: TypeAlias = "Callable[..., Any] | str"


class PDDLProblem(NamedTuple):
    """A problem: PDDL text for actions and streams, Python values for objects, functions for streams."""

    domain_pddl: str
    constant_map: Mapping[str, Any]
    stream_pddl: str | Sequence[str] | None
    stream_map: Mapping[str, Procedure] | str
    init: Sequence[Expression]
    goal: Expression


class Action(NamedTuple):
    """A step of a plan; the arguments are the user's values."""

    name: str
    args: tuple[Any, ...]


class Certificate(NamedTuple):
    """The facts that hold initially or were certified by streams."""

    all_facts: list[Expression]
    preimage_facts: list[Expression]
    """Those that the plan relies on."""


class Solution(NamedTuple):
    """A plan with its cost and certificate; the plan is None where none was found."""

    plan: list[Action] | None
    cost: float
    certificate: Certificate


def And(*parts: Expression) -> Expression:
    """Return the conjunction of expressions."""
    return ("and", *parts)


def Or(*parts: Expression) -> Expression:
    """Return the disjunction of expressions."""
    return ("or", *parts)


def Not(part: Expression) -> Expression:
    """Return the negation of an expression."""
    return ("not", part)


def Imply(left: Expression, right: Expression) -> Expression:
    """Return the implication of two expressions."""
    return ("imply", left, right)


def Equal(left: Any, right: Any) -> Expression:
    """Return the equation of two values, or of a numeric function and a number."""
    return ("=", left, right)


def Exists(variables: Sequence[str], body: Expression) -> Expression:
    """Return an existentially quantified expression."""
    return ("exists", tuple(variables), body)


def ForAll(variables: Sequence[str], body: Expression) -> Expression:
    """Return a universally quantified expression."""
    return ("forall", tuple(variables), body)


def Type(value: Any, name: str) -> Expression:
    """Return the fact that a value is of a type."""
    return (value, "-", name)


def Minimize(expression: Expression) -> Expression:
    """Return an objective."""
    return ("minimize", expression)


def Output(*values: Any) -> tuple[Any, ...]:
    """Return an output tuple of a stream."""
    return values


def Fact(predicate: str, args: Sequence[Any]) -> Expression:
    """Return a fact from its predicate and its arguments."""
    return (predicate, *args)


def is_parameter(term: Any) -> bool:
    """Return whether a term of an expression is a variable."""
    return isinstance(term, str) and term.startswith("?")


def get_prefix(expression: Expression) -> Any:
    """Return the predicate or connective of an expression."""
    return expression[0]


def get_args(expression: Expression) -> tuple[Any, ...]:
    """Return the arguments of a fact."""
    return expression[1:]


def is_plan(plan: Sequence[Action] | None) -> bool:
    """Return whether there is a plan."""
    return plan is not None


def get_length(plan: Sequence[Action] | None) -> float:
    """Return the number of steps; infinite where there is no plan."""
    return INF if plan is None else len(plan)


def solution_text(solution: Solution) -> str:
    """Return a solution as a few readable lines."""
    plan, cost, certificate = solution
    lines = [
        f"Solved: {is_plan(plan)}",
        f"Cost: {cost:g}",
        f"Length: {get_length(plan):g}",
        f"Facts: {len(certificate.all_facts)}",
    ]
    steps: Iterable[Action] = plan or ()
    lines += [f"{i}) {name} {' '.join(map(str, args))}" for i, (name, args) in enumerate(steps, 1)]
    return "\n".join(lines)


def print_solution(solution: Solution) -> None:
    """Write a solution to standard output."""
    sys.stdout.write(solution_text(solution) + "\n")
