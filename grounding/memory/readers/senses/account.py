"""What an utterance reports, put together clause by clause before anything of it is believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Clause
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.english.time_phrases import read_times
from commonground.grounding.memory.interpretation.effects import Effects
from commonground.grounding.memory.interpretation.events import (
    Event,
    Go,
    Have,
    Somewhere,
    themes_of,
)
from commonground.grounding.memory.interpretation.house import House
from commonground.grounding.memory.interpretation.reading import Reading, Status
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.linking import Calling
from commonground.grounding.memory.readers.senses.event_table import (
    UNDONE,
    Said,
    doubt_about,
    events_of,
    is_lasting,
    is_understood,
    nothing_in,
)
from commonground.grounding.memory.readers.senses.remarks import (
    RETRACTION,
    corrected,
    is_correction,
)
from commonground.grounding.memory.readers.senses.resolver import Resolver
from commonground.grounding.memory.readers.senses.roles import Roles


@dataclass(frozen=True, slots=True)
class Taken:
    """What one clause was found to say."""

    words: str
    events: Sequence[Event] = ()
    """What has certainly happened."""
    doubtful: Sequence[Event] = ()
    remark: str = ""
    """What is to be asked about it, or why it changes nothing."""
    is_open: bool = False
    """Whether it might change something, so that an answer is wanted."""


class Account:
    """The clauses of one utterance, as they are understood one after the other; writes nothing."""

    def __init__(
        self, calling: Calling, groups: Groups, said: Said, view: View, begun: Sequence[Event] = ()
    ) -> None:
        self.calling = calling
        self.groups = groups
        self.said = said
        self.view = view
        self.speaks = bool(begun)
        """Whether anything but chatter was said."""
        self._times = read_times(part.when for part in said.utterance.parts)
        self._restart([Taken("", begun)] if begun else [])

    def _restart(self, taken: list[Taken]) -> None:
        """Take some clauses for all that was said so far."""
        self._taken, self._now = taken, list[Fact]()
        self._effects = Effects(self.calling.names, self.groups, self.view)
        self.roles = roles_in(self.calling, self.said, self._effects)
        for one in taken:
            self.roles.resolver.told += self._effects.apply_all(one.events)

    @property
    def events(self) -> list[Event]:
        """What has certainly happened."""
        return [event for one in self._taken for event in one.events]

    @property
    def spoken(self) -> tuple[Event, ...]:
        """All that was spoken of, certain or not."""
        return tuple(self.roles.resolver.told[len(self.said.told) :])

    # ---- clause by clause ------------------------------------------------------------------------

    def take(self, clause: Clause) -> None:
        """Understand one more clause; Unclear where it cannot be told what is meant."""
        if clause.sense == "nothing":
            return
        self.speaks = True
        if is_correction(clause):
            self._put_right(clause)
        elif is_understood(clause):
            self._understood(clause)
        else:
            self._puzzling(clause)

    def _understood(self, clause: Clause) -> None:
        doubt = doubt_about(clause, dated=bool(self._times))
        undone = clause.hedge in UNDONE
        found = self._imagined(clause) if undone else events_of(self.roles, clause)
        self.roles.resolver.told += found
        if not doubt:
            self._note_told(clause, found)
            self._taken.append(Taken(in_words(clause), found, (), nothing_in(clause)))
            return
        claimed = [] if undone or clause.condition is not None else found
        self._taken.append(Taken(in_words(clause), (), claimed, doubt, not undone))

    def _note_told(self, clause: Clause, found: Sequence[Event]) -> None:
        """Let what a clause tells have its effects, and note what it says is so now."""
        before = len(self._effects.told)
        self._effects.apply_all(found)
        if is_lasting(clause) or (clause.sense == "put" and clause.agent is None):
            did = {getattr(event, "actor", None) for event in found}  # he may be elsewhere by now
            self._now += (f for f in self._effects.told[before:] if f.subject not in did)

    def _imagined(self, clause: Clause) -> list[Event]:
        """Return what did not happen, for what is said of the same things afterwards."""
        try:
            return events_of(self.roles, clause)
        except Unclear:
            return []

    def _puzzling(self, clause: Clause) -> None:
        """Ask about a verb that means nothing here, and about all that it may have undone."""
        doubt = doubt_about(clause, dated=bool(self._times))
        words = in_words(clause.verb) or clause.sense
        remark = doubt or f"what does '{words}' change? nothing like it is remembered here"
        if clause.hedge not in UNDONE:
            about = {*self._named(clause)}
            if any(about & {*themes_of(event)} for event in self.events):
                raise Unclear(remark)
        self._taken.append(
            Taken(in_words(clause), remark=remark, is_open=clause.hedge not in UNDONE)
        )

    def _named(self, clause: Clause) -> Iterable[str]:
        if clause.theme is None:
            return ()
        try:
            return chain(*self.roles.resolver.choices(clause.theme))
        except Unclear:
            return ()

    def _put_right(self, clause: Clause) -> None:
        """Take back or put right what the same utterance said before."""
        said = [one.words for one in self._taken]
        if clause.sense != RETRACTION:
            events = corrected(self.roles, clause)
            self._restart([Taken(" ".join(said), events)])
        elif len(said) == 1:
            self._restart([])
        else:
            listed = "', '".join(said)
            raise Unclear(f"which of these is taken back: '{listed}'?", "ambiguous")

    # ---- all of it -------------------------------------------------------------------------------

    def reading(self, remarks: Iterable[str] = ()) -> Reading:
        """Return what the clauses say together; remarks on what else the utterance says go before theirs."""
        events = self.events
        events += self._effects.apply_all(_brought_along(events))
        is_open = any(one.is_open for one in self._taken)
        status: Status = "ok" if events else "ask" if is_open else "none"
        every = [*remarks, *(one.remark for one in self._taken)]
        return Reading(
            status,
            tuple(self._effects.asserted),
            tuple(self._effects.retracted),
            tuple(events),
            self._times,
            question="; ".join(dict.fromkeys(filter(None, every))),
            spoken=self.spoken,
            speaks=self.speaks,
            before=tuple(self._effects.before),
            aside=self._aside(),
            at_once=(*self._now,),
        )

    def _aside(self) -> tuple[Fact, ...]:
        """Return what may be so: claims about things of which nothing certain is said."""
        certain = {thing for event in self.events for thing in themes_of(event)}
        doubtful = (event for one in self._taken for event in one.doubtful)
        effects = Effects(self.calling.names, self.groups, self.view)
        effects.apply_all(event for event in doubtful if not certain & {*themes_of(event)})
        return tuple(effects.asserted)


def _brought_along(events: Sequence[Event]) -> list[Event]:
    """Return that who carries a thing that is in a room is in that room."""
    placed = [event for event in events if isinstance(event, Somewhere)]
    held = [event for event in events if isinstance(event, Have)]
    return [Go(h.holder, p.room) for p in placed for h in held if {*h.things} <= {*p.things}]


def roles_in(calling: Calling, said: Said, effects: Effects) -> Roles:
    """Return the roles of an utterance's clauses, to be filled as its events have their effects."""
    house = House(calling.names, effects.draft)
    resolver = Resolver(calling, house, said.utterance, said.speaker, said.told)
    return Roles(resolver, effects, said.previous)
