"""Algorithms that interleave planning and sampling: incremental, focused, binding and adaptive."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from commonground.planning.streams.attempt import Attempt, Planner
from commonground.planning.streams.breadth import (
    AGAIN_WORK,
    CALLS_PER_PLAN,
    Aside,
    Breadth,
    plan_with_real_facts,
    work_of,
)
from commonground.planning.streams.instances import StreamInstance
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF
from commonground.planning.streams.options import Options
from commonground.planning.streams.retrace import Outline
from commonground.planning.streams.skeleton import SkeletonQueue, make_skeleton
from commonground.planning.streams.store import Store

_log = logging.getLogger(__name__)
_BINDINGS_PER_SEARCH = 100
"""How often values are looked for between searches, at least."""
_BINDINGS_PER_STATE = 10
"""How often it is done in about the time that a search evaluates a state."""
_INSTANCES_PER_WORK = 2
"""How many instances of streams are made up in about the time that a search evaluates a state."""
_CALLS_TO_CONCLUDE = 300
"""Calls made to make sure that there is no plan, where nothing can be hoped for any more."""
_SAMPLING_S = 1.0
"""Slow streams are sampled at least this long between searches, in time of a processor: on a busy machine
quick ones come out as on an idle one, since they are counted."""
_WAITING_S = 10.0
"""Streams that wait for something else are sampled at least this long, by the clock."""


@dataclass(slots=True)
class Run:
    """What the algorithms share."""

    knowledge: Knowledge
    planner: Planner
    store: Store
    queue: SkeletonQueue
    options: Options
    aside: Aside
    impossible: bool = False
    """It is proven that there is no plan."""

    def attempt(self, level: int) -> Attempt:
        """Plan at a level for less than the best plan costs."""
        attempt = self.planner.attempt(level, self.store.cost, self.store.deadline)
        self.impossible = attempt.none
        return attempt

    def is_over(self) -> bool:
        """Return whether to stop."""
        return self.impossible or self.store.is_done() or self.aside.is_done()

    def look_aside(self) -> bool:
        """Give the search that calls all streams its share of the work; returns whether to stop."""
        if self.store.best is None or self.aside.again:
            made_up = len(self.knowledge.instances) // _INSTANCES_PER_WORK
            theirs = max(work_of(self.knowledge, self.planner), made_up)
            self.impossible |= self.aside.go_on(theirs)
            self.store.max_cost = min(self.store.max_cost, self.aside.cost)
        return self.is_over()

    def enqueue(self, outline: Outline) -> None:
        """Queue a plan for binding."""
        options = self.options
        skeleton = make_skeleton(
            outline, self.knowledge, options.replan_actions, optimize=options.reorder
        )
        self.queue.max_cost = self.store.cost
        self.queue.add(skeleton)

    def next_level(self, level: int, attempt: Attempt) -> int | None:
        """Return the level to go on with after a failed attempt; None where nothing is left."""
        if attempt.next_level == INF or attempt.next_level > self.options.max_complexity:
            return None
        return max(level + self.options.complexity_step, int(attempt.next_level))


def incremental(run: Run) -> None:
    """Call every stream up to a complexity, plan with what they certified, raise the complexity.

    Streams that see the state are called for the states of plans.
    """
    search = Breadth(run.knowledge, run.planner, run.store, run.options)
    while not (search.is_over or run.is_over()):
        most = search.work + AGAIN_WORK if run.aside.again else INF
        run.impossible = search.go_on(most)
        if run.aside.again and not search.is_over:
            run.look_aside()


def focused(run: Run) -> None:
    """Plan optimistically, call those streams of the plan whose inputs are known, and repeat.

    Tests are asked of all values found for the plan; where they fail, the streams are called some more, for
    this plan and those before it.
    """

    ready: dict[StreamInstance, None] = {}

    def bind(outline: Outline) -> None:
        ready.update(
            dict.fromkeys(
                run.knowledge.instance(need.stream, need.inputs, need.state)
                for need in outline.needs
                if run.knowledge.objects.known(need.objects)
            )
        )
        calls = Counter[StreamInstance]()
        for instance in ready:
            if not instance.calls and run.knowledge.is_ready(instance):
                run.knowledge.call(instance)

        def may_call(instance: StreamInstance) -> bool:
            calls[instance] += 1
            known = instance in ready and calls[instance] <= CALLS_PER_PLAN
            return known or instance.stream.is_test

        run.queue.resume()
        run.enqueue(outline)
        while len(run.queue) and not run.store.is_done() and run.queue.stopped is None:
            run.queue.process(may_call)
        if run.queue.stopped is not None:  # its values passed all tests that could be asked of them
            run.knowledge.expose(run.queue.stopped.facts)
        run.queue.pause()

    _one_plan_at_a_time(run, bind)


def binding(run: Run) -> None:
    """Plan optimistically, call the streams of the plan in turn with what the earlier ones yielded."""

    def bind(outline: Outline) -> None:
        calls = Counter[StreamInstance]()

        def may_call(instance: StreamInstance) -> bool:
            calls[instance] += 1
            return calls[instance] <= CALLS_PER_PLAN

        run.queue.resume()
        run.enqueue(outline)
        while len(run.queue) and not run.store.is_done():
            run.queue.process(may_call)

    _one_plan_at_a_time(run, bind)


def _one_plan_at_a_time(run: Run, bind: Callable[[Outline], None]) -> None:
    """Plan and bind; let streams be called again when there is nothing new to ask."""
    level, iteration = run.options.initial_complexity, 0
    while not run.store.is_done() and iteration < run.options.max_iterations:
        iteration += 1
        calls = run.knowledge.calls
        attempt = run.attempt(level)
        if attempt.outline is not None:
            bind(attempt.outline)
        if run.is_over() or run.look_aside():
            return
        if attempt.outline is None or run.knowledge.calls == calls:
            following = run.next_level(level, attempt)
            if following is None:
                conclude(run)
                return
            level = following
        _log.debug(
            "level %d, %d calls, %d evaluations", level, run.knowledge.calls, attempt.evaluations
        )


def adaptive(run: Run) -> None:
    """Plan optimistically and search for values of all plans so far, dividing the time between both."""
    level, iterations, skeletons = run.options.initial_complexity, 0, 0
    while not run.store.is_done() and iterations < run.options.max_iterations:
        iterations += 1
        begin, calls = time.process_time(), run.knowledge.calls
        if skeletons >= run.options.max_skeletons:  # all that is left is to bind those made so far
            _sample(run, 0.0, 0)
            if run.is_over() or not len(run.queue):
                return
            continue
        attempt = run.attempt(level)
        if attempt.outline is not None:
            skeletons += 1
            run.enqueue(attempt.outline)
        _sample(run, time.process_time() - begin, attempt.evaluations)
        if run.is_over() or run.look_aside():
            return
        if attempt.outline is None or run.knowledge.calls == calls:
            following = run.next_level(level, attempt)
            if following is None and not len(run.queue):
                conclude(run)
                return
            level = level if following is None else following
        _log.debug("level %d, %d calls, %d skeletons", level, run.knowledge.calls, skeletons)


def _sample(run: Run, search_s: float, states: int) -> None:
    """Bind values for about as long as the search took, and for a while at least."""
    ratio = run.options.search_sample_ratio
    worked, waited = time.process_time(), time.monotonic()
    longest = max(1.0, ratio * search_s / _SAMPLING_S)
    left = ratio * max(_BINDINGS_PER_SEARCH, _BINDINGS_PER_STATE * states)
    run.queue.max_cost = run.store.cost
    while len(run.queue) and left > 0 and not run.store.is_done():
        if time.process_time() - worked > _SAMPLING_S * longest:
            break
        if time.monotonic() - waited > _WAITING_S * longest:
            break
        run.queue.process()
        run.queue.max_cost = run.store.cost
        left -= 1


def conclude(run: Run) -> None:
    """When nothing can be hoped for any more: call what is left, so that a plan or its absence is certain."""
    if run.knowledge.model.sees_states:
        return
    run.knowledge.reveal(INF)
    until = run.knowledge.calls + _CALLS_TO_CONCLUDE
    while not run.store.is_late() and run.knowledge.calls < until:
        ready = [
            i for i in run.knowledge.instances if not i.enumerated and run.knowledge.is_ready(i)
        ]
        if not ready:
            break
        for instance in ready:
            run.knowledge.call(instance)
    else:
        return
    run.impossible = plan_with_real_facts(run.knowledge, run.planner, run.store)


def polish(run: Run) -> None:
    """Plan once more with the values found, whose costs are known now."""
    best = run.store.best
    fluent = run.knowledge.model.sees_states
    if best is None or best.replan or fluent or not best.steps or run.store.is_late():
        return
    run.knowledge.expose(best.facts)
    plan_with_real_facts(run.knowledge, run.planner, run.store)


Algorithm = Callable[[Run], None]
ALGORITHMS: dict[str, Algorithm] = {
    "incremental": incremental,
    "focused": focused,
    "binding": binding,
    "adaptive": adaptive,
}


def make_run(
    knowledge: Knowledge, planner: Planner, store: Store, options: Options, aside: Aside
) -> Run:
    """Return a run whose solutions go to the store."""
    queue = SkeletonQueue(knowledge, store.offer, unit_costs=store.unit_costs)
    planner.failed = queue.failed
    return Run(knowledge, planner, store, queue, options, aside)
