"""How many things goals are about, so that a text may say it again: ``both boxes, so two in all``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from commonground.planning.pddl import And, Atom, Formula, Not, Or, atoms


def counts_of(goals: Iterable[Formula]) -> set[int]:
    """Return how many things are joined anywhere in goals, and how many of a kind there are in all."""
    goals = list(goals)
    sizes = {size for goal in goals for size in _joined(goal)}
    every = Counter(p for p, _ in {(a.predicate, a.args) for goal in goals for a in atoms(goal)})
    return sizes | set(every.values())


def _joined(goal: Formula) -> Iterator[int]:
    if isinstance(goal, Not):
        yield from _joined(goal.body)
    if not isinstance(goal, And | Or):
        return
    yield len(goal.parts)
    yield from Counter(p.predicate for p in goal.parts if isinstance(p, Atom)).values()
    for part in goal.parts:
        yield from _joined(part)
