"""Tasks as text that Fast Downward reads, and its plans as steps of the task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from commonground.planning.downward.compile_axioms import (
    GOAL_ACTION,
    evaluate_static_axioms,
    unfold_recursive_quantifiers,
    without_axioms,
)
from commonground.planning.downward.costs import with_integral_costs
from commonground.planning.downward.names import Renaming
from commonground.planning.downward.unsupported import require_classical
from commonground.planning.pddl.domain import Task
from commonground.planning.pddl.plan import Step
from commonground.planning.pddl.printer import to_pddl


@dataclass(frozen=True, slots=True)
class Encoded:
    """What is sent to Fast Downward, and what is needed to read its answer."""

    domain: str
    problem: str
    scale: float
    """Fast Downward's integer costs are real ones × scale, rounded down."""
    renaming: Renaming

    def steps(self, plan: str) -> tuple[Step, ...]:
        """Return the steps of a plan as Fast Downward writes it."""
        return tuple(self._steps(plan.splitlines()))

    def _steps(self, lines: Iterable[str]) -> Iterable[Step]:
        for line in lines:
            if line.strip() and not line.startswith(";"):
                step = self.renaming.step(line)
                if not step.action.startswith(GOAL_ACTION):
                    yield step


def encode(task: Task, *, informed: bool, compile_limit: int) -> Encoded:
    """Return a task as text for Fast Downward; ``informed`` asks to do without axioms where possible.

    Raises Unsupported for what Fast Downward cannot plan with.
    """
    require_classical(task)
    integral = with_integral_costs(evaluate_static_axioms(task) if task.domain.axioms else task)
    prepared = integral.task
    if informed:
        prepared = without_axioms(prepared, compile_limit) or prepared
    if prepared.domain.axioms:
        prepared = unfold_recursive_quantifiers(prepared)
    renaming = Renaming(prepared)
    text = renaming.task
    return Encoded(to_pddl(text.domain), to_pddl(text.problem), integral.scale, renaming)
