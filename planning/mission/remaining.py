"""What is left of a goal: parts that are true for good are dropped, and so are ways that are closed."""

from __future__ import annotations

from commonground.planning.pddl import FALSE, TRUE, And, Atom, Formula, conjuncts
from commonground.planning.pddl.simplified import simplified
from commonground.planning.scene.execution import Execution, holds
from commonground.planning.scene.goal import literals
from commonground.planning.scene.vocabulary import VISITS, VOCABULARY

FOR_GOOD = VISITS | {"explored-region"}
"""Once true, these stay true, as deeds do."""


def lasts(predicate: str) -> bool:
    """Return whether a fact stays true once it is."""
    return predicate in FOR_GOOD or bool(VOCABULARY[predicate].deed)


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
