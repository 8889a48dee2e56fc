"""Solving a PDDLStream problem: the one function users call."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from commonground.errors import PlanningError, did_you_mean
from commonground.planning.pddl.logic import symbols
from commonground.planning.result import Status
from commonground.planning.streams.algorithms import ALGORITHMS, make_run, polish
from commonground.planning.streams.attempt import IMPROVE, Planner
from commonground.planning.streams.breadth import Aside, Breadth
from commonground.planning.streams.info import FunctionInfo, PlanConstraints, StreamInfo
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF, PDDLProblem, Solution
from commonground.planning.streams.model import Model, build_model
from commonground.planning.streams.options import Options
from commonground.planning.streams.store import Store
from commonground.signals import Late, alarm

_log = logging.getLogger(__name__)
ANY_PLAN = Options()
_IMPROVE = {"focused": 2.0}
"""It makes many plans, so that each is improved for less long."""
_GRACE_S = 1.0


@dataclass(frozen=True, slots=True)
class StreamResult:
    """A solution with how it came about."""

    status: Status
    solution: Solution
    stream_calls: int
    time_s: float
    reason: str = ""


def solve(
    problem: PDDLProblem | Sequence[Any],
    algorithm: str = "adaptive",
    constraints: PlanConstraints | None = None,
    stream_info: Mapping[str, StreamInfo | FunctionInfo] | None = None,
    **options: Any,
) -> Solution:
    """Solve a PDDLStream problem; returns (plan, cost, certificate), the plan being None if none is found.

    ``options`` are the keywords of the PDDLStream interface; `Options` tells which have an effect here.
    """
    return solve_in_detail(
        problem, algorithm, constraints, stream_info, Options.of(options)
    ).solution


solve_incremental = partial(solve, algorithm="incremental")
solve_focused = partial(solve, algorithm="focused")
solve_binding = partial(solve, algorithm="binding")
solve_adaptive = partial(solve, algorithm="adaptive")


def solve_in_detail(
    problem: PDDLProblem | Sequence[Any],
    algorithm: str = "adaptive",
    constraints: PlanConstraints | None = None,
    stream_info: Mapping[str, StreamInfo | FunctionInfo] | None = None,
    options: Options = ANY_PLAN,
    *,
    interrupt: bool = False,
) -> StreamResult:
    """Solve a PDDLStream problem and tell how it went.

    With ``interrupt`` a call of a stream that has not returned a while after the time is up is interrupted
    (in the main thread, where the system has alarms).
    """
    begin = time.monotonic()
    if algorithm not in ALGORITHMS:
        hint = did_you_mean(algorithm, ALGORITHMS) or f" Known are {', '.join(ALGORITHMS)}."
        raise PlanningError(f"there is no algorithm '{algorithm}'.{hint}")
    model = build_model(problem, stream_info, constraints)
    knowledge = Knowledge(model)
    until, improve = begin + options.max_time, _IMPROVE.get(algorithm, IMPROVE)
    store = Store(knowledge, until, options.success_cost, model.max_cost, options.unit_costs)
    planner = Planner(knowledge, options, improve)
    limited = min(options.success_cost, model.max_cost) < INF

    def breadth(any_plan: bool) -> Breadth:
        """Return a search that calls all streams, with knowledge of its own."""
        own = Knowledge(model)
        limits = (INF, INF) if any_plan else (options.success_cost, min(store.cost, aside.cost))
        found = Store(own, until, *limits, options.unit_costs)
        # what is begun again and again leaves it to the search beside it to prove that there is no plan
        planner = Planner(own, options, improve, proves=not limited)
        return Breadth(own, planner, found, replace(options, max_iterations=INF))

    aside = Aside(breadth, store, again=limited)
    run = make_run(knowledge, planner, store, options, aside)
    try:
        with alarm(options.max_time + _GRACE_S if interrupt else INF):
            ALGORITHMS[algorithm](run)
            polish(run)
    except Late:
        _log.warning("a stream that had not returned was interrupted")
    calls = knowledge.calls + aside.calls
    if aside.best is not None:
        store = min(store, aside.best, key=lambda found: found.best_cost)
    seconds = time.monotonic() - begin
    status = _status(store, run.impossible)
    _log.info("%s: %s after %.3f s and %d stream calls", algorithm, status, seconds, calls)
    reason = _reason(status)
    if status in (Status.UNSOLVABLE, Status.NOT_FOUND):
        reason = "; ".join([reason, *model.unheard_of, *_strange(model)])
    return StreamResult(status, store.solution(), calls, seconds, reason)


def _status(store: Store, impossible: bool) -> Status:
    if store.best is not None:
        return Status.SOLVED
    if impossible:
        return Status.UNSOLVABLE
    return Status.TIMEOUT if store.is_late() else Status.NOT_FOUND


def _reason(status: Status) -> str:
    return {
        Status.SOLVED: "",
        Status.TIMEOUT: "the time was used up before a plan was found",
        Status.UNSOLVABLE: "there is no plan, whatever the streams yield",
        Status.NOT_FOUND: "the search ended without a plan and without a proof that there is none",
    }.get(status, "")


def _strange(model: Model) -> Iterator[str]:
    """Yield the words of the goal that no initial fact names: nothing but a stream could bring them."""
    given = {number for _, args in model.initial for number in args}
    words = {str(x) for n in given if isinstance(x := model.objects.values[n], str)}
    for name in sorted(symbols(model.goal)):
        value = model.objects.values[model.constants[name]]
        if isinstance(value, str) and model.constants[name] not in given:
            yield f"no initial fact names '{value}' of the goal.{did_you_mean(value, words)}"
