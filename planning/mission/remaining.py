"""What is left of a goal: parts that are true for good are dropped, and so are ways that are closed."""

from __future__ import annotations

from collections.abc import Callable

from commonground.planning.pddl import FALSE, TRUE, And, Atom, Formula, Not, Or, conjuncts
from commonground.planning.scene.execution import Execution, holds
from commonground.planning.scene.goal import literals
from commonground.planning.scene.vocabulary import VISITS, VOCABULARY
from commonground.scene import SceneGraph

FOR_GOOD = VISITS | {"explored-region"}
"""Once true, these stay true, as deeds do."""


def lasts(predicate: str) -> bool:
    """Return whether a fact stays true once it is."""
    return predicate in FOR_GOOD or bool(VOCABULARY[predicate].deed)


def simplified(formula: Formula, value: Callable[[Atom], bool | None]) -> Formula:
    """Return a formula in negation normal form with the atoms put in that have a value."""
    if isinstance(formula, And | Or):
        return _joined(formula, [simplified(part, value) for part in formula.parts])
    atom = formula.body if isinstance(formula, Not) else formula
    known = value(atom) if isinstance(atom, Atom) else None
    if known is None:
        return formula
    return TRUE if known is not isinstance(formula, Not) else FALSE


def _joined(formula: And | Or, inner: list[Formula]) -> Formula:
    """Return a conjunction or disjunction of simplified parts, without parts that change nothing."""
    neutral, ends = (TRUE, FALSE) if isinstance(formula, And) else (FALSE, TRUE)
    if ends in inner:
        return ends
    flat = [q for p in inner for q in (p.parts if isinstance(p, type(formula)) else (p,))]
    parts = tuple(p for p in flat if p != neutral)
    return parts[0] if len(parts) == 1 else type(formula)(parts)


def remaining(goal: Formula, done: Execution) -> Formula:
    """Return what a robot still has to do for a goal in negation normal form.

    What must not be visited stays in it, also when it is too late for that.
    """
    denied = {x.args for x in literals(goal) if not x.positive}

    def value(atom: Atom) -> bool | None:
        known = lasts(atom.predicate) and atom.args not in denied and holds(atom, done)
        return True if known else None

    return simplified(goal, value)


def parts_of(goal: Formula) -> tuple[list[Formula], list[Formula]]:
    """Return the parts of a goal in negation normal form: to be done, and to be avoided."""
    parts = [p for p in conjuncts(goal) if p != TRUE]
    to_do = [p for p in parts if p == FALSE or any(x.positive for x in literals(p))]
    return to_do, [p for p in parts if p not in to_do]


def all_of(*parts: Formula) -> Formula:
    """Return the conjunction of goals, without needless parts."""
    return simplified(And(parts), lambda _: None)


def with_what_is_there(goal: Formula, graph: SceneGraph) -> Formula:
    """Return a goal without what is asked of things that are not in the scene."""

    def value(atom: Atom) -> bool | None:
        return None if all(arg in graph for arg in atom.args) else False

    return simplified(goal, value)
