"""Action costs: real ones as the integers Fast Downward knows, and back without losing soundness.

All costs are multiplied by one power of ten and rounded *down*, so that the planner's optimum divided by
the scale never exceeds the true one: it is a lower bound whatever the rounding does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
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
    if metric is not None:
        if metric.direction != "minimize" or metric.expression != TOTAL_COST:
            raise Unsupported(f"Fast Downward minimizes (total-cost) only, not {to_pddl(metric)}")
        if dict(task.problem.values).get(TOTAL_COST, 0.0) != 0:
            raise Unsupported("Fast Downward starts with a (total-cost) of 0")
    plain = _PlainCosts(task)
    scale, exact = _scale(plain.values.values(), _constants(plain.actions))
    actions = tuple(_scaled(action, scale) for action in plain.actions)
    values = tuple((fluent, _down(value, scale)) for fluent, value in plain.values.items())
    has = tuple(Atom(_has(f), f.args) for name in plain.partial for f in plain.known[name])
    predicates = tuple(
        Predicate(_has(function), function.parameters) for function in plain.partial.values()
    )
    domain = replace(
        task.domain,
        functions=(Function(TOTAL_COST.function), *plain.functions.values()) if metric else (),
        predicates=(*task.domain.predicates, *predicates),
        actions=actions,
    )
    init = (*task.problem.init, *has)
    problem = replace(
        task.problem, init=init, values=((TOTAL_COST, 0.0), *values) if metric else ()
    )
    return Integral(Task(domain, problem), scale, exact)


def number_effects(action: Action) -> Iterator[tuple[Effect, Update]]:
    for effect in action.effects:
        if isinstance(effect.change, Update):
            yield effect, effect.change


class _PlainCosts:
    """Rewrites each action to add one constant or one function, and collects the functions' values.

    No condition asks for a number, so that effects on numbers which no cost reads are left out. Without a
    metric that goes for all of them.
    """

    def __init__(self, task: Task) -> None:
        self.counted = task.problem.metric is not None
        self.declared = {function.name: function for function in task.domain.functions}
        self.members = TypeTree(task.domain.types).members(task.objects)
        self.numbers = dict(task.problem.values)
        self.known: dict[str, dict[Fluent, float]] = {}
        for fluent, value in self.numbers.items():
            self.known.setdefault(fluent.function, {})[fluent] = value
        changes = [u for action in task.domain.actions for _, u in number_effects(action)]
        self.changed = {u.fluent.function for u in changes}
        self.assigned = {u.fluent.function for u in changes if u.operation == "assign"}
        self.values: dict[Fluent, float] = {}
        self.functions: dict[str, Function] = {}
        self.partial: dict[str, Function] = {}
        self.actions = tuple(map(self.action, task.domain.actions))

    def action(self, action: Action) -> Action:
        """Return the action with one simple cost; it needs a value where a function is partial."""
        needs = dict.fromkeys(
            fluent for found in number_effects(action) for fluent in self.needed(*found, action)
        )
        effects = [effect for effect in action.effects if not isinstance(effect.change, Update)]
        if self.counted:
            cost = self.simple(_total(action), action)
            needs |= {cost: None} if isinstance(cost, Fluent) and self.is_partial(cost) else {}
            effects.append(Effect(Update("increase", TOTAL_COST, cost)))
        guards = [Atom(_has(fluent), fluent.args) for fluent in needs]
        precondition = (
            conjunction([action.precondition, *guards]) if guards else action.precondition
        )
        return replace(action, precondition=precondition, effects=tuple(effects))

    def needed(self, effect: Effect, change: Update, action: Action) -> Iterator[Fluent]:
        """Yield what an effect on a number needs and not all objects have a value of."""
        for fluent in (
            *_read(change.value),
            *([change.fluent] if change.operation != "assign" else ()),
        ):
            if fluent == TOTAL_COST or not self.is_partial(fluent):
                continue
            if effect != Effect(change) or fluent.function in self.assigned:
                raise Unsupported(
                    f"'{action.name}' changes a number by {to_pddl(fluent)}, and some have no value"
                )
            yield fluent

    def simple(self, cost: Expression, action: Action) -> Number | Fluent:
        """Return a cost as a constant or a function whose values are kept."""
        changing = next((f for f in _read(cost) if f.function in self.changed), None)
        if changing is not None:
            raise Unsupported(
                f"the cost of '{action.name}' is {to_pddl(changing)}, which actions change"
            )
        if isinstance(cost, Arithmetic):
            return self.written_out(cost, action)
        if isinstance(cost, Fluent):
            self.functions[cost.function] = self.declared.get(
                cost.function, Function(cost.function)
            )
            self.values |= self.known.setdefault(cost.function, {})
        return cost

    def is_partial(self, fluent: Fluent) -> bool:
        """Return whether a function lacks values for some objects (actions that need one cannot be taken)."""
        function = self.functions.get(fluent.function) or self.declared[fluent.function]
        wanted = math.prod(len(objects_of(typed, self.members)) for typed in function.parameters)
        missing = len(self.known.setdefault(function.name, {})) < wanted
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
        facts = Facts((), self.members, self.numbers)
        known = self.known[name] = {}
        for binding in assignments(parameters, self.members):
            value = facts.number(substitute_number(cost, binding))
            if value is not None:
                if value < 0:
                    raise Unsupported(
                        f"the cost of '{action.name}' can be {value:g}, which is negative"
                    )
                known[Fluent(name, tuple(binding[typed.name] for typed in parameters))] = value
        self.values |= known
        self.functions[name] = Function(name, parameters)
        return Fluent(name, tuple(typed.name for typed in parameters))


def _has(cost: Fluent | Function) -> str:
    return f"(has {cost.function if isinstance(cost, Fluent) else cost.name})"


def _read(value: Expression) -> Iterator[Fluent]:
    if isinstance(value, Fluent):
        yield value
    elif isinstance(value, Arithmetic):
        for part in value.parts:
            yield from _read(part)


def _total(action: Action) -> Expression:
    """Return what an action adds to the cost, folded to a constant where it is one."""
    parts: list[Expression] = []
    for effect, change in number_effects(action):
        if change.fluent != TOTAL_COST:
            continue
        if change.operation != "increase":
            raise Unsupported(
                f"'{action.name}' changes its cost: Fast Downward only adds to (total-cost)"
            )
        if effect != Effect(change):
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
    changes = (change for action in actions for _, change in number_effects(action))
    return [change.value.value for change in changes if isinstance(change.value, Number)]


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
