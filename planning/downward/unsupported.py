"""Error for what Fast Downward cannot be asked."""

from __future__ import annotations

from commonground.planning.pddl.domain import Task
from commonground.planning.pddl.formula import Formula
from commonground.planning.pddl.logic import comparisons
from commonground.planning.pddl.printer import to_pddl


class Unsupported(Exception):
    """The task needs something that Fast Downward does not have; the message says what."""


def require_classical(task: Task) -> None:
    """Raise Unsupported for conditions on numbers."""
    for action in task.domain.actions:
        _require_boolean(action.precondition, f"the precondition of '{action.name}'")
        for effect in action.effects:
            _require_boolean(effect.condition, f"an effect of '{action.name}'")
    for axiom in task.domain.axioms:
        _require_boolean(axiom.body, f"the axiom of '{axiom.head.name}'")
    _require_boolean(task.problem.goal, "the goal")


def _require_boolean(formula: Formula, where: str) -> None:
    found = next(comparisons(formula), None)
    if found is not None:
        raise Unsupported(
            f"Fast Downward has no conditions on numbers: {to_pddl(found)} in {where}"
        )
