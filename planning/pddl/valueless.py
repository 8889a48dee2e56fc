"""What a problem forgot, as to ask for costs or to give the values of some, or says for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from commonground.planning.pddl.axioms import Deriver
from commonground.planning.pddl.domain import Action, Task, TypeTree
from commonground.planning.pddl.facts import Facts
from commonground.planning.pddl.formula import (
    TOTAL_COST,
    TRUE,
    Atom,
    Compare,
    Effect,
    Exists,
    Fluent,
    Formula,
    Not,
    Update,
    rebuilt,
)
from commonground.planning.pddl.logic import conjuncts, nnf
from commonground.planning.pddl.printer import to_pddl
from commonground.planning.pddl.strata import depends
from commonground.planning.pddl.substitution import substitute, substitute_effect, substitute_fluent

_MOST_STEPS = 20_000
"""Values tried for the parameters of one action: a large problem is looked at in part."""


class _Enough(Exception):
    """So many values were tried."""


class _Bounded(Facts):
    """Facts that are asked for so long only, whatever a condition makes of it."""

    steps = 0

    def _join(self, *given: Any) -> Iterator[dict[str, str]]:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _Enough
        yield from super()._join(*given)


def counting_steps(task: Task) -> Task:
    """Return a task in which nothing costs anything, so that steps are counted."""
    actions = tuple(
        replace(action, effects=tuple(e for e in action.effects if not _is_cost(e)))
        for action in task.domain.actions
    )
    problem = replace(task.problem, metric=None)
    return Task(replace(task.domain, actions=actions), problem)


def _is_cost(effect: Effect) -> bool:
    return isinstance(effect.change, Update) and effect.change.fluent == TOTAL_COST


def uncounted_costs(task: Task) -> str:
    """Return a line on costs that a problem does not ask to be small; empty if there are none."""
    costly = any(_is_cost(effect) for action in task.domain.actions for effect in action.effects)
    if task.problem.metric is not None or not costly:
        return ""
    return "steps are counted, not costs: the problem has no (:metric minimize (total-cost))"


def unused_hints(task: Task) -> str:
    """Return a line on what a problem says and nothing is made of; empty if there is nothing."""
    said = " and ".join(f"({hint} …)" for hint in task.problem.hints)
    return f"{said} of the problem is not obeyed: plans may be of any length" if said else ""


def missing_costs(task: Task) -> str:
    """Return a line on the costs without a value where an action would need one; empty if there are none."""
    found = list(dict.fromkeys(_missing(task)))
    if not found:
        return ""
    action, fluent = found[0]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    verb = "have" if more else "has"
    return f"{to_pddl(fluent)}{more} {verb} no value, so '{action}' cannot be taken there"


def _missing(task: Task) -> Iterator[tuple[str, Fluent]]:
    values = {TOTAL_COST, *dict(task.problem.values)}
    facts, changing = _lasting_facts(task)
    for action in task.domain.actions:
        allowed = _lasting(nnf(action.precondition), changing)
        for effect in action.effects:
            cost = effect.change.value if isinstance(effect.change, Update) else None
            if not isinstance(cost, Fluent) or effect.parameters:
                continue
            of = [typed for typed in action.parameters if typed.name in cost.args]
            others = tuple(typed for typed in action.parameters if typed.name not in cost.args)
            may = Exists(others, allowed) if others else allowed
            facts.steps = 0
            with suppress(_Enough):
                for binding in facts.answers(may, of):
                    fluent = substitute_fluent(cost, binding)
                    if fluent not in values and not _is_idle(action, binding):
                        yield action.name, fluent


def _lasting_facts(task: Task) -> tuple[_Bounded, frozenset[str]]:
    """Return the facts that a problem begins with, and the predicates of those that may not stay."""
    facts = _Bounded(task.problem.init, TypeTree(task.domain.types).members(task.objects))
    changing = _changing(task)
    lasting = [axiom for axiom in task.domain.axioms if axiom.head.name not in changing]
    try:
        Deriver(lasting).derive(facts)
    except _Enough:
        changing |= task.domain.derived
    return facts, changing


def _is_idle(action: Action, binding: Mapping[str, str]) -> bool:
    """Return whether an action leaves all as it was and is not missed, as a drive from a town to itself."""
    needed = conjuncts(substitute(nnf(action.precondition), binding))
    effects = [substitute_effect(e, binding) for e in action.effects if not _is_cost(e)]
    kept = {e.change for e in effects if e.change in needed}
    return all(
        e.change in kept or (isinstance(e.change, Not) and e.change.body in kept) for e in effects
    )


def _changing(task: Task) -> frozenset[str]:
    """Return the predicates whose facts do not stay as the problem begins with them."""
    changes = (effect.change for action in task.domain.actions for effect in action.effects)
    atoms = (change.body if isinstance(change, Not) else change for change in changes)
    found = frozenset(atom.predicate for atom in atoms if isinstance(atom, Atom))
    inputs = depends(task.domain.axioms)
    return found | {head for head, uses in inputs.items() if not found.isdisjoint(uses)}


def _lasting(formula: Formula, changing: frozenset[str]) -> Formula:
    """Return a formula in normal form without what may become true or false later."""
    inner = formula.body if isinstance(formula, Not) else formula
    if isinstance(inner, Compare) or (isinstance(inner, Atom) and inner.predicate in changing):
        return TRUE
    return formula if inner is not formula else rebuilt(formula, lambda x: _lasting(x, changing))
