"""A process in time: a start, what follows in its order, and an end, on facts that are bits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from commonground.grounding.prolog.base.knowledge_base import stem_of
from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.base.terms import Term


@dataclass(frozen=True, slots=True)
class Moment:
    """A ground step: what has to hold, what must not, what holds and what does not afterwards, as bits."""

    head: Fact
    needs: int
    forbids: int
    adds: int
    deletes: int
    agents: int

    def possible(self, state: int) -> bool:
        """Return whether the step can be made in a state."""
        return state & self.needs == self.needs and not state & self.forbids

    def after(self, state: int) -> int:
        """Return the state that it leaves."""
        return state & ~self.deletes | self.adds


@dataclass(frozen=True, slots=True)
class Slot:
    """What comes next in a process: one of several steps, some time after the one before."""

    moments: tuple[int, ...]
    wait: int
    """Shortest time since the step before, in units."""
    slack: int | None = None
    """How much longer it may take at most; None: as long as it likes."""


@dataclass(frozen=True, slots=True)
class Process:
    """A high-level action with its agents."""

    start: int
    slots: tuple[Slot, ...]
    agents: int

    def least(self, slot: int = 0) -> int:
        """Return the shortest time from the step before a slot to the end."""
        return sum(s.wait for s in self.slots[slot:])


@dataclass(frozen=True, slots=True)
class Processes:
    """All that may happen, and where from and to."""

    facts: tuple[Fact, ...]
    moments: tuple[Moment, ...]
    all: tuple[Process, ...]
    init: int
    goal: tuple[tuple[int, ...], ...]
    """Alternatives for each group of goals."""
    unit_s: float
    exclusive: bool
    """Whether an agent has one process at a time."""
    alike: tuple[tuple[int, ...], ...]
    """Numbers of agents of which the same is said."""
    agents: tuple[Term, ...]
    setups: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(action, action) → units between them on one agent."""

    @property
    def limited(self) -> bool:
        """Whether something may not take as long as it likes."""
        return any(slot.slack is not None for process in self.all for slot in process.slots)

    def seconds(self, units: int) -> float:
        """Return a time in seconds."""
        return round(units * self.unit_s, 9)

    @property
    def grid(self) -> int:
        """Units of which all times are multiples."""
        times = (t for p in self.all for s in p.slots for t in (s.wait, s.slack or 0))
        return max(1, math.gcd(*times, *self.setups.values()))

    def name(self, moment: int) -> str:
        """Return the name of the action that a step starts or ends."""
        return stem_of(str(self.moments[moment].head[0]))

    def reached(self, state: int) -> bool:
        """Return whether the goal holds."""
        return all(any(state & way == way for way in ways) for ways in self.goal)


def bits_of(facts: int) -> Iterator[int]:
    """Yield the numbers of facts that are bits."""
    while facts:
        low = facts & -facts
        yield low.bit_length() - 1
        facts ^= low
