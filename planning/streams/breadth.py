"""Calling all streams in turn, the simplest calls first, and planning with what they certify."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from commonground.planning.streams.attempt import Planner
from commonground.planning.streams.instances import StreamInstance
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF
from commonground.planning.streams.options import Options
from commonground.planning.streams.skeleton import SkeletonQueue, make_skeleton
from commonground.planning.streams.store import Store

CALLS_PER_PLAN = 10
"""How often one stream is called for the same plan."""
ASIDE_AFTER = 4000
"""Work on plans with unknown values (about a second of it) after which all streams are called as well."""
ASIDE_SHARE = 1.0
"""They get as much work as those plans took. Counted in time, a busy machine would find other plans."""
AGAIN_WORK = 100
"""Work of a short search that is begun anew."""


@dataclass(slots=True)
class Breadth:
    """The search that calls all streams up to a complexity, which it raises."""

    knowledge: Knowledge
    planner: Planner
    store: Store
    options: Options
    level: int = 0
    iterations: int = 0
    is_over: bool = False
    """Nothing is left to do, or enough was done."""

    def __post_init__(self) -> None:
        self.level = self.options.initial_complexity
        self.knowledge.reveal(INF)

    @property
    def work(self) -> int:
        """What it has done so far."""
        return work_of(self.knowledge, self.planner)

    def go_on(self, most_work: float = INF) -> bool:
        """Search until so much is done in all or a plan; returns whether it is proven that there is none."""
        while not self.store.is_done() and self.iterations < self.options.max_iterations:
            calls = most_work - self.planner.evaluations
            if not _call_all(self.knowledge, self.level, calls, self.store):
                return False
            self.iterations += 1
            none = plan_with_real_facts(self.knowledge, self.planner, self.store)
            left = _least_left(self.knowledge)
            self.is_over = left is None
            if left is None:
                return none and self.store.best is None
            if self.planner.is_hopeless():
                return True
            self.level = max(self.level + self.options.complexity_step, left)
            if self.level > self.options.max_complexity:
                break
        self.is_over = True
        return False


class Aside:
    """That search beside another one, which plans with unknown values, for a share of the time.

    Where only tests tell which values belong together, as with streams that yield whole states, such plans
    say nothing, and there are more of them than can be tried. Where a plan has to be cheap (``again``), it is
    begun anew again and again, as random streams yield other values then: mostly for a short while, and twice
    as long half as often (Luby, Sinclair and Zuckerman 1993), so that no length is missed. Every other one
    ends with its first plan, as most of what could be improved has to be sampled anew.
    """

    def __init__(self, begin: Callable[[bool], Breadth], store: Store, *, again: bool) -> None:
        self.begin, self.again = begin, again
        self.max_cost, self.success_cost = store.max_cost, store.success_cost
        self.breadth: Breadth | None = None
        self.best: Store | None = None
        """What has the best plan so far."""
        self.before = self.calls_before = self.begun = 0
        """Work and calls of searches that were given up, and how many searches were begun."""

    def go_on(self, theirs: int) -> bool:
        """Do its share of all work by now; returns whether it is proven that there is no plan."""
        if theirs < ASIDE_AFTER and not self.again:
            return False
        share = ASIDE_SHARE * theirs
        while self.before + (self.breadth.work if self.breadth else 0) < share:
            search = self.breadth or self._begun()
            if self.is_done() or search.store.is_late():
                return False
            most = AGAIN_WORK * luby((self.begun + 1) // 2) if self.again else INF
            none = search.go_on(min(share - self.before, most))
            if search.store.best_cost < self.cost:
                self.best = search.store
            if none or not self._goes_on(search, most):
                return none
        return False

    def _goes_on(self, search: Breadth, most: float) -> bool:
        """Return whether there is more to do; a search that is over, or long enough, is given up."""
        over = search.is_over or search.store.is_done()
        if over and not (self.again and search.work):
            return False
        if self.again and (over or search.work >= most):
            self.before, self.calls_before = self.before + search.work, self.calls
            self.breadth = None
        return True

    def _begun(self) -> Breadth:
        self.begun += 1
        self.breadth = self.begin(self.again and self.begun % 2 == 1)
        return self.breadth

    @property
    def calls(self) -> int:
        """How often streams were called."""
        return self.calls_before + (self.breadth.knowledge.calls if self.breadth else 0)

    def is_done(self) -> bool:
        """Return whether it found a plan that ends the search."""
        return self.best is not None and (
            self.success_cost == INF or self.best.best_cost < self.success_cost
        )

    @property
    def cost(self) -> float:
        """What its best plan costs; others must cost less."""
        return min(self.max_cost, INF if self.best is None else self.best.best_cost)


def luby(number: int) -> int:
    """Return the length of a run by its number, from 1: 1, 1, 2, 1, 1, 2, 4, 1 …"""
    power = 1 << number.bit_length()
    return power // 2 if number == power - 1 else luby(number - power // 2 + 1)


def plan_with_real_facts(knowledge: Knowledge, planner: Planner, store: Store) -> bool:
    """Plan with what streams have certified, until what is asked for a plan all turns out well.

    Returns whether it is certain that there is no plan.
    """
    while not store.is_late():
        calls = knowledge.calls
        attempt = planner.attempt_with_real_facts(store.cost, store.deadline)
        if attempt.outline is None:
            return attempt.none and not knowledge.model.sees_states
        before = store.best
        queue = SkeletonQueue(knowledge, store.offer, unit_costs=store.unit_costs)
        queue.max_cost = store.cost
        queue.add(make_skeleton(attempt.outline, knowledge, frozenset(), optimize=False))
        asked = Counter[StreamInstance]()

        def may_call(instance: StreamInstance, asked: Counter[StreamInstance] = asked) -> bool:
            asked[instance] += 1
            return asked[instance] <= CALLS_PER_PLAN

        while len(queue) and not store.is_late():
            queue.process(may_call)
        planner.failed.update(queue.failed)
        if store.best is not before or knowledge.calls == calls:
            break
    return False


def _least_left(knowledge: Knowledge) -> int | None:
    """Return the least complexity of calls that can still be made, None where none can."""
    left = (knowledge.complexity(i) for i in knowledge.instances if _is_callable(knowledge, i))
    return min(left, default=None)


def _call_all(knowledge: Knowledge, level: int, most_calls: float, store: Store) -> bool:
    """Call all instances up to a complexity; returns whether time and work sufficed."""
    while True:
        due = [
            instance
            for instance in knowledge.instances
            if _is_callable(knowledge, instance) and knowledge.complexity(instance) <= level
        ]
        if not due:
            return True
        for instance in due:
            if store.is_late() or knowledge.calls >= most_calls:
                return False
            knowledge.call(instance)


def work_of(knowledge: Knowledge, planner: Planner) -> int:
    """Return how much was done: calls of streams, and states that searches evaluated."""
    return knowledge.calls + planner.evaluations


def _is_callable(knowledge: Knowledge, instance: StreamInstance) -> bool:
    """Return whether a stream may yield more, whatever the state."""
    sees_states = bool(instance.stream.spec.fluents)
    return not sees_states and not instance.enumerated and knowledge.is_ready(instance)
