"""The nodes of a behavior tree, as far as executing a plan needs them."""

from __future__ import annotations

from collections.abc import Iterator
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
class Sequence:
    """Children one after the other, until one fails."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Parallel:
    """Children at once; succeeds with the last, fails with the first that fails."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class WaitFor:
    """The child, once all flags are set; running until then."""

    flags: tuple[str, ...]
    child: Node


Node: TypeAlias = "Action | Sequence | Parallel | WaitFor"


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
            if isinstance(node, WaitFor):
                stack.append(node.child)
            elif not isinstance(node, Action):
                stack.extend(reversed(node.children))

    def actions(self) -> list[Action]:
        """Return all leaves from left to right."""
        return [node for node in self.nodes() if isinstance(node, Action)]

    def flags(self) -> list[str]:
        """Return the flags that actions set, in the order of the leaves."""
        leaves = self.actions()
        return [flag for leaf in leaves for flag in (leaf.started_flag, leaf.done_flag) if flag]
