"""Plan search in a finite task: greedy first, then better plans with A*."""

from __future__ import annotations

import heapq
import itertools
import time
from dataclasses import dataclass

from commonground.planning.streams.instances import DEFAULT_OVERHEAD_S
from commonground.planning.streams.language import INF
from commonground.planning.streams.relaxed import Estimate, Relaxation
from commonground.planning.streams.task import Operator, SearchTask, View

_BOOST = 1000
"""How many steps the queue of preferred operators is favored after progress (Richter and Helmert 2009)."""


_WEIGHT = 1.3
"""Of the heuristic in A*: near-optimal plans with far fewer evaluations than with 1."""
_MOST_TO_IMPROVE = 1500
"""Evaluations spent on a better plan than the first."""


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of one search."""

    operators: tuple[Operator, ...] | None
    """A plan, its goal last; None where there is none."""
    cost: float
    complete: bool
    """Every state that matters was examined: without a plan there is none below the cost bound."""
    evaluations: int


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up."""

    deadline: float = INF
    """In monotonic seconds."""
    evaluations: float = INF
    max_cost: float = INF
    """Plans must cost less."""

    def exceeded(self, evaluations: int) -> bool:
        """Return whether it is time to give up."""
        return evaluations >= self.evaluations or time.monotonic() > self.deadline


@dataclass(frozen=True, slots=True)
class Prices:
    """What plans are chosen by: actual costs, the number of steps, and the calls of streams."""

    step: float
    effort: float
    """Of a second of streams."""
    cost: float = 1.0

    def of(self, operator: Operator) -> float:
        """Return the price of an operator."""
        return self.cost * operator.cost + self.effort * operator.effort + self.step

    def relaxation(self, task: SearchTask) -> Relaxation:
        """Return the relaxed task with these prices."""
        return Relaxation(task, [self.of(operator) for operator in task.operators], self.effort)


SOON = Prices(step=1.0, effort=0.1 / DEFAULT_OVERHEAD_S, cost=0.0)
"""Any plan, soon: few steps, and a tenth of one for each call of a stream."""


def find_plan(task: SearchTask, limits: Limits, prices: Prices, improve: float = 20.0) -> Found:
    """Return a plan: the greedy one, or a better one found with ``improve`` times its evaluations.

    The greedy search comes to each state but once, perhaps at too high a cost; then it says nothing.
    """
    first = _Greedy(task, limits).run()
    none = first.operators is None
    if none and (limits.max_cost == INF or limits.exceeded(first.evaluations)):
        return first
    if improve <= 0 and first.operators is not None:
        short = without_needless_steps(task, first.operators)
        return Found(short, sum(operator.cost for operator in short), False, first.evaluations)
    budget = min(limits.evaluations, _MOST_TO_IMPROVE, 200 + improve * first.evaluations)
    better = best_first(task, Limits(limits.deadline, budget, limits.max_cost), prices)
    evaluations = first.evaluations + better.evaluations
    if better.operators is not None or first.operators is None:
        return Found(better.operators, better.cost, False, evaluations)
    short = without_needless_steps(task, first.operators)
    return Found(short, sum(operator.cost for operator in short), False, evaluations)


def without_needless_steps(task: SearchTask, plan: tuple[Operator, ...]) -> tuple[Operator, ...]:
    """Return a plan without steps that can be left out with all that depends on them.

    Greedy action elimination (Nakhost and Müller 2010).
    """
    index = 0
    while index < len(plan) - 1:
        shorter = _without(task, plan, index)
        if shorter is None:
            index += 1
        else:
            plan = shorter
    return plan


def _without(
    task: SearchTask, plan: tuple[Operator, ...], left_out: int
) -> tuple[Operator, ...] | None:
    kept: list[Operator] = []
    view = task.view(task.start)
    for index, operator in enumerate(plan[:-1]):
        possible = view.holds(operator.condition) and not task.blocked(operator, view.state)
        if index != left_out and (possible or index < left_out):
            kept.append(operator)
            view = task.view(task.apply(operator, view))
    goal = task.reached(view)
    return (*kept, goal) if goal is not None else None


@dataclass(frozen=True, slots=True)
class _Step:
    """An operator still to be applied in a state."""

    before: View
    cost: float
    operator: Operator


