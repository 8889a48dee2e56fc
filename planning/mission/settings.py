"""Limits of a mission: how long it waits for what, and how often it tries."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MissionSettings:
    """Limits of a mission's loop; every loop in it is bounded by one of them."""

    retries: int = 2
    """So often a robot tries again what failed."""
    reroutes: int = 3
    """So often one robot's way alone is planned anew before all are."""
    plans: int = 40
    """So many plans are made for one mission, all repairs counted."""
    blocked: int = 8
    """A robot whose way ends so often at one and the same place takes no part any more."""
    stuck_s: float = 12.0
    """A robot that may drive and does not get on for so long is stuck."""
    late_s: float = 10.0
    """A robot that took half as long again as planned, and so much more, is late: that is told once, and all
    are planned anew where others wait for it."""
    waiting_s: float = 20.0
    """When nobody gets on for so long, robots wait for each other, and all are planned anew."""
    deadlocks: int = 4
    away_s: float = 30.0
    """A robot that cannot be reached, or does not know where it is, for longer takes no part any more."""
    deed_s: float = 60.0
    """Handling and inspecting take no longer."""


DEFAULTS = MissionSettings()
