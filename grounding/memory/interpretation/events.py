"""What can happen in a household, as values: what clauses are read into and facts follow from."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
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
    source: str | None = None
    """The place that they were said to come from, or who had them."""


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


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody and things were spoken of, and nobody knows what became of them: it was not understood."""

    things: tuple[str, ...]
    who: str | None = None


Event: TypeAlias = (
    Place | Take | Have | Give | Go | Leave | MoveRobot | Become | Tune | Fill | Drain | Swap
    | Gone | Somewhere | Named
)  # fmt: skip


def themes_of(event: Event) -> tuple[str, ...]:
    """Return the things an event is about."""
    if isinstance(event, Place | Take | Have | Give | Go | Gone | Somewhere | Named):
        return event.things
    if isinstance(event, Become):
        return (event.thing,)
    if isinstance(event, Tune):
        return (event.screen,)
    if isinstance(event, Fill | Drain):
        return (event.vessel,)
    return (event.first, event.second) if isinstance(event, Swap) else ()


def spoken_of(event: Event) -> list[str]:
    """Return the things, people and places of an event."""
    values = (getattr(event, item.name) for item in fields(event) if item.name != "relation")
    ends = [value for value in values if isinstance(value, str)]
    return [*themes_of(event), *ends]


def place_of(event: Event) -> str | None:
    """Return the place or room an event is about."""
    if isinstance(event, Place):
        return event.place
    return event.room if isinstance(event, Go | MoveRobot | Somewhere | Leave) else None


def agent_of(event: Event) -> str | None:
    """Return who brought an event about, or had things or went himself."""
    if isinstance(event, Take | Have):
        return event.holder
    if isinstance(event, Give):
        return event.giver or event.taker
    if isinstance(event, Go | Leave | Named):
        return event.who
    return event.actor if isinstance(event, Deed) else None


def done_by(event: Event, who: str) -> Event:
    """Return the same as brought about by somebody else."""
    if isinstance(event, Take | Have):
        return replace(event, holder=who)
    if isinstance(event, Give):
        return replace(event, giver=who)
    if isinstance(event, Go | Leave):
        return replace(event, who=who)
    return event.by(who) if isinstance(event, Deed) else event


def opposite(event: Event) -> Event:
    """Return the event that ends what another has brought about."""
    if isinstance(event, Become):
        return replace(event, value=not event.value)
    return Drain(event.vessel) if isinstance(event, Fill) else event
