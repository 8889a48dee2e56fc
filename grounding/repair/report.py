"""What a household mission is given and what it tells: planners, proposers, and its report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call
from commonground.grounding.repair.failures import Failure
from commonground.grounding.repair.hypotheses import Hypothesis
from commonground.planning.pddl import Formula, Step, Task

Status = Literal["done", "ask", "impossible", "gave_up"]


@dataclass(frozen=True, slots=True)
class Planned:
    """What a planner came to."""

    steps: tuple[Step, ...] | None
    """Those of a plan; None if there is none or none was found."""
    proven: bool = True
    """Whether there is none, where none was found: no limit of time or memory ended the search."""
    cpu_s: float = 0.0
    """Processor time of other processes that it took."""


class HousePlanner(Protocol):
    """Whatever solves planning tasks, and judges plans by what the team makes of them."""

    def plan(
        self, task: Task, graph: HouseGraph, limit_s: float, *, quick: bool = False
    ) -> Planned:
        """Return a plan, or that there is none or none was found; ``quick``: any plan will do."""
        ...


class Proposer(Protocol):
    """Proposes what might explain a failure: a language model, or the offline diagnosis."""

    def propose(
        self, failure: Failure, goal: Formula, graph: HouseGraph, failed_before: int
    ) -> list[Hypothesis]:
        """Return hypotheses, the likeliest first."""
        ...


@dataclass(slots=True)
class Report:
    """What came of a command."""

    status: Status
    message: str = ""
    goal: Formula | None = None
    calls: list[Call] = field(default_factory=list)
    """Everything that was carried out."""
    failures: list[Failure] = field(default_factory=list)
    supposed: list[str] = field(default_factory=list)
    """Hypotheses that were acted on."""
    planning_s: float = 0.0
