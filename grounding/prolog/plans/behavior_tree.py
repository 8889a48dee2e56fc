"""The behavior tree of a plan, and a check that ticking it keeps the plan's order."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator

from commonground.errors import GroundingError, PlanningError
from commonground.grounding.prolog.base.terms import unquoted
from commonground.grounding.prolog.plans.plan_file import PlanFile
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
    MAKE_SAFE,
    Action,
    BehaviorTree,
    Node,
    Pause,
    Retry,
    Timeout,
    made_safe,
    with_recovery,
)
from commonground.planning.behavior.xml import attributes_of

ATTEMPTS = 2
"""So often an action is tried before the plan has failed."""
PATIENCE = 3.0
"""An action may take so many times what the plan has for it."""
LEAST_S = 10.0
"""An action may take as long as this, however short the plan has it."""
SAFE = "stops, keeps what it grips"
TOLERANCE_S = 1e-6
HALVES: tuple[Half, ...] = ("", "start", "end")


def plan_tree(plan: PlanFile, name: str = "assembly") -> BehaviorTree:
    """Return the tree of a plan; its leaves are the innermost actions with their arguments as ports.

    An action that fails or takes too long is tried again; if it fails for good, every agent of the plan is
    brought into a safe condition before the tree fails.
    """
    schedule = plan.schedule

    def leaf(activity: int) -> Action:
        action = _leaf(plan, activity)
        if fault := leaf_fault(action):
            raise GroundingError(f"{action.label}: {fault}")
        return action

    def tried(activity: int, action: Action) -> Node:
        start, end = schedule.span(activity)
        longest_s = schedule.order.plan.activities[activity].longest_s
        stated_s = longest_s if math.isfinite(longest_s) else 0.0
        limit_s = max(LEAST_S, math.ceil(max(PATIENCE * (end - start), stated_s)))
        return Retry(ATTEMPTS, Timeout(limit_s, action))

    def half(activity: int, which: Half) -> Action:
        return _leaf(plan, activity, which)

    agents = sorted(_agents(plan))
    tree = tree_of_plan(schedule, leaf, name, tried, half)
    return with_recovery(tree, made_safe("agent", agents, SAFE)) if agents else tree


def leaf_fault(action: Action) -> str:
    """Return why no tree has an action as its leaf, or an empty string."""
    if action.kind == MAKE_SAFE:
        return (
            f"'{MAKE_SAFE}' is what brings an agent to its safe end; give the action another name"
        )
    try:
        attributes_of(action)
    except PlanningError as error:
        return str(error)
    return ""


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
    """Tick a tree whose actions take as little, and as much, as they may; return what it breaks."""
    return _Clock(tree, plan).faults() + _Clock(tree, plan, longest=True).faults()


def tree_takes_s(plan: PlanFile) -> float:
    """Return how long the tree of a plan takes where each action takes as little as it may."""
    return _Clock(plan_tree(plan), plan).now_s


def unsafe_ends(tree: BehaviorTree, plan: PlanFile) -> list[str]:
    """Let each action fail for good in turn; return what does not come to the stated, safe end then."""
    agents = _agents(plan)
    return [
        f"{failing.label} fails: {fault}"
        for failing in dict.fromkeys(a for a in tree.actions() if a.kind != MAKE_SAFE)
        for fault in _unsafe_end(tree, failing, agents)
    ]


def _unsafe_end(tree: BehaviorTree, failing: Action, agents: set[str]) -> Iterator[str]:
    tries: Counter[str] = Counter()
    safe: set[str] = set()

    def execute(action: Action) -> TickStatus:
        if action.kind == MAKE_SAFE:
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
    """Executes leaves: each runs as long as it takes, and notes when it starts and ends."""

    def __init__(self, tree: BehaviorTree, plan: PlanFile, *, longest: bool = False) -> None:
        self.plan, self.longest = plan, longest
        self.activities = plan.schedule.order.plan.activities
        outer = {a.parent for a in self.activities}
        self.inner = [n for n in range(len(self.activities)) if n not in outer]
        self.leaves: dict[object, list[tuple[int, Half]]] = {
            _leaf_key(a): [] for a in tree.actions()
        }
        for number, half in itertools.product(sorted(self.inner, key=plan.schedule.span), HALVES):
            if (key := _leaf_key(_leaf(plan, number, half))) in self.leaves:
                self.leaves[key].append((number, half))
        self.now_s = 0.0
        self.until_s: dict[int, float] = {}
        """Running activity → when it is done."""
        self.at: dict[int, int] = {}
        """Step → how many were made before it."""
        self.when_s: dict[int, float] = {}
        self.status = self._run(tree)

    def _run(self, tree: BehaviorTree) -> TickStatus:
        """Tick a tree whenever something may have changed, until it ends or nothing goes on."""
        ticker = Ticker(tree, self.execute, now_s=lambda: self.now_s)
        while ticker.status is TickStatus.RUNNING:
            known = len(self.at), dict(ticker.flags)
            ticker.tick()
            if known == (len(self.at), ticker.flags):
                ahead_s = min([ticker.wakes_s, *self.until_s.values()])
                if math.isinf(ahead_s):
                    break
                self.now_s = ahead_s
        return ticker.status

    def execute(self, action: Action) -> TickStatus:
        """Start a leaf, or tell whether it is done."""
        number, half = self._number(action)
        activity = self.activities[number]
        if half != "end" and activity.start not in self.at:
            self._note(activity.start)
            most = self.longest and math.isfinite(activity.longest_s)
            lasts_s = activity.longest_s if most else activity.shortest_s
            self.until_s |= {} if half else {number: self.now_s + lasts_s}
        if half == "start":
            return TickStatus.SUCCESS
        if self.now_s < self.until_s.get(number, 0.0):
            return TickStatus.RUNNING
        self.until_s.pop(number, None)
        self._note(activity.end)
        return TickStatus.SUCCESS

    def _number(self, action: Action) -> tuple[int, Half]:
        """Return the activity of a leaf; among equal ones the one that runs, else the next."""
        same = self.leaves[_leaf_key(action)]

        def is_open(number: int, half: Half) -> bool:
            steps = self.activities[number]
            return (steps.start if half == "start" else steps.end) not in self.at

        return next((one for one in same if is_open(*one)), same[-1])

    def _note(self, step: int) -> None:
        self.at[step] = len(self.at)
        self.when_s[step] = self.now_s

    def faults(self) -> list[str]:
        """Return what was left out, made in the wrong order, or took too long or too short."""
        if self.status is not TickStatus.SUCCESS:
            return [f"the tree ends with {self.status.value}"]
        missing = [n for n in self.inner if self.activities[n].end not in self.at]
        if missing:
            return [f"{self.activities[n].name} was not executed" for n in missing]
        reach = self.plan.schedule.order.reach()
        steps = sorted(self.at)
        return [
            *self._hasty(),
            *self._untimely(),
            *(
                f"{self.plan.actions[b]} came before {self.plan.actions[a]}"
                for a in steps
                for b in steps
                if reach[a, b] and self.at[a] > self.at[b]
            ),
        ]

    def _untimely(self) -> Iterator[str]:
        """Yield actions that do not take as long as they may."""
        spans: dict[int, list[float]] = {}
        for leaf in self.inner:
            number: int | None = leaf
            while number is not None:
                steps = self.activities[leaf].start, self.activities[leaf].end
                spans.setdefault(number, []).extend(self.when_s[step] for step in steps)
                number = self.activities[number].parent
        for at, times in spans.items():
            lasts_s, activity = max(times) - min(times), self.activities[at]
            # what passes after the last part of an action is a pause, not a leaf
            least_s = activity.shortest_s if at in self.inner else 0.0
            if not least_s - TOLERANCE_S <= lasts_s <= activity.longest_s + TOLERANCE_S:
                yield f"{activity.name} takes {lasts_s:g} s"

    def _hasty(self) -> Iterator[str]:
        """Yield actions that start before their agent is set up for them."""
        plan = self.plan.schedule.order.plan
        for before, after, seconds in self.plan.schedule.setups():
            ready = seconds
            if before is not None:
                left = [n for n in self.inner if plan.root(n) == before]
                ready += max(self.when_s[plan.activities[n].end] for n in left)
            first = min(
                self.when_s[plan.activities[n].start] for n in self.inner if plan.root(n) == after
            )
            if first < ready - TOLERANCE_S:
                yield f"{plan.activities[after].name} starts before its agent is set up"
