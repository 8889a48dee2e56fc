"""The state of a task that actions change: ground atoms, numbers, and what axioms derive from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from commonground.errors import did_you_mean
from commonground.planning.pddl.axioms import Deriver
from commonground.planning.pddl.domain import Action, Task, TypeTree
from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import (
    TOTAL_COST,
    TRUE,
    Atom,
    Effect,
    Fluent,
    Formula,
    Number,
    Update,
)
from commonground.planning.pddl.plan import Step
from commonground.planning.pddl.printer import to_pddl
from commonground.planning.pddl.source import plural
from commonground.planning.pddl.substitution import substitute, substitute_effect


class StepError(Exception):
    """A step that cannot be taken; the message is the reason."""


@dataclass(slots=True)
class Changes:
    """What ground effects do to a state, before they do it."""

    adds: set[Atom] = field(default_factory=set)
    deletes: set[Atom] = field(default_factory=set)
    numbers: dict[Fluent, float] = field(default_factory=dict)


class World:
    """A mutable state of a task.

    Conditions of effects are evaluated before any change, and what is both added and deleted is there
    afterwards, as PDDL says. Derived atoms are recomputed where a predicate they depend on changed.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.members = TypeTree(task.domain.types).members(task.objects)
        self.known = {typed.name for typed in task.objects}
        self.actions = {action.name: action for action in task.domain.actions}
        self.derived = task.domain.derived
        self.facts = Facts(
            task.problem.init, self.members, {TOTAL_COST: 0.0, **dict(task.problem.values)}
        )
        self.deriver = Deriver(task.domain.axioms)
        self.deriver.derive(self.facts)

    @property
    def numbers(self) -> dict[Fluent, float]:
        """The values of the numeric functions."""
        return dict(self.facts.numbers)

    def atoms(self) -> frozenset[Atom]:
        """Return the ground atoms that hold, without the derived ones."""
        return frozenset(atom for atom in self.facts.atoms() if atom.predicate not in self.derived)

    def holds(self, formula: Formula) -> bool:
        """Return whether a closed formula is true."""
        return self.facts.holds(formula)

    # ---- steps --------------------------------------------------------------------------------

    def bind(self, step: Step) -> tuple[Action, dict[str, str]]:
        """Return the action of a step and the objects of its parameters, or raise StepError."""
        action = self.actions.get(step.action)
        if action is None:
            raise StepError(
                f"there is no action '{step.action}'.{did_you_mean(step.action, self.actions)}"
            )
        wanted = action.parameters
        if len(step.args) != len(wanted):
            takes = plural(len(wanted), "argument")
            raise StepError(f"'{step.action}' takes {takes}, not {len(step.args)}")
        for term, typed in zip(step.args, wanted, strict=True):
            if term not in self.known:
                raise StepError(f"there is no object '{term}'.{did_you_mean(term, self.known)}")
            if not self.facts.is_a(term, typed):
                raise StepError(f"'{term}' is not a {' or '.join(typed.types)}")
        return action, {typed.name: term for typed, term in zip(wanted, step.args, strict=True)}

    def changes(self, effects: Sequence[Effect], binding: dict[str, str]) -> Changes:
        """Return what the effects of an action do in this state."""
        found = Changes()
        for lifted in effects:
            for effect in self._instances(substitute_effect(lifted, binding)):
                self._collect(effect, found)
        return found

    def _instances(self, effect: Effect) -> list[Effect]:
        if not effect.parameters:
            return [effect] if effect.condition == TRUE or self.holds(effect.condition) else []
        bare = Effect(effect.change)
        return [
            substitute_effect(bare, b)
            for b in self.facts.answers(effect.condition, effect.parameters)
        ]

    def _collect(self, effect: Effect, found: Changes) -> None:
        change = effect.change
        if isinstance(change, Atom):
            found.adds.add(change)
        elif isinstance(change, Update):
            found.numbers[change.fluent] = self._updated(change, found)
        elif isinstance(change.body, Atom):
            found.deletes.add(change.body)

    def _updated(self, change: Update, found: Changes) -> float:
        value = self.facts.number(change.value)
        if value is None:
            raise StepError(f"{to_pddl(change.value)} has no value")
        if change.fluent == TOTAL_COST and change.operation == "increase" and value < 0:
            raise StepError(f"its cost {to_pddl(change.value)} = {value:g} is negative")
        if change.operation == "assign":
            return value
        old = found.numbers.get(change.fluent, self.facts.number(change.fluent))
        if old is None:
            raise StepError(f"{to_pddl(change.fluent)} has no value to {change.operation}")
        if change.operation == "scale-down" and value == 0:
            raise StepError(f"{to_pddl(change.fluent)} is divided by 0")
        return {
            "increase": old + value,
            "decrease": old - value,
            "scale-up": old * value,
            "scale-down": old / value if value else old,
        }[change.operation]

    def commit(self, changes: Changes) -> None:
        """Make changes happen and derive what follows from them."""
        touched = set()
        for atom in changes.deletes - changes.adds:
            if self.facts.discard(atom.predicate, atom.args):
                touched.add(atom.predicate)
        for atom in changes.adds:
            if self.facts.add(atom.predicate, atom.args):
                touched.add(atom.predicate)
        self.facts.numbers = {**self.facts.numbers, **changes.numbers}
        if touched and self.derived:
            self.deriver.derive(self.facts, touched)

    def condition(self, formula: Formula, binding: dict[str, str]) -> Formula:
        """Return a formula of an action for the objects of a step."""
        return substitute(formula, binding)

    def metric(self, steps: int) -> float:
        """Return the value of the problem's metric, or the number of steps where it has none."""
        metric = self.task.problem.metric
        if metric is None:
            return float(steps)
        if isinstance(metric.expression, Number):
            return metric.expression.value
        facts = Facts((), {}, self.facts.numbers)
        value = facts.number(metric.expression)
        return float("nan") if value is None else value
