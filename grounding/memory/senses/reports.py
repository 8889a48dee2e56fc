"""Reports: what happened or is so, clause by clause, as events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from commonground.grounding.english.utterance import Clause, Phrase, Reference
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.events import (
    Become,
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
from commonground.grounding.memory.senses.resolver import Resolver, Setting, anything, in_words
from commonground.grounding.memory.senses.roles import agent_of, by, exchanged, place_of, themes_of
from commonground.grounding.memory.senses.states import STATES, State
from commonground.grounding.memory.unclear import Unclear

Row: TypeAlias = Callable[["Reports", Clause], list[Event]]
UNDONE = frozenset(["dreamt", "almost", "planned"])
"""What did not happen."""
_LASTING = frozenset(["own", "have", "contain", "ring", "work again"])


class Reports:
    """Turns clauses that report something into events, one after the other."""

    def __init__(
        self, resolver: Resolver, effects: Effects, previous: Mapping[str, Fact] | None = None
    ) -> None:
        self.resolver = resolver
        self.effects = effects
        self.names = resolver.names
        self.meanings = resolver.names.meanings
        self.previous = {} if previous is None else previous
        """Where each thing was before its last move."""

    def events(self, clause: Clause) -> list[Event]:
        """Return what a clause says happened, as if there were no doubt about it."""
        negative = clause.negated != (clause.hedge in ("denied", "formerly"))
        if not negative:
            return _TABLE[clause.sense](self, clause) if clause.sense in _TABLE else []
        if is_lasting(clause) or clause.hedge == "formerly":
            row = _NOT.get(clause.sense)
            return row(self, clause) if row is not None else []
        return []

    # ---- who, what, where ----------------------------------------------------------------------

    def agent(self, clause: Clause) -> str | None:
        """Return who did it, if anybody is named."""
        who = clause.agent
        nobody = who is None or who.everybody or (who.speaker and self.resolver.speaker is None)
        if who is not None and not nobody:
            return self.resolver.one(who, self.resolver.is_someone)
        return None

    def someone(self, clause: Clause) -> str:
        """Return who did it, else who did what was told before."""
        who = self.agent(clause)
        earlier = (agent_of(event) for event in reversed(self.resolver.told))
        who = who or next((one for one in earlier if one is not None), None)
        if who is None:
            raise Unclear("who was that?", "ambiguous")
        return who

    def setting(self, clause: Clause) -> Setting:
        """Return what the clause says beside any one of its phrases."""
        is_room = self.names.is_room
        rooms = [
            self.resolver.one(where, is_room)
            for where in (clause.location, clause.goal)
            if where is not None and self.resolver.may_be(where, is_room)
        ]
        actor = self.agent(clause)
        spots = {actor} if actor is not None else set()
        if clause.source is not None:
            spots |= self._origin(clause.source)
        return Setting(tuple(rooms), actor, frozenset(spots))

    def _origin(self, source: Reference) -> set[str]:
        found = self.resolver.things(source, lambda t: not self.names.is_item(t), Setting())
        return {*found}

    def themes(self, clause: Clause, accepts: Callable[[str], bool]) -> tuple[str, ...]:
        """Return what a clause is about; what was told of before where it names nothing."""
        what = clause.theme if clause.theme is not None else Phrase()
        return self.resolver.things(what, accepts, self.setting(clause))

    def items(self, clause: Clause) -> tuple[str, ...]:
        """Return the portable things that a clause is about."""
        names = self.names
        try:
            return self.themes(clause, names.is_item)
        except Unclear:
            if self.resolver.may_be(clause.theme, names.is_fixture):
                raise Unclear(
                    f"'{in_words(clause.theme)}' has a fixed place in this world,"
                    " so a new one is not remembered"
                ) from None
            raise

    def spot(self, clause: Clause, where: Reference | None) -> str:
        """Return the place, room, person or robot that something ends at."""
        if where is None:
            places = (place_of(event) for event in reversed(self.resolver.told))
            spot = next((place for place in places if place is not None), None)
            if not clause.follows or spot is None:
                raise Unclear("where is it now?")
            return spot
        names = self.names

        def takes(thing: str) -> bool:
            spot = names.is_place(thing) or names.is_room(thing) or names.is_whole(thing)
            return not names.is_item(thing) and (spot or self.resolver.is_someone(thing))

        found = self.resolver.one(where, takes, self.setting(clause))
        if names.is_whole(found):
            raise Unclear(f"on which level of '{in_words(where)}'?")
        return found

    # ---- where things and people are -----------------------------------------------------------

    def put(self, clause: Clause) -> list[Event]:
        """Things are somewhere else now, by somebody's hand where one is named."""
        things = self.items(clause)
        if clause.back:
            return [self._put_back(thing, self.agent(clause)) for thing in things]
        return self._arrive(
            things, self.spot(clause, clause.goal or clause.location), self.agent(clause)
        )

    def _arrive(self, things: tuple[str, ...], spot: str, actor: str | None) -> list[Event]:
        if not things:
            return []
        if self.resolver.is_someone(spot):
            return (
                [Give(things, actor, spot)] if actor not in (None, spot) else [Have(things, spot)]
            )
        if not self.names.is_room(spot):
            return [Place(things, spot, actor=actor)]
        with_them: list[Event] = [Go(actor, spot)] if actor is not None else []
        return [Somewhere(things, spot), *with_them]

    def _put_back(self, thing: str, actor: str | None) -> Event:
        before = self.effects.moved.get(thing) or self.previous.get(thing)
        if before is None:
            raise Unclear(f"where was {self.names.things[thing].name} before?")
        return self._arrive((thing,), before.object, actor)[0]

    def take(self, clause: Clause) -> list[Event]:
        """Somebody takes things into the hand."""
        holder = self.agent(clause)
        things = self.items(clause)
        sources = [*self._origin(clause.source)] if clause.source is not None else []
        if holder is None:
            return [Gone(things, tuple(sources))]
        return [Take(things, holder, sources[0] if sources else None)]

    def have(self, clause: Clause) -> list[Event]:
        """Somebody has things."""
        return [Have(self.items(clause), self.someone(clause))]

    def give(self, clause: Clause) -> list[Event]:
        """Things pass from one to another."""
        if clause.goal is None and clause.partner is None:
            raise Unclear("to whom?")
        taker = self.resolver.one(clause.goal or clause.partner, self.resolver.is_someone)  # type: ignore[arg-type]
        return [Give(self.items(clause), self.agent(clause), taker)]

    def go(self, clause: Clause) -> list[Event]:
        """Somebody is in another room now."""
        return [Go(self.someone(clause), self._room(clause, clause.goal or clause.location))]

    def _room(self, clause: Clause, where: Reference | None) -> str:
        spot = self.spot(clause, where)
        room = self.names.room_of(spot, self.effects.draft)
        if room is None:
            raise Unclear(f"in which room is '{in_words(where)}'?")
        return room

    def bring_along(self, clause: Clause) -> list[Event]:
        """Somebody goes somewhere with things in hand."""
        spot = self.spot(clause, clause.goal or clause.location)
        if not self.names.is_room(spot):
            return self._arrive(self.items(clause), spot, self.agent(clause))
        return [Go(self.someone(clause), spot, self.items(clause))]

    def leave(self, clause: Clause) -> list[Event]:
        """Somebody is where he was no longer."""
        where = clause.source or clause.location or clause.goal
        room = self.resolver.one(where, self.names.is_room) if where is not None else None
        return [Leave(self.someone(clause), room)]

    def be_at(self, clause: Clause) -> list[Event]:
        """A thing or somebody is somewhere."""
        where = clause.location or clause.goal
        who = self._being(clause)
        if who is None:
            return self._arrive(self.items(clause), self.spot(clause, where), None)
        room = self._room(clause, where)
        if self.names.is_robot(who):
            return [MoveRobot(who, room)]
        return [Go(who, room)]

    def _being(self, clause: Clause) -> str | None:
        """Return the person or robot whose whereabouts are told."""
        if clause.theme is None:
            return self.someone(clause) if clause.agent is not None else self._told_of()
        if self.resolver.may_be(clause.theme, self.resolver.is_someone):
            return self.resolver.one(clause.theme, self.resolver.is_someone)
        return None

    def _told_of(self) -> str | None:
        """Return who went somewhere last, where nothing but a person was told of."""
        last = self.resolver.told[-1:]
        return agent_of(last[0]) if last and isinstance(last[0], Go | Leave) else None

    def be_elsewhere(self, clause: Clause) -> list[Event]:
        """A thing or somebody is somewhere no longer, or is not there."""
        where = clause.location or clause.source or clause.goal
        who = self._being(clause) if clause.sense != "put" else None
        if who is not None:
            return [Leave(who, self._room(clause, where) if where is not None else None)]
        spots = (self.spot_or_shelf(clause, where),) if where is not None else ()
        return [Gone(self.items(clause), spots)]

    def spot_or_shelf(self, clause: Clause, where: Reference) -> str:
        """Return a place where something is not: any level of a shelf counts."""
        if self.resolver.may_be(where, self.names.is_whole) and not _has_level(where):
            return self.resolver.one(where, self.names.is_whole, self.setting(clause))
        return self.spot(clause, where)

    def not_have(self, clause: Clause) -> list[Event]:
        """Somebody has a thing no longer."""
        return [Gone(self.items(clause), (self.someone(clause),))]

    def be_in_room(self, clause: Clause) -> list[Event]:
        """A thing is in a room, nobody says where in it."""
        if self._being(clause) is not None:
            return self.be_at(clause)
        room = self._room(clause, clause.location or clause.goal)
        return [Somewhere(self.items(clause), room)]

    def swap(self, clause: Clause) -> list[Event]:
        """Two things have each other's places."""
        setting = self.setting(clause)
        first = self.themes(clause, self.names.is_item)
        if clause.partner is not None:
            first += (self.resolver.one(clause.partner, self.names.is_item, setting),)
        if len(first) != 2:
            raise Unclear("which two things are in each other's places?")
        return [Swap(*first, actor=self.agent(clause))]

    # ---- the robot -----------------------------------------------------------------------------

    def robot(self) -> str:
        """Return the robot that is spoken to."""
        if len(self.names.robots) != 1:
            raise Unclear("which robot?", "ambiguous")
        return self.names.robots[0]

    def robot_given(self, clause: Clause) -> list[Event]:
        """The robot has things now."""
        return self._arrive(self.items(clause), self.robot(), self.agent(clause))

    def robot_relieved(self, clause: Clause) -> list[Event]:
        """The robot has things no longer."""
        taker = clause.goal or clause.agent
        things = self.resolver.things(
            clause.theme or Phrase(), self.names.is_item, Setting(spots=frozenset([self.robot()]))
        )
        if taker is None:
            return [Gone(things, (self.robot(),))]
        return [Have(things, self.resolver.one(taker, self.resolver.is_someone))]

    def robot_moved(self, clause: Clause) -> list[Event]:
        """The robot is in another room now."""
        room = self._room(clause, clause.goal or clause.location)
        return [MoveRobot(self.robot(), room, actor=self.agent(clause))]

    # ---- states --------------------------------------------------------------------------------

    def state(self, clause: Clause, *, negative: bool = False) -> list[Event]:
        """Things are in a state now."""
        state = STATES[clause.sense]
        return self._become(clause, State(state.concepts, state.positive != negative))

    def state_ended(self, clause: Clause) -> list[Event]:
        """Things are in a state no longer."""
        return self.state(clause, negative=True)

    def be_like(self, clause: Clause) -> list[Event]:
        """Things are as a word says."""
        text = clause.state.text if clause.state is not None else ""
        states = self.resolver.calling.states(text)
        if not states:
            raise Unclear(f"what does '{text}' mean here?", "unknown")
        concepts = tuple(c for state in states for c in state.concepts)
        return self._become(clause, State(concepts, states[0].positive != clause.negated))

    def relation(self, thing: str, state: State) -> str | None:
        """Return the property of a thing that a state is about."""
        kind = self.names.kind(thing)
        found = (self.meanings.state_relation(concept, kind) for concept in state.concepts)
        return next((relation for relation in found if relation is not None), None)

    def _become(self, clause: Clause, state: State) -> list[Event]:
        if clause.theme is None and clause.location is not None:
            things = self._in_room(clause, clause.location, state)
        else:
            things = self.themes(clause, lambda t: self.relation(t, state) is not None)
        return [self.become(thing, state, self.agent(clause)) for thing in things]

    def _in_room(self, clause: Clause, where: Reference, state: State) -> tuple[str, ...]:
        """Return the lamps of a room, or the one tap."""
        found = self.resolver.things(where, anything, self.setting(clause))
        if any(map(self.names.is_room, found)):
            inside = (t for t in self.names.things if self.names.names[t].room in found)
            found = tuple(t for t in inside if self.is_lamp_or_tap(t))
        fitting = tuple(t for t in found if self.relation(t, state) is not None)
        if not fitting:
            raise Unclear(f"what in '{in_words(where)}'?")
        return fitting

    def is_lamp_or_tap(self, thing: str) -> bool:
        """Return whether a thing is a light or a tap: it has power or water and shows no channel."""
        kind = self.names.kind(thing)
        relations = self.meanings.having("channel")
        shows = any(self.meanings.takes(r, 0, [kind]) for r in relations)
        return not shows and self.relation(thing, State(("power", "flow"), True)) is not None

    def become(self, thing: str, state: State, actor: str | None = None) -> Event:
        """Return the event that a thing gets into a state."""
        relation = self.relation(thing, state)
        if relation is None:
            raise Unclear(f"that is not remembered of {self.names.things[thing].name}")
        if state.concepts[0] == "contents":
            if state.positive:
                raise Unclear(f"what is in {self.names.things[thing].name}?")
            return Drain(thing, actor=actor)
        inverted = self.meanings.relations[relation].inverted
        return Become(thing, relation, state.positive != inverted, actor=actor)

    def value(self, clause: Clause, accepts: Callable[[str], bool]) -> str:
        """Return the liquid or channel that a clause names."""
        text = clause.content.text if clause.content is not None else ""
        found = [value for value in self.resolver.calling.values(text) if accepts(value)]
        if len(found) != 1:
            raise Unclear(f"nothing known here is called '{text}'", "unknown")
        return found[0]

    def vessels(self, clause: Clause) -> tuple[str, ...]:
        """Return the vessels that a clause is about."""
        return self.themes(clause, lambda t: self.relation(t, STATES["empty"]) is not None)

    def fill(self, clause: Clause) -> list[Event]:
        """A vessel has a liquid in it now."""
        liquid = self.value(clause, self.names.is_liquid)
        return [Fill(v, liquid, actor=self.agent(clause)) for v in self.vessels(clause)]

    def drain(self, clause: Clause) -> list[Event]:
        """A vessel has nothing in it."""
        return [Drain(vessel) for vessel in self.vessels(clause)]

    def tune(self, clause: Clause) -> list[Event]:
        """A screen shows a channel now."""
        channel = self.value(clause, self.names.is_channel)
        return [Tune(s, channel, actor=self.agent(clause)) for s in self.screens(clause)]

    def screens(self, clause: Clause) -> tuple[str, ...]:
        """Return the screens that a clause is about."""
        takes = self.meanings.takes
        tuned = self.meanings.having("channel")
        return self.themes(clause, lambda t: any(takes(r, 0, [self.names.kind(t)]) for r in tuned))

    def serve(self, clause: Clause) -> list[Event]:
        """Somebody gets a vessel with a drink."""
        return [*self.fill(clause), *self.give(clause)]

    def own(self, clause: Clause) -> list[Event]:
        """Whose a thing is does not change here; what contradicts it is asked about."""
        who = self.someone(clause)
        for thing in self.items(clause):
            if self.names.names[thing].owner != who:
                raise Unclear(f"{self.names.things[thing].name} is known as another's")
        return []

    def did_the_same(self, clause: Clause) -> list[Event]:
        """Somebody else did what was told before, or it was done with something else."""
        who = self.agent(clause)
        told = [event for event in self.resolver.told if agent_of(event) is not None]
        if (who is None and clause.theme is None) or not told:
            raise Unclear("who did what?")
        if clause.theme is not None:
            new = self.resolver.one(clause.theme, anything, self.setting(clause))
            olds = {old: new for event in told for old in themes_of(event)}
            told = exchanged(told, olds, self.names)
        return [by(event, who) if who is not None else event for event in told]


