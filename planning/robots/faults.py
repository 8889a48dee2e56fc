"""What can go wrong in a simulated world, to be asked for by kind, robot or thing, and time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from commonground.planning.robots.protocol import Point

Kind = Literal["blocked", "missing", "moved", "grasp", "lost", "link", "battery", "stuck", "slow"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong."""

    kind: Kind
    robot: str = ""
    thing: str = ""
    at_s: float = 0.0
    """When it begins, in seconds of the mission."""
    lasts_s: float = float("inf")
    position: Point | None = None
    """The point on the ground where an obstacle stands (blocked), or a thing is now (moved)."""
    size_m: float = 0.6
    """How wide an obstacle is."""
    times: int = 1
    """So many grips fail (grasp)."""
    factor: float = 0.3
    """Share of its speed that is left (slow)."""

    def active(self, now_s: float) -> bool:
        """Return whether it is going on."""
        return self.at_s <= now_s < self.at_s + self.lasts_s
