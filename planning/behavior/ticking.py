"""Tick a behavior tree in process, with the semantics of BehaviorTree.CPP version 4."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from enum import Enum
from typing import Protocol

from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Condition,
    Failing,
    Fallback,
    Node,
    Parallel,
    Part,
    Pause,
    Retry,
    Sequence,
    Timeout,
    WaitFor,
)


class TickStatus(Enum):
    """What a node answers to a tick."""

    RUNNING = "running"
    SUCCESS = "success"
    FAILURE = "failure"


RUNNING, SUCCESS, FAILURE = TickStatus.RUNNING, TickStatus.SUCCESS, TickStatus.FAILURE
Execute = Callable[[Action], TickStatus]
"""Starts an action at its first call, and tells at this and later calls how it goes.

A call after the action has failed or was halted starts it anew.
"""
Check = Callable[[Condition], bool]
"""Tells whether a condition is true now."""


def always(condition: Condition) -> bool:
    """Say of every condition that it is true."""
    return True


class Ticker:
    """The state of one execution of a tree.

    A sequence goes on where it was; a parallel node ticks every child that has not finished; when a child
    fails, what still runs beside it is halted. What has finished or was halted begins anew when it is ticked
    again.
    """

    def __init__(
        self,
        tree: BehaviorTree,
        execute: Execute,
        halt: Callable[[Action], None] | None = None,
        check: Check = always,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.flags: dict[str, bool] = dict.fromkeys(tree.flags(), False)
        self.status = RUNNING
        self.wakes_s = math.inf
        """When the first of the pauses is over that the last tick left running."""
        self._root = _cell(tree.root, self)
        self.execute, self.check, self.now_s = execute, check, now_s
        self._halt = halt

    def tick(self) -> TickStatus:
        """Tick the tree once; a finished tree keeps its status."""
        if self.status is RUNNING:
            self.wakes_s = math.inf
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


class Cell(Protocol):
    """A node in execution."""

    def tick(self) -> TickStatus:
        """Go on."""
        ...

    def halt(self) -> None:
        """Stop what runs; the next tick begins anew."""
        ...


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


class _Condition:
    def __init__(self, condition: Condition, ticker: Ticker) -> None:
        self._condition, self._ticker = condition, ticker

    def tick(self) -> TickStatus:
        return SUCCESS if self._ticker.check(self._condition) else FAILURE

    def halt(self) -> None:
        """Nothing runs in it."""


class _Pause:
    def __init__(self, pause: Pause, ticker: Ticker) -> None:
        self._pause, self._ticker = pause, ticker
        self._until_s: float | None = None

    def tick(self) -> TickStatus:
        now = self._ticker.now_s()
        if self._until_s is None:
            self._until_s = now + self._pause.seconds
        if now < self._until_s:
            self._ticker.wakes_s = min(self._ticker.wakes_s, self._until_s)
            return RUNNING
        self._until_s = None
        if self._pause.done_flag:
            self._ticker.flags[self._pause.done_flag] = True
        return SUCCESS

    def halt(self) -> None:
        self._until_s = None


class _InTurn:
    """A sequence, which goes on after successes, or a fallback, which goes on after failures."""

    def __init__(self, children: list[Cell], on: TickStatus) -> None:
        self._children, self._on, self._at = children, on, 0

    def tick(self) -> TickStatus:
        while self._at < len(self._children):
            status = self._children[self._at].tick()
            if status is not self._on:
                self._at = self._at if status is RUNNING else 0
                return status
            self._at += 1
        self._at = 0
        return self._on

    def halt(self) -> None:
        if self._at < len(self._children):
            self._children[self._at].halt()
        self._at = 0


class _Parallel:
    def __init__(self, children: list[Cell], to_the_end: bool) -> None:
        self._all = self._open = children
        self._to_the_end = to_the_end

    def tick(self) -> TickStatus:
        still_open: list[Cell] = []
        for place, child in enumerate(self._open):
            status = child.tick()
            if status is FAILURE and not self._to_the_end:
                for other in (*still_open, *self._open[place + 1 :]):
                    other.halt()
                self._open = self._all
                return FAILURE
            if status is RUNNING:
                still_open.append(child)
        self._open = still_open or self._all
        return RUNNING if still_open else SUCCESS

    def halt(self) -> None:
        for child in self._open:
            child.halt()
        self._open = self._all


class _WaitFor:
    def __init__(self, flags: tuple[str, ...], child: Cell, ticker: Ticker) -> None:
        self._flags, self._child, self._ticker, self._going = flags, child, ticker, False

    def tick(self) -> TickStatus:
        self._going = self._going or all(self._ticker.flags[flag] for flag in self._flags)
        return self._child.tick() if self._going else RUNNING

    def halt(self) -> None:
        if self._going:
            self._child.halt()


class _Retry:
    def __init__(self, attempts: int, child: Cell) -> None:
        self._attempts, self._child, self._failed = attempts, child, 0

    def tick(self) -> TickStatus:
        status = self._child.tick()
        if status is FAILURE:
            self._failed += 1
            if self._failed < self._attempts:
                return RUNNING
        if status is not RUNNING:
            self._failed = 0
        return status

    def halt(self) -> None:
        self._child.halt()
        self._failed = 0


class _Timeout:
    def __init__(self, seconds: float, child: Cell, ticker: Ticker) -> None:
        self._seconds, self._child, self._ticker = seconds, child, ticker
        self._until_s: float | None = None

    def tick(self) -> TickStatus:
        now = self._ticker.now_s()
        if self._until_s is None:
            self._until_s = now + self._seconds
        if now > self._until_s:
            self.halt()
            return FAILURE
        status = self._child.tick()
        if status is not RUNNING:
            self._until_s = None
        return status

    def halt(self) -> None:
        self._child.halt()
        self._until_s = None


class _Failing:
    def __init__(self, child: Cell) -> None:
        self._child = child

    def tick(self) -> TickStatus:
        return RUNNING if self._child.tick() is RUNNING else FAILURE

    def halt(self) -> None:
        self._child.halt()


def _cell(node: Node, ticker: Ticker) -> Cell:
    if isinstance(node, Action):
        return _Leaf(node, ticker)
    if isinstance(node, Condition):
        return _Condition(node, ticker)
    if isinstance(node, Pause):
        return _Pause(node, ticker)
    if isinstance(node, Sequence | Parallel | Fallback):
        children = [_cell(child, ticker) for child in node.children]
        if isinstance(node, Parallel):
            return _Parallel(children, node.to_the_end)
        return _InTurn(children, SUCCESS if isinstance(node, Sequence) else FAILURE)
    return _around(node, _cell(node.child, ticker), ticker)


def _around(node: WaitFor | Retry | Timeout | Failing | Part, child: Cell, ticker: Ticker) -> Cell:
    if isinstance(node, WaitFor):
        return _WaitFor(node.flags, child, ticker)
    if isinstance(node, Retry):
        return _Retry(node.attempts, child)
    if isinstance(node, Timeout):
        return _Timeout(node.seconds, child, ticker)
    return _Failing(child) if isinstance(node, Failing) else child
