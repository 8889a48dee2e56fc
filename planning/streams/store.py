"""The best solution so far, and when to stop."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from commonground.errors import PlanningError
from commonground.planning.streams.certify import certify
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF, Action, Certificate, Expression, Solution
from commonground.planning.streams.normal_form import type_predicate
from commonground.planning.streams.skeleton import Bound, plain_name

_log = logging.getLogger(__name__)
REPLAN = "replan"
"""The name of the step that ends a plan whose rest is to be planned later."""


@dataclass(slots=True)
class Store:
    """Keeps the cheapest plan; every plan has been executed before it is kept."""

    knowledge: Knowledge
    deadline: float = INF
    success_cost: float = INF
    """A plan that costs less ends the search; any plan does where this is infinite."""
    max_cost: float = INF
    unit_costs: bool = False
    best: Bound | None = None

    def offer(self, bound: Bound) -> None:
        """Execute a plan, and keep it if it works and is the cheapest.

        A plan over unknown values supposes that they differ. Where a stream yields one that the plan uses
        elsewhere, it may not work: moving to a place and being away from it.
        """
        if bound.cost >= self.cost:
            return
        failure = certify(self.knowledge, bound, unit_costs=self.unit_costs)
        if failure and not bound.sampled:
            raise PlanningError(f"the plan found does not work when executed: {failure}")
        if failure:
            _log.debug("values that coincide spoil a plan: %s", failure)
        else:
            self.best = bound

    @property
    def cost(self) -> float:
        """What the best plan costs; plans must cost less."""
        return min(self.max_cost, self.best_cost)

    @property
    def best_cost(self) -> float:
        """What the best plan costs, infinite for none."""
        return self.best.cost if self.best is not None else INF

    def is_done(self) -> bool:
        found = self.best is not None and (
            self.best.cost < self.success_cost or self.success_cost == INF
        )
        return found or self.is_late()

    def is_late(self) -> bool:
        """Return whether the time is used up."""
        return time.monotonic() > self.deadline

    def solution(self) -> Solution:
        """Return the best plan over the user's values."""
        every = [self._expression(fact) for fact in self.knowledge.real]
        if self.best is None:
            return Solution(None, INF, Certificate(every, []))
        values = self.knowledge.objects.values_of
        plan = [Action(plain_name(name), values(args)) for name, args in self.best.steps]
        if self.best.replan:
            plan.append(Action(REPLAN, ()))
        used = [self._expression(fact) for fact in self.best.facts]
        known = set(self.knowledge.real)
        every += [self._expression(fact) for fact in self.best.facts if fact not in known]
        return Solution(plan, self.best.cost, Certificate(every, used))

    def _expression(self, fact: int) -> Expression:
        predicate, args = self.knowledge.facts.keys[fact]
        if predicate.startswith(type_predicate("")[:-1]):
            return (self.knowledge.objects.values[args[0]], "-", predicate[6:-1])
        return (predicate, *self.knowledge.objects.values_of(args))
