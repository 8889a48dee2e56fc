"""What ``commonground solve`` calls and prints."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer import BadParameter

from commonground.atomic import write_text
from commonground.cli.job import Job
from commonground.errors import ConfigError, HonestNo, PlanningError, did_you_mean

if TYPE_CHECKING:
    from commonground.planning.streams.files import StreamFiles
    from commonground.planning.streams.solving import StreamResult

MODES = ("first", "anytime", "optimal")
ENGINES = ("own", "upstream")


@dataclass(frozen=True, slots=True)
class Limits:
    """What solving may take."""

    time_s: float
    memory_mb: int


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """What is asked about a stream problem."""

    streams: Path | None
    stream_map: str | None
    algorithm: str
    engine: str
    unit_costs: bool
    seed: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What there is to print."""

    status: str
    reason: str
    steps: Sequence[tuple[str, tuple[str, ...]]] = ()
    cost: float = math.inf
    lower_bound: float = 0.0
    optimal: bool = False
    time_s: Mapping[str, float] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the object of ``--json``."""
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
        lines = [f"({' '.join((name, *args))})" for name, args in self.steps]
        proof = "optimal" if self.optimal else f"at least {self.lower_bound:g}"
        return "\n".join([*lines, f"; cost = {self.cost:g} ({proof})", ""])


def solve_plain(domain: Path, problem: Path | None, mode: str, limits: Limits) -> Answer:
    """Solve a PDDL problem with Fast Downward."""
    from commonground.planning.downward import FastDownward
    from commonground.planning.pddl import load_task

    _require_one_of("--mode", mode, MODES)
    if problem is None:
        raise BadParameter("a PROBLEM file is needed as well, or --streams with --stream-map")
    task = load_task(domain, problem)
    with FastDownward() as planner:
        result = planner.solve(
            task,
            mode,
            time_limit_s=limits.time_s,
            memory_limit_mb=limits.memory_mb,
        )
    steps = [(step.action, step.args) for step in result.plan]
    return Answer(
        str(result.status),
        result.reason,
        steps,
        result.cost,
        result.bound,
        result.optimal,
        result.time_s,
    )


def solve_streams(
    domain: Path, problem: Path | None, mode: str, limits: Limits, options: StreamOptions
) -> Answer:
    """Solve a PDDLStream problem; what its procedures print goes to stderr."""
    import numpy as np

    from commonground.planning.streams.files import load_stream_problem

    _require_one_of("--mode", mode, MODES)
    _require_one_of("--engine", options.engine, ENGINES)
    if mode == "optimal":
        raise ConfigError("--mode optimal: sampling proves no plan optimal; use --mode anytime")
    if options.streams is None or options.stream_map is None:
        raise BadParameter("--streams and --stream-map go together: the PDDL and the procedures")
    rng = np.random.default_rng(options.seed)
    with contextlib.redirect_stdout(sys.stderr):
        files = load_stream_problem(domain, problem, options.streams, options.stream_map, rng)
        result = _solved(files, mode, limits, options)
    plan, cost, _ = result.solution
    words = Words(files.values)
    steps = [(action.name, tuple(map(words.of, action.args))) for action in plan or ()]
    more = {"stream_calls": result.stream_calls, "algorithm": options.algorithm}
    spent = {"total": result.time_s}
    return Answer(str(result.status), result.reason, steps, cost, time_s=spent, more=more)


def _solved(files: StreamFiles, mode: str, limits: Limits, options: StreamOptions) -> StreamResult:
    from commonground.planning.streams.solving import solve_in_detail
    from commonground.planning.streams.upstream import solve_upstream

    success_cost = math.inf if mode == "first" else 0.0
    if options.engine == "upstream":
        return solve_upstream(
            files.problem,
            options.algorithm,
            stream_info=files.stream_info,
            unit_costs=options.unit_costs,
            success_cost=success_cost,
            max_time=limits.time_s,
        )
    with files.places():
        return solve_in_detail(
            files.problem,
            options.algorithm,
            stream_info=files.stream_info,
            unit_costs=options.unit_costs,
            success_cost=success_cost,
            max_time=limits.time_s,
            interrupt=True,
        )


def _require_one_of(option: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        hint = did_you_mean(word, known) or f" Known are {', '.join(known)}."
        raise ConfigError(f"{option} {word}: there is no such choice.{hint}")


class Words:
    """Values of streams in one word each: the name of an object, numbers, or what Python prints."""

    def __init__(self, named: Mapping[str, Any]) -> None:
        self.named = {id(value): name for name, value in named.items()}

    def of(self, value: Any) -> str:
        """Return the word of a value."""
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


def finish(job: Job, answer: Answer, out: Path | None) -> None:
    """Write and print an answer; leave with the exit code of its status."""
    import typer
    from rich.markup import escape

    if answer.status == "solved":
        if out is not None:
            as_json = json.dumps(answer.as_json(), indent=1) + "\n"
            write_text(out, as_json if out.suffix == ".json" else answer.text())
        job.result(answer.as_json())
        job.say(escape(answer.text().rstrip("\n")))
        if answer.reason:
            job.say(escape(f"; {answer.reason}"))
        return
    failed = answer.status == "error"
    if job.json:
        job.result(answer.as_json())
        raise typer.Exit(1 if failed else 3)
    kind = PlanningError if failed else HonestNo
    raise kind(f"{answer.status}: {answer.reason}")
