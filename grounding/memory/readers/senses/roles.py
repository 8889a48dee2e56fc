"""Who does what to what, and where: the roles of a clause, filled with things of the world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.pronouns import SPOKEN_OF
from commonground.grounding.english.utterance import Clause, Phrase, Reference, Span
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.interpretation.effects import Effects
from commonground.grounding.memory.interpretation.events import (
    Become,
    Event,
    Go,
    Leave,
    Named,
    agent_of,
    place_of,
    themes_of,
)
from commonground.grounding.memory.interpretation.house import Accepts, House, Setting, Things
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.readers.senses.resolver import Resolver


class Roles:
    """Fills the roles of clauses; what is left out is taken from what was told before."""

    def __init__(
        self, resolver: Resolver, effects: Effects, previous: Mapping[str, Fact] | None = None
    ) -> None:
        self.resolver = resolver
        self.effects = effects
        self.house: House = resolver.house
        self.names = resolver.names
        self._previous = previous
        self._read: set[Span] = set()

    # ---- who -------------------------------------------------------------------------------------

    def agent(self, clause: Clause) -> str | None:
        """Return who did it, if anybody known is named."""
        who = clause.agent
        if who is None or who.everybody or (who.speaker and self.resolver.speaker is None):
            return None
        return self.resolver.one(who, self.house.is_someone)

    def someone(self, clause: Clause) -> str:
        """Return who did it, else who did what was told before."""
        who = self.agent(clause)
        for event in reversed(self.resolver.told):
            who = who or agent_of(event)
        if who is None:
            raise Unclear("who was that?", "ambiguous")
        return who

    def person_told_of(self, clause: Clause) -> str | None:
        """Return the person or robot whose whereabouts a clause tells, None where it is a thing's."""
        if clause.theme is not None:
            someone = self.resolver.may_be(clause.theme, self.house.is_someone)
            return self.resolver.one(clause.theme, self.house.is_someone) if someone else None
        last = self.resolver.told[-1:] if clause.follows else []
        goes_on = clause.agent is not None or isinstance(last[0] if last else None, Go | Leave)
        return self.someone(clause) if goes_on else None

    def robot(self) -> str:
        """Return the robot that is spoken to."""
        if len(self.names.robots) != 1:
            raise Unclear("which robot?", "ambiguous")
        return self.names.robots[0]

    # ---- what ------------------------------------------------------------------------------------

    def setting(self, clause: Clause) -> Setting:
        """Return what the clause says beside any one of its phrases."""
        was_used = clause.goal in self.resolver.used or clause.goal == clause.location
        places = (p for p in (clause.location, clause.goal) if p is not None)
        rooms = [p for p in places if self.resolver.may_be(p, self.names.is_room)]
        actor = self.agent(clause)
        spots = {*self.origin(clause), *filter(None, [actor])}
        inside = (self.resolver.one(room, self.names.is_room) for room in rooms)
        found = tuple(inside)
        if not was_used:  # a goal is more than a help in choosing
            self.resolver.used.discard(clause.goal)
        return Setting(found, actor, frozenset(spots))

    def origin(self, clause: Clause) -> Things:
        """Return where things come from: of several places called so, where they are."""
        source = clause.source
        if source is None:
            return ()
        there = self._spots_of(clause)
        if there and self.resolver.may_be(source, there.__contains__):
            with suppress(Unclear):
                return self.resolver.things(source, there.__contains__)
        return self.resolver.things(source, self.house.is_fixed)

    def _spots_of(self, clause: Clause) -> set[str]:
        """Return where the things are believed to be that a clause names, if it tells which."""
        try:
            found = self.resolver.choices(clause.theme or Phrase(), self.names.is_item)
        except Unclear:
            return set()
        spots = {spot for thing in chain(*found) if (spot := self.house.location(thing))}
        return spots | {whole for spot in spots if (whole := self.names.names[spot].whole)}

    def choices(self, clause: Clause, accepts: Accepts) -> list[Things]:
        """Return what a clause is about, once for each free choice that it leaves."""
        return self.resolver.choices(clause.theme or Phrase(), accepts, self.setting(clause))

    def things(self, clause: Clause, accepts: Accepts) -> Things:
        """Return what a clause is about; what was told of before where it names nothing."""
        return self.resolver.things(clause.theme or Phrase(), accepts, self.setting(clause))

    def changing(self, clause: Clause, state: State) -> list[Things]:
        """Return what a clause brings into a state, once for each free choice that it leaves.

        Of several of a kind the one is meant that is not yet so: the phone that rings is answered.
        """
        try:
            return self.choices(clause, lambda t: self.house.relation(t, state) is not None)
        except Unclear as unclear:
            other = State(state.concepts, not state.positive)
            if unclear.kind != "ambiguous" or clause.theme is None:
                raise
            try:
                return self.choices(clause, lambda t: self.house.is_in(t, other))
            except Unclear:
                raise unclear from None

    def items(self, clause: Clause) -> Things:
        """Return the portable things that a clause is about."""
        fixed = self.resolver.may_be(clause.theme, self.names.is_fixture)
        if fixed and not self.resolver.may_be(clause.theme, self.names.is_item):
            words = in_words(clause.theme)
            raise Unclear(f"'{words}' has a fixed place in this world, so no new one is remembered")
        return self.things(clause, self.names.is_item)

    def value(self, clause: Clause, accepts: Accepts) -> str:
        """Return the liquid or channel that a clause names."""
        text = self.text(clause.content)
        found = [value for value in self.resolver.calling.values(text) if accepts(value)]
        if len(found) != 1:
            raise Unclear(f"nothing known here is called '{text}'", "unknown")
        return found[0]

    def text(self, words: Span | None) -> str:
        """Return what some words of a clause are."""
        self._read |= {*filter(None, [words])}
        return words.text if words is not None else ""

    def all_used(self, clause: Clause) -> None:
        """Ask about what a clause says besides, which nothing was made of."""
        ends = (clause.theme, clause.goal, clause.source, clause.location, clause.partner)
        used = self.resolver.used
        for what in (*ends, clause.agent):
            if what is not None and what not in used and not _is_nobody(what):
                raise Unclear(f"what has '{in_words(what)}' to do with it?")
        for span in (clause.content, clause.state):
            if span is not None and span not in self._read:
                raise Unclear(f"what has '{span.text}' to do with it?")

    # ---- where -----------------------------------------------------------------------------------

    def spot(self, clause: Clause, where: Reference | None) -> str:
        """Return the place, room, person or robot that something ends at; as told before for a remark."""
        if where is not None:
            named = self.resolver.one(where, self.house.is_spot, self.setting(clause))
            if self.names.is_whole(named):
                raise Unclear(f"which level of '{in_words(where)}'?")
            return named
        told = reversed(self.resolver.told if clause.follows else ())
        places = [place for event in told for place in self._places_of(event)]
        found = [*(p for p in places if not self.names.is_room(p)), *places]
        if not found:
            raise Unclear("where is it now?")
        return found[0]

    def _places_of(self, event: Event) -> Iterator[str]:
        """Yield where an event was: ``there`` is also what was opened just before."""
        yield from filter(None, [place_of(event)])
        if isinstance(event, Become) and self.names.is_place(event.thing):
            yield event.thing

    def room(self, clause: Clause, where: Reference | None) -> str:
        """Return the room that somebody or something ends in."""
        room = self.house.room(self.spot(clause, where))
        if room is None:
            raise Unclear(f"in which room is '{in_words(where)}'?")
        return room

    def former_spot(self, thing: str) -> str:
        """Return where a thing was before its last move; where it is believed if that was not understood."""
        told = (e for e in reversed(self.resolver.told) if thing in themes_of(e))
        if isinstance(next(told, None), Named):
            believed = self.names.location(thing, self.house.view)
            if believed is not None:
                return believed.object
        earlier = self._previous.get(thing) if self._previous is not None else None
        before = self.effects.moved.get(thing) or earlier
        if before is None:
            raise Unclear(f"where was {self.names.things[thing].name} before?")
        return before.object


def _is_nobody(what: Reference) -> bool:
    """Whoever did it: ``we``, ``she``, ``somebody``."""
    return isinstance(what, Phrase) and (what.everybody or what.speaker or what == SPOKEN_OF)
