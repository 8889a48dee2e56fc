"""Reports: which clauses of an utterance are certain, and what they make so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from commonground.grounding.english.parts import clauses_of, in_words
from commonground.grounding.english.utterance import Clause, Utterance
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.events import Event, themes_of
from commonground.grounding.memory.reading import Reading, Status
from commonground.grounding.memory.senses import becoming, moving
from commonground.grounding.memory.senses.calling import Calling
from commonground.grounding.memory.senses.house import House
from commonground.grounding.memory.senses.remarks import did_the_same
from commonground.grounding.memory.senses.resolver import Resolver
from commonground.grounding.memory.senses.roles import Roles
from commonground.grounding.memory.senses.states import STATES
from commonground.grounding.memory.senses.times import read_times
from commonground.grounding.memory.unclear import Unclear

Row: TypeAlias = Callable[[Roles, Clause], list[Event]]
EVENTS: Mapping[str, Row] = {
    **dict.fromkeys(STATES, becoming.state),
    "be like": becoming.be_like,
    "fill": becoming.fill,
    "contain": becoming.fill,
    "tune": becoming.tune,
    "serve": becoming.serve,
    "put": moving.put,
    "clear": moving.put,
    "throw away": moving.put,
    "take": moving.take,
    "hold": moving.take,
    "have": moving.have,
    "give": moving.give,
    "go to": moving.go,
    "enter": moving.go,
    "end up at": moving.go,
    "bring along": moving.bring_along,
    "leave": moving.leave,
    "be at": moving.be_at,
    "be in room": moving.be_in_room,
    "swap": moving.swap,
    "own": moving.own,
    "robot is given": moving.robot_given,
    "robot is relieved of": moving.robot_relieved,
    "robot is moved": moving.robot_moved,
    "did the same": did_the_same,
}
"""What each sense makes so."""
DENIED: Mapping[str, Row] = {
    **dict.fromkeys(STATES, becoming.state_ended),
    "be like": becoming.be_like,
    "contain": becoming.drain,
    "be at": moving.be_elsewhere,
    "be in room": moving.be_elsewhere,
    "put": moving.be_elsewhere,
    "go to": moving.be_elsewhere,
    "have": moving.have_not,
}
"""What is so where a clause says that something is not so, or no longer."""
_LASTING = frozenset(["own", "have", "contain", "ring", "work again"])
_UNDONE = frozenset(["dreamt", "almost", "planned"])


@dataclass(frozen=True, slots=True)
class Said:
    """An utterance, who said it, and what was told before it."""

    utterance: Utterance
    speaker: str | None = None
    told: tuple[Event, ...] = ()
    previous: Mapping[str, Fact] | None = None
    """Where each thing was before its last move."""


class Reports:
    """Takes utterances as reports about one world."""

    def __init__(self, calling: Calling, groups: Groups) -> None:
        self.calling = calling
        self.groups = groups

    def effects(self, view: View) -> Effects:
        """Return where events are to have their effects."""
        return Effects(self.calling.names, self.groups, view)

    def roles(self, said: Said, effects: Effects) -> Roles:
        """Return the roles of an utterance's clauses, to be filled as its events have their effects."""
        house = House(self.calling.names, effects.draft)
        resolver = Resolver(self.calling, house, said.utterance, said.speaker, said.told)
        return Roles(resolver, effects, said.previous)

    def read(self, said: Said, view: View) -> Reading:
        """Return what an utterance reports, in the light of what is believed and was said before."""
        effects = self.effects(view)
        roles = self.roles(said, effects)
        events: list[Event] = []
        doubtful: list[Event] = []
        times = read_times(part.when for part in said.utterance.parts)
        remarks = [_asked_in(said.utterance)]
        unsure = False
        try:
            for clause in narrated(said.utterance):
                doubt = _doubt(clause, dated=bool(times))
                remarks.append(doubt or _nothing_in(clause))
                found = events_of(roles, clause) if clause.hedge not in _UNDONE else []
                roles.resolver.told += found
                if doubt:
                    unsure = unsure or clause.hedge not in _UNDONE
                    doubtful += found if clause.condition is None else []
                else:
                    events += effects.apply_all(found)
        except Unclear as unclear:
            return Reading("ask", question=str(unclear))
        status: Status = "ok" if events else "ask" if unsure else "none"
        return Reading(
            status,
            tuple(effects.asserted),
            tuple(effects.retracted),
            next(filter(None, remarks), ""),
            tuple(events),
            times,
            aside=self._aside(doubtful, events, view),
        )

    def _aside(
        self, doubtful: Sequence[Event], events: Sequence[Event], view: View
    ) -> tuple[Fact, ...]:
        """Return what may be so: claims about things of which nothing certain is said."""
        certain = {thing for event in events for thing in themes_of(event)}
        effects = self.effects(view)
        effects.apply_all(event for event in doubtful if not certain & {*themes_of(event)})
        return tuple(effects.asserted)


def narrated(utterance: Utterance) -> Iterator[Clause]:
    """Yield the clauses that report something, in the order in which it happened."""
    for part in utterance.parts:
        if part.stands not in ("taken back", "imagined"):
            yield from (clause for clause in clauses_of(part.step) if clause.mood == "tell")


def events_of(roles: Roles, clause: Clause) -> list[Event]:
    """Return what a clause says happened, as if there were no doubt about it."""
    negative = clause.negated != (clause.hedge in ("denied", "formerly"))
    if negative and not (is_lasting(clause) or clause.hedge == "formerly"):
        return []
    row = (DENIED if negative else EVENTS).get(clause.sense)
    return row(roles, clause) if row is not None else []


def is_lasting(clause: Clause) -> bool:
    """Return whether a clause says how things are, and not what happened."""
    return clause.sense.startswith("be ") or clause.sense in _LASTING


def _asked_in(utterance: Utterance) -> str:
    """Return what to say of an utterance that asks for something and does not only report."""
    clauses = (clause for part in utterance.parts for clause in clauses_of(part.step))
    asked = next((clause for clause in clauses if clause.mood != "tell"), None)
    if asked is None:
        return ""
    return f"'{in_words(asked)}' is no report: questions are asked and wishes are planned"


def _doubt(clause: Clause, *, dated: bool) -> str:
    """Return what to ask about a clause that nobody vouches for, or why it changes nothing."""
    if clause.heard_from is not None:
        return f"is that certain, or only what {in_words(clause.heard_from)} said?"
    if clause.condition is not None:
        return f"is it so that '{in_words(clause.condition)}'?"
    if clause.hedge == "maybe" or (clause.hedge == "unknown by now" and not dated):
        return "is that certain?"
    return f"that is said to be {clause.hedge}" if clause.hedge in _UNDONE else ""


def _nothing_in(clause: Clause) -> str:
    """Return why a clause leaves nothing to remember."""
    if clause.sense == "other":
        return f"'{in_words(clause.verb)}' changes nothing that is remembered here"
    if clause.hedge == "denied" and not is_lasting(clause):
        return "then nothing has changed"
    return ""
