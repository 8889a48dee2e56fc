"""Who and what an event is about, and the same event with something else in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from commonground.grounding.memory.events import (
    Become,
    Deed,
    Drain,
    Event,
    Fill,
    Give,
    Go,
    Gone,
    Have,
    Leave,
    MoveRobot,
    Place,
    Somewhere,
    Swap,
    Take,
    Tune,
)
from commonground.grounding.memory.names import Names

_AGENTS = ("actor", "holder", "giver", "taker", "who")
_KINDS = ("relation",)


def themes_of(event: Event) -> tuple[str, ...]:
    """Return the things an event is about."""
    if isinstance(event, Place | Take | Have | Give | Go | Gone | Somewhere):
        return event.things
    if isinstance(event, Become):
        return (event.thing,)
    if isinstance(event, Tune):
        return (event.screen,)
    if isinstance(event, Fill | Drain):
        return (event.vessel,)
    return (event.first, event.second) if isinstance(event, Swap) else ()


def place_of(event: Event) -> str | None:
    """Return the place or room an event ends at."""
    if isinstance(event, Place):
        return event.place
    return event.room if isinstance(event, Go | MoveRobot | Somewhere) else None


def agent_of(event: Event) -> str | None:
    """Return who brought an event about, or had or went himself."""
    if isinstance(event, Take | Have):
        return event.holder
    if isinstance(event, Give):
        return event.giver or event.taker
    if isinstance(event, Go | Leave):
        return event.who
    return event.actor if isinstance(event, Deed) else None


def by(event: Event, who: str) -> Event:
    """Return the same as brought about by somebody else."""
    if isinstance(event, Take | Have):
        return replace(event, holder=who)
    if isinstance(event, Give):
        return replace(event, giver=who)
    if isinstance(event, Go | Leave):
        return replace(event, who=who)
    return event.by(who) if isinstance(event, Deed) else event


def filling(events: Iterable[Event], accepts: Callable[[str], bool]) -> list[str]:
    """Return the acceptable things that events are about, themes before places and people."""
    found: dict[str, None] = {}
    listed = [*events]
    for event in listed:
        found |= dict.fromkeys(themes_of(event))
    for event in listed:
        for item in fields(event):
            value = getattr(event, item.name)
            if item.name not in _KINDS and isinstance(value, str):
                found[value] = None
    return [thing for thing in found if accepts(thing)]


def exchanged(events: Sequence[Event], new: Mapping[str, str], names: Names) -> list[Event]:
    """Return events with some things in the place of others."""
    return [_exchanged(event, new, names) for event in events]


def _exchanged(event: Event, new: Mapping[str, str], names: Names) -> Event:
    values: dict[str, Any] = {}
    for item in fields(event):
        value = getattr(event, item.name)
        if isinstance(value, tuple):
            values[item.name] = tuple(new.get(v, v) for v in value)
        elif isinstance(value, str) and item.name not in _KINDS:
            values[item.name] = new.get(value, value)
    made: Event = replace(event, **values)
    if isinstance(made, Become):
        concept = names.meanings.relations[made.relation].means
        relation = names.meanings.state_relation(concept, names.kind(made.thing))
        return replace(made, relation=relation or made.relation)
    return made
