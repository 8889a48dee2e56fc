"""Action costs: real ones as the integers Fast Downward knows, and back without losing soundness.

All costs are multiplied by one power of ten and rounded *down*, so that the planner's optimum divided by
the scale never exceeds the true one: it is a lower bound whatever the rounding does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from commonground.planning.downward.unsupported import Unsupported
from commonground.planning.pddl.domain import Action, Function, Predicate, Task, TypeTree
from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import (
    TOTAL_COST,
    Arithmetic,
    Atom,
    Effect,
    Expression,
    Fluent,
    Number,
    Update,
)
from commonground.planning.pddl.logic import assignments, conjunction, expression_terms, objects_of
from commonground.planning.pddl.printer import to_pddl
from commonground.planning.pddl.substitution import substitute_number

_LARGEST_INTEGER = 10**6
"""Of one action: heuristics of Fast Downward clamp sums at 10^8."""
_MOST_VALUES = 200_000
"""Of one arithmetic cost expression written out over its objects."""


@dataclass(frozen=True, slots=True)
class Integral:
    """A task whose costs are integers: real cost × ``scale``, rounded down."""

    task: Task
    scale: float
    exact: bool
    """Nothing was rounded."""


def with_integral_costs(task: Task) -> Integral:
    """Return the task with integer action costs."""
    metric = task.problem.metric
    if metric is None:
        return Integral(_without_costs(task), 1.0, True)
    if metric.direction != "minimize" or metric.expression != TOTAL_COST:
        raise Unsupported(f"Fast Downward minimizes (total-cost) only, not {to_pddl(metric)}")
    if dict(task.problem.values).get(TOTAL_COST, 0.0) != 0:
        raise Unsupported("Fast Downward starts with a (total-cost) of 0")
    plain = _PlainCosts(task)
    scale, exact = _scale(plain.values.values(), _constants(plain.actions))
    actions = tuple(_scaled(action, scale) for action in plain.actions)
    values = tuple((fluent, _down(value, scale)) for fluent, value in plain.values.items())
    known = tuple(
        Atom(_has(fluent), fluent.args)
        for fluent in plain.values
        if fluent.function in plain.partial
    )
    predicates = tuple(
        Predicate(_has(function), function.parameters) for function in plain.partial.values()
    )
    domain = replace(
        task.domain,
        functions=(Function(TOTAL_COST.function), *plain.functions.values()),
        predicates=(*task.domain.predicates, *predicates),
        actions=actions,
    )
    init = (*task.problem.init, *known)
    problem = replace(task.problem, init=init, values=((TOTAL_COST, 0.0), *values))
    return Integral(Task(domain, problem), scale, exact)


def cost_effects(action: Action) -> list[Effect]:
    """Return the numeric effects of an action."""
    return [effect for effect in action.effects if isinstance(effect.change, Update)]


def _without_costs(task: Task) -> Task:
    actions = tuple(
        replace(a, effects=tuple(e for e in a.effects if not isinstance(e.change, Update)))
        for a in task.domain.actions
    )
    return Task(
        replace(task.domain, functions=(), actions=actions), replace(task.problem, values=())
    )


class _PlainCosts:
    """Rewrites each action to add one constant or one function, and collects the functions' values."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.members = TypeTree(task.domain.types).members(task.objects)
        self.known: dict[str, dict[Fluent, float]] = {}
        for fluent, value in task.problem.values:
            self.known.setdefault(fluent.function, {})[fluent] = value
        self.values: dict[Fluent, float] = {}
        self.functions: dict[str, Function] = {}
        self.partial: dict[str, Function] = {}
        self.actions = tuple(map(self.action, task.domain.actions))

    def action(self, action: Action) -> Action:
        """Return the action with one simple cost; it needs a value where the function is partial."""
        cost = _total(action)
        precondition = action.precondition
        if isinstance(cost, Arithmetic):
            cost = self.written_out(cost, action)
        elif isinstance(cost, Fluent) and cost.function not in self.functions:
            declared = [f for f in self.task.domain.functions if f.name == cost.function]
            self.functions[cost.function] = declared[0] if declared else Function(cost.function)
            self.values.update(self.known.get(cost.function, {}))
        if isinstance(cost, Fluent) and self.is_partial(self.functions[cost.function]):
            precondition = conjunction([precondition, Atom(_has(cost), cost.args)])
        others = tuple(e for e in action.effects if not isinstance(e.change, Update))
        effects = (*others, Effect(Update("increase", TOTAL_COST, cost)))
        return replace(action, precondition=precondition, effects=effects)

    def is_partial(self, function: Function) -> bool:
        """Return whether a function lacks values for some objects (actions that need one cannot be taken)."""
        wanted = math.prod(len(objects_of(typed, self.members)) for typed in function.parameters)
        missing = sum(fluent.function == function.name for fluent in self.values) < wanted
        if missing:
            self.partial[function.name] = function
        return missing

    def written_out(self, cost: Arithmetic, action: Action) -> Fluent:
        """Return a new function that equals an arithmetic expression of an action's parameters."""
        used = set(expression_terms(cost))
        parameters = tuple(typed for typed in action.parameters if typed.name in used)
        count = math.prod(len(objects_of(typed, self.members)) for typed in parameters)
        if count > _MOST_VALUES:
            raise Unsupported(
                f"the cost of '{action.name}' has {count} values; give them as one function"
            )
        name = f"(cost of {action.name})"
        facts = Facts((), self.members, dict(self.task.problem.values))
        for binding in assignments(parameters, self.members):
            value = facts.number(substitute_number(cost, binding))
            if value is not None:
                if value < 0:
                    raise Unsupported(
                        f"the cost of '{action.name}' can be {value:g}, which is negative"
                    )
                self.values[Fluent(name, tuple(binding[typed.name] for typed in parameters))] = (
                    value
                )
        self.functions[name] = Function(name, parameters)
        return Fluent(name, tuple(typed.name for typed in parameters))


