"""A behavior tree as one of py_trees, which ticks it in process."""

from __future__ import annotations

import time
from collections.abc import Callable

from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel as PyParallel
from py_trees.composites import Selector
from py_trees.composites import Sequence as PySequence
from py_trees.decorators import Decorator, FailureIsSuccess, PassThrough, SuccessIsFailure
from py_trees.decorators import Retry as PyRetry

from commonground.planning.behavior.ticking import Check, Execute, TickStatus, always
from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Condition,
    Failing,
    Fallback,
    Node,
    Parallel,
    Part,
    Retry,
    Sequence,
    Timeout,
    WaitFor,
)

STATUS = {
    TickStatus.RUNNING: Status.RUNNING,
    TickStatus.SUCCESS: Status.SUCCESS,
    TickStatus.FAILURE: Status.FAILURE,
}


class _Hands:
    """What leaves share: how to execute and ask, the time, and the flags."""

    def __init__(
        self,
        tree: BehaviorTree,
        execute: Execute,
        halt: Callable[[Action], None] | None,
        check: Check,
        now_s: Callable[[], float],
    ) -> None:
        self.flags = dict.fromkeys(tree.flags(), False)
        self.execute, self.halt, self.check, self.now_s = execute, halt, check, now_s


def py_tree(
    tree: BehaviorTree,
    execute: Execute,
    halt: Callable[[Action], None] | None = None,
    check: Check = always,
    now_s: Callable[[], float] = time.monotonic,
) -> Behaviour:
    """Return the root of a tree of py_trees that does what ``ticking.Ticker`` does with the same tree."""
    return _node(tree.root, _Hands(tree, execute, halt, check, now_s))


class _Act(Behaviour):
    def __init__(self, action: Action, hands: _Hands) -> None:
        super().__init__(action.label)
        self._action, self._hands = action, hands

    def update(self) -> Status:
        action, flags = self._action, self._hands.flags
        if action.started_flag:
            flags[action.started_flag] = True
        status = self._hands.execute(action)
        if status is TickStatus.SUCCESS and action.done_flag:
            flags[action.done_flag] = True
        return STATUS[status]

    def terminate(self, new_status: Status) -> None:
        halted = self.status == Status.RUNNING and new_status == Status.INVALID
        if halted and self._hands.halt is not None:
            self._hands.halt(self._action)


class _Ask(Behaviour):
    def __init__(self, condition: Condition, hands: _Hands) -> None:
        super().__init__(condition.label)
        self._condition, self._hands = condition, hands

    def update(self) -> Status:
        return Status.SUCCESS if self._hands.check(self._condition) else Status.FAILURE


class _Wait(Decorator):
    """Ticks its child once the flags are set."""

    def __init__(self, flags: tuple[str, ...], child: Behaviour, hands: _Hands) -> None:
        super().__init__(f"wait for {', '.join(flags)}", child)
        self._flags, self._hands, self._going = flags, hands, False

    def tick(self):  # type: ignore[no-untyped-def]
        self._going = self._going or all(self._hands.flags[flag] for flag in self._flags)
        if self._going:
            yield from super().tick()
        else:
            self.status = Status.RUNNING
            yield self

    def update(self) -> Status:
        return self.decorated.status


class _Limit(Decorator):
    """Fails and halts its child when it has run for so long, by the time of the mission."""

    def __init__(self, seconds: float, child: Behaviour, hands: _Hands) -> None:
        super().__init__(f"at most {seconds:g} s", child)
        self._seconds, self._hands, self._until_s = seconds, hands, 0.0

    def initialise(self) -> None:
        self._until_s = self._hands.now_s() + self._seconds

    def update(self) -> Status:
        late = self._hands.now_s() > self._until_s
        if late and self.decorated.status == Status.RUNNING:
            self.decorated.stop(Status.INVALID)
            return Status.FAILURE
        return self.decorated.status


def _node(node: Node, hands: _Hands) -> Behaviour:
    if isinstance(node, Action):
        return _Act(node, hands)
    if isinstance(node, Condition):
        return _Ask(node, hands)
    if isinstance(node, Sequence | Parallel | Fallback):
        children: list[Behaviour] = [_node(child, hands) for child in node.children]
        if isinstance(node, Parallel):
            if node.to_the_end:
                children = [FailureIsSuccess("whatever comes of it", child) for child in children]
            policy = ParallelPolicy.SuccessOnAll(synchronise=True)
            return PyParallel("parallel", policy, children)
        if isinstance(node, Sequence):
            return PySequence("sequence", memory=True, children=children)
        return Selector("fallback", memory=True, children=children)
    return _around(node, _node(node.child, hands), hands)


def _around(
    node: WaitFor | Retry | Timeout | Failing | Part, child: Behaviour, hands: _Hands
) -> Behaviour:
    match node:
        case WaitFor():
            return _Wait(node.flags, child, hands)
        case Retry():
            return PyRetry(f"at most {node.attempts} times", child, node.attempts)
        case Timeout():
            return _Limit(node.seconds, child, hands)
        case Failing():
            return SuccessIsFailure("then fail", child)
    return PassThrough(node.name, child)
