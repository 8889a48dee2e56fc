"""Limits of a mission: how long it waits for what, and how often it tries."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings


class MissionSettings(Settings):
    """Limits of a mission's loop; every loop in it is bounded by one of them.

    A mission keeps those that it was begun with, so that it is resumed and replayed as it was.
    """

    max_retries: int = Field(default=2, ge=0, le=10_000)
    """So often a robot tries again what failed."""
    max_reroutes: int = Field(default=3, ge=0, le=10_000)
    """So often one robot's path alone is planned anew before all are."""
    max_plans: int = Field(default=40, ge=1, le=10_000)
    """So many plans are made for one mission, all repairs counted."""
    max_dead_ends: int = Field(default=8, ge=1, le=10_000)
    """A robot whose path ends so often at one and the same place takes no part any more."""
    stuck_after_s: float = Field(default=12.0, gt=0)
    """A robot that may drive and does not get on for so long is stuck."""
    late_after_s: float = Field(default=10.0, ge=0)
    """A robot that took half as long again as planned, and so much more, is late: that is told once, and all
    are planned anew where others wait for it."""
    deadlock_after_s: float = Field(default=20.0, gt=0)
    """When nobody gets on for so long, robots wait for each other, and all are planned anew."""
    max_deadlocks: int = Field(default=4, ge=0, le=10_000)
    """So often robots may come to wait for each other before the mission ends."""
    lost_after_s: float = Field(default=30.0, gt=0)
    """A robot that cannot be reached, or does not know where it is, for longer takes no part any more."""
    action_timeout_s: float = Field(default=60.0, gt=0)
    """Handling and inspecting take no longer."""


DEFAULTS = MissionSettings()
