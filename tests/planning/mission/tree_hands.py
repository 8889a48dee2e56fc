"""The leaves of a mission's tree done by robots: what a tree asks and orders, over the robots' protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from commonground.planning.behavior.ticking import Ticker, TickStatus
from commonground.planning.behavior.tree import Action, BehaviorTree, Condition
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.runner import STEP_S, Clock, rest_of
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import RobotError, RobotLink, Status
from tests.planning.behavior.by_py_trees import py_trees_tick

TICKS = 100_000
"""A tree that is not over after so many ticks is stopped."""


@dataclass(slots=True)
class _Ordered:
    """How often a leaf was begun, and how far its motion got."""

    count: int = 0
    order: str = ""
    """Of the order that goes on; empty for none."""
    gone_m: float = 0.0
    from_m: float = 0.0


@dataclass(slots=True)
class TreeHands:
    """Does what the leaves of a tree say, and answers what they ask."""

    belief: SceneBelief
    tasks: Mapping[str, Task]
    links: Mapping[str, RobotLink]
    now_s: Callable[[], float]
    _leaves: dict[Action, _Ordered] = field(default_factory=dict)
    _heard: dict[str, Status] = field(default_factory=dict)

    def hear(self) -> None:
        """Ask all robots how they fare; leaves answer from that until it is called again."""
        for name, link in self.links.items():
            try:
                status = link.status()
            except RobotError as error:
                status = Status(None, linked=False, detail=str(error))
            self._heard[name] = status
            for sighting in status.sightings:
                self.belief.see(self.now_s(), name, sighting)

    def execute(self, action: Action) -> TickStatus:
        """Begin a leaf, or tell how it goes."""
        ports = dict(action.ports)
        if action.kind == "make_safe":
            return self._make_safe(ports["robot"])
        leaf = self._leaves.setdefault(action, _Ordered())
        if not leaf.order:
            return self._begin(leaf, self.tasks[ports["task"]], ports)
        status = self._heard[ports["robot"]]
        if not status.linked or status.order != leaf.order:
            return TickStatus.RUNNING  # not heard of it yet; the time limit of the tree bounds that
        leaf.gone_m = leaf.from_m + status.gone_m
        if status.state == "running":
            return TickStatus.RUNNING
        leaf.order = ""
        if status.state != "done":
            return TickStatus.FAILURE
        task = self.tasks[ports["task"]]
        if not task.moves or float(ports["to_m"]) >= task.length_m - 1e-3:
            self.belief.finish(0.0, task)
        return TickStatus.SUCCESS

    def halt(self, action: Action) -> None:
        """Stop what a leaf has begun."""
        leaf = self._leaves.get(action)
        if leaf is not None and leaf.order:
            leaf.order = ""
            self.links[dict(action.ports)["robot"]].stop()

    def check(self, condition: Condition) -> bool:
        """Tell whether a fact is true, as far as the robots know."""
        word, *about = dict(condition.ports)["fact"].split(" ")
        if word == "lies":
            return about[0] not in self.belief.gone and self.belief.host(about[0]) == about[1]
        if word == "free":
            return not self._heard[about[0]].holding
        if word == "holding":
            return self._heard[about[0]].holding == about[1]
        return about[0] in self.belief.state.safe

    def _begin(self, leaf: _Ordered, task: Task, ports: Mapping[str, str]) -> TickStatus:
        leaf.count += 1
        link = self.links[task.robot]
        begin_m, end_m = float(ports.get("from_m", "0")), float(ports.get("to_m", "0"))
        leaf.order = f"{task.key}@{begin_m:.3f}#{leaf.count}"
        try:
            if task.moves:
                leaf.from_m = max(begin_m, leaf.gone_m)
                back = rest_of(task.path[::-1], task.length_m - end_m)  # up to the end of the leg
                link.follow(leaf.order, rest_of(back[::-1], leaf.from_m), end_m - leaf.from_m)
            else:
                link.act(leaf.order, task.kind, task.things, task.path[-1])
        except RobotError:
            leaf.order = ""
            return TickStatus.FAILURE
        return TickStatus.RUNNING

    def _make_safe(self, robot: str) -> TickStatus:
        try:
            self.links[robot].stop()
            status = self.links[robot].status()
        except RobotError:
            return TickStatus.RUNNING
        stands = status.linked and status.state != "running"
        return TickStatus.SUCCESS if stands else TickStatus.RUNNING


def carry_out_tree(
    tree: BehaviorTree,
    tasks: Sequence[Task],
    belief: SceneBelief,
    links: Mapping[str, RobotLink],
    clock: Clock,
    *,
    by_py_trees: bool = False,
) -> TickStatus:
    """Tick a tree with robots until it is over, by our own ticker or by py_trees."""
    hands = TreeHands(belief, {t.key: t for t in tasks}, links, clock.now_s)
    own = (tree, hands.execute, hands.halt, hands.check, clock.now_s)
    tick = py_trees_tick(*own) if by_py_trees else Ticker(*own).tick
    status = TickStatus.RUNNING
    for _ in range(TICKS):
        hands.hear()
        status = tick()
        if status is not TickStatus.RUNNING:
            break
        clock.wait(STEP_S)
    return status
