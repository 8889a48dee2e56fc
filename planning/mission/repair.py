"""Repairs: which is due, at what rung, whose plan may change, and how often plans were made."""

from __future__ import annotations

from typing import NamedTuple

from commonground.planning.mission.events import Ask, Planned, Rung
from commonground.planning.mission.settings import MissionSettings

LADDER: tuple[Rung, ...] = ("reroute", "replan", "reallocate", "less")
"""Repairs in the order in which they are tried, the cheapest first; before them a robot tries again."""


class Repair(NamedTuple):
    """What has to be planned anew once those whose plan may change stand still."""

    rung: Rung
    because: str
    robots: tuple[str, ...] = ()
    """Empty for all."""

    def after(self, first: Repair | None) -> Repair:
        """Return the one repair for this and what was due before; the higher rung wins."""
        if first is None:
            return self
        rung = max(first.rung, self.rung, key=LADDER.index)
        told = self.because in first.because
        because = first.because if told else f"{first.because}; {self.because}"
        if rung != "reroute":
            return Repair(rung, because)
        if self.robots and self.robots == first.robots:
            return Repair(rung, because, self.robots)
        return Repair("replan", because)


def above(rung: Rung) -> Rung | None:
    """Return what is tried where a rung has no plan; None at the top."""
    if rung not in LADDER:  # there was no plan before
        return LADDER[2]
    rest = LADDER[LADDER.index(rung) + 1 :]
    return rest[0] if rest else None


class Repairs:
    """The repair that is due, the plan that was asked for, and how many were asked for so far."""

    def __init__(self, settings: MissionSettings) -> None:
        self._settings = settings
        self.due: Repair | None = None
        """What is asked for once all stand still."""
        self.asked: Ask | None = None
        """The plan that was asked for and has not come."""
        self.count = 0
        self._reroutes = 0

    def need(self, repair: Repair) -> None:
        """Let a repair be due; a higher rung wins over a lower one that is due already."""
        if repair.rung == "reroute" and self._reroutes >= self._settings.reroutes:
            repair = Repair("replan", repair.because)
        self.due = repair.after(self.due)

    def ask(self, repair: Repair) -> Ask | None:
        """Ask for a plan; None where enough of them were made."""
        if self.count >= self._settings.plans:
            return None
        self.count += 1
        self._reroutes += repair.rung == "reroute"
        self.asked = Ask(self.count, *repair)
        return self.asked

    def answered(self, plan: Planned) -> Ask | None:
        """Return what a plan was asked for, None for one that nobody waits for."""
        asked = self.asked
        if asked is None or plan.request != asked.request:
            return None
        self.asked = None
        return asked

    def adopted(self, asked: Ask) -> None:
        """Note that a plan was taken over."""
        if asked.rung != "reroute":
            self._reroutes = 0
