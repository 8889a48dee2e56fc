"""An utterance as a whole: which of its clauses are certain, and what they make so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonground.grounding.english.utterance import Clause, Utterance
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.events import Event
from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.reading import Reading, Status
from commonground.grounding.memory.senses.calling import Calling
from commonground.grounding.memory.senses.clauses import narrated
from commonground.grounding.memory.senses.reports import UNDONE, Reports, is_lasting
from commonground.grounding.memory.senses.resolver import Resolver, in_words
from commonground.grounding.memory.senses.roles import themes_of
from commonground.grounding.memory.senses.times import read_times
from commonground.grounding.memory.senses.wishes import Wishes
from commonground.grounding.memory.timing import TimeWords
from commonground.grounding.memory.unclear import Unclear


@dataclass(frozen=True, slots=True)
class Said:
    """An utterance, who said it, and what was told before it."""

    utterance: Utterance
    speaker: str | None = None
    told: tuple[Event, ...] = ()
    previous: Mapping[str, Fact] | None = None
    """Where each thing was before its last move."""


class Hearing:
    """Takes utterances as reports about one world."""

    def __init__(self, calling: Calling, groups: Groups) -> None:
        self.calling = calling
        self.groups = groups

    def resolver(self, said: Said, view: View) -> Resolver:
        """Return a resolver for the phrases of an utterance."""
        return Resolver(self.calling, view, said.utterance, said.speaker, said.told)

    def report(self, said: Said, view: View) -> Reading:
        """Return what an utterance reports, in the light of what is believed and was said before."""
        effects = Effects(self.calling.names, self.groups, view)
        resolver = self.resolver(said, effects.draft)
        reports = Reports(resolver, effects, said.previous)
        events: list[Event] = []
        doubtful: list[tuple[Clause, list[Event]]] = []
        why = ""
        try:
            times = read_times(part.when for part in said.utterance.parts)
            for clause in narrated(said.utterance):
                doubt = _doubt(clause, times)
                why = why or doubt or _nothing_in(clause)
                if doubt and clause.hedge in UNDONE:
                    continue
                found = reports.events(clause)
                resolver.told += found
                if doubt:
                    doubtful.append((clause, found))
                    continue
                effects.apply_all(found)
                events += found
        except Unclear as unclear:
            return Reading("ask", question=str(unclear))
        aside = self._aside(doubtful, events, view)
        asserted, retracted = tuple(effects.asserted), tuple(effects.retracted)
        status: Status = "ok" if events else "ask" if doubtful else "none"
        return Reading(
            status, asserted, retracted, why, tuple(events), times, aside=aside, moved=effects.moved
        )

    def wish(self, said: Said, view: View) -> Wanted:
        """Return the goal that an utterance asks for, or what to ask back."""
        effects = Effects(self.calling.names, self.groups, view)
        reports = Reports(self.resolver(said, effects.draft), effects, said.previous)
        return Wishes(reports).wanted(said.utterance)

    def _aside(
        self, doubtful: Sequence[tuple[Clause, list[Event]]], events: Sequence[Event], view: View
    ) -> tuple[Fact, ...]:
        """Return what may be so: claims about things of which nothing certain is said."""
        certain = {thing for event in events for thing in themes_of(event)}
        effects = Effects(self.calling.names, self.groups, view)
        for clause, found in doubtful:
            if clause.condition is None:
                effects.apply_all(e for e in found if not certain & {*themes_of(e)})
        return tuple(effects.asserted)


def _doubt(clause: Clause, times: Sequence[TimeWords]) -> str:
    """Return what to ask about a clause that nobody vouches for, or why it changes nothing."""
    if clause.heard_from is not None:
        return f"is that certain, or only what {in_words(clause.heard_from)} said?"
    if clause.condition is not None:
        return f"is it so that '{in_words(clause.condition)}'?"
    if clause.hedge == "maybe" or (clause.hedge == "unknown by now" and not times):
        return "is that certain?"
    return f"that is said to be {clause.hedge}" if clause.hedge in UNDONE else ""


def _nothing_in(clause: Clause) -> str:
    """Return why a clause leaves nothing to remember."""
    if clause.sense == "other" and clause.verb is not None:
        return f"'{clause.verb.text}' changes nothing that is remembered here"
    if clause.hedge == "denied" and not is_lasting(clause):
        return "then nothing has changed"
    return ""
