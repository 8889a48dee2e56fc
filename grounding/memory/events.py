"""What can happen in a household, as values: what clauses are read into and facts follow from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

Done = TypeVar("Done", bound="Deed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What somebody may have brought about, or nobody in particular."""

    actor: str | None = None

    def by(self: Done, actor: str | None) -> Done:
        """Return the same as brought about by somebody."""
        return replace(self, actor=actor)


@dataclass(frozen=True, slots=True)
class Place(Deed):
    """Things are at a place now; who brought them there is in its room."""

    things: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class Take:
    """Somebody took things from where they were, and has them."""

    things: tuple[str, ...]
    holder: str
    source: str | None = None
    """The place or room it was said to come from."""


@dataclass(frozen=True, slots=True)
class Have:
    """Somebody or the robot has things; nobody is said to have moved."""

    things: tuple[str, ...]
    holder: str


@dataclass(frozen=True, slots=True)
class Give:
    """Things passed from one to another; either may be the robot."""

    things: tuple[str, ...]
    giver: str | None
    taker: str


@dataclass(frozen=True, slots=True)
class Go:
    """Somebody is in a room now, with things in hand if any are named."""

    who: str
    room: str
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leave:
    """Somebody is where he was no longer, and nobody knows where."""

    who: str
    room: str | None = None


@dataclass(frozen=True, slots=True)
class MoveRobot(Deed):
    """The robot was brought to a room; who brought it is there too."""

    robot: str
    room: str


@dataclass(frozen=True, slots=True)
class Become(Deed):
    """A property of a thing has a value now."""

    thing: str
    relation: str
    value: bool


@dataclass(frozen=True, slots=True)
class Tune(Deed):
    """A screen shows a channel."""

    screen: str
    channel: str


@dataclass(frozen=True, slots=True)
class Fill(Deed):
    """A vessel has a liquid in it."""

    vessel: str
    liquid: str


@dataclass(frozen=True, slots=True)
class Drain(Deed):
    """A vessel has nothing in it."""

    vessel: str


@dataclass(frozen=True, slots=True)
class Swap(Deed):
    """Two things have each other's places."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Gone:
    """Things are at a place no longer; where they are is not said."""

    things: tuple[str, ...]
    spots: tuple[str, ...] = ()
    """The place, room or person; any where none is given."""


@dataclass(frozen=True, slots=True)
class Somewhere:
    """Things are in a room, the place in it is not said."""

    things: tuple[str, ...]
    room: str


Event: TypeAlias = (
    Place | Take | Have | Give | Go | Leave | MoveRobot | Become | Tune | Fill | Drain | Swap
    | Gone | Somewhere
)  # fmt: skip
