"""The behavior tree of a plan, and a check that ticking it keeps the plan's order."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator

from commonground.errors import GroundingError
from commonground.grounding.prolog.planfile import PlanFile
from commonground.grounding.prolog.terms import unquoted
from commonground.planning.behavior import (
    Half,
    Ticker,
    TickStatus,
    parse_tree,
    tree_of_plan,
    tree_xml,
)
from commonground.planning.behavior.py_text import py_trees_text
from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Node,
    Pause,
    Retry,
    Timeout,
    made_safe,
    with_recovery,
)

ATTEMPTS = 2
"""So often an action is tried before the plan has failed."""
PATIENCE = 3.0
"""An action may take so many times what the plan has for it."""
LEAST_S = 10.0
"""An action may take as long as this, however short the plan has it."""
SAFE = "stops, keeps what it grips"
HALVES: tuple[Half, ...] = ("", "start", "end")


def plan_tree(plan: PlanFile, name: str = "assembly") -> BehaviorTree:
    """Return the tree of a plan; its leaves are the innermost actions with their arguments as ports.

    An action that fails or takes too long is tried again; if it fails for good, every agent of the plan is
    brought into a safe condition before the tree fails.
    """
    schedule = plan.schedule

    def leaf(activity: int) -> Action:
        return _leaf(plan, activity)

    def tried(activity: int, action: Action) -> Node:
        start, end = schedule.span(activity)
        limit_s = max(LEAST_S, math.ceil(PATIENCE * (end - start)))
        return Retry(ATTEMPTS, Timeout(limit_s, action))

    agents = sorted(_agents(plan))

    def half(activity: int, which: Half) -> Action:
        return _leaf(plan, activity, which)

    tree = tree_of_plan(schedule, leaf, name, tried, half)
    return with_recovery(tree, made_safe("agent", agents, SAFE)) if agents else tree


def _leaf(plan: PlanFile, activity: int, half: Half = "") -> Action:
    """Return the leaf of an activity, or of its start or end where something else ends within it."""
    kind, ports = plan.ports[activity]
    kind = f"{kind}_{half}" if half else kind
    return Action(
        kind, ports, f"{kind}({', '.join(value for _, value in ports)})" if ports else kind
    )


def _agents(plan: PlanFile) -> set[str]:
    """Return the agents of a plan as ports name them."""
    return {unquoted(agent) for used in plan.schedule.resources for agent in used}


def checked_py_trees(plan: PlanFile, name: str = "assembly") -> str:
    """Return the tree of a plan as a Python file for py_trees, after the same checks as the XML."""
    return str(py_trees_text(parse_tree(checked_xml(plan, name))))


def checked_xml(plan: PlanFile, name: str = "assembly") -> str:
    """Return the XML of a plan's tree, after reading it back and ticking it to its end.

    It is ticked once more for each action, which then fails for good: all agents have to end safe.
    """
    tree = plan_tree(plan, name)
    xml: str = tree_xml(tree)
    faults = tick_faults(parse_tree(xml), plan) or unsafe_ends(parse_tree(xml), plan)
    if faults:
        raise GroundingError(f"the tree does not keep to the plan, please report this: {faults[0]}")
    return xml


def tick_faults(tree: BehaviorTree, plan: PlanFile) -> list[str]:
    """Tick a tree with the plan's durations and return every order of the plan that it breaks."""
    schedule = plan.schedule
    activities = schedule.order.plan.activities
    outer = {a.parent for a in activities}
    inner = [n for n in range(len(activities)) if n not in outer]
    leaves: dict[object, list[tuple[int, Half]]] = {_leaf_key(a): [] for a in tree.actions()}
    for number, half in itertools.product(sorted(inner, key=schedule.span), HALVES):
        if (key := _leaf_key(_leaf(plan, number, half))) in leaves:
            leaves[key].append((number, half))
    unit = min(
        (t for t in (schedule.span(n)[1] - schedule.span(n)[0] for n in inner) if t > 0),
        default=1.0,
    )
    clock = _Clock(plan, leaves, unit)
    ticker = Ticker(tree, clock.execute, now_s=lambda: clock.now * unit)
    for _ in range(10 * len(inner) * max(1, round(schedule.makespan_s / unit)) + 10):
        if ticker.tick() is not TickStatus.RUNNING:
            break
        clock.now += 1
    if ticker.status is not TickStatus.SUCCESS:
        return [f"the tree ends with {ticker.status.value}"]
    return clock.faults(inner)


