"""Partial order of a plan: its causal links, and what would break them.

An earlier step enables a later one when it adds a fact the later one needs, or deletes one that the later
one forbids. Conditions on the state of a resource, recognized by its name among their arguments, order
nothing beyond the outermost activity they belong to: between activities the resource is assigned anew.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from commonground.arrays import Bools
from commonground.planning.temporal.steps import ANY, Fact, TotalOrder, matches, text


class Why(StrEnum):
    """Why one step comes before another."""

    ADDS = "adds"
    """It adds what the other needs."""
    DELETES = "deletes"
    """It deletes what the other forbids."""
    PROTECTS = "protects"
    """Were it later, it would undo what a third step relies on; or the other would, were it earlier."""
    NESTS = "nests"
    """Both belong to activities one inside the other, or are start and end of one."""
    FOLLOWS = "follows"
    """Both belong to what one activity consists of, which keeps its order."""


@dataclass(frozen=True, slots=True)
class Ordering:
    """Step ``before`` comes before step ``after``."""

    before: int
    after: int
    why: Why
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class PartialOrder:
    """A plan whose steps may be made in any order that keeps the orderings."""

    plan: TotalOrder
    orderings: tuple[Ordering, ...]

    def enablers(self, step: int) -> list[Ordering]:
        """Return the causal links into a step: which steps make it possible."""
        causal = (Why.ADDS, Why.DELETES)
        return [o for o in self.orderings if o.after == step and o.why in causal]

    def explain(self, ordering: Ordering, names: Sequence[str] = ()) -> str:
        """Return an ordering in words; ``names`` calls the steps by other names than the plan does."""
        named = names or [step.name for step in self.plan.steps]
        before, after = named[ordering.before], named[ordering.after]
        fact = "" if ordering.fact is None else text(ordering.fact)
        if ordering.why is Why.ADDS:
            return f"{before} makes {fact} true, which {after} needs"
        if ordering.why is Why.DELETES:
            return f"{before} makes {fact} false, which {after} needs"
        if ordering.why is Why.PROTECTS:
            return f"{before} comes first, or {fact} would be wrong where it matters; then {after}"
        if ordering.why is Why.FOLLOWS:
            return f"{before} comes before {after} in what their action consists of"
        return f"{before} and {after} belong together"

    def reach(self) -> Bools:
        """Return (n, n): whether a step comes before another, directly or over others."""
        n = len(self.plan.steps)
        reach = np.zeros((n, n), bool)
        for o in self.orderings:
            reach[o.before, o.after] = True
        for step in range(n):  # plan order is a topological order
            direct = np.flatnonzero(reach[:step, step])
            reach[:, step] |= reach[:, direct].any(axis=1)
        return reach

    def reduced(self) -> list[tuple[int, int]]:
        """Return the orderings that do not follow from others."""
        reach = self.reach()
        pairs = sorted({(o.before, o.after) for o in self.orderings})
        return [(a, b) for a, b in pairs if not (reach[a] & reach[:, b]).any()]


def partial_order(plan: TotalOrder) -> PartialOrder:
    """Return the orderings of a plan that its facts and its nesting ask for."""
    orderings = dict.fromkeys(_nesting(plan))
    history = _History(plan)
    for step, condition, wanted in _conditions(plan):
        for fact in history.about(condition, wanted):
            confined = history.confined(step, condition)
            orderings |= dict.fromkeys(history.kept(fact, step, wanted, confined))
    return PartialOrder(plan, tuple(orderings))


def _conditions(plan: TotalOrder) -> Iterator[tuple[int, Fact, bool]]:
    """Yield (step, fact or pattern, whether it has to hold) for all steps and, at the end, the goal."""
    for number, step in enumerate(plan.steps):
        yield from ((number, fact, True) for fact in step.needs)
        yield from ((number, pattern, False) for pattern in step.forbids)
    yield from ((len(plan.steps), fact, True) for fact in plan.goal)


class _History:
    """When each fact of a plan changes."""

    def __init__(self, plan: TotalOrder) -> None:
        self._count = len(plan.steps)
        self._roots = plan.roots_of_steps()
        self._resources = plan.resource_names()
        self._changes: dict[Fact, list[tuple[int, bool]]] = {
            fact: [(-1, True)] for fact in sorted(plan.init)
        }
        for number, step in enumerate(plan.steps):
            for fact in dict.fromkeys((*step.adds, *step.deletes)):
                known = self._changes.setdefault(fact, [(-1, False)])
                known.append((number, fact in step.adds))
        self._alike: dict[tuple[str, int], list[Fact]] = {}
        for fact in self._changes:
            self._alike.setdefault((fact[0], len(fact)), []).append(fact)

    def about(self, condition: Fact, wanted: bool) -> list[Fact]:
        """Return the facts that a condition is about."""
        if ANY not in condition:
            return [condition] if condition in self._changes else []
        alike = self._alike.get((condition[0], len(condition)), [])
        found = [fact for fact in alike if matches(condition, fact)]
        if not wanted:
            return found
        # a goal with open arguments is met by one fact: the one that has held for longest at the end
        last = [(self._changes[fact][-1], fact) for fact in found]
        return [min((since, fact) for (since, holds), fact in last if holds)[1]]

    def confined(self, step: int, condition: Fact) -> int | None:
        """Return the block that a condition does not look beyond: it speaks of the block's resource."""
        if step == self._count or self._resources.isdisjoint(condition[1:]):
            return None
        return self._roots[step]

    def kept(self, fact: Fact, step: int, wanted: bool, confined: int | None) -> Iterator[Ordering]:
        """Yield what keeps a fact as a step wants it: who makes it so, and nobody undoing it between."""
        changes = self._changes_within(fact, confined)
        makers = [n for n, holds in changes if n < step and holds == wanted]
        maker = max(makers, default=-1)
        if step < self._count and maker >= 0:
            yield Ordering(maker, step, Why.ADDS if wanted else Why.DELETES, fact)
        undoers = [n for n, holds in changes if n >= 0 and holds != wanted]
        for number in undoers:
            if number < maker:
                yield Ordering(number, maker, Why.PROTECTS, fact)
            elif number > step:
                yield Ordering(step, number, Why.PROTECTS, fact)

    def _changes_within(self, fact: Fact, block: int | None) -> list[tuple[int, bool]]:
        """Return the changes of a fact at the start and by steps of one block, or of any."""
        changes = self._changes[fact]
        return [c for c in changes if block is None or c[0] < 0 or self._roots[c[0]] == block]


def _nesting(plan: TotalOrder) -> Iterator[Ordering]:
    inner: dict[int, list[int]] = {}
    for activity in plan.activities:
        yield Ordering(activity.start, activity.end, Why.NESTS)
        if activity.parent is not None:
            around = plan.activities[activity.parent]
            yield Ordering(around.start, activity.start, Why.NESTS)
            yield Ordering(activity.end, around.end, Why.NESTS)
            inner.setdefault(activity.parent, []).extend((activity.start, activity.end))
    for steps in inner.values():
        for before, after in itertools.pairwise(sorted(steps)):
            yield Ordering(before, after, Why.FOLLOWS)