class _Greedy:
    """Lazy greedy best-first search with the FF heuristic and preferred operators."""

    def __init__(self, task: SearchTask, limits: Limits) -> None:
        self.task, self.limits = task, limits
        self.relaxation = SOON.relaxation(task)
        self.index_of = {operator: index for index, operator in enumerate(task.operators)}
        self.order = itertools.count()
        self.parents: dict[int, tuple[int, Operator] | None] = {}
        self.queues: tuple[list[tuple[float, int, _Step]], list[tuple[float, int, _Step]]] = (
            [],
            [],
        )
        self.priorities = [0, 0]
        self.best = INF
        self.evaluations = 0

    def run(self) -> Found:
        """Search until a plan is found, the limits are reached or nothing is left."""
        found = self._visit(self.task.start, 0.0, None)
        while found is None and (self.queues[0] or self.queues[1]):
            if self.limits.exceeded(self.evaluations):
                return Found(None, INF, False, self.evaluations)
            step = self._pop()
            state = self.task.apply(step.operator, step.before)
            cost = step.cost + step.operator.cost
            if state not in self.parents and cost < self.limits.max_cost:
                found = self._visit(state, cost, (step.before.state, step.operator))
        return found or Found(None, INF, self.limits.max_cost == INF, self.evaluations)

    def _pop(self) -> _Step:
        """Take from the queue whose turn it is: that of preferred operators after progress."""
        which = min((i for i in (0, 1) if self.queues[i]), key=lambda i: (self.priorities[i], -i))
        self.priorities[which] += 1
        return heapq.heappop(self.queues[which])[2]

    def _visit(self, state: int, cost: float, parent: tuple[int, Operator] | None) -> Found | None:
        """Return the plan where a state is a goal; queue its successors otherwise."""
        self.parents[state] = parent
        view = self.task.view(state)
        goal = self.task.reached(view)
        if goal is not None:
            return Found((*_path(self.parents, state), goal), cost, False, self.evaluations)
        estimate = self.relaxation.estimate(state)
        self.evaluations += 1
        if estimate.price < INF:
            self._queue_successors(view, cost, estimate)
        return None

    def _queue_successors(self, view: View, cost: float, estimate: Estimate) -> None:
        if estimate.price < self.best:
            self.best = estimate.price
            self.priorities[1] -= _BOOST
        for operator in self.task.applicable(view):
            entry = (estimate.price, next(self.order), _Step(view, cost, operator))
            heapq.heappush(self.queues[0], entry)
            if self.index_of[operator] in estimate.helpful:
                heapq.heappush(self.queues[1], entry)


def best_first(task: SearchTask, limits: Limits, prices: Prices) -> Found:
    """Weighted A* with the FF heuristic, reopening; plans are near-optimal, with no guarantee."""
    price_of = {operator: prices.of(operator) for operator in task.operators}
    relaxation = prices.relaxation(task)
    order = itertools.count()
    parents: dict[int, tuple[int, Operator] | None] = {task.start: None}
    spent_on: dict[int, tuple[float, float]] = {task.start: (0.0, 0.0)}  # price and cost
    known: dict[int, float] = {task.start: relaxation.estimate(task.start).price}
    queue: list[tuple[float, float, int, int]] = [(known[task.start], 0.0, 0, task.start)]
    while queue:
        _, unspent, _, state = heapq.heappop(queue)  # deeper states first among equals
        price, paid = spent_on[state]
        if -unspent > price:
            continue
        view = task.view(state)
        goal = task.reached(view)
        if goal is not None:
            return Found((*_path(parents, state), goal), paid, False, len(known))
        if limits.exceeded(len(known)):
            return Found(None, INF, False, len(known))
        for operator in task.applicable(view):
            after = task.apply(operator, view)
            total, cost = price + price_of[operator], paid + operator.cost
            if operator.condition.underived:
                total += prices.effort * view.risk(operator.condition)
            if cost >= limits.max_cost or (after in spent_on and total >= spent_on[after][0]):
                continue
            if after not in known:
                known[after] = relaxation.estimate(after).price
            if known[after] < INF:
                spent_on[after], parents[after] = (total, cost), (state, operator)
                heapq.heappush(queue, (total + _WEIGHT * known[after], -total, next(order), after))
    return Found(None, INF, True, len(known))


def _path(parents: dict[int, tuple[int, Operator] | None], state: int) -> tuple[Operator, ...]:
    steps: list[Operator] = []
    while (step := parents[state]) is not None:
        state, operator = step
        steps.append(operator)
    return tuple(reversed(steps))
