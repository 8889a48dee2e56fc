"""Remarks on the report before: what went on from it, which part of it was wrong, and what was meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from commonground.grounding.english.parts import clauses_of, in_words
from commonground.grounding.english.utterance import Clause, Utterance
from commonground.grounding.memory.interpretation.events import (
    Become,
    Deed,
    Event,
    Named,
    agent_of,
    done_by,
    spoken_of,
    themes_of,
)
from commonground.grounding.memory.interpretation.house import Accepts, House, Setting
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.readers.senses.resolver import anything
from commonground.grounding.memory.readers.senses.roles import Roles

CORRECTIONS = frozenset(["wrong thing", "wrong person", "wrong place", "wrong number"])
RETRACTION = "wrong altogether"


def is_correction(clause: Clause) -> bool:
    """Return whether a clause puts what was told before it right, or takes it back."""
    return clause.sense in CORRECTIONS or clause.sense == RETRACTION


def correction_of_before(utterance: Utterance) -> Clause | None:
    """Return the correction that an utterance begins with: it belongs to the report before."""
    told = (clause for part in utterance.parts for clause in clauses_of(part.step))
    first = next((clause for clause in told if clause.sense != "nothing"), None)
    return first if first is not None and is_correction(first) else None


def did_the_same(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody else did what was told before, or it was done with something else, or elsewhere."""
    who, theme = roles.agent(clause), clause.theme
    told = _deeds(roles.resolver.told, any_=theme is not None)
    if (who is None and theme is None and clause.location is None) or not told:
        raise Unclear("who did what?")
    if theme is None:
        told = _elsewhere(roles, clause, told)
    else:
        new = roles.resolver.one(theme, anything, roles.setting(clause))
        told = exchanged(told, {old: new for e in told for old in themes_of(e)}, roles.names)
    return [done_by(event, who) if who is not None else _undone_by(event) for event in told]


def _elsewhere(roles: Roles, clause: Clause, told: Sequence[Event]) -> Sequence[Event]:
    """Return what was done, or the last of it with what a clause's room has instead of that."""
    if clause.location is None:
        return told
    room = roles.resolver.one(clause.location, roles.names.is_room)
    new = {t: _like_it(roles, t, room) for event in told[-1:] for t in themes_of(event)}
    return exchanged(told[-1:], new, roles.names)


def _like_it(roles: Roles, thing: str, room: str) -> str:
    """Return what in a room is as a thing is elsewhere: the light there."""
    names, house = roles.names, roles.house
    alike = [t for t in names.things if names.kind(t) == names.kind(thing)]
    there = [t for t in alike if house.is_fixed(t) and room in (house.room(t), names.names[t].room)]
    if len(there) != 1:
        raise Unclear(f"did the same with what in {names.things[room].name}?", "ambiguous")
    return there[0]


def _deeds(told: Sequence[Event], *, any_: bool) -> Sequence[Event]:
    """Return what somebody did; any event where nobody did anything, if that will do."""
    every: list[Event] = [event for event in told if not isinstance(event, Named)]
    return [e for e in every if agent_of(e) is not None] or (every if any_ else [])


def _undone_by(event: Event) -> Event:
    """Return an event without its agent: where whoever did it before is by now is not said again."""
    return event.by(None) if isinstance(event, Deed) else event


def corrected(roles: Roles, clause: Clause) -> list[Event]:
    """Return the events of the report before as a correction says they were."""
    told = roles.resolver.told
    meant = {
        "wrong thing": clause.theme or clause.goal,
        "wrong person": clause.agent or clause.theme,
        "wrong place": clause.goal or clause.location or clause.theme,
    }.get(clause.sense)
    if meant is None:
        raise Unclear("which ones were meant?", "ambiguous")
    for accepts in _roles(roles.house, clause.sense):
        olds = filling(told, accepts)
        if olds and roles.resolver.may_be(meant, _or_its_levels(accepts, roles.names)):
            new = roles.resolver.one(meant, accepts, _where(roles, told))
            return exchanged(told, {_old(olds, new, roles.names): new}, roles.names)
    raise Unclear(f"what was meant by '{in_words(meant)}'?", "ambiguous")


def _roles(house: House, sense: str) -> list[Accepts]:
    """Return what may have been wrong, the likeliest first."""
    item, *places, liquid, channel, someone = kinds(house)
    if sense == "wrong person":
        return [someone]
    return (
        [*places, someone] if sense == "wrong place" else [item, *places, liquid, channel, someone]
    )


def kinds(house: House) -> list[Accepts]:
    """Return what tells the kinds of things apart of which one may be meant instead of another."""
    names = house.names
    return [
        names.is_item,
        lambda t: names.is_place(t) and house.is_fixed(t),
        names.is_room,
        lambda t: names.is_fixture(t) and house.is_fixed(t),
        names.is_liquid,
        names.is_channel,
        house.is_someone,
    ]


def _or_its_levels(accepts: Accepts, names: Names) -> Accepts:
    """A shelf stands for its levels: which one is said with it."""
    return lambda t: accepts(t) or any(map(accepts, names.levels.get(t, ())))


def _where(roles: Roles, told: Sequence[Event]) -> Setting:
    actors = filter(None, (agent_of(event) for event in reversed(told)))
    return Setting(tuple(filling(told, roles.names.is_room)), next(actors, None))


def filling(told: Sequence[Event], accepts: Accepts) -> list[str]:
    """Return the acceptable things that events are about: who acted, themes, then places and others."""
    found = dict.fromkeys(filter(None, map(agent_of, told)))
    for event in told:
        found |= dict.fromkeys(themes_of(event))
    for event in told:
        found |= dict.fromkeys(spoken_of(event))
    return [thing for thing in found if accepts(thing)]


def _old(olds: Sequence[str], new: str, names: Names) -> str:
    """Return what the new thing takes the place of: who acted, a thing of the same kind, the only one."""
    if names.is_person(new):
        return olds[0]
    head, kind = names.names[new].head, names.kind(new)
    named = [t for t in olds if names.names[t].head == head]
    alike = named or [t for t in olds if names.kind(t) == kind] or [*olds]
    if len(alike) > 1:
        raise Unclear(f"instead of which of these: {', '.join(alike)}?", "ambiguous")
    return alike[0]


def exchanged(told: Sequence[Event], new: Mapping[str, str], names: Names) -> list[Event]:
    """Return events with some things in the place of others."""
    return [_exchanged(event, new, names) for event in told]


def _exchanged(event: Event, new: Mapping[str, str], names: Names) -> Event:
    values: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, tuple):
            values[field.name] = tuple(new.get(v, v) for v in value)
        elif isinstance(value, str):
            values[field.name] = new.get(value, value)
    made: Event = replace(event, **values)
    if isinstance(made, Become):
        concept = names.meanings.relations[made.relation].means
        relation = names.meanings.state_relation(concept, names.kind(made.thing))
        return replace(made, relation=relation or made.relation)
    return made
