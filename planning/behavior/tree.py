"""The nodes of a behavior tree, as far as executing a plan needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Action:
    """A leaf: something a robot does. Flags are set when it starts and when it succeeds."""

    kind: str
    """What is done, for example ``move_arm``: the leaf type an executor knows."""
    ports: tuple[tuple[str, str], ...] = ()
    """Named arguments, for example ``("arm", "a1")``."""
    name: str = ""
    """What to call this leaf; empty: its kind."""
    done_flag: str = ""
    started_flag: str = ""

    @property
    def label(self) -> str:
        """Return what to call this leaf."""
        return self.name or self.kind


@dataclass(frozen=True, slots=True)
class Condition:
    """A leaf that succeeds where something is true now, and fails elsewhere."""

    kind: str
    """What is asked, for example ``holds``: the leaf type an executor knows."""
    ports: tuple[tuple[str, str], ...] = ()
    name: str = ""
    """What to call this leaf; empty: its kind."""

    @property
    def label(self) -> str:
        """Return what to call this leaf."""
        return self.name or self.kind


@dataclass(frozen=True, slots=True)
class Pause:
    """A leaf that lets time pass and then succeeds; its flag is set then."""

    seconds: float
    done_flag: str = ""

    @property
    def label(self) -> str:
        """Return what to call this leaf."""
        return f"pause of {self.seconds:g} s"


@dataclass(frozen=True, slots=True)
class Sequence:
    """Children one after the other, until one fails."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Parallel:
    """Children at once; succeeds with the last, fails with the first that fails."""

    children: tuple[Node, ...]
    to_the_end: bool = False
    """Whether all go on to their ends whatever comes of the others; then it always succeeds."""


@dataclass(frozen=True, slots=True)
class WaitFor:
    """The child, once all flags are set; running until then."""

    flags: tuple[str, ...]
    child: Node


@dataclass(frozen=True, slots=True)
class Fallback:
    """Children one after the other, until one succeeds."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Retry:
    """The child, begun anew after a failure; fails with the last of so many attempts."""

    attempts: int
    child: Node


@dataclass(frozen=True, slots=True)
class Timeout:
    """The child, halted and failed when it has run for so long."""

    seconds: float
    child: Node


@dataclass(frozen=True, slots=True)
class Failing:
    """The child; fails when the child is done, whatever came of it."""

    child: Node


@dataclass(frozen=True, slots=True)
class Part:
    """A tree with a name of its own, as one robot's: ``Part`` with equal names would be one tree twice."""

    name: str
    child: Node


Leaf: TypeAlias = "Action | Condition | Pause"
Node: TypeAlias = (
    "Leaf | Sequence | Parallel | Fallback | WaitFor | Retry | Timeout | Failing | Part"
)


@dataclass(frozen=True, slots=True)
class BehaviorTree:
    """A tree whose flags are cleared at the beginning and whose success is the end of the plan."""

    name: str
    root: Node

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes, parents first, children in order."""
        stack: list[Node] = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(children_of(node)))

    def parts(self) -> list[Part]:
        """Return the trees with names of their own."""
        return [node for node in self.nodes() if isinstance(node, Part)]

    def conditions(self) -> list[Condition]:
        """Return all conditions from left to right."""
        return [node for node in self.nodes() if isinstance(node, Condition)]

    def actions(self) -> list[Action]:
        """Return all leaves from left to right."""
        return [node for node in self.nodes() if isinstance(node, Action)]

    def flags(self) -> list[str]:
        """Return the flags that actions set, in the order of the leaves."""
        flags: list[str] = []
        for node in self.nodes():
            if isinstance(node, Action):
                flags += [node.started_flag, node.done_flag]
            elif isinstance(node, Pause):
                flags.append(node.done_flag)
        return [flag for flag in flags if flag]


def children_of(node: Node) -> tuple[Node, ...]:
    """Return the nodes right below a node."""
    if isinstance(node, Action | Condition | Pause):
        return ()
    if isinstance(node, Sequence | Parallel | Fallback):
        return node.children
    return (node.child,)


def with_recovery(tree: BehaviorTree, recovery: Node) -> BehaviorTree:
    """Return a tree that does something before it fails, as bringing all robots into a safe condition.

    When any leaf fails, all that runs is halted first; then the recovery runs, and the tree fails.
    """
    return BehaviorTree(tree.name, Fallback((tree.root, Failing(recovery))))


MAKE_SAFE = "make_safe"
"""The leaf that does it; no other may have its name."""
SAFE_S = 10.0
"""Bringing an agent into its safe condition takes no longer."""


def made_safe(kind: str, names: Iterable[str], condition: str) -> Node:
    """Return what brings all robots or agents into a safe condition, also those that others fail to."""
    safe = tuple(
        Timeout(
            SAFE_S, Action(MAKE_SAFE, ((kind, n), ("condition", condition)), f"{n}: {condition}")
        )
        for n in names
    )
    return safe[0] if len(safe) == 1 else Parallel(safe, to_the_end=True)
