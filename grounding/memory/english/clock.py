"""Times as people write them, and as nanoseconds."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime

from commonground.arguments import whole
from commonground.errors import GroundingError

AHEAD_S = 300.0
"""So far ahead of this machine's clock the clock of a robot may be."""
LAST_S = 9.2e9
"""The year 2261: so far nanoseconds fit the integers of a database."""
_NEAR_NS = 10 * 366 * 86_400 * 10**9
"""A time so near to now in another unit is in that unit."""
_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ][0-9:.]*)?|[0-9]{1,2}:[0-9]{2}")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def parse_time(text: str) -> int:
    """Return nanoseconds of ``2026-11-20T14:30``, ``14:30`` (today) or plain nanoseconds; local time."""
    if re.fullmatch(r"[0-9]{10,18}", text):
        return int(text)
    today = datetime.now().astimezone().date().isoformat()
    for candidate in (text, f"{today}T{text}", f"{today}T0{text}"):
        try:
            at_s = datetime.fromisoformat(candidate).astimezone().timestamp()
        except OverflowError:  # at the end of all calendars
            at_s = LAST_S
        except ValueError:
            continue
        if 0.0 <= at_s < LAST_S:
            return round(at_s * 1e6) * 1000
        raise GroundingError(f"time '{text}': only times from 1970 to 2261 can be remembered")
    if _WRITTEN.fullmatch(text):
        raise GroundingError(f"time '{text}': there is no such day or time")
    raise GroundingError(f"time '{text}': write it as 2026-11-20T14:30, or 14:30 for today")


def observed_time(text: str) -> int:
    """Return when something was seen or said; GroundingError where that is still to come.

    What was observed later replaces what was observed before: nothing told later could stand against it.
    """
    return moment_ns(parse_time(text), f"time '{text}'")


def moment_ns(given: int | None, name: str = "at_ns") -> int:
    """Return when something was observed, or now, checked as `observed_time` is; nanoseconds are whole."""
    now_ns = time.time_ns()
    if given is None:
        return now_ns
    at_ns = whole(given, f"{name}, in nanoseconds", GroundingError)
    for unit, times in (("seconds", 10**9), ("milliseconds", 10**6), ("microseconds", 1000)):
        if abs(at_ns * times - now_ns) < _NEAR_NS:
            raise GroundingError(f"{name}: {at_ns} is in {unit}; nanoseconds are needed")
    if at_ns > now_ns + AHEAD_S * 1e9:
        raise GroundingError(f"{name}: lies ahead; only what has been can be remembered")
    return at_ns


def shown(at_ns: int) -> str:
    """Return a time as it is printed, local and to the second."""
    moment = datetime.fromtimestamp(at_ns / 1e9).astimezone()
    return moment.replace(tzinfo=None).isoformat(sep=" ", timespec="seconds")


def said_at(at_ns: int, offset_ns: int) -> str:
    """Return a time to the minute with its weekday, by a clock that is so far ahead of UTC."""
    moment = datetime.fromtimestamp((at_ns + offset_ns) / 1e9, tz=UTC)
    return f"{_DAYS[moment.weekday()]} {moment:%Y-%m-%d %H:%M}"


def local_offset_ns(at_ns: int) -> int:
    """Return how far local time is ahead of UTC at a time."""
    return time.localtime(at_ns / 1e9).tm_gmtoff * 1_000_000_000
