"""The border to whatever carries out actions: a simulator, or real robots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.graph import HouseGraph


class Call(NamedTuple):
    """One skill of one robot, called with things."""

    robot: str
    skill: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.robot} {self.skill}({', '.join(self.args)})"


class Part(NamedTuple):
    """Calls to be carried out, as much at the same time as they allow, up to the first failure."""

    calls: tuple[Call, ...]
    waits: tuple[tuple[int, int], ...] = ()
    """Places of calls of which the second has to wait for the first."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What came of a plan: the calls that worked, and the one that did not."""

    done: tuple[Call, ...] = ()
    failed: Call | None = None
    reason: str = ""
    about: tuple[str, ...] = ()
    """The things whose state was not as needed."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the robots can see now."""

    facts: tuple[Fact, ...] = ()
    complete: frozenset[str] = frozenset()
    """Receptacles whose whole contents are in view."""
    things: frozenset[str] = field(default_factory=frozenset)
    """Everything in view."""
    supposed: tuple[Fact, ...] = ()
    """What seems to be there and is only believed for good once it has been handled."""
    unread: tuple[str, ...] = field(default=(), compare=False)
    """Places of which there are pictures that nobody could say anything about."""


class Surroundings(Protocol):
    """Looks around, and predicts what calls change."""

    def look(self) -> Sight:
        """Return what the robots can see from where they are."""
        ...

    def predict(self, graph: HouseGraph, calls: Sequence[Call]) -> HouseGraph:
        """Return what is believed once calls have worked."""
        ...
