"""Where things and people are, as clauses tell it."""

from __future__ import annotations

from commonground.grounding.english.utterance import Clause, Phrase
from commonground.grounding.memory.interpretation.events import (
    Event,
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
)
from commonground.grounding.memory.interpretation.house import Setting, Things
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.readers.senses.roles import Roles


def arrive(
    roles: Roles, things: Things, spot: str, actor: str | None, sources: Things = ()
) -> list[Event]:
    """Return that things are at a place, in a room or with somebody, by whose hand."""
    if not things:
        return []
    if roles.house.is_someone(spot):
        return [Give(things, actor, spot) if actor not in (None, spot) else Have(things, spot)]
    if not roles.names.is_room(spot):
        return [Place(things, spot, *sources[:1], actor=actor)]
    return [Somewhere(things, spot), *([Go(actor, spot)] if actor is not None else [])]


def put(roles: Roles, clause: Clause) -> list[Event]:
    """Things are somewhere else now, or where they were before."""
    things, actor = roles.items(clause), roles.agent(clause)
    if clause.back:
        back = ((t, roles.former_spot(t)) for t in things)
        return [event for t, spot in back for event in arrive(roles, (t,), spot, actor)]
    spot = roles.spot(clause, clause.goal or clause.location)
    return arrive(roles, things, spot, actor, roles.origin(clause))


def take(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody takes things into the hand, or somewhere; if nobody is named, they are gone."""
    if clause.goal is not None:
        return put(roles, clause) if clause.agent is None else bring_along(roles, clause)
    holder, sources = roles.agent(clause), roles.origin(clause)
    things = roles.items(clause)
    return [Gone(things, sources) if holder is None else Take(things, holder, *sources[:1])]


def have(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody has things."""
    return [Have(roles.items(clause), roles.someone(clause))]


def have_not(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody does not have things, or no longer."""
    return [Gone(roles.items(clause), (roles.someone(clause),))]


def give(roles: Roles, clause: Clause) -> list[Event]:
    """Things pass from one to another."""
    to = clause.goal or clause.partner
    if to is None:
        raise Unclear("to whom?")
    taker, giver = roles.resolver.one(to, roles.house.is_someone), roles.agent(clause)
    if taker == giver:
        raise Unclear(f"to whom does {roles.names.things[taker].name} give that?")
    return [Give(roles.items(clause), giver, taker)]


def go(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody is in another room now, with things in hand where any are named."""
    if clause.theme is not None:
        return bring_along(roles, clause)
    return [Go(roles.someone(clause), roles.room(clause, clause.goal or clause.location))]


def bring_along(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody goes somewhere with things in hand, or with the robot."""
    if roles.resolver.may_be(clause.theme, roles.names.is_robot):
        roles.resolver.one(clause.theme or Phrase(), roles.names.is_robot)
        return robot_moved(roles, clause)
    spot = roles.spot(clause, clause.goal or clause.location)
    if not roles.names.is_room(spot):
        things, actor = roles.items(clause), roles.agent(clause)
        return arrive(roles, things, spot, actor, roles.origin(clause))
    return [Go(roles.someone(clause), spot, roles.items(clause))]


def leave(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody is where he was no longer."""
    where = clause.source or clause.location or clause.goal
    room = roles.resolver.one(where, roles.names.is_room) if where is not None else None
    return [Leave(roles.someone(clause), room)]


def be_at(roles: Roles, clause: Clause) -> list[Event]:
    """A thing or somebody is somewhere."""
    where = clause.location or clause.goal
    who = roles.person_told_of(clause)
    if who is None:
        return arrive(roles, roles.items(clause), roles.spot(clause, where), None)
    room = roles.room(clause, where)
    return [MoveRobot(who, room) if roles.names.is_robot(who) else Go(who, room)]


def be_in_room(roles: Roles, clause: Clause) -> list[Event]:
    """A thing is in a room, nobody says where in it."""
    if roles.person_told_of(clause) is not None:
        return be_at(roles, clause)
    return [Somewhere(roles.items(clause), roles.room(clause, clause.location or clause.goal))]


def be_elsewhere(roles: Roles, clause: Clause) -> list[Event]:
    """A thing or somebody is somewhere no longer, or is not there."""
    where = clause.location or clause.goal or clause.source
    who = roles.person_told_of(clause) if clause.sense != "put" else None
    if who is not None:
        return [Leave(who, roles.room(clause, where) if where is not None else None)]
    spots: Things = ()
    if where is not None:
        spots = (roles.resolver.one(where, roles.house.is_spot, roles.setting(clause)),)
    return [Gone(roles.items(clause), spots)]


def swap(roles: Roles, clause: Clause) -> list[Event]:
    """Two things have each other's places; who swaps a room for another goes there."""
    partner, is_room = clause.partner, roles.names.is_room
    if all(roles.resolver.may_be(end, is_room) for end in (clause.theme, partner)):
        things = roles.resolver.things(clause.theme or Phrase(), is_room)
        return [Go(roles.someone(clause), roles.room(clause, partner))] if things else []
    things = roles.things(clause, roles.names.is_item)
    if clause.partner is not None:
        things += roles.resolver.things(clause.partner, roles.names.is_item, roles.setting(clause))
    if len(things) != 2:
        raise Unclear("which two things are in each other's places?")
    return [Swap(things[0], things[1], actor=roles.agent(clause))]


def robot_given(roles: Roles, clause: Clause) -> list[Event]:
    """The robot has things now."""
    return arrive(roles, roles.items(clause), roles.robot(), roles.agent(clause))


def robot_relieved(roles: Roles, clause: Clause) -> list[Event]:
    """The robot has things no longer."""
    held, taker = frozenset([roles.robot()]), clause.goal or clause.agent
    things = roles.resolver.things(
        clause.theme or Phrase(), roles.names.is_item, Setting(spots=held)
    )
    if taker is None:
        return [Gone(things, (*held,))]
    return [Have(things, roles.resolver.one(taker, roles.house.is_someone))]


def robot_moved(roles: Roles, clause: Clause) -> list[Event]:
    """The robot is in another room now."""
    room = roles.room(clause, clause.goal or clause.location)
    return [MoveRobot(roles.robot(), room, actor=roles.agent(clause))]


def own(roles: Roles, clause: Clause) -> list[Event]:
    """Whose a thing is does not change here; what contradicts it is asked about."""
    who = roles.someone(clause)
    for thing in roles.items(clause):
        if roles.names.names[thing].owner != who:
            raise Unclear(f"{roles.names.things[thing].name} is known as another's")
    return []
