"""What a planner has to know of robots in the middle of a mission."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.planning.robots.protocol import Point


@dataclass(frozen=True, slots=True)
class View:
    """One robot as it stands."""

    position: Point
    fit: bool = True
    """Whether it takes part."""
    why: str = ""
    """Why it does not."""
    holding: str = ""
    line: tuple[Point, ...] = ()
    """Where it may be as well: the rest of the way that it had when it was heard last."""
    barred: frozenset[tuple[str, str]] = frozenset()
    """What it tried to do in vain, and with what."""
    pace: float = 1.0
    """The share of its speed at which it drives."""
