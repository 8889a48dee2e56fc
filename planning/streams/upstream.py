"""Comparison with the PDDLStream package itself, where the user has it."""

from __future__ import annotations

import importlib
import importlib.util
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from commonground.errors import MissingDependencyError, PlanningError
from commonground.planning.result import Status
from commonground.planning.streams.certify import certify
from commonground.planning.streams.info import FunctionInfo, PartialInputs, StreamInfo
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import Action, Certificate, PDDLProblem, Solution
from commonground.planning.streams.model import build_model
from commonground.planning.streams.options import Options
from commonground.planning.streams.skeleton import Bound
from commonground.planning.streams.solving import ANY_PLAN, StreamResult

_SOLVE = "pddlstream.algorithms.meta"


def require_upstream() -> None:
    """Raise MissingDependencyError unless PDDLStream can be imported."""
    if importlib.util.find_spec("pddlstream") is None:
        raise MissingDependencyError(
            "the upstream engine needs the package 'pddlstream', which PyPI does not have: clone it from "
            "github.com/caelan/pddlstream, build it and put it on PYTHONPATH, or solve with the own engine"
        )


def solve_upstream(
    problem: PDDLProblem,
    algorithm: str = "adaptive",
    *,
    stream_info: Mapping[str, StreamInfo | FunctionInfo] | None = None,
    options: Options = ANY_PLAN,
) -> StreamResult:
    """Solve a problem with PDDLStream; its plan is executed here before it is returned.

    It proves nothing: without a plan the result is NOT_FOUND or TIMEOUT.
    """
    require_upstream()
    begin = time.monotonic()
    try:
        meta = importlib.import_module(_SOLVE)
        language = importlib.import_module("pddlstream.language.constants")
        infos = {name: _translated(info) for name, info in (stream_info or {}).items()}
        plan, cost, certificate = meta.solve(
            language.PDDLProblem(*problem),
            algorithm=algorithm,
            stream_info=infos,
            unit_costs=options.unit_costs,
            success_cost=options.success_cost,
            max_time=options.max_time,
            verbose=False,
        )
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise PlanningError(f"PDDLStream failed: {told}") from error
    seconds = time.monotonic() - begin
    if plan is None:
        late = seconds >= options.max_time
        status = Status.TIMEOUT if late else Status.NOT_FOUND
        reason = "the time was used up" if late else "PDDLStream found no plan"
        return StreamResult(
            status, Solution(None, math.inf, Certificate([], [])), 0, seconds, reason
        )
    solution = Solution(
        [Action(str(name), tuple(args)) for name, args in plan],
        float(cost),
        Certificate(list(certificate[0]), list(certificate[1] or ())),
    )
    _require_works(problem, solution)
    return StreamResult(Status.SOLVED, solution, 0, seconds)


def _require_works(problem: PDDLProblem, solution: Solution) -> None:
    """Execute a plan on the facts of its certificate; raises PlanningError where it does not work."""
    facts = [*problem.init, *solution.certificate.all_facts]
    model = build_model(PDDLProblem(*problem[:2], None, {}, facts, problem.goal))
    knowledge = Knowledge(model)
    number = model.objects.number
    steps = [(a.name.lower(), tuple(map(number, a.args))) for a in solution.plan or ()]
    bound = Bound(steps, float(len(steps)), (), replan=False, sampled=True)
    failure = certify(knowledge, bound, unit_costs=True)
    if failure:
        raise PlanningError(f"PDDLStream's plan does not work when executed: {failure}")


def _translated(info: Any) -> Any:
    """Return what the user said about a stream in PDDLStream's own classes."""
    if not isinstance(info, StreamInfo | FunctionInfo | PartialInputs):
        return info
    module = importlib.import_module(
        "pddlstream.language.function"
        if isinstance(info, FunctionInfo)
        else "pddlstream.language.stream"
    )
    return getattr(module, type(info).__name__)(**_given(info))


def _given(info: Any) -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    plain = type(info)()
    named: Sequence[str] = [field.name for field in fields(info)]
    return {
        name: _translated(getattr(info, name))
        for name in named
        if getattr(info, name) != getattr(plain, name)
    }
