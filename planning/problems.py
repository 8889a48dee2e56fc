"""PDDL and PDDLStream problems in files, solved: what ``solve`` does, in one call each."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from commonground.errors import ConfigError
from commonground.planning.downward import shared_planner
from commonground.planning.downward.configurations import Mode
from commonground.planning.pddl import Step, load_task, plan_text
from commonground.planning.pddl.valueless import (
    counting_steps,
    missing_costs,
    uncounted_costs,
    unused_hints,
)
from commonground.planning.result import PlanResult, Status
from commonground.signals import Late, alarm

LEAST_READING_S = 10.0
"""So long reading a problem may take in any case: a search may be given less."""
READING = "the time limit ended while the problem was read"


@dataclass(frozen=True, slots=True)
class Solved:
    """A plan in words, or why there is none."""

    status: str
    reason: str
    steps: Sequence[tuple[str, tuple[str, ...]]] = ()
    cost: float = math.inf
    lower_bound: float = 0.0
    optimal: bool = False
    time_s: Mapping[str, float] = field(default_factory=dict)
    first: bool = False
    """Whether no cheaper plan was looked for."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else there is to know, as JSON values."""

    def as_json(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "reason": self.reason,
            "cost": self.cost if math.isfinite(self.cost) else None,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "plan": [{"action": name, "args": list(args)} for name, args in self.steps],
            "time_s": dict(self.time_s),
            **self.more,
        }

    def text(self) -> str:
        """Return the plan, a step a line, and its cost in a comment."""
        steps = plan_text(Step(name, tuple(args)) for name, args in self.steps)
        return f"{steps}; cost = {self.cost:g} ({self._proof()})\n"

    def _proof(self) -> str:
        """Return what is known of cheaper plans."""
        if self.optimal or self.cost <= self.lower_bound:
            return "optimal"
        if self.lower_bound > 0.0:
            return f"at least {self.lower_bound:g}"
        if self.first:
            return "the first plan found, --mode anytime looks for cheaper ones"
        return "none cheaper was found, nothing is proven"


def solve_problem(
    domain: str | Path,
    problem: str | Path,
    *,
    mode: Mode = "first",
    unit_costs: bool = False,
    time_limit_s: float = 60.0,
    memory_limit_mb: int = 4096,
) -> Solved:
    """Solve a PDDL problem with Fast Downward; reading it may take as long, and ten seconds in any case.

    ``anytime`` begins with a proof: a tenth of the time goes to a search for the optimum, which ends a small
    problem at once and says of a larger one what no plan can cost less than.
    """
    try:
        with alarm(max(time_limit_s, LEAST_READING_S)):
            task = load_task(domain, problem)
            task = counting_steps(task) if unit_costs else task
    except Late:
        return Solved(str(Status.TIMEOUT), READING)
    planner, bound, found = shared_planner(), 0.0, list[PlanResult]()
    if mode == "anytime":
        result = planner.solve(
            task, "optimal", time_limit_s=0.1 * time_limit_s, memory_limit_mb=memory_limit_mb
        )
        bound = result.bound
        time_limit_s -= result.time_s["total"]
    if mode != "anytime" or result.status not in (Status.SOLVED, Status.UNSOLVABLE):
        try:
            result = planner.solve(
                task,
                mode,
                time_limit_s=time_limit_s,
                memory_limit_mb=memory_limit_mb,
                on_plan=found.append,
            )
        except KeyboardInterrupt:  # who has seen enough gets the best plan so far
            if not found:
                raise
            result = replace(found[-1], reason="interrupted while cheaper plans were looked for")
    why = [result.reason] if result.reason else []
    if result.status is not Status.ERROR:
        why += filter(None, (uncounted_costs(task), missing_costs(task), unused_hints(task)))
    return Solved(
        str(result.status),
        "; ".join(why),
        [(step.action, step.args) for step in result.plan],
        result.cost,
        max(bound, result.bound),
        result.optimal or result.cost <= bound,
        result.time_s,
        first=mode == "first",
    )


def solve_stream_problem(
    domain: str | Path,
    problem: str | Path | None,
    streams: str | Path,
    stream_map: str,
    *,
    mode: str = "first",
    algorithm: str = "adaptive",
    engine: str = "own",
    unit_costs: bool = False,
    time_limit_s: float = 60.0,
    seed: int = 0,
) -> Solved:
    """Solve a PDDLStream problem; what its procedures print goes to stderr.

    ``stream_map`` is a Python file or module that has the procedures; it is run. ``engine`` is ours, or
    ``upstream``: the PDDLStream that is installed.
    """
    if mode == "optimal":
        raise ConfigError("--mode optimal: sampling proves no plan optimal; use --mode anytime")
    # a problem without streams is solved without them, and without NumPy
    import numpy as np

    from commonground.planning.streams.files import load_stream_problem
    from commonground.planning.streams.options import Options
    from commonground.planning.streams.solving import solve_in_detail
    from commonground.planning.streams.upstream import solve_upstream
    from commonground.planning.streams.user_module import ends_with_a_word

    rng = np.random.default_rng(seed)
    solve = solve_upstream if engine == "upstream" else partial(solve_in_detail, interrupt=True)
    with contextlib.redirect_stdout(sys.stderr), ends_with_a_word():
        try:
            with alarm(max(time_limit_s, LEAST_READING_S)):
                files = load_stream_problem(domain, problem, streams, stream_map, rng)
        except Late:
            return Solved(str(Status.TIMEOUT), READING)
        with files.places():
            result = solve(
                files.problem,
                algorithm,
                stream_info=files.stream_info,
                options=Options(
                    unit_costs=unit_costs,
                    success_cost=math.inf if mode == "first" else 0.0,
                    max_time=time_limit_s,
                ),
            )
    plan, cost, _ = result.solution
    words = Words(files.values)
    steps = [(action.name, tuple(map(words.of, action.args))) for action in plan or ()]
    more = {"stream_calls": result.stream_calls, "algorithm": algorithm}
    spent = {"total": result.time_s}
    first = mode == "first"
    return Solved(
        str(result.status), result.reason, steps, cost, time_s=spent, first=first, more=more
    )


class Words:
    """Values of streams in one word each: the name of an object, numbers, or what Python prints."""

    def __init__(self, named: Mapping[str, Any]) -> None:
        self.named = {id(value): name for name, value in named.items()}

    def of(self, value: Any) -> str:
        name = self.named.get(id(value))
        return name if name is not None else "".join(self._text(value).split())

    def _text(self, value: Any) -> str:
        if hasattr(value, "tolist"):  # an array or number of numpy
            value = value.tolist()
        if isinstance(value, tuple | list):
            return f"[{','.join(map(self._text, value))}]"
        if isinstance(value, float):
            return f"{value:.6g}"
        return value if isinstance(value, str) else repr(value)