def unsafe_ends(tree: BehaviorTree, plan: PlanFile) -> list[str]:
    """Let each action fail for good in turn; return what does not come to the stated, safe end then."""
    agents = _agents(plan)
    return [
        f"{failing.label} fails: {fault}"
        for failing in dict.fromkeys(a for a in tree.actions() if a.kind != "make_safe")
        for fault in _unsafe_end(tree, failing, agents)
    ]


def _unsafe_end(tree: BehaviorTree, failing: Action, agents: set[str]) -> Iterator[str]:
    tries: Counter[str] = Counter()
    safe: set[str] = set()

    def execute(action: Action) -> TickStatus:
        if action.kind == "make_safe":
            safe.add(dict(action.ports)["agent"])
        tries[_leaf_name(action)] += 1
        same = _leaf_key(action) == _leaf_key(failing)
        return TickStatus.FAILURE if same else TickStatus.SUCCESS

    pauses = [node.seconds for node in tree.nodes() if isinstance(node, Pause)]
    ticks = itertools.count()
    ticker = Ticker(tree, execute, now_s=lambda: next(ticks) * max(pauses, default=0.0))
    for _ in range(10 * (len(tree.actions()) + len(pauses)) + 10):
        if ticker.tick() is not TickStatus.RUNNING:
            break
    if ticker.status is not TickStatus.FAILURE:
        yield f"the tree ends with {ticker.status.value}"
    if tries[_leaf_name(failing)] > ATTEMPTS:
        yield f"it is tried {tries[_leaf_name(failing)]} times"
    if left := agents - safe:
        yield f"{', '.join(sorted(left))} is not made safe"


def _leaf_name(action: Action) -> str:
    return repr((_leaf_key(action), action.done_flag, action.started_flag))


def _leaf_key(action: Action) -> tuple[str, tuple[tuple[str, str], ...], str]:
    return action.kind, action.ports, action.label


class _Clock:
    """Executes leaves: each runs as many ticks as it takes, and notes when it starts and ends."""

    def __init__(
        self, plan: PlanFile, leaves: dict[object, list[tuple[int, Half]]], unit: float
    ) -> None:
        self.plan, self.leaves, self.unit = plan, leaves, unit
        self.now = 0
        self.event = 0
        self.started: dict[int, int] = {}
        self.until: dict[int, int] = {}
        self.at: dict[int, int] = {}
        """Step → number of the event at which it was made."""
        self.when_s: dict[int, float] = {}

    def execute(self, action: Action) -> TickStatus:
        """Start a leaf, or tell whether it is done."""
        number, half = self._number(action)
        activity = self.plan.schedule.order.plan.activities[number]
        if number not in self.started:
            self._note(activity.start)
            start, end = self.plan.schedule.span(number)
            self.started[number] = self.now
            self.until[number] = self.now + max(0, round((end - start) / self.unit))
        if half == "start":
            return TickStatus.SUCCESS
        if self.now < self.until[number]:
            return TickStatus.RUNNING
        self._note(activity.end)
        return TickStatus.SUCCESS

    def _number(self, action: Action) -> tuple[int, Half]:
        """Return the activity of a leaf; among equal ones the one that runs, else the next."""
        same = self.leaves[_leaf_key(action)]
        activities = self.plan.schedule.order.plan.activities

        def is_open(number: int, half: Half) -> bool:
            steps = activities[number]
            return (steps.start if half == "start" else steps.end) not in self.at

        return next((one for one in same if is_open(*one)), same[-1])

    def _note(self, step: int) -> None:
        self.at[step] = self.event
        self.when_s[step] = self.now * self.unit
        self.event += 1

    def faults(self, inner: list[int]) -> list[str]:
        """Return what was left out or made in the wrong order."""
        activities = self.plan.schedule.order.plan.activities
        missing = [n for n in inner if activities[n].end not in self.at]
        if missing:
            return [f"{activities[n].name} was not executed" for n in missing]
        reach = self.plan.schedule.order.reach()
        steps = sorted(self.at)
        return list(self._hasty(inner)) + [
            f"{self.plan.actions[b]} came before {self.plan.actions[a]}"
            for a in steps
            for b in steps
            if reach[a, b] and self.at[a] > self.at[b]
        ]

    def _hasty(self, inner: list[int]) -> Iterator[str]:
        """Yield actions that start before their agent is set up for them."""
        plan = self.plan.schedule.order.plan
        for before, after, seconds in self.plan.schedule.setups():
            ready = seconds
            if before is not None:
                left = [n for n in inner if plan.root(n) == before]
                ready += max(self.when_s[plan.activities[n].end] for n in left)
            first = min(
                self.when_s[plan.activities[n].start] for n in inner if plan.root(n) == after
            )
            if first < ready - self.unit / 2:
                yield f"{plan.activities[after].name} starts before its agent is set up"
