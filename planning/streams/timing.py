"""Plans put in time: PDDLStream's own names for steps that begin and last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from commonground.planning.streams.language import Action


class DurativeAction(NamedTuple):
    """A step with when it begins and how long it lasts."""

    name: str
    args: tuple[Any, ...]
    start: float
    duration: float


def get_end(action: DurativeAction) -> float:
    """Return when a step ends."""
    return action.start + action.duration


def compute_duration(plan: Sequence[DurativeAction]) -> float:
    """Return when the last step of a plan ends."""
    return max(map(get_end, plan), default=0.0)


def retime_plan(
    plan: Sequence[Action] | None, duration: float = 1.0
) -> list[DurativeAction] | None:
    """Return a plan with one step after the other, each of the same duration."""
    if plan is None:
        return None
    return [
        DurativeAction(name, args, k * duration, duration) for k, (name, args) in enumerate(plan)
    ]
