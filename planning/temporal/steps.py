"""Plans as sequences of steps with facts needed and changed; actions with a start and an end step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from commonground.errors import PlanningError

Fact = tuple[str, ...]
"""A predicate and its arguments."""
ANY = "_"
"""Stands for any argument in what a step forbids and in goals."""


@dataclass(frozen=True, slots=True)
class Step:
    """One instant of a plan: what it needs, what must not hold, what it changes."""

    name: str
    needs: tuple[Fact, ...] = ()
    forbids: tuple[Fact, ...] = ()
    adds: tuple[Fact, ...] = ()
    deletes: tuple[Fact, ...] = ()
    """Deleted before anything is added."""


@dataclass(frozen=True, slots=True)
class Activity:
    """An action that lasts: from its start step to its end step, perhaps inside another one."""

    name: str
    start: int
    """Place of the start step in the plan."""
    end: int
    shortest_s: float = 0.0
    longest_s: float = np.inf
    resources: tuple[str, ...] = ()
    """What an outermost activity uses alone from start to end, and gets assigned anew; what an inner one
    uses of that."""
    parent: int | None = None
    """The activity it is part of; the steps of such parts keep the order that they have in the plan."""


@dataclass(frozen=True, slots=True)
class TotalOrder:
    """A plan that works when its steps are made one after the other."""

    steps: tuple[Step, ...]
    activities: tuple[Activity, ...] = ()
    pools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Kind of resource → the resources that can stand in for each other."""
    init: frozenset[Fact] = frozenset()
    goal: tuple[Fact, ...] = ()

    def __post_init__(self) -> None:
        names = [name for pool in self.pools.values() for name in pool]
        if len(set(names)) < len(names):
            raise PlanningError(
                "a resource belongs to two pools; it can stand in for one kind only"
            )
        for number, activity in enumerate(self.activities):
            _check_activity(self, number, activity)
        state = set(self.init)
        for step in self.steps:
            fault = missing(step, state)
            if fault:
                raise PlanningError(f"the plan does not work: {step.name} {fault}")
            apply(step, state)
        for fact in self.goal:
            if not any(matches(fact, known) for known in state):
                raise PlanningError(f"the plan does not reach its goal: {text(fact)} does not hold")

    def root(self, activity: int) -> int:
        """Return the outermost activity around one."""
        parent = self.activities[activity].parent
        return activity if parent is None else self.root(parent)

    def roots_of_steps(self) -> list[int | None]:
        """Return for each step the outermost activity it is part of."""
        roots: list[int | None] = [None] * len(self.steps)
        for number, activity in enumerate(self.activities):
            roots[activity.start] = roots[activity.end] = self.root(number)
        return roots

    def blocks(self) -> list[int]:
        """Return the outermost activities: the units that resources are assigned to."""
        return [i for i, activity in enumerate(self.activities) if activity.parent is None]

    def pool_of(self, resource: str) -> tuple[str, ...]:
        """Return the resources that can stand in for one, itself included."""
        return next((pool for pool in self.pools.values() if resource in pool), (resource,))

    def resource_names(self) -> frozenset[str]:
        """Return the names of all resources."""
        used = (name for activity in self.activities for name in activity.resources)
        return frozenset(used).union(*self.pools.values())


def matches(pattern: Fact, fact: Fact) -> bool:
    """Return whether a fact is of a pattern, in which ``_`` stands for any argument."""
    return len(pattern) == len(fact) and all(
        p in (ANY, f) for p, f in zip(pattern, fact, strict=True)
    )


def text(fact: Fact) -> str:
    """Return a fact as it is written in Prolog."""
    return fact[0] if len(fact) == 1 else f"{fact[0]}({', '.join(fact[1:])})"


def missing(step: Step, state: Iterable[Fact]) -> str:
    """Return why a step cannot be made in a state, or an empty string."""
    known = set(state)
    for fact in step.needs:
        if fact not in known:
            return f"needs {text(fact)}"
    for pattern in step.forbids:
        for fact in _instances(pattern, known):
            return f"must not be made while {text(fact)}"
    return ""


def _instances(pattern: Fact, known: set[Fact]) -> Iterator[Fact]:
    if ANY not in pattern:
        yield from (pattern,) if pattern in known else ()
        return
    yield from (fact for fact in sorted(known) if matches(pattern, fact))


def apply(step: Step, state: set[Fact]) -> None:
    """Change a state as a step does."""
    state.difference_update(step.deletes)
    state.update(step.adds)


def _check_activity(order: TotalOrder, number: int, activity: Activity) -> None:
    count = len(order.steps)
    if not 0 <= activity.start < activity.end < count:
        raise PlanningError(
            f"{activity.name} goes from step {activity.start} to {activity.end} of {count}; "
            "it has to start before it ends"
        )
    if not 0 <= activity.shortest_s <= activity.longest_s or np.isinf(activity.shortest_s):
        raise PlanningError(
            f"{activity.name} takes {activity.shortest_s} to {activity.longest_s} s; "
            "the shortest has to be finite, not negative and not above the longest"
        )
    if activity.parent is not None:
        if not 0 <= activity.parent < number:
            raise PlanningError(
                f"{activity.name} is part of an activity that is not listed before it"
            )
        around = order.activities[activity.parent]
        if not around.start < activity.start < activity.end < around.end:
            raise PlanningError(f"{activity.name} does not lie inside {around.name}")
