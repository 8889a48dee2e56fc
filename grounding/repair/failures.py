"""Why a command could not be carried out so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from commonground.grounding.repair.acting import Call

Kind = Literal["not_found", "no_plan", "precondition", "surprise"]


@dataclass(frozen=True, slots=True)
class Failure:
    """An object that is not known, a goal without a plan, a step whose precondition did not hold, a state
    that turned out otherwise than supposed."""

    kind: Kind
    reason: str
    missing: tuple[str, ...] = ()
    """Types of the things that are not known."""
    call: Call | None = None
    about: tuple[str, ...] = ()
    """Things the failed call was about."""
