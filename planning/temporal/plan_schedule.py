"""Times and resources for a partially ordered plan, checked, and the network that executes it."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats
from commonground.planning.result import Status
from commonground.planning.temporal.network import ORIGIN, Link, TemporalNetwork
from commonground.planning.temporal.ordering import PartialOrder
from commonground.planning.temporal.steps import ANY, Step, apply, missing, text

TOLERANCE_S = 1e-6
Setup = Mapping[tuple[str, int | None, int], float]
"""(resource, outermost activity before or None at the beginning, outermost activity) → seconds between
them on that resource; 0 where it is not given."""


@dataclass(frozen=True, slots=True)
class PlanSchedule:
    """When each step of a plan is made, and what each outermost activity uses."""

    status: Status
    order: PartialOrder
    time_s: Floats = field(default_factory=lambda: np.zeros(0))
    """(n,) for the steps in plan order."""
    resources: tuple[tuple[str, ...], ...] = ()
    """Per activity what it uses; inner activities use what the outermost one was assigned."""
    makespan_s: float = np.inf
    lower_bound_s: float = 0.0
    """No schedule of this plan has a smaller makespan."""
    optimal: bool = False
    reason: str = ""
    setup_s: Setup = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """By which part of the makespan the optimum may be lower; 0 when proven optimal."""
        if self.optimal or self.makespan_s == self.lower_bound_s:
            return 0.0
        return (self.makespan_s - self.lower_bound_s) / self.makespan_s

    def sequence(self) -> list[int]:
        """Return the steps in an order in which they can be made, by time and, at one instant, by links."""
        after: dict[int, list[int]] = {step: [] for step in range(len(self.time_s))}
        waiting = dict.fromkeys(after, 0)
        for a, b in self.links():
            after[a].append(b)
            waiting[b] += 1
        queue = [(round(float(self.time_s[s]), 6), s) for s, count in waiting.items() if not count]
        heapq.heapify(queue)
        sequence = []
        while queue:
            _, step = heapq.heappop(queue)
            sequence.append(step)
            for b in after[step]:
                waiting[b] -= 1
                if not waiting[b]:
                    heapq.heappush(queue, (round(float(self.time_s[b]), 6), b))
        return sequence

    def links(self) -> list[tuple[int, int]]:
        """Return pairs of steps that keep their order: by the plan's logic, or by what they share."""
        plan = self.order.plan
        pairs = {(o.before, o.after) for o in self.order.orderings}
        shared = [pair for chain in self.chains().values() for pair in itertools.pairwise(chain)]
        pairs |= {(plan.activities[a].end, plan.activities[b].start) for a, b in shared}
        return sorted(pairs)

    def names(self, activity: int) -> dict[str, str]:
        """Return for an activity which resource stands in for which of the plan."""
        given = self.order.plan.activities[activity].resources
        return dict(zip(given, self.resources[activity], strict=True))

    def span(self, activity: int) -> tuple[float, float]:
        """Return when an activity starts and ends."""
        lasts = self.order.plan.activities[activity]
        return float(self.time_s[lasts.start]), float(self.time_s[lasts.end])

    def chains(self) -> dict[str, list[int]]:
        """Return for each resource the outermost activities that use it, in time."""
        plan = self.order.plan
        chains: dict[str, list[int]] = {name: [] for name in sorted(plan.resource_names())}
        for block in plan.blocks():
            for name in self.resources[block]:
                chains.setdefault(name, []).append(block)
        for chain in chains.values():
            chain.sort(key=lambda b: (*self.span(b), b))
        return chains

    def setups(self) -> list[tuple[int | None, int, float]]:
        """Return how much time lies between which outermost activities that follow on one resource."""
        gaps: dict[tuple[int | None, int], float] = {}
        for name, chain in self.chains().items():
            for a, b in _successions(chain):
                seconds = self.setup_s.get((name, a, b), 0.0)
                if seconds > 0:
                    gaps[a, b] = max(seconds, gaps.get((a, b), 0.0))
        return [(a, b, seconds) for (a, b), seconds in gaps.items()]

    def network(self) -> TemporalNetwork:
        """Return the network that keeps all orderings and who uses a resource first."""
        return _network(self)


