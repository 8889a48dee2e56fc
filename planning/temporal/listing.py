"""A first schedule of a plan: what can start first starts first, on the resource that is free first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from commonground.arrays import Floats
from commonground.planning.temporal.ordering import PartialOrder
from commonground.planning.temporal.plan_schedule import Setup
from commonground.planning.temporal.steps import Activity, TotalOrder

Into = list[list[tuple[int, float]]]
"""For each step the steps before it, and the least seconds between."""


def least_spans(order: PartialOrder) -> dict[int, float]:
    """Return for each outermost activity the least time from its start to its end."""
    into = arcs_into(order)
    return {b: _least_span(into, order.plan.activities[b]) for b in order.plan.blocks()}


def _least_span(into: Into, activity: Activity) -> float:
    times = {activity.start: 0.0}
    for step in range(activity.start + 1, activity.end + 1):
        reach = [times[before] + gap for before, gap in into[step] if before in times]
        if reach:
            times[step] = max(reach)
    return times[activity.end]


def arcs_into(order: PartialOrder) -> Into:
    """Return what each step waits for: orderings, and the shortest durations."""
    into: Into = [[] for _ in order.plan.steps]
    for before, after in order.reduced():
        into[after].append((before, 0.0))
    for activity in order.plan.activities:
        into[activity.end].append((activity.start, activity.shortest_s))
    return into


def list_schedule(
    order: PartialOrder, setup_s: Setup, able: Mapping[tuple[int, int], Sequence[str]]
) -> tuple[Floats, dict[int, tuple[str, ...]]] | None:
    """Return times of the steps and resources of the outermost activities; longest durations may be
    exceeded. None: two activities each wait for something inside the other."""
    listing = _Listing(order, setup_s, able)
    while listing.left:
        startable = [unit for unit in listing.left if listing.is_ready(unit)]
        if not startable:
            return None
        _, unit = min((listing.soonest(unit)[0], unit) for unit in startable)
        listing.place(unit)
    return listing.times, listing.used


class _Listing:
    """Units are outermost activities, by their start step, and steps outside any activity."""

    def __init__(
        self, order: PartialOrder, setup_s: Setup, able: Mapping[tuple[int, int], Sequence[str]]
    ) -> None:
        self._able = able
        self._plan: TotalOrder = order.plan
        self._setup_s = setup_s
        self._into = arcs_into(order)
        self.times = np.full(len(self._plan.steps), np.nan)
        self.used: dict[int, tuple[str, ...]] = {}
        self._last: dict[str, int] = {}
        roots = self._plan.roots_of_steps()
        self._block = {self._plan.activities[b].start: b for b in self._plan.blocks()}
        start_of = {block: start for start, block in self._block.items()}
        self._steps: dict[int, list[int]] = {}
        for step, root in enumerate(roots):
            self._steps.setdefault(step if root is None else start_of[root], []).append(step)
        self.left = sorted(self._steps)

    def is_ready(self, unit: int) -> bool:
        """Return whether all that a unit waits for outside itself has a time."""
        own = set(self._steps[unit])
        return not any(
            np.isnan(self.times[before])
            for step in own
            for before, _ in self._into[step]
            if before not in own
        )

    def soonest(self, unit: int) -> tuple[float, tuple[str, ...]]:
        """Return when a unit can start, and with which resources."""
        time = max((float(self.times[b]) + gap for b, gap in self._into[unit]), default=0.0)
        block = self._block.get(unit)
        if block is None:
            return time, ()
        names: list[str] = []
        for place, given in enumerate(self._plan.activities[block].resources):
            pool = [name for name in self._able[block, place] if name not in names]
            ranked = [(self._free(name, block), name != given, name) for name in pool]
            if not ranked:
                return np.inf, ()
            at, _, name = min(ranked)
            names.append(name)
            time = max(time, at)
        return time, tuple(names)

    def _free(self, name: str, block: int) -> float:
        """Return when a resource is free and set up for a block."""
        last = self._last.get(name)
        left = 0.0 if last is None else float(self.times[self._plan.activities[last].end])
        return left + self._setup_s.get((name, last, block), 0.0)

    def place(self, unit: int) -> None:
        """Give all steps of a unit their times."""
        time, names = self.soonest(unit)
        for step in self._steps[unit]:
            reach = [float(self.times[b]) + gap for b, gap in self._into[step]]
            self.times[step] = max([time, *reach])
        self.left.remove(unit)
        block = self._block.get(unit)
        if block is not None:
            self.used[block] = names
            self._last.update(dict.fromkeys(names, block))
