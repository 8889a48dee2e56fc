"""A memory that people and sensors keep up to date: the main path from a report to believed facts."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from commonground.errors import GroundingError
from commonground.grounding.english.utterance import Clause, Utterance
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import read_text
from commonground.grounding.knowledge.index import Draft, FactIndex, View
from commonground.grounding.knowledge.records import Outcome, Source
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory import conversation
from commonground.grounding.memory.clock import local_offset_ns
from commonground.grounding.memory.conversation import LastReport
from commonground.grounding.memory.correction import Corrector, flipped
from commonground.grounding.memory.discourse import Discourse, Topic
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.events import Event
from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.guard import Guard
from commonground.grounding.memory.linking import Linker
from commonground.grounding.memory.meanings import Meanings
from commonground.grounding.memory.modeled.prompt import Heard, PromptWriter
from commonground.grounding.memory.modeled.reader import ModelReader
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.report import ReportReader
from commonground.grounding.memory.requests import RequestReader
from commonground.grounding.memory.retrieval.retriever import Retriever, offline
from commonground.grounding.memory.senses.calling import Calling
from commonground.grounding.memory.senses.listening import understood
from commonground.grounding.memory.senses.remarks import RETRACTION, corrected, correction_in
from commonground.grounding.memory.senses.reports import Reports, Said
from commonground.grounding.memory.senses.wishes import Wishes
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.memory.timing import HOUR_NS, MEALS, DayPlan
from commonground.grounding.memory.unclear import Unclear
from commonground.grounding.model.client import ChatModel

Listen: TypeAlias = Callable[[str], Utterance]
"""A reader of English: what a text says; it raises Unclear where it cannot tell."""
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
    tokens: int = 0
    """What a language model took for it."""


class Memory:
    """A knowledge graph with ears: reports go in as they are said."""

    def __init__(
        self,
        store: KnowledgeStore,
        meanings: Meanings | None = None,
        settings: MemorySettings | None = None,
        model: ChatModel | None = None,
        listen: Listen | None = None,
    ) -> None:
        self.store = store
        self.settings = settings or MemorySettings()
        self.listen = understood if listen is None else listen
        self.meanings = meanings or Meanings.load(store.vocabulary)
        self.names = Names(store.things.values(), store.facts, self.meanings)
        self.reader = ReportReader(self.names, store.groups, self.meanings.lexicon)
        self.reports = Reports(Calling(self.names), store.groups)
        self.wishes = Wishes(self.reports)
        self.requests = RequestReader(self.reader)
        self.corrector = Corrector(self.reader)
        self.guard = Guard(self.meanings.lexicon, self.reader.name_at)
        offset_h = self.settings.utc_offset_h
        self.days = DayPlan(
            {**MEALS, **self.settings.meals},
            local_offset_ns(time.time_ns()) if offset_h is None else round(offset_h * HOUR_NS),
        )
        self.discourse, self.last = conversation.load(store, self.names)
        self.retriever = Retriever(self.reports.calling, store.facts)
        self.modeled = self._modeled(model) if self.settings.backend != "offline" else None

    def _modeled(self, model: ChatModel | None) -> ModelReader:
        if model is None:
            raise GroundingError("memory.backend names a language model, but none is set up")
        way = self.settings.retrieval
        rules = None if self.settings.rules is None else read_text(Path(self.settings.rules))
        return ModelReader(
            self.store,
            self.retriever,
            model,
            PromptWriter(self.store.vocabulary, self.store.kinds, rules),
            self.verify,
            "slice" if way == "auto" else way,
            self.settings.verify,
            self.settings.max_tokens,
        )

    # ---- the main path: utterances ------------------------------------------------------------

    def hear(
        self,
        utterance: Utterance,
        text: str = "",
        speaker: str | None = None,
        at_ns: int | None = None,
    ) -> Told:
        """Take in what an utterance reports: believe it, put right what was told before, or ask back."""
        now = time.time_ns() if at_ns is None else at_ns
        self.store.refresh()
        source = Source("person", speaker or "", text)
        said = Said(utterance, speaker, tuple(self.discourse.now.events), self.discourse.previous)
        mistake = correction_in(utterance)
        if mistake is not None:
            return self._put_right(mistake, said, source)
        reading = self.reports.read(said, self.store.facts)
        if reading.status == "ask" and self.modeled is not None:
            reading = self.modeled.read(self.heard(text, speaker), self.discourse)
        taken = self._believe(reading, source, now)
        if taken.tx is not None:
            self.last = LastReport(taken.tx, text, speaker, now, reading.events)
        if reading.events:
            self._remember(reading.events)
        return taken

    def _wished_of(self, text: str, speaker: str | None) -> Wanted:
        """Return what a text asks for, as the learned reader understands it or else the model."""
        try:
            wanted = self.wished(self.listen(text), speaker)
        except Unclear as unclear:
            wanted = Wanted("ask", question=str(unclear))
        if wanted.status == "ask" and self.modeled is not None:
            return self.modeled.goal(Heard(text, speaker), self.discourse)
        return wanted

    def wished(self, utterance: Utterance, speaker: str | None = None) -> Wanted:
        """Return the goal that an utterance asks for, or what to ask back."""
        self.store.refresh()
        said = Said(utterance, speaker, (), self.discourse.previous)
        return self.wishes.wanted(said, self.store.facts)

    def _remember(self, told: Iterable[Event]) -> None:
        """Keep what the next report may refer to."""
        self.discourse.now = Topic(events=[*told])
        conversation.save(self.store, self.discourse, self.last)

    def _put_right(self, mistake: Clause, said: Said, source: Source) -> Told:
        """Believe what a correction says of the last report instead of what that said."""
        last = self.last
        if last is None:
            return Told("ask", question="there is no report before to put right")
        if mistake.sense == RETRACTION:
            undone = self.store.undo(last.tx, source)
            self.last = None
            self._remember(())
            return self._told((), undone)
        before = replace(said, told=last.events, speaker=said.speaker or last.speaker)
        effects = self.reports.effects(self.store.facts)
        try:
            applied = effects.apply_all(corrected(self.reports.roles(before, effects), mistake))
        except Unclear as unclear:
            return Told("ask", question=str(unclear))
        undone = self.store.undo(last.tx, source)
        effects = self.reports.effects(self.store.facts)
        effects.apply_all(applied)
        asserted = tuple(effects.asserted)
        taken = self._believe(Reading("ok", asserted, tuple(effects.retracted)), source, last.at_ns)
        if taken.tx is not None:
            self.last = replace(last, tx=taken.tx, events=tuple(applied))
        self._remember(applied)
        return Told(
            "ok",
            tuple({*undone.added, *taken.asserted} & set(self.store.facts)),
            (*undone.removed, *taken.removed),
            (*undone.added, *taken.added),
            tx=taken.tx,
        )

    # ---- the main path: the grammar -----------------------------------------------------------

    def tell(self, text: str, speaker: str | None = None, at_ns: int | None = None) -> Told:
        """Take in what somebody says at a time; believe it, keep it aside, or ask back."""
        if self.settings.reader == "learned" and self.settings.backend != "openai":
            try:
                return self.hear(self.listen(text), text, speaker, at_ns)
            except Unclear as unclear:
                return Told("ask", question=str(unclear))
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
        reading = self._read(text, speaker)
        if reading.status != "ok":
            corrected = self._corrected(text, speaker, weak=True)
            if corrected is not None:
                return corrected
        taken = self._believe(reading, Source("person", speaker or "", text), now)
        if taken.tx is not None:
            self.last = LastReport(taken.tx, text, speaker, now, reading.events, before)
        conversation.save(self.store, self.discourse, self.last)
        return taken

    def _read(self, text: str, speaker: str | None) -> Reading:
        """Ask the front end what a report says: the offline reader, the model, or one after the other."""
        asked = self.settings.backend == "openai"
        if not asked:
            reading = self.reader.read(text, self._view(text, speaker), self.discourse, speaker)
            asked = self.settings.backend == "auto" and reading.status == "ask"
        if asked and self.modeled is not None:
            return self.modeled.read(self.heard(text, speaker), self.discourse)
        return reading

    def _view(self, text: str, speaker: str | None) -> View:
        """Return the facts that the offline reader sees: all, unless a way of retrieval is chosen."""
        way = self.settings.retrieval
        if way == "auto" or way == "none":
            return self.store.facts
        found = offline(
            self.retriever, way, text, self.discourse, speaker, self.settings.max_tokens
        )
        return FactIndex(found.facts)

    def heard(self, text: str, speaker: str | None) -> Heard:
        """Return a report with the one before and what that made so."""
        last = self.last
        if last is None:
            return Heard(text, speaker)
        changed = sorted(f for f in self.store.changed_since(last.tx - 1) if f in self.store.facts)
        return Heard(text, speaker, last.text, tuple(changed[:12]))

    def wanted(self, text: str, speaker: str | None = None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        if self.settings.reader == "learned" and self.settings.backend != "openai":
            return self._wished_of(text, speaker)
        self.store.refresh()
        order = self.guard.commands(text)
        if order is not None:
            return Wanted("ask", question=f"'{order}' is an order to the memory, not a task")
        offline_first = self.settings.backend != "openai"
        if offline_first:
            wanted = self.requests.read(text, self.store.facts, speaker)
        if self.modeled is None or (offline_first and wanted.status == "ok"):
            return wanted
        return self.modeled.goal(Heard(text, speaker), self.discourse)

    def _believe(self, reading: Reading, source: Source, now: int) -> Told:
        """Commit what a report was understood to say."""
        if reading.aside:
            self._keep_aside(reading.aside, source, now)
        if reading.status != "ok":
            return Told(reading.status, question=reading.question, tokens=reading.tokens)
        at = self.days.observed_ns(reading.times, now) if self.settings.dated else now
        if self.settings.verify:
            try:
                self.verify(reading.facts)
            except GroundingError as error:
                return Told("ask", question=str(error), tokens=reading.tokens)
        outcome = self.store.assert_facts(
            reading.facts, source, at_ns=at, retracted=reading.retracted
        )
        return self._told(reading.facts, outcome, reading.tokens, reading.question)

    def _told(
        self, facts: Iterable[Fact], outcome: Outcome, tokens: int = 0, question: str = ""
    ) -> Told:
        asserted = tuple(fact for fact in facts if fact in self.store.facts)
        asserted += tuple(fact for fact in outcome.added if fact not in asserted)
        status: Status = "ok" if outcome.changes_belief or outcome.confirmed else "none"
        why = "something newer is known" if outcome.late and status == "none" else question
        return Told(status, asserted, outcome.removed, outcome.added, why, outcome.tx, tokens)

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

    def _keep_aside(self, claims: Iterable[Fact], source: Source, now: int) -> None:
        """Hearsay is kept as open claims, which may be confirmed later."""
        unknown = [fact for fact in claims if fact not in self.store.facts]
        if unknown:
            with self.store.change(source, at_ns=now) as change:
                for fact in unknown:
                    change.hold(fact, self.settings.hearsay_confidence, "said without certainty")

    def newest_change(self) -> int:
        """Return the newest change that has not been taken back and takes back no other."""
        undone: set[int] = set()
        for change in self.store.changes(1000):
            if change.undoes is not None:
                undone.add(change.undoes)
            elif change.tx not in undone and change.tx > 1:
                return change.tx
        raise GroundingError("there is no change to take back")

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
        modeled = self.settings.backend == "openai"  # shown the last report, it corrects by itself
        if last is None or modeled or not self.corrector.may_correct(text, weak=weak):
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
        taken = self._believe(reading, source, last.at_ns)
        if taken.tx is None:
            return Told(
                "ask",
                question=taken.question or "what was meant?",
                removed=undone.removed,
                added=undone.added,
            )
        self.last = LastReport(
            taken.tx, last.text, last.speaker, last.at_ns, reading.events, last.topic
        )
        conversation.save(self.store, self.discourse, self.last)
        return Told(
            "ok",
            tuple({*undone.added, *taken.asserted} & set(self.store.facts)),
            (*undone.removed, *taken.removed),
            (*undone.added, *taken.added),
            "",
            taken.tx,
        )

    def _applied(self, events: Iterable[Event], reading: Reading) -> Reading:
        effects = Effects(self.names, self.store.groups, self.store.facts)
        for event in events:
            effects.apply(event)
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
