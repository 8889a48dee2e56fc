"""Certificate of a stream plan: executed as plain PDDL by the executor that knows nothing of streams."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from commonground.planning.pddl.domain import Action, Domain, Metric, Problem, Task
from commonground.planning.pddl.executor import execute
from commonground.planning.pddl.formula import (
    TOTAL_COST,
    Atom,
    Effect,
    Fluent,
    Formula,
    Typed,
    Update,
)
from commonground.planning.pddl.plan import Step
from commonground.planning.pddl.substitution import substitute, substitute_effect
from commonground.planning.streams.grounder import FactKey
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.skeleton import Bound

_TYPE = "(type "


def certify(knowledge: Knowledge, bound: Bound, *, unit_costs: bool = False) -> str:
    """Execute a plan on the certified facts; return why it does not work, nothing where it does.

    The goal is not asked of a prefix whose rest is to be planned later.
    """
    task = as_task(knowledge, bound.facts, with_goal=not bound.replan, unit_costs=unit_costs)
    plan = [Step(name, tuple(f"@{number}" for number in args)) for name, args in bound.steps]
    done = execute(task, plan)
    if not done.valid:
        return str(done.failure)
    if not math.isclose(done.cost, bound.cost, rel_tol=1e-6, abs_tol=1e-6):
        return f"it costs {done.cost:g}, not {bound.cost:g}"
    return ""


def as_task(
    knowledge: Knowledge, facts: Iterable[int], *, with_goal: bool = True, unit_costs: bool = False
) -> Task:
    """Return the real facts, and some more, as a PDDL task; object n is named ``@n``."""
    objects, init = _objects_and_atoms(knowledge, facts)
    values = tuple((_fluent(key), value) for key, value in knowledge.function_values.items())
    model = knowledge.model
    names = {
        name: f"@{number}" for name, number in model.constants.items() if not name.startswith("@")
    }
    actions = model.domain.actions
    if unit_costs:  # functions may have no value
        actions = tuple(_without_costs(action) for action in actions)
    domain = replace(model.domain, constants=(), actions=actions)
    goal: Formula = model.goal if with_goal else Problem("p", "d").goal
    metric = None if unit_costs else Metric("minimize", TOTAL_COST)
    problem = Problem("p", domain.name, objects, init, values, goal, metric)
    return with_names(Task(domain, problem), names)


def _objects_and_atoms(
    knowledge: Knowledge, facts: Iterable[int]
) -> tuple[tuple[Typed, ...], tuple[Atom, ...]]:
    """Return the typed real objects, and the atoms of the real facts and some more."""
    types: dict[int, list[str]] = {}
    init: list[Atom] = []
    for fact in dict.fromkeys((*knowledge.real, *facts)):
        predicate, args = knowledge.facts.keys[fact]
        if predicate.startswith(_TYPE):
            types.setdefault(args[0], []).append(predicate[len(_TYPE) : -1])
        else:
            init.append(Atom(predicate, tuple(f"@{number}" for number in args)))
    objects = tuple(
        Typed(f"@{number}", tuple(types.get(number, ())) or ("object",))
        for number in range(len(knowledge.objects))
        if knowledge.objects.placeholder[number] is None
    )
    return objects, tuple(init)


def _fluent(key: FactKey) -> Fluent:
    return Fluent(key[0], tuple(f"@{number}" for number in key[1]))


def _without_costs(action: Action) -> Action:
    effects = tuple(effect for effect in action.effects if not isinstance(effect.change, Update))
    return replace(action, effects=effects)


def with_names(task: Task, names: dict[str, str]) -> Task:
    """Return the task with its constants renamed to the objects they stand for."""
    if not names:
        return task

    return Task(renamed_domain(task.domain, names), task.problem)


def renamed_domain(domain: Domain, names: Mapping[str, str]) -> Domain:
    """Return a domain with objects named in its conditions and effects replaced."""
    actions = tuple(_renamed(a, names) for a in domain.actions)
    axioms = tuple(replace(axiom, body=substitute(axiom.body, names)) for axiom in domain.axioms)
    return replace(domain, actions=actions, axioms=axioms)


def _renamed(action: Action, names: Mapping[str, str]) -> Action:
    effects: tuple[Effect, ...] = tuple(
        substitute_effect(effect, names) for effect in action.effects
    )
    return replace(action, precondition=substitute(action.precondition, names), effects=effects)
