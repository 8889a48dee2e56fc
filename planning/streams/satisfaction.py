"""Constraint satisfaction with streams: values for variables so that facts hold, without any actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from commonground.errors import PlanningError
from commonground.planning.streams.info import FunctionInfo, StreamInfo
from commonground.planning.streams.language import (
    INF,
    Certificate,
    Expression,
    PDDLProblem,
    Procedure,
    get_args,
    get_prefix,
    is_parameter,
)
from commonground.planning.streams.solving import solve

_HOLD = "all-terms-hold"
_BIND = "bind"


class SatisfactionProblem(NamedTuple):
    """Facts over values and ``?variables`` that shall hold, their negations, and costs to minimize."""

    stream_pddl: str
    stream_map: Mapping[str, Procedure] | str
    init: Sequence[Expression]
    terms: Sequence[Expression]


class SatisfactionSolution(NamedTuple):
    """The value of each variable; None where none were found."""

    bindings: dict[str, Any] | None
    cost: float
    facts: Certificate


def constraint_satisfaction(
    problem: SatisfactionProblem | Sequence[Any],
    algorithm: str = "adaptive",
    stream_info: Mapping[str, StreamInfo | FunctionInfo] | None = None,
    *,
    costs: bool = True,
    **options: Any,
) -> SatisfactionSolution:
    """Find values by planning for one action with all variables; ``options`` are those of ``solve``."""
    stream_pddl, stream_map, init, terms = problem
    text = _Text()
    conditions, additions = [], []
    for term in terms:
        if str(get_prefix(term)).lower() == "minimize":
            additions.append(f"(increase (total-cost) {text.fact(term[1])})")
        else:
            conditions.append(text.condition(term))
    domain = f"""(define (domain satisfaction) (:requirements :strips :equality)
      (:constants {" ".join(text.constants)})
      (:predicates ({_HOLD}))
      (:action {_BIND} :parameters ({" ".join(text.variables)})
        :precondition (and {" ".join(conditions)})
        :effect (and ({_HOLD}) {" ".join(additions if costs else ())})))"""
    plan, cost, facts = solve(
        PDDLProblem(domain, text.constants, stream_pddl, stream_map, init, (_HOLD,)),
        algorithm,
        stream_info=stream_info,
        **options,
    )
    if plan is None:
        return SatisfactionSolution(None, INF, facts)
    return SatisfactionSolution(dict(zip(text.variables, plan[0].args, strict=True)), cost, facts)


class _Text:
    """Writes facts over values as PDDL, each value as a constant."""

    def __init__(self) -> None:
        self.variables: dict[str, None] = {}
        self.constants: dict[str, Any] = {}

    def condition(self, term: Expression) -> str:
        """Return a fact or its negation."""
        if str(get_prefix(term)).lower() == "not":
            return f"(not {self.fact(term[1])})"
        return self.fact(term)

    def fact(self, fact: Expression) -> str:
        """Return a fact, its variables and values noted."""
        if not fact or not isinstance(fact[0], str):
            raise PlanningError(f"{fact!r} is no fact: it has to begin with a predicate")
        return f"({' '.join((get_prefix(fact), *map(self._term, get_args(fact))))})"

    def _term(self, value: Any) -> str:
        if is_parameter(value):
            self.variables[value] = None
            return str(value)
        known = (name for name, other in self.constants.items() if other is value)
        name = next(known, f"value-{len(self.constants)}")
        self.constants[name] = value
        return name
