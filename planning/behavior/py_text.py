"""A behavior tree as a Python file for py_trees, which needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator

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

_HEAD = '''"""A behavior tree for py_trees (version 2). ``create_root(execute)`` makes it.

``execute(kind, ports, name)`` starts a leaf or goes on with it, and returns a ``py_trees.common.Status``;
``check(kind, ports)`` answers conditions; ``halt(kind, ports)`` stops a leaf that is interrupted.
"""

import time

from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.decorators import Decorator, FailureIsSuccess, PassThrough, Retry, SuccessIsFailure


class Hands:
    """What leaves share: how to execute and ask, the time, and the flags that are set."""

    def __init__(self, execute, halt, check, now_s):
        self.execute, self.halt, self.check, self.now_s = execute, halt, check, now_s
        self.flags = set()


class Act(Behaviour):
    """Does something; flags are set when it starts and when it succeeds."""

    def __init__(self, hands, name, kind, ports, started="", done=""):
        super().__init__(name)
        self.hands, self.kind, self.ports = hands, kind, ports
        self.started, self.done = started, done

    def update(self):
        self.hands.flags.add(self.started)
        status = self.hands.execute(self.kind, self.ports, self.name)
        if status == Status.SUCCESS:
            self.hands.flags.add(self.done)
        return status

    def terminate(self, new_status):
        if self.status == Status.RUNNING and new_status == Status.INVALID and self.hands.halt:
            self.hands.halt(self.kind, self.ports)


class Ask(Behaviour):
    """Succeeds where something is true."""

    def __init__(self, hands, name, kind, ports):
        super().__init__(name)
        self.hands, self.kind, self.ports = hands, kind, ports

    def update(self):
        return Status.SUCCESS if self.hands.check(self.kind, self.ports) else Status.FAILURE


class Wait(Decorator):
    """Ticks its child once all flags are set."""

    def __init__(self, hands, flags, child):
        super().__init__("wait for " + ", ".join(flags), child)
        self.hands, self.wanted, self.going = hands, set(flags), False

    def tick(self):
        going = self.going and self.status == Status.RUNNING
        self.going = going or self.wanted <= self.hands.flags
        if self.going:
            yield from super().tick()
        else:
            self.status = Status.RUNNING
            yield self

    def update(self):
        return self.decorated.status


class Rest(Behaviour):
    """Lets time pass and then succeeds."""

    def __init__(self, hands, seconds, done=""):
        super().__init__(f"pause of {seconds:g} s")
        self.hands, self.seconds, self.until_s, self.done = hands, seconds, 0.0, done

    def initialise(self):
        self.until_s = self.hands.now_s() + self.seconds

    def update(self):
        if self.hands.now_s() < self.until_s:
            return Status.RUNNING
        self.hands.flags.add(self.done)
        return Status.SUCCESS


class Anew(Decorator):
    """Clears all flags when it begins."""

    def __init__(self, hands, child):
        super().__init__("nothing is done yet", child)
        self.hands = hands

    def initialise(self):
        self.hands.flags.clear()

    def update(self):
        return self.decorated.status


class AtMost(Decorator):
    """Fails and stops its child when it has run for so long."""

    def __init__(self, hands, seconds, child):
        super().__init__(f"at most {seconds:g} s", child)
        self.hands, self.seconds, self.until_s = hands, seconds, 0.0

    def initialise(self):
        self.until_s = self.hands.now_s() + self.seconds

    def update(self):
        if self.decorated.status == Status.RUNNING and self.hands.now_s() > self.until_s:
            self.decorated.stop(Status.INVALID)
            return Status.FAILURE
        return self.decorated.status


def together(children):
    """All at once, until one fails."""
    return Parallel("parallel", ParallelPolicy.SuccessOnAll(synchronise=True), children)


def create_root(execute, halt=None, check=lambda kind, ports: True, now_s=time.monotonic):
    """Return the root of the tree."""
    hands = Hands(execute, halt, check, now_s)
    return (
'''


def py_trees_text(tree: BehaviorTree) -> str:
    """Return a tree as a Python file that makes it with py_trees."""
    lines = _HEAD.splitlines()
    root = [*_written(tree.root)]
    if tree.flags():
        root = ["Anew(", "    hands,", *(f"    {line}" for line in root), "),"]
    lines += ["        " + line for line in root]
    lines[-1] = lines[-1].removesuffix(",")
    return "\n".join([*lines, "    )", ""])


def _written(node: Node) -> Iterator[str]:
    """Yield the lines that make a node."""
    match node:
        case Action():
            yield (
                f"Act(hands, {node.label!r}, {node.kind!r}, {dict(node.ports)!r}, "
                f"{node.started_flag!r}, {node.done_flag!r}),"
            )
        case Condition():
            yield f"Ask(hands, {node.label!r}, {node.kind!r}, {dict(node.ports)!r}),"
        case Pause():
            yield f"Rest(hands, {node.seconds!r}, {node.done_flag!r}),"
        case Sequence():
            yield from _around("Sequence('sequence', True, [", node.children, "]),")
        case Fallback():
            yield from _around("Selector('fallback', True, [", node.children, "]),")
        case Parallel():
            yield "together(["
            for child in node.children:
                inner = [f"    {line}" for line in _written(child)]
                if node.to_the_end:
                    inner = ["    FailureIsSuccess('whatever comes of it',", *inner, "    ),"]
                yield from inner
            yield "]),"
        case WaitFor() | Retry() | Timeout() | Failing() | Part():
            opening, closing = _decorator(node)
            yield from _around(opening, (node.child,), closing)


def _around(opening: str, children: tuple[Node, ...], closing: str) -> Iterator[str]:
    yield opening
    for child in children:
        yield from (f"    {line}" for line in _written(child))
    yield closing


def _decorator(node: WaitFor | Retry | Timeout | Failing | Part) -> tuple[str, str]:
    """Return what stands before and after the child."""
    match node:
        case WaitFor():
            return f"Wait(hands, {[*node.flags]!r},", "),"
        case Retry():
            return f"Retry('at most {node.attempts} times',", f"num_failures={node.attempts}),"
        case Timeout():
            return f"AtMost(hands, {node.seconds!r},", "),"
        case Failing():
            return "SuccessIsFailure('then fail',", "),"
        case Part():
            return f"PassThrough({node.name!r},", "),"
