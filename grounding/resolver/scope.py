"""Context of resolution: the robot addressed, the discourse, and the reasons so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from commonground.grounding.resolver.memory import Memory
from commonground.robots import Robot


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a reference stands for what it stands for."""

    phrase: str
    chosen: tuple[str, ...]
    candidates: tuple[tuple[str, float | None], ...] = ()
    """Symbols considered, with meters where a distance decided, nearest first."""
    excluded: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Condition → symbols it ruled out."""
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the reason as JSON values, without what is empty."""
        values: dict[str, Any] = {"phrase": self.phrase, "chosen": list(self.chosen)}
        if self.candidates:
            values["candidates"] = [
                {"symbol": s} if meters is None else {"symbol": s, "meters": round(meters, 2)}
                for s, meters in self.candidates
            ]
        if self.excluded:
            values["excluded"] = {why: list(symbols) for why, symbols in self.excluded}
        if self.note:
            values["note"] = self.note
        return values


@dataclass(slots=True)
class Scope:
    """State while one instruction is grounded for one distribution of roles."""

    robot: Robot
    """Whose left and whose nearest; the robot that is addressed."""
    memory: Memory = field(default_factory=Memory)
    reasons: list[Reason] = field(default_factory=list)
    telling: bool = False
    """Whether things are only introduced, so that ``a bag`` may be several."""
    handling: bool = False
    """Whether something is done to things, so that ``it`` is rather what was put somewhere than where."""