def check_plan(schedule: PlanSchedule) -> list[str]:
    """Return everything that is wrong with a solved schedule of a plan, in words; empty: it is valid."""
    plan = schedule.order.plan
    if schedule.status is not Status.SOLVED:
        return [f"there is no schedule to check: {schedule.status.value}"]
    if schedule.time_s.shape != (len(plan.steps),):
        return [f"there are {schedule.time_s.shape} times for {len(plan.steps)} steps"]
    faults = [
        schedule.order.explain(o)
        for o in schedule.order.orderings
        if schedule.time_s[o.before] > schedule.time_s[o.after] + TOLERANCE_S
    ]
    for activity in plan.activities:
        lasts = schedule.time_s[activity.end] - schedule.time_s[activity.start]
        least, most = activity.shortest_s - TOLERANCE_S, activity.longest_s + TOLERANCE_S
        if not least <= lasts <= most:
            faults.append(f"{activity.name} lasts {lasts} s")
    if not (schedule.time_s >= -TOLERANCE_S).all():
        faults.append("a step is made before time 0")
    return faults + _use_faults(schedule) + _execution_faults(schedule)


def _use_faults(schedule: PlanSchedule) -> list[str]:
    """Report resources of a wrong kind, used twice at once, or without time to set them up."""
    return [*_kind_faults(schedule), *_setup_faults(schedule)]


def _kind_faults(schedule: PlanSchedule) -> Iterator[str]:
    plan = schedule.order.plan
    for number, activity in enumerate(plan.activities):
        for given, used in schedule.names(number).items():
            if used not in plan.pool_of(given):
                yield f"{activity.name} uses {used}, which cannot stand in for {given}"
        if activity.parent is not None:
            around = schedule.names(plan.root(number))
            for given, used in schedule.names(number).items():
                if around.get(given, used) != used:
                    yield f"{activity.name} does not use the {given} of its activity"


def _setup_faults(schedule: PlanSchedule) -> Iterator[str]:
    plan = schedule.order.plan
    for name, chain in schedule.chains().items():
        for a, b in _successions(chain):
            left = 0.0 if a is None else schedule.time_s[plan.activities[a].end]
            gap = schedule.setup_s.get((name, a, b), 0.0)
            if schedule.time_s[plan.activities[b].start] < left + gap - TOLERANCE_S:
                yield f"{name} is not ready when {plan.activities[b].name} starts"


def _successions(chain: list[int]) -> list[tuple[int | None, int]]:
    """Return each activity of a resource with the one before it, None before the first."""
    return list(zip([None, *chain], chain, strict=False))


def _execution_faults(schedule: PlanSchedule) -> list[str]:
    """Make the steps in the order of their times and report conditions that do not hold.

    Facts about resources are left out: which of them does what has changed since the plan was made.
    """
    plan = schedule.order.plan
    names = plan.resource_names()
    state = {fact for fact in plan.init if names.isdisjoint(fact[1:])}
    sequence = schedule.sequence()
    if len(sequence) < len(plan.steps):
        return ["steps at one instant wait for each other"]
    for number in sequence:
        step = plan.steps[number]
        fault = missing(_public(step, names), state)
        if fault:
            return [f"{step.name} {fault}"]
        apply(_public(step, names), state)
    for fact in plan.goal:
        if names.isdisjoint(fact[1:]) and ANY not in fact and fact not in state:
            return [f"at the end {text(fact)} does not hold"]
    return []


def _public(step: Step, names: frozenset[str]) -> Step:
    """Return a step without what it says about resources."""
    kept = [
        tuple(fact for fact in facts if names.isdisjoint(fact[1:]))
        for facts in (step.needs, step.forbids, step.adds, step.deletes)
    ]
    return Step(step.name, *kept)


def _network(schedule: PlanSchedule) -> TemporalNetwork:
    plan = schedule.order.plan
    events = [f"{number} {step.name}" for number, step in enumerate(plan.steps)]
    links = [
        Link(events[o.before], events[o.after], reason=schedule.order.explain(o))
        for o in schedule.order.orderings
    ]
    for activity in plan.activities:
        links.append(
            Link(
                events[activity.start],
                events[activity.end],
                activity.shortest_s,
                activity.longest_s,
                f"{activity.name} lasts",
            )
        )
    for name, chain in schedule.chains().items():
        for a, b in _successions(chain):
            gap = schedule.setup_s.get((name, a, b), 0.0)
            start = events[plan.activities[b].start]
            earlier = ORIGIN if a is None else events[plan.activities[a].end]
            if a is not None or gap > 0:
                links.append(Link(earlier, start, gap, reason=f"{name} does one thing at a time"))
    return TemporalNetwork.of(links, events)
