"""A memory that people and sensors keep up to date: the main path from a report to believed facts."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import Draft, View
from commonground.grounding.knowledge.records import Outcome, Source
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory import conversation
from commonground.grounding.memory.conversation import LastReport
from commonground.grounding.memory.correction import Corrector, flipped
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.guard import Guard
from commonground.grounding.memory.linking import Linker, Unclear
from commonground.grounding.memory.meanings import Meanings
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.report import Reading, ReportReader
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.memory.timing import DayPlan

Status = Literal["ok", "none", "ask"]


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a report."""

    status: Status
    asserted: tuple[Fact, ...] = ()
    """What it says and is believed now, whether it was before or not."""
    removed: tuple[Fact, ...] = ()
    added: tuple[Fact, ...] = ()
    question: str = ""
    """What to ask back, or why nothing changed."""
    tx: int | None = None
    """The change, where there was one."""


class Memory:
    """A knowledge graph with ears: reports go in as they are said."""

    def __init__(
        self,
        store: KnowledgeStore,
        meanings: Meanings | None = None,
        settings: MemorySettings | None = None,
    ) -> None:
        self.store = store
        self.settings = settings or MemorySettings()
        self.meanings = meanings or Meanings.load(store.vocabulary)
        self.names = Names(store.things.values(), store.facts, self.meanings)
        self.reader = ReportReader(self.names, store.groups, self.meanings.lexicon)
        self.corrector = Corrector(self.reader)
        self.guard = Guard(self.meanings.lexicon, self.reader.name_at)
        self.days = DayPlan({**self.meanings.lexicon.data["meals"], **self.settings.meals})
        self.discourse, self.last = conversation.load(store, self.names)

    # ---- the main path ------------------------------------------------------------------------

    def tell(self, text: str, speaker: str | None = None, at_ns: int | None = None) -> Told:
        """Take in what somebody says at a time; believe it, keep it aside, or ask back."""
        now = time.time_ns() if at_ns is None else at_ns
        self.store.refresh()
        order = self.guard.commands(text)
        if order is not None:
            return Told("none", question=f"'{order}' is an order to the memory, not a report")
        if self.last is not None and self.corrector.retracts(text):
            return self._take_back(text, speaker)
        before = copy.deepcopy(self.discourse.now)
        corrected = self._corrected(text, speaker, weak=False)
        if corrected is not None:
            return corrected
        self.discourse.next_report()
        reading = self.reader.read(text, self.store.facts, self.discourse, speaker)
        if reading.status != "ok":
            corrected = self._corrected(text, speaker, weak=True)
            if corrected is not None:
                return corrected
        told = self._believe(reading, Source("person", speaker or "", text), now)
        if told.tx is not None:
            self.last = LastReport(told.tx, text, speaker, now, reading.events, before)
        conversation.save(self.store, self.discourse, self.last)
        return told

    def _believe(self, reading: Reading, source: Source, now: int) -> Told:
        """Commit what a report was understood to say."""
        if reading.hedged:
            self._keep_aside(reading, source, now)
        if reading.status != "ok":
            return Told(reading.status, question=reading.question)
        at = self.days.observed_ns(reading.times, now) if self.settings.dated else now
        try:
            self.verify(reading.facts)
        except GroundingError as error:
            return Told("ask", question=str(error))
        outcome = self.store.assert_facts(
            reading.facts, source, at_ns=at, retracted=reading.retracted
        )
        return self._told(reading.facts, outcome)

    def _told(self, facts: Iterable[Fact], outcome: Outcome) -> Told:
        asserted = tuple(fact for fact in facts if fact in self.store.facts)
        asserted += tuple(fact for fact in outcome.added if fact not in asserted)
        status: Status = "ok" if outcome.changes_belief or outcome.confirmed else "none"
        why = "something newer is known" if outcome.late and status == "none" else ""
        return Told(status, asserted, outcome.removed, outcome.added, why, outcome.tx)

    def verify(self, facts: Iterable[Fact]) -> None:
        """Raise GroundingError for facts that are ill-typed or cannot hold at the same time."""
        draft = Draft(_Nothing())
        kinds = self.store.kinds
        for fact in facts:
            problem = self.store.vocabulary.problem(fact, kinds)
            if problem is not None:
                raise GroundingError(f"fact {fact}: {problem}")
            rivals = [f for f in self.store.groups.rivals(draft, fact) if f.subject == fact.subject]
            if rivals:
                raise GroundingError(f"{fact} and {rivals[0]} cannot both hold")
            draft.add(fact)

    def _keep_aside(self, reading: Reading, source: Source, now: int) -> None:
        """Hearsay is kept as open claims, which may be confirmed later."""
        unknown = [fact for fact in reading.facts if fact not in self.store.facts]
        if unknown:
            with self.store.change(source, at_ns=now) as change:
                for fact in unknown:
                    change.hold(fact, self.settings.hearsay_confidence, "said without certainty")

    # ---- taking back and putting right --------------------------------------------------------

    def _take_back(self, text: str, speaker: str | None) -> Told:
        last = self.last
        if last is None:
            return Told("ask", question="there is no report to take back")
        outcome = self.store.undo(last.tx, Source("person", speaker or "", text))
        self.last, self.discourse.now = None, last.topic
        conversation.save(self.store, self.discourse, None)
        return self._told((), outcome)

    def _corrected(self, text: str, speaker: str | None, *, weak: bool) -> Told | None:
        """Read the last report again with what a correction says; None where it is none."""
        last = self.last
        if last is None or not self.corrector.may_correct(text, weak=weak):
            return None
        linker = Linker(self.names, self.store.facts, Discourse(), speaker or last.speaker)
        try:
            correction = self.corrector.read(text, last.events, linker)
        except Unclear as unclear:
            return Told("ask", question=str(unclear))
        if correction.is_empty:
            return None
        source = Source("person", speaker or "", text)
        undone = self.store.undo(last.tx, source)
        self.discourse.before, self.discourse.now = copy.deepcopy(last.topic), type(last.topic)()
        reading = self.reader.read(
            last.text, self.store.facts, self.discourse, last.speaker, correction.replaced
        )
        if correction.flipped:
            reading = self._applied(flipped(reading.events), reading)
        told = self._believe(reading, source, last.at_ns)
        if told.tx is None:
            return Told(
                "ask",
                question=told.question or "what was meant?",
                removed=undone.removed,
                added=undone.added,
            )
        self.last = LastReport(
            told.tx, last.text, last.speaker, last.at_ns, reading.events, last.topic
        )
        conversation.save(self.store, self.discourse, self.last)
        return Told(
            "ok",
            tuple({*undone.added, *told.asserted} & set(self.store.facts)),
            (*undone.removed, *told.removed),
            (*undone.added, *told.added),
            "",
            told.tx,
        )

    def _applied(self, events: tuple[object, ...], reading: Reading) -> Reading:
        effects = Effects(self.names, self.store.groups, self.store.facts)
        for event in events:
            effects.apply(event)  # type: ignore[arg-type]
        return Reading(
            "ok",
            tuple(effects.asserted),
            tuple(effects.retracted),
            "",
            reading.events,
            reading.times,
        )


class _Nothing(View):
    """No facts at all."""

    def __contains__(self, fact: object) -> bool:
        return False

    def about(self, subject: str) -> tuple[Fact, ...]:
        """Return nothing."""
        return ()

    def subjects(self, relation: str, value: str) -> tuple[str, ...]:
        """Return nothing."""
        return ()
