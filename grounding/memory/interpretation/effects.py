"""Events → facts, by the house rules of who is where afterwards.

A person who moves a thing, or works a lamp, tap, lid, screen or bed, is afterwards in the room where
that happened; whoever gives the robot a thing, takes one from it or moves it is in its room. Having,
handing over between people, doors, and what becomes of things alone say nothing about positions.
Which properties place their actor is listed with the meanings of the predicates.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import Draft, View
from commonground.grounding.memory.interpretation.events import (
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
    Named,
    Place,
    Somewhere,
    Swap,
    Take,
    Tune,
)
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.names import Names


class Effects:
    """Applies events to a draft of the world, and keeps what each asserts."""

    def __init__(self, names: Names, groups: Groups, base: View) -> None:
        self.names = names
        self.meanings = names.meanings
        self.groups = groups
        self.base = base
        self.draft = Draft(base)
        self.asserted: dict[Fact, None] = {}
        """What the events say, in order, whether it was known before or not."""
        self.told: list[Fact] = []
        """The same, with what later events put in the place of it."""
        self.retracted: dict[Fact, None] = {}
        self.moved: dict[str, Fact] = {}
        """Where each thing was before the first of the events."""
        self.before: list[Fact] = []
        """Where things were said to come from that were believed elsewhere."""

    def apply_all(self, events: Iterable[Event]) -> list[Event]:
        """Apply events one after the other, and return them."""
        applied = list(events)
        for event in applied:
            self.apply(event)
        return applied

    @singledispatchmethod
    def apply(self, event: Event) -> None:
        """Make an event's facts hold in the draft."""
        raise TypeError(f"no effect is known of {event!r}")

    # ---- facts --------------------------------------------------------------------------------

    def _assert(self, fact: Fact) -> None:
        location = self.names.location(fact.subject, self.draft)
        if location is not None and location.object != fact.object and self._is_location(fact):
            self.moved.setdefault(fact.subject, location)
        for rival in self.groups.add(self.draft, fact):
            self.asserted.pop(rival, None)
        self.asserted[fact] = None
        self.told.append(fact)
        self.retracted.pop(fact, None)

    def _is_location(self, fact: Fact) -> bool:
        return self.meanings.relations[fact.relation].means in ("place", "holding", "whereabouts")

    def _retract(self, fact: Fact) -> None:
        if self._is_location(fact):
            self.moved.setdefault(fact.subject, fact)
        if self.groups.remove(self.draft, fact):
            self.retracted[fact] = None
            self.asserted.pop(fact, None)

    def _relation(self, means: str, subject: str, value: str) -> str:
        relation = self.names.relation(means, subject, value)
        if relation is None:
            one, other = self.names.things[subject].name, self.names.things[value].name
            raise Unclear(f"'{one}' cannot be put in relation to '{other}' in this domain")
        return relation

    def _put_in(self, who: str | None, room: str | None) -> None:
        """Note that a person or robot is in a room."""
        if who is not None and room is not None:
            self._assert(Fact(who, self._relation("whereabouts", who, room), room))

    def _room(self, thing: str) -> str | None:
        return self.names.room_of(thing, self.draft)

    def _held(self, thing: str, holder: str) -> None:
        self._assert(Fact(thing, self._relation("holding", thing, holder), holder))

    def _comes_from(self, thing: str, source: str | None) -> None:
        """Note where a thing was until now, if it was not believed there."""
        where = self.names.location(thing, self.draft)
        if source is None or thing in self.moved or source in self._spots_of(thing, where):
            return
        someone = self.names.is_person(source) or source in self.names.robots
        relation = self.names.relation("holding" if someone else "place", thing, source)
        if relation is not None:
            self.moved[thing] = Fact(thing, relation, source)
            self.before.append(self.moved[thing])

    # ---- events -------------------------------------------------------------------------------

    @apply.register
    def _place(self, event: Place) -> None:
        for thing in event.things:
            self._comes_from(thing, event.source)
            self._assert(Fact(thing, self._relation("place", thing, event.place), event.place))
        self._put_in(event.actor, self._room(event.place))

    @apply.register
    def _take(self, event: Take) -> None:
        for thing in event.things:
            self._comes_from(thing, event.source)
            before = self.names.location(thing, self.draft) or self.moved.get(thing)
            room = self._room(event.source) if event.source is not None else None
            if room is None and before is not None and not self.names.is_person(before.object):
                room = self._room(before.object)
            handed = before is not None and self.names.is_person(before.object)
            if (
                event.source is None
                and handed
                and before is not None
                and before.object == event.holder
            ):
                room = None
            self._held(thing, event.holder)
            self._put_in(event.holder, room)

    @apply.register
    def _have(self, event: Have) -> None:
        for thing in event.things:
            before = self.names.location(thing, self.draft) or self.moved.get(thing)
            self._held(thing, event.holder)
            if before is not None and before.object != event.holder:
                self._with_robot(before.object, event.holder)

    def _with_robot(self, giver: str | None, taker: str | None) -> None:
        """Who gives the robot a thing or takes one from it is in its room."""
        for robot, person in ((giver, taker), (taker, giver)):
            if robot is None or person is None or robot not in self.names.robots:
                continue
            if self.names.is_person(person):
                self._put_in(person, self._room(robot))

    @apply.register
    def _give(self, event: Give) -> None:
        for thing in event.things:
            before = self.names.location(thing, self.draft)
            giver = event.giver or (before.object if before is not None else None)
            self._held(thing, event.taker)
            self._with_robot(giver, event.taker)

    @apply.register
    def _go(self, event: Go) -> None:
        for thing in event.things:
            self._held(thing, event.who)
        self._put_in(event.who, event.room)

    @apply.register
    def _leave(self, event: Leave) -> None:
        where = self.names.location(event.who, self.draft)
        if where is not None and event.room in (None, where.object):
            self._retract(where)

    @apply.register
    def _move_robot(self, event: MoveRobot) -> None:
        self._put_in(event.robot, event.room)
        self._put_in(event.actor, event.room)

    @apply.register
    def _become(self, event: Become) -> None:
        self._assert(Fact(event.thing, event.relation, TRUE if event.value else FALSE))
        if self.meanings.relations[event.relation].actor == "present":
            self._put_in(event.actor, self._room(event.thing))

    @apply.register
    def _tune(self, event: Tune) -> None:
        power = self.meanings.state_relation("power", self.names.kind(event.screen))
        if power is not None:
            self._assert(Fact(event.screen, power, TRUE))
        relation = self._relation("channel", event.screen, event.channel)
        self._assert(Fact(event.screen, relation, event.channel))
        if self.meanings.relations[relation].actor == "present":
            self._put_in(event.actor, self._room(event.screen))

    @apply.register
    def _fill(self, event: Fill) -> None:
        relation = self._relation("contents", event.vessel, event.liquid)
        self._assert(Fact(event.vessel, relation, event.liquid))
        if self.meanings.relations[relation].actor == "present":
            self._put_in(event.actor, self._room(event.vessel))

    @apply.register
    def _drain(self, event: Drain) -> None:
        relation = self.meanings.state_relation("contents", self.names.kind(event.vessel))
        if relation is None:
            raise Unclear(f"'{self.names.things[event.vessel].name}' holds nothing in this domain")
        inverted = self.meanings.relations[relation].inverted
        self._assert(Fact(event.vessel, relation, TRUE if inverted else FALSE))

    @apply.register
    def _swap(self, event: Swap) -> None:
        one = self.names.location(event.first, self.draft)
        two = self.names.location(event.second, self.draft)
        if one is None or two is None:
            raise Unclear("where the two things were is not known")
        self._assert(Fact(event.first, two.relation, two.object))
        self._assert(Fact(event.second, one.relation, one.object))
        self._put_in(event.actor, self._room(event.second))

    @apply.register
    def _gone(self, event: Gone) -> None:
        for thing in event.things:
            where = self.names.location(thing, self.draft)
            if where is not None and (
                not event.spots or self._spots_of(thing, where) & set(event.spots)
            ):
                self._retract(where)

    def _spots_of(self, thing: str, where: Fact | None) -> set[str]:
        if where is None:
            return set()
        name = self.names.names.get(where.object)
        whole = name.whole if name is not None else None
        return {s for s in (where.object, whole, self._room(thing)) if s is not None}

    @apply.register
    def _somewhere(self, event: Somewhere) -> None:
        for thing in event.things:
            where = self.names.location(thing, self.draft)
            if where is not None and self._room(thing) != event.room:
                self._retract(where)

    @apply.register
    def _named(self, event: Named) -> None:
        """Leave everything as it is."""
