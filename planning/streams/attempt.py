"""One attempt to plan with what is known and hoped for when streams are called so often."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from commonground.planning.streams.instances import StreamInstance
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF
from commonground.planning.streams.optimistic import Hope, Optimist
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


class Planner:
    """Makes attempts; what was ground and made up is kept between them."""

    def __init__(
        self, knowledge: Knowledge, options: SearchOptions, failed: Iterable[StreamInstance]
    ) -> None:
        self.knowledge, self.options, self.failed = knowledge, options, failed
        self.optimist = Optimist(knowledge)

    def attempt(self, level: int, max_cost: float, deadline: float) -> Attempt:
        """Plan with shared placeholders, then with unique ones for what the plan relies on.

        Where that does not work out, plan with unique placeholders for everything.
        """
        self.knowledge.reveal(level)
        hope = self.optimist.hope(level, shared=True)
        outline, first = self._search(hope, max_cost, deadline)
        evaluations = first.evaluations
        if outline is not None:
            if outline.is_consistent(self.knowledge):
                return Attempt(outline, evaluations, hope.next_level, False)
            only, depth = outline.signatures(self.knowledge), len(outline.needs) + 1
            refined = self.optimist.hope(level, shared=False, only=only, max_depth=depth)
            outline, found = self._search(refined, max_cost, deadline)
            evaluations += found.evaluations
            if outline is not None:
                return Attempt(outline, evaluations, hope.next_level, False)
        unique = self.optimist.hope(
            level, shared=False, max_depth=len(self.knowledge.model.streams) + 1
        )
        outline, last = self._search(unique, max_cost, deadline)
        growing = min(hope.next_level, unique.next_level, self.knowledge.next_hidden() or INF)
        complete = first.complete and last.complete and not unique.truncated and growing == INF
        return Attempt(outline, evaluations + last.evaluations, growing, complete)

    def attempt_with_real_facts(self, max_cost: float, deadline: float) -> Attempt:
        """Plan with what streams have certified already."""
        outline, found = self._search(Hope(0), max_cost, deadline, evaluate=True)
        return Attempt(outline, found.evaluations, INF, found.complete)

    def _search(
        self, hope: Hope, max_cost: float, deadline: float, *, evaluate: bool = False
    ) -> tuple[Outline | None, Found]:
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
