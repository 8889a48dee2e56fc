"""Building a behavior tree from what has to come before what.

An action hangs below the one of its predecessors that ends last; it waits for the others by their flags.
One follower continues the sequence, several become a parallel node. Below an action are only such as have
to follow it, so waiting cannot block what is waited for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from typing import Literal

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import PlanningError
from commonground.planning.behavior.punctual import punctual
from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Node,
    Parallel,
    Pause,
    Sequence,
    WaitFor,
)
from commonground.planning.temporal.plan_schedule import PlanSchedule
from commonground.planning.temporal.steps import Activity

Pair = tuple[int, int]
DEEPEST = 50
"""Branches below each other; executors and editors recurse into trees."""


def tree_of_actions(
    actions: Iterable[Action | Pause],
    after_end: Iterable[Pair],
    after_start: Iterable[Pair] = (),
    end_s: Iterable[float] | None = None,
    name: str = "plan",
    tried: Callable[[int, Action], Node] | None = None,
) -> BehaviorTree:
    """Return a tree that starts action b after a has ended, for (a, b) in ``after_end``.

    For (a, b) in ``after_start`` b starts after a has started. ``end_s`` tells when each action is
    expected to end; it decides below which predecessor an action hangs. ``tried`` puts an action of a number
    below its limits and attempts. Pauses take their place among the actions; none starts after their start.
    """
    leaves = list(actions)
    if not leaves:
        raise PlanningError(
            "a tree needs at least one action; an empty plan has nothing to execute"
        )
    ended = _reach(len(leaves), after_end, leaves)
    started = _started(len(leaves), after_start, ended, leaves)
    ends = np.arange(len(leaves), dtype=float) if end_s is None else np.array(list(end_s), float)
    direct_ended = ended & ~_over_others(ended, ended)
    # an action that has to have ended has also started, so that flag need not be waited for
    direct_started = started & ~ended & ~_over_others(started | ended, started | ended)
    parent = _parents(direct_ended, ends)
    waits = [
        _flags(direct_ended, direct_started, parent[leaf], leaf) for leaf in range(len(leaves))
    ]
    used = {flag for flags in waits for flag in flags}
    leaves = [_flagged(i, leaf, used) for i, leaf in enumerate(leaves)]
    below: dict[int, list[int]] = {}
    for leaf, above in enumerate(parent):
        below.setdefault(above, []).append(leaf)
    nodes = [
        leaf if tried is None or isinstance(leaf, Pause) else tried(i, leaf)
        for i, leaf in enumerate(leaves)
    ]
    return BehaviorTree(name, _group([_subtree(i, nodes, below, waits) for i in below[-1]]))


def _subtree(
    leaf: int, leaves: list[Node], below: Mapping[int, list[int]], waits: list[tuple[str, ...]]
) -> Node:
    """Return an action with all that hangs below it: a chain as one sequence, branches in parallel."""
    chain: list[Node] = []
    children = [leaf]
    while len(children) == 1:
        leaf = children[0]
        chain.append(WaitFor(waits[leaf], leaves[leaf]) if waits[leaf] else leaves[leaf])
        children = below.get(leaf, [])
    if children:
        chain.append(_group([_subtree(child, leaves, below, waits) for child in children]))
    return chain[0] if len(chain) == 1 else Sequence(tuple(chain))


def _group(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else Parallel(tuple(nodes))


def _reach(count: int, pairs: Iterable[Pair], leaves: list[Action | Pause]) -> Bools:
    """Return (n, n) the transitive closure; a circle is an error that names an action."""
    reach = np.zeros((count, count), bool)
    for a, b in pairs:
        reach[a, b] = True
    for k in range(count):
        reach |= reach[:, k, None] & reach[k]
    circle = np.flatnonzero(reach.diagonal())
    if len(circle):
        names = ", ".join(leaves[int(i)].label for i in circle[:5])
        raise PlanningError(f"these actions wait for each other and cannot be a tree: {names}")
    return reach


def _started(
    count: int, pairs: Iterable[Pair], ended: Bools, leaves: list[Action | Pause]
) -> Bools:
    """Return (n, n) which action has to have started before which; ending implies starting."""
    links = [*pairs, *((int(a), int(b)) for a, b in np.argwhere(ended))]
    return _reach(count, links, leaves)


def _over_others(first: Bools, second: Bools) -> Bools:
    """Return (n, n): whether a relation also holds over a third action."""
    return (first.astype(np.float32) @ second.astype(np.float32)) > 0


def _parents(direct: Bools, ends: Floats) -> list[int]:
    """Return for each action the direct predecessor that ends last, −1 for none.

    An action too deep below branches is hung at the top instead and waits for all its predecessors.
    """
    count = len(ends)
    parent = [-1] * count
    for leaf in range(count):
        above = np.flatnonzero(direct[:, leaf])
        if len(above):
            parent[leaf] = int(above[np.lexsort((above, ends[above]))[-1]])
    branches = np.bincount([p for p in parent if p >= 0], minlength=count) > 1
    depth = [0] * count
    for leaf in _topological(direct):
        above_it = parent[leaf]
        if above_it >= 0:
            depth[leaf] = depth[above_it] + int(branches[above_it])
        if depth[leaf] > DEEPEST:
            parent[leaf], depth[leaf] = -1, 0
    return parent


def _topological(direct: Bools) -> list[int]:
    """Return the actions so that each comes after its predecessors."""
    waiting = {int(b): {int(a) for a in np.flatnonzero(direct[:, b])} for b in range(len(direct))}
    return list(TopologicalSorter(waiting).static_order())


def _flags(ended: Bools, started: Bools, parent: int, leaf: int) -> tuple[str, ...]:
    """Return the flags an action waits for: all direct predecessors but the one above it."""
    done = [f"done_{int(a)}" for a in np.flatnonzero(ended[:, leaf]) if a != parent]
    return (*done, *(f"started_{int(a)}" for a in np.flatnonzero(started[:, leaf])))


def _flagged(number: int, leaf: Action | Pause, used: set[str]) -> Action | Pause:
    """Return a leaf with the flags that others wait for."""
    done = _kept(f"done_{number}", used)
    if isinstance(leaf, Pause):
        return replace(leaf, done_flag=done)
    return replace(leaf, done_flag=done, started_flag=_kept(f"started_{number}", used))


def _kept(flag: str, used: set[str]) -> str:
    return flag if flag in used else ""


def tree_of_plan(
    schedule: PlanSchedule,
    action_of: Callable[[int], Action] | None = None,
    name: str = "plan",
    tried: Callable[[int, Action], Node] | None = None,
    half_of: Callable[[int, Half], Action] | None = None,
) -> BehaviorTree:
    """Return the tree of a scheduled plan; its leaves are the innermost activities.

    ``action_of`` turns an activity's number into a leaf; without, the leaf has the activity's name and
    its resources as ports. ``tried`` puts the leaf of an activity below its limits and attempts. ``half_of``
    returns leaves for the start and the end of an activity that has to end after another one that it
    encloses, where executors know such leaves.
    """
    plan = schedule.order.plan
    reach = _reach_with_pauses(schedule, [])
    pieces = _pieces(plan.activities, reach, halves=half_of is not None)
    pauses = list(_pauses(schedule, {p.activity for p in pieces if p.half}))
    reach = _reach_with_pauses(schedule, pauses)
    added = [len(plan.steps) + 2 * number for number in range(len(pauses))]
    starts = np.array([p.start for p in pieces] + added, np.int64)
    ends = np.array([p.end for p in pieces] + [n + 1 for n in added], np.int64)
    ended, started, late = _relations(reach, starts, ends)
    make = _plain(schedule) if action_of is None else action_of
    times = np.append(schedule.time_s, np.ravel([p.span(schedule) for p in pauses]))
    lasts_s = np.array(
        [p.lasts_s(plan.activities) for p in pieces] + [(p.seconds, p.seconds) for p in pauses]
    )
    parts, before = _parts(plan.activities, pieces, pauses), ended | late
    _pass_within(pauses, parts, starts, (before, started))
    before, started = punctual(plan.activities, parts, lasts_s, before, started)
    return tree_of_actions(
        [*(piece.leaf(make, half_of) for piece in pieces), *(Pause(p.seconds) for p in pauses)],
        _pairs(before),
        _pairs(started),
        times[ends],
        name,
        None if tried is None else lambda at, leaf: tried(pieces[at].activity, leaf),
    )


def _pass_within(
    pauses: list[_Gap], parts: Mapping[int, Bools], starts: Ints, relations: tuple[Bools, Bools]
) -> None:
    """Let each pause of an action pass from when the first of the other parts may start."""
    for at, pause in enumerate(pauses, len(starts) - len(pauses)):
        if pause.within is not None:
            first = np.where(parts[pause.within], starts, np.inf).argmin()
            for before in relations:
                before[:, at] |= before[:, first]


Half = Literal["", "start", "end"]


@dataclass(frozen=True, slots=True)
class _Piece:
    """An activity that is one leaf, or its start or end that is one by itself."""

    activity: int
    start: int
    end: int
    half: Half = ""

    def leaf(
        self, make: Callable[[int], Action], half_of: Callable[[int, Half], Action] | None
    ) -> Action:
        """Return the leaf of the whole activity, or of the half that this is."""
        if not self.half or half_of is None:
            return make(self.activity)
        return half_of(self.activity, self.half)

    def lasts_s(self, activities: tuple[Activity, ...]) -> tuple[float, float]:
        """Return how long it takes at least and at most."""
        whole = activities[self.activity]
        return (0.0, 0.0) if self.half else (whole.shortest_s, whole.longest_s)


def _pieces(activities: tuple[Activity, ...], reach: Bools, *, halves: bool) -> list[_Piece]:
    """Return the leaves of a plan, with ``halves`` in two where another starts or ends within one."""
    outer = {activity.parent for activity in activities}
    found = [_Piece(i, a.start, a.end) for i, a in enumerate(activities) if i not in outer]
    while True:
        starts = np.array([p.start for p in found], np.int64)
        ends = np.array([p.end for p in found], np.int64)
        _, started, late = _relations(reach, starts, ends)
        together = started & started.T
        if not together.any():
            return found
        # what another one ends in is split first, then what another one starts in
        within = np.where(together, 1 + 2 * late + reach[np.ix_(starts, starts)].T, 0)
        a, b = (found[int(i)] for i in np.unravel_index(within.argmax(), within.shape))
        if not halves:
            raise PlanningError(
                f"{activities[b.activity].name} has to start before and end after the start or end of "
                f"{activities[a.activity].name}; split it in two"
            )
        at = found.index(b)
        first, last = (
            _Piece(b.activity, b.start, b.start, "start"),
            _Piece(b.activity, b.end, b.end, "end"),
        )
        found[at : at + 1] = [first, last]


def _relations(reach: Bools, starts: Ints, ends: Ints) -> tuple[Bools, Bools, Bools]:
    """Return (n, n) which leaf has to end, and start, before which starts, and which ends later."""
    ended = reach[np.ix_(ends, starts)]
    started = reach[np.ix_(starts, ends)]  # b may start, but not end, before a has started
    np.fill_diagonal(started, False)
    late = reach[np.ix_(ends, ends)] & ~ended  # b may start, but not end, before a has ended
    return ended, started, late


def _parts(
    activities: tuple[Activity, ...], pieces: list[_Piece], pauses: list[_Gap]
) -> dict[int, Bools]:
    """Return which leaves and pauses belong to each activity that consists of several."""
    owners = [p.activity if p.half else activities[p.activity].parent for p in pieces]
    parts: dict[int, Bools] = {}
    for at, owner in enumerate([*owners, *(pause.within for pause in pauses)]):
        while owner is not None:
            parts.setdefault(owner, np.zeros(len(pieces) + len(pauses), bool))[at] = True
            owner = activities[owner].parent
    return parts


def _reach_with_pauses(schedule: PlanSchedule, pauses: list[_Gap]) -> Bools:
    """Return which step comes before which; each pause begins and ends in two steps more."""
    named: list[Action | Pause] = [Action(step.name) for step in schedule.order.plan.steps]
    links = schedule.links()
    for pause in pauses:
        begins = len(named)
        named += [Action("pause"), Action("pause")]
        links += [(begins, begins + 1), (begins + 1, pause.before)]
        links += [] if pause.after is None else [(pause.after, begins)]
    return _reach(len(named), links, named)


@dataclass(frozen=True, slots=True)
class _Gap:
    """Time that has to pass after a step, or from the beginning, before another one."""

    after: int | None
    before: int
    seconds: float
    within: int | None = None
    """The activity that it is a part of."""

    def span(self, schedule: PlanSchedule) -> tuple[float, float]:
        """Return when it passes."""
        begins = 0.0 if self.after is None else float(schedule.time_s[self.after])
        return begins, begins + self.seconds


def _pauses(schedule: PlanSchedule, split: set[int]) -> Iterator[_Gap]:
    """Yield the time between uses of one resource, and what an action takes beyond what it consists of."""
    activities = schedule.order.plan.activities
    for before, after, seconds in schedule.setups():
        end = None if before is None else activities[before].end
        yield _Gap(end, activities[after].start, seconds)
    for number, activity in enumerate(activities):
        inner = [a for a in activities if a.parent == number]
        if (inner or number in split) and activity.shortest_s > _one_after_another(inner):
            yield _Gap(activity.start, activity.end, activity.shortest_s, number)


def _one_after_another(inner: list[Activity]) -> float:
    """Return how long activities take at least whose steps keep their order."""
    begun: dict[int, float] = {}
    now = 0.0
    for step in sorted(step for a in inner for step in (a.start, a.end)):
        begun[step] = now
        ends = [begun[a.start] + a.shortest_s for a in inner if a.end == step]
        now = max([now, *ends])
    return now


def _plain(schedule: PlanSchedule) -> Callable[[int], Action]:
    def action(activity: int) -> Action:
        names = schedule.names(activity)
        ports = tuple((f"resource{i}", used) for i, used in enumerate(names.values(), start=1))
        return _named(schedule.order.plan.activities[activity].name, ports)

    return action


def _named(name: str, ports: tuple[tuple[str, str], ...]) -> Action:
    """Return a leaf whose kind is its name in letters that XML allows."""
    return Action(re.sub(r"\W+", "_", f"a_{name}" if name[:1].isdigit() else name), ports, name)


def _pairs(relation: Bools) -> list[Pair]:
    return [(int(a), int(b)) for a, b in np.argwhere(relation)]
