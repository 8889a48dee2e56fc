"""One planning attempt with what is known and what streams called so often may still yield."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from commonground.planning.streams.impossible import is_impossible
from commonground.planning.streams.instances import StreamInstance
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF
from commonground.planning.streams.optimistic import Hope, Mode, Optimist, Signature
from commonground.planning.streams.options import Options
from commonground.planning.streams.retrace import Outline, Retracer
from commonground.planning.streams.search import SOON, Found, Limits, Prices, find_plan
from commonground.planning.streams.snapshot import Snapshot
from commonground.planning.streams.task import Operator


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of an attempt."""

    outline: Outline | None
    evaluations: int
    next_level: float
    """The least level at which there is more to plan with; infinite where there is nothing more."""
    none: bool
    """It is certain that there is no plan: whatever the streams yield, or with the real facts alone."""


IMPROVE = 20.0
"""How many times the evaluations of the first plan may be spent on a better one."""
_MOST_INSTANCES = 4000
_MOST_ASKED = 100_000
"""Of streams that see the state, whose inputs are all known."""
_SPARE_EVALUATIONS = 100
_SPARE_INSTANCES = 300
"""What less likely ways to plan may take, times one more than the level, while the level can be raised."""


@dataclass(slots=True)
class _Searches:
    """The searches of one attempt."""

    planner: Planner
    max_cost: float
    deadline: float
    evaluations: int = 0
    next_level: float = INF

    def run(
        self, level: int, mode: Mode, depth: int, only: frozenset[Signature] | None = None
    ) -> Outline | None:
        """Search with what can be hoped for, the longer the less there is to do otherwise."""
        last = self.next_level == INF
        hope = self.planner.optimist.hope(
            level,
            mode,
            only=only,
            max_depth=depth,
            max_instances=_MOST_INSTANCES if last else _SPARE_INSTANCES * (1 + level),
            deadline=self.deadline,
        )
        most = INF if last else _SPARE_EVALUATIONS * (1 + level)
        outline, found = self.planner.search(hope, Limits(self.deadline, most, self.max_cost))
        self.evaluations += found.evaluations
        self.next_level = min(self.next_level, hope.next_level)
        return outline


class Planner:
    """Makes attempts; what was ground and made up is kept between them."""

    def __init__(
        self,
        knowledge: Knowledge,
        options: Options,
        improve: float = IMPROVE,
        *,
        proves: bool = True,
    ) -> None:
        self.knowledge, self.options, self.improve = knowledge, options, improve
        self.failed: dict[StreamInstance, None] = {}
        self.optimist = Optimist(knowledge)
        self.evaluations = 0
        """Made by all searches so far."""
        self._impossible: bool | None = None if proves else False

    def attempt(self, level: int, max_cost: float, deadline: float) -> Attempt:
        """Plan with shared placeholders, then with unique ones for what the plan relies on.

        Where that does not work out, plan with unique placeholders for everything, and at last with
        streams that happen to yield what the goal names; unless it is proven that there is no plan.
        """
        self.knowledge.reveal(level)
        search = _Searches(self, max_cost, deadline)
        outline = self._outline(level, search, named=False)
        if outline is None and self.knowledge.model.named and not self._impossible:
            outline = self._outline(level, search, named=True)
        growing = min(search.next_level, self.knowledge.next_hidden() or INF)
        return Attempt(outline, search.evaluations, growing, outline is None and self.is_hopeless())

    def _outline(self, level: int, search: _Searches, *, named: bool) -> Outline | None:
        deep = len(self.knowledge.model.streams) + 1 + level
        shared, unique = Mode(True, named), Mode(False, named)
        outline = search.run(level, shared, deep)
        if outline is None and self.is_hopeless():
            return None
        if outline is not None and not outline.is_consistent(self.knowledge):
            only = outline.signatures(self.knowledge)
            outline = search.run(level, unique, len(outline.needs) + 1, only)
        return outline if outline is not None else search.run(level, unique, deep)

    def is_hopeless(self) -> bool:
        """Try once to prove that there is no plan whatever the streams yield."""
        if self._impossible is None:
            self._impossible = is_impossible(self.knowledge)
        return self._impossible

    def attempt_with_real_facts(self, max_cost: float, deadline: float) -> Attempt:
        """Plan with what streams have certified already; tests may still have to be asked."""
        shared = not self.knowledge.model.sees_states
        mode = Mode(shared, only_tests=True)
        hope = self.optimist.hope(0, mode, max_instances=_MOST_ASKED, deadline=deadline)
        outline, found = self.search(hope, Limits(deadline, max_cost=max_cost), evaluate=True)
        return Attempt(outline, found.evaluations, INF, found.complete)

    def search(
        self, hope: Hope, limits: Limits, *, evaluate: bool = False
    ) -> tuple[Outline | None, Found]:
        """Plan with what is known and hoped for."""
        options = self.options
        snapshot = Snapshot(self.knowledge, hope, options.unit_costs, evaluate, self.failed)
        task = snapshot.task()
        until = min(limits.deadline, time.monotonic() + options.max_planner_time)
        limits = replace(limits, deadline=until)
        found = find_plan(task, limits, self._prices(task.operators), self.improve)
        self.evaluations += found.evaluations
        if found.operators is None:
            return None, found
        return Retracer(self.knowledge, hope, snapshot, task).retrace(found.operators), found

    def _prices(self, operators: list[Operator]) -> Prices:
        """Return what better plans minimize: cost, then steps and effort."""
        costs = [operator.cost for operator in operators if operator.cost > 0]
        step = 1e-3 * sum(costs) / len(costs) if costs else 1.0
        weight = self.options.effort_weight
        return Prices(step, step * SOON.effort if weight is None else weight)
