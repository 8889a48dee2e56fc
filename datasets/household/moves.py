"""What a robot does in one go, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Move:
    """One action of one robot, timed or not."""

    robot: str
    action: str
    args: tuple[str, ...] = ()
    start_s: float | None = None
    end_s: float | None = None

    def __str__(self) -> str:
        return f"{self.robot} {self.action}({', '.join(self.args)})"

    def as_json(self) -> dict[str, Any]:
        """Return the action as plan files hold it."""
        values: dict[str, Any] = {
            "robot": self.robot,
            "action": self.action,
            "args": list(self.args),
        }
        if self.start_s is not None and self.end_s is not None:
            values |= {"start": self.start_s, "end": self.end_s}
        return values


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether an action was executed, and if not, why."""

    done: bool
    reason: str = ""
    about: tuple[str, ...] = ()
    """The objects whose state was not as needed."""
