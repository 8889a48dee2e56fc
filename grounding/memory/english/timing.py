"""When something a report speaks of was observed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MINUTE_NS = 60_000_000_000
HOUR_NS = 60 * MINUTE_NS
DAY_NS = 24 * HOUR_NS
MEALS = {"breakfast": "08:00", "lunch": "12:30", "dinner": "19:00"}
_JUST_NOW_MIN = 5.0
"""Vaguer words for the recent past than this say nothing about the order of reports."""
_EARLIER_DAY_MIN = 20 * 60
"""What happened yesterday is taken to have happened at eight in the evening."""


@dataclass(frozen=True, slots=True)
class TimeWords:
    """When something was said to have happened; one of the fields says how."""

    words: str
    ago_min: float | None = None
    clock: str | None = None
    """``15:54`` on the day of the report."""
    meal: tuple[str, str] | None = None
    """``before``, ``at`` or ``after`` and which meal."""
    day: int = 0
    """Days from that of the report: -1 is yesterday."""


@dataclass(frozen=True, slots=True)
class DayPlan:
    """When the meals are that people date things by."""

    meals: Mapping[str, str] = field(default_factory=dict)
    """Meal → ``HH:MM``."""
    offset_ns: int = 0
    """How far the clock of the house is ahead of UTC."""
    apart_min: float = 30.0
    """How far before or after a meal is."""

    def observed_ns(self, times: Sequence[TimeWords], now_ns: int) -> int:
        """Return when what a report says was so: now, unless its words give an earlier time."""
        found = [ns for t in times if (ns := self._one(t, now_ns)) is not None and ns < now_ns]
        return min(found, default=now_ns)

    def _one(self, time: TimeWords, now_ns: int) -> int | None:
        midnight = now_ns - (now_ns + self.offset_ns) % DAY_NS
        if time.day:
            return int(midnight + time.day * DAY_NS + _EARLIER_DAY_MIN * MINUTE_NS)
        if time.ago_min is not None:
            return None if time.ago_min <= _JUST_NOW_MIN else int(now_ns - time.ago_min * MINUTE_NS)
        if time.clock is not None:
            return self._clock(time.clock, midnight, now_ns)
        if time.meal is not None and time.meal[1] in self.meals:
            shift = {"before": -self.apart_min, "at": 0.0, "after": self.apart_min}[time.meal[0]]
            return int(midnight + (minutes(self.meals[time.meal[1]]) + shift) * MINUTE_NS)
        return None

    def _clock(self, clock: str, midnight: int, now_ns: int) -> int:
        """``ten`` may be in the morning or in the evening: the later one that has been."""
        at = minutes(clock)
        choices = [at] if ":" not in clock or at >= 13 * 60 or at == 0 else [at, at + 12 * 60]
        past = [m for m in choices if midnight + m * MINUTE_NS <= now_ns]
        return int(midnight + (max(past) if past else at) * MINUTE_NS)


def minutes(clock: str) -> int:
    """Return the minutes since midnight of ``HH:MM``."""
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute or 0)