def _has(cost: Fluent | Function) -> str:
    return f"(has {cost.function if isinstance(cost, Fluent) else cost.name})"


def _total(action: Action) -> Expression:
    """Return what an action adds to the cost, folded to a constant where it is one."""
    parts: list[Expression] = []
    for effect in cost_effects(action):
        change = effect.change
        if (
            not isinstance(change, Update)
            or change.fluent != TOTAL_COST
            or change.operation != "increase"
        ):
            raise Unsupported(
                f"'{action.name}' changes a number: Fast Downward only adds to (total-cost)"
            )
        if effect.parameters or effect.condition != Effect(change).condition:
            raise Unsupported(f"the cost of '{action.name}' depends on a condition")
        parts.append(change.value)
    if not parts:
        return Number(0.0)
    whole = parts[0] if len(parts) == 1 else Arithmetic("+", tuple(parts))
    value = Facts((), {}).number(whole)
    if value is not None and value < 0:
        raise Unsupported(f"the cost of '{action.name}' is {value:g}, which is negative")
    return whole if value is None else Number(value)


def _constants(actions: Iterable[Action]) -> list[float]:
    changes = (e.change for a in actions for e in cost_effects(a))
    return [c.value.value for c in changes if isinstance(c, Update) and isinstance(c.value, Number)]


def _scale(values: Iterable[float], constants: list[float]) -> tuple[float, bool]:
    """Return the power of ten that makes all costs integers, or the largest that keeps them small."""
    numbers = [value for value in (*values, *constants) if value > 0]
    largest = max(numbers, default=1.0)
    scale = 1.0
    while scale * largest * 10 <= _LARGEST_INTEGER and not _integral(numbers, scale):
        scale *= 10
    if largest > _LARGEST_INTEGER:
        scale = 10.0 ** -math.ceil(math.log10(largest / _LARGEST_INTEGER))
    return scale, _integral(numbers, scale)


def _integral(numbers: list[float], scale: float) -> bool:
    return all(abs(value * scale - round(value * scale)) < 1e-6 for value in numbers)


def _down(value: float, scale: float) -> float:
    """Return the integer cost: exact where the product is one up to float error, else rounded down."""
    product = value * scale
    nearest = round(product)
    return float(nearest if abs(product - nearest) < 1e-6 else math.floor(product))


def _scaled(action: Action, scale: float) -> Action:
    def change(effect: Effect) -> Effect:
        update = effect.change
        if isinstance(update, Update) and isinstance(update.value, Number):
            return replace(
                effect, change=replace(update, value=Number(_down(update.value.value, scale)))
            )
        return effect

    return replace(action, effects=tuple(change(effect) for effect in action.effects))
