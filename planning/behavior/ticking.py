"""Tick a behavior tree in process, with the semantics of BehaviorTree.CPP version 4."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Node,
    Sequence,
    WaitFor,
)


class TickStatus(Enum):
    """What a node answers to a tick."""

    RUNNING = "running"
    SUCCESS = "success"
    FAILURE = "failure"


RUNNING, SUCCESS, FAILURE = TickStatus.RUNNING, TickStatus.SUCCESS, TickStatus.FAILURE
Execute = Callable[[Action], TickStatus]
"""Starts an action at its first call, and tells at this and later calls how it goes."""


class Ticker:
    """The state of one execution of a tree.

    A sequence goes on where it was; a parallel node ticks every child that has not finished; when a child
    fails, what still runs beside it is halted.
    """

    def __init__(
        self,
        tree: BehaviorTree,
        execute: Execute,
        halt: Callable[[Action], None] | None = None,
    ) -> None:
        self.flags: dict[str, bool] = dict.fromkeys(tree.flags(), False)
        self.status = RUNNING
        self._root = _cell(tree.root, self)
        self.execute = execute
        self._halt = halt

    def tick(self) -> TickStatus:
        """Tick the tree once; a finished tree keeps its status."""
        if self.status is RUNNING:
            self.status = self._root.tick()
        return self.status

    def stop(self) -> None:
        """Halt what is running; the tree has failed then."""
        if self.status is RUNNING:
            self._root.halt()
            self.status = FAILURE

    def halted(self, action: Action) -> None:
        """Pass on that a running action has to stop."""
        if self._halt is not None:
            self._halt(action)


class _Leaf:
    def __init__(self, action: Action, ticker: Ticker) -> None:
        self._action, self._ticker, self._running = action, ticker, False

    def tick(self) -> TickStatus:
        action, flags = self._action, self._ticker.flags
        if action.started_flag:
            flags[action.started_flag] = True
        status = self._ticker.execute(action)
        self._running = status is RUNNING
        if status is SUCCESS and action.done_flag:
            flags[action.done_flag] = True
        return status

    def halt(self) -> None:
        if self._running:
            self._running = False
            self._ticker.halted(self._action)


class _Sequence:
    def __init__(self, children: list[Cell]) -> None:
        self._children, self._at = children, 0

    def tick(self) -> TickStatus:
        while self._at < len(self._children):
            status = self._children[self._at].tick()
            if status is not SUCCESS:
                return status
            self._at += 1
        return SUCCESS

    def halt(self) -> None:
        if self._at < len(self._children):
            self._children[self._at].halt()


class _Parallel:
    def __init__(self, children: list[Cell]) -> None:
        self._open = children

    def tick(self) -> TickStatus:
        still_open: list[Cell] = []
        for place, child in enumerate(self._open):
            status = child.tick()
            if status is FAILURE:
                for other in (*still_open, *self._open[place + 1 :]):
                    other.halt()
                return FAILURE
            if status is RUNNING:
                still_open.append(child)
        self._open = still_open
        return RUNNING if still_open else SUCCESS

    def halt(self) -> None:
        for child in self._open:
            child.halt()


class _WaitFor:
    def __init__(self, flags: tuple[str, ...], child: Cell, ticker: Ticker) -> None:
        self._flags, self._child, self._ticker, self._going = flags, child, ticker, False

    def tick(self) -> TickStatus:
        self._going = self._going or all(self._ticker.flags[flag] for flag in self._flags)
        return self._child.tick() if self._going else RUNNING

    def halt(self) -> None:
        if self._going:
            self._child.halt()


Cell = _Leaf | _Sequence | _Parallel | _WaitFor


def _cell(node: Node, ticker: Ticker) -> Cell:
    if isinstance(node, Action):
        return _Leaf(node, ticker)
    if isinstance(node, WaitFor):
        return _WaitFor(node.flags, _cell(node.child, ticker), ticker)
    children = [_cell(child, ticker) for child in node.children]
    return _Sequence(children) if isinstance(node, Sequence) else _Parallel(children)
