"""A repair that is due: its rung, why, and whose plan may change."""

from __future__ import annotations

from typing import NamedTuple

from commonground.planning.mission.events import Rung

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
