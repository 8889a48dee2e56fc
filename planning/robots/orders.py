"""What a real robot is told: to drive along a path, or a deed at a point."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.arrays import Floats


@dataclass(slots=True)
class Order:
    """What a robot is told to do."""

    key: str
    path: Floats
    """(k, 3) in the map; of a deed the one point."""
    deed: str = ""
    """inspect, pick or place; empty for a motion."""
    thing: str = ""
    upto_m: float = 0.0
    told_m: float = 0.0
    """So far the machine was told to drive."""
    job: str = ""

    @property
    def named(self) -> str:
        """What a deed is, whatever the key under which it is ordered."""
        return f"{self.deed} {self.thing}"
