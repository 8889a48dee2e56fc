"""Result of planning: a plan, a proof that there is none, or why neither was found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from commonground.planning.pddl.plan import Step


class Status(StrEnum):
    """The five ways a planning attempt can end; all of them are answers, none is an exception."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """Proven: no plan exists."""
    NOT_FOUND = "not_found"
    """The search ended, or ran out of memory, without a plan and without a proof that there is none."""
    TIMEOUT = "timeout"
    """The time allowed was used up first."""
    ERROR = "error"
    """The task or the planner is at fault; the reason says which."""

    def __str__(self) -> str:
        return self.value


class OutOfTime(Exception):
    """Time ended before anything was found; it says what was being done."""


Check: TypeAlias = Callable[..., None]
"""Told what is being done; raises OutOfTime when that has to end, or after a ``share`` of its time."""


def unhurried(doing: str, share: float = 1.0) -> None:
    """Let it go on for as long as it takes."""


def is_late(check: Check) -> bool:
    """Return whether the best so far has to do."""
    try:
        check("the best was looked for")
    except OutOfTime:
        return True
    return False


@dataclass(frozen=True, slots=True)
class PlanResult:
    """A sequential plan that has been executed, or the reason there is none."""

    status: Status
    plan: tuple[Step, ...] = ()
    cost: float = math.inf
    """The metric of the executed plan, or its number of steps where the problem has none."""
    bound: float = 0.0
    """No plan costs less than this."""
    optimal: bool = False
    """The cost is proven to be least, up to the rounding of real costs to the planner's integers."""
    reason: str = ""
    time_s: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Seconds by stage, and ``total``."""

    @property
    def solved(self) -> bool:
        """Return whether there is a plan (the empty one counts)."""
        return self.status is Status.SOLVED

    @property
    def gap(self) -> float:
        """How much more than the bound the plan costs, relative to its cost; 0 is optimal."""
        if not math.isfinite(self.cost) or self.cost <= 0:
            return 0.0 if self.solved else math.inf
        return max(0.0, (self.cost - self.bound) / self.cost)