def is_lasting(clause: Clause) -> bool:
    """Return whether a clause says how things are, and not what happened."""
    return clause.sense.startswith("be ") or clause.sense in _LASTING


def _has_level(where: Reference) -> bool:
    return isinstance(where, Phrase) and where.level is not None


_TABLE: Mapping[str, Row] = {
    **dict.fromkeys(STATES, Reports.state),
    "be like": Reports.be_like,
    "put": Reports.put,
    "clear": Reports.put,
    "throw away": Reports.put,
    "take": Reports.take,
    "hold": Reports.take,
    "have": Reports.have,
    "give": Reports.give,
    "go to": Reports.go,
    "enter": Reports.go,
    "end up at": Reports.go,
    "bring along": Reports.bring_along,
    "leave": Reports.leave,
    "be at": Reports.be_at,
    "be in room": Reports.be_in_room,
    "swap": Reports.swap,
    "robot is given": Reports.robot_given,
    "robot is relieved of": Reports.robot_relieved,
    "robot is moved": Reports.robot_moved,
    "tune": Reports.tune,
    "fill": Reports.fill,
    "contain": Reports.fill,
    "serve": Reports.serve,
    "own": Reports.own,
    "did the same": Reports.did_the_same,
}
"""What each sense makes so."""
_NOT: Mapping[str, Row] = {
    **dict.fromkeys(STATES, Reports.state_ended),
    "be like": Reports.be_like,
    "be at": Reports.be_elsewhere,
    "be in room": Reports.be_elsewhere,
    "put": Reports.be_elsewhere,
    "go to": Reports.be_elsewhere,
    "have": Reports.not_have,
    "contain": Reports.drain,
}
"""What is so where a clause says that it is not, or no longer."""
SENSES = _TABLE.keys()
