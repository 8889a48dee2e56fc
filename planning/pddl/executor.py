"""Execution of sequential plans, whoever made them, with the place and reason of a failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.planning.pddl.domain import Task
from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import (
    And,
    Atom,
    Compare,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
)
from commonground.planning.pddl.logic import nnf
from commonground.planning.pddl.plan import Step
from commonground.planning.pddl.printer import number_text, to_pddl
from commonground.planning.pddl.substitution import substitute
from commonground.planning.pddl.world import StepError, World


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a plan goes wrong and why."""

    index: int
    """Of the step, from 0; the number of steps where the goal is missed."""
    step: Step | None
    """None where the goal is missed."""
    reason: str
    formula: Formula | None = None
    """The ground part of the precondition or goal that is false."""

    def __str__(self) -> str:
        where = f"step {self.index + 1} {self.step}" if self.step else "after the last step"
        return f"{where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of executing a plan."""

    valid: bool
    """Every step could be taken and the goal holds at the end."""
    cost: float
    """The problem's metric at the end, or the number of steps where there is none."""
    failure: Failure | None
    atoms: frozenset[Atom]
    """The ground atoms at the end, or where the plan failed."""
    costs: tuple[float, ...] = ()
    """The metric after each step that was taken."""


def execute(task: Task, plan: Sequence[Step]) -> Execution:
    """Execute a sequential plan from the initial state and check the goal."""
    world = World(task)
    costs: list[float] = []
    for index, step in enumerate(plan):
        failure = take(world, step, index)
        if failure is not None:
            return Execution(False, world.metric(index), failure, world.atoms(), tuple(costs))
        costs.append(world.metric(index + 1))
    failure = goal_failure(world, len(plan))
    return Execution(failure is None, world.metric(len(plan)), failure, world.atoms(), tuple(costs))


def take(world: World, step: Step, index: int = 0) -> Failure | None:
    """Take one step, or say why it cannot be taken (and leave the world as it is)."""
    try:
        action, binding = world.bind(step)
        condition = world.condition(action.precondition, binding)
        if not world.holds(condition):
            false = first_false(condition, world.facts)
            return Failure(
                index, step, f"its precondition fails: {why_false(condition, world.facts)}", false
            )
        world.commit(world.changes(action.effects, binding))
    except StepError as error:
        return Failure(index, step, str(error))
    return None


def goal_failure(world: World, index: int) -> Failure | None:
    """Return what is missing of the goal, or None where it holds."""
    goal = world.task.problem.goal
    if world.holds(goal):
        return None
    return Failure(
        index,
        None,
        f"the goal is missed: {why_false(goal, world.facts)}",
        first_false(goal, world.facts),
    )


# ---- why a formula is false ----


def first_false(formula: Formula, facts: Facts) -> Formula | None:
    """Return the smallest part that makes a closed formula false, with quantifiers instantiated."""
    if facts.holds(formula):
        return None
    if isinstance(formula, And):
        return next(first_false(part, facts) for part in formula.parts if not facts.holds(part))
    if isinstance(formula, Imply):
        return first_false(formula.right, facts)
    if isinstance(formula, Forall):
        binding = next(facts.answers(Not(formula.body), formula.parameters))
        return first_false(substitute(formula.body, binding), facts)
    if isinstance(formula, Not) and not isinstance(formula.body, Exists):
        inner = nnf(formula)
        return formula if isinstance(inner, Not) else first_false(inner, facts)
    return formula


def why_false(formula: Formula, facts: Facts) -> str:
    """Return a sentence that says what makes a closed formula false; empty where it is true."""
    part = first_false(formula, facts)
    if part is None:
        return ""
    if isinstance(part, Not):
        return f"{to_pddl(part.body)} holds but must not"
    if isinstance(part, Or):
        return (
            f"none of {', '.join(map(to_pddl, part.parts))} holds"
            if part.parts
            else "it can never hold"
        )
    if isinstance(part, Compare):
        left, right = facts.number(part.left), facts.number(part.right)
        values = " and ".join("unknown" if v is None else number_text(v) for v in (left, right))
        return f"{to_pddl(part)} does not hold: the sides are {values}"
    return f"{to_pddl(part)} does not hold"
