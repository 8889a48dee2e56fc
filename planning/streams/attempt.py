"""One attempt to plan with what is known and hoped for when streams are called so often."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from commonground.planning.streams.instances import StreamInstance
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF
from commonground.planning.streams.optimistic import Hope, Mode, Optimist, Signature
from commonground.planning.streams.retrace import Outline, Retracer
from commonground.planning.streams.search import SOON, Found, Limits, Prices, find_plan
from commonground.planning.streams.snapshot import Snapshot
from commonground.planning.streams.task import Operator


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How the plans of finite tasks are searched."""

    unit_costs: bool = False
    effort_weight: float | None = None
    """What a second of streams costs compared to actions; by default only ties are broken by effort."""
    max_planner_time_s: float = INF
    improve: float = 20.0
    """How many times the evaluations of the first plan may be spent on a better one."""
    max_effort: float = INF


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of an attempt."""

    outline: Outline | None
    evaluations: int
    next_level: float
    """The least level at which there is more to plan with; infinite where there is nothing more."""
    complete: bool
    """There is no plan whatever the streams left out yield."""


@dataclass(slots=True)
class _Searches:
    """The searches of one attempt."""

    planner: Planner
    max_cost: float
    deadline: float
    evaluations: int = 0
    next_level: float = INF
    complete: bool = True

    def run(
        self, level: int, mode: Mode, depth: int, only: frozenset[Signature] | None = None
    ) -> Outline | None:
        """Search with what can be hoped for."""
        hope = self.planner.optimist.hope(
            level, mode, only=only, max_depth=depth, deadline=self.deadline
        )
        outline, found = self.planner.search(hope, self.max_cost, self.deadline)
        self.evaluations += found.evaluations
        self.next_level = min(self.next_level, hope.next_level)
        self.complete &= found.complete and not hope.truncated
        return outline


class Planner:
    """Makes attempts; what was ground and made up is kept between them."""

    def __init__(
        self, knowledge: Knowledge, options: SearchOptions, failed: Iterable[StreamInstance]
    ) -> None:
        self.knowledge, self.options, self.failed = knowledge, options, failed
        self.optimist = Optimist(knowledge)

    def attempt(self, level: int, max_cost: float, deadline: float) -> Attempt:
        """Plan with shared placeholders, then with unique ones for what the plan relies on.

        Where that does not work out, plan with unique placeholders for everything, and at last with
        streams that happen to yield what the goal names.
        """
        self.knowledge.reveal(level)
        search = _Searches(self, max_cost, deadline)
        outline = self._outline(level, search, named=False)
        if outline is None and self.knowledge.model.named:
            outline = self._outline(level, search, named=True)
        growing = min(search.next_level, self.knowledge.next_hidden() or INF)
        complete = search.complete and growing == INF
        return Attempt(outline, search.evaluations, growing, complete)

    def _outline(self, level: int, search: _Searches, *, named: bool) -> Outline | None:
        deep = len(self.knowledge.model.streams) + 1 + level
        shared, unique = Mode(True, named), Mode(False, named)
        outline = search.run(level, shared, deep)
        if outline is not None and not outline.is_consistent(self.knowledge):
            only = outline.signatures(self.knowledge)
            outline = search.run(level, unique, len(outline.needs) + 1, only)
        return outline if outline is not None else search.run(level, unique, deep)

    def attempt_with_real_facts(self, max_cost: float, deadline: float) -> Attempt:
        """Plan with what streams have certified already; tests may still have to be asked."""
        hope = self.optimist.hope(0, Mode(True, only_tests=True), deadline=deadline)
        outline, found = self.search(hope, max_cost, deadline, evaluate=True)
        return Attempt(outline, found.evaluations, INF, found.complete)

    def search(
        self, hope: Hope, max_cost: float, deadline: float, *, evaluate: bool = False
    ) -> tuple[Outline | None, Found]:
        """Plan with what is known and hoped for."""
        options = self.options
        snapshot = Snapshot(self.knowledge, hope, options.unit_costs, evaluate, self.failed)
        task = snapshot.task()
        until = min(deadline, time.monotonic() + options.max_planner_time_s)
        limits = Limits(until, max_cost=max_cost)
        found = find_plan(task, limits, self._prices(task.operators), options.improve)
        if found.operators is None:
            return None, found
        return Retracer(self.knowledge, hope, snapshot, task).retrace(found.operators), found

    def _prices(self, operators: list[Operator]) -> Prices:
        """Return what better plans minimize: cost, then steps and effort."""
        costs = [operator.cost for operator in operators if operator.cost > 0]
        step = 1e-3 * sum(costs) / len(costs) if costs else 1.0
        weight = self.options.effort_weight
        return Prices(step, step * SOON.effort if weight is None else weight)
