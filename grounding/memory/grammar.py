"""The hand-written reader of English at work on one memory: reports, corrections and tasks."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.grounding.knowledge.index import FactIndex, View
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory import conversation
from commonground.grounding.memory.conversation import LastReport
from commonground.grounding.memory.correction import Corrector
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.events import Event
from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.guard import Guard
from commonground.grounding.memory.linking import Linker
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.report import ReportReader
from commonground.grounding.memory.requests import RequestReader
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.memory.retrieval.retriever import offline
from commonground.grounding.memory.told import Told
from commonground.grounding.memory.unclear import Unclear

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


class Grammar:
    """Reads what is said to a memory by rules."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        lexicon = load_lexicon()
        self.reader = ReportReader(memory.names, memory.store.groups, lexicon)
        self.requests = RequestReader(self.reader)
        self.corrector = Corrector(self.reader)
        self.guard = Guard(lexicon, self.reader.name_at)

    def tell(self, text: str, speaker: str | None, now: int) -> Told:
        """Take in what somebody says at a time; believe it, keep it aside, or ask back."""
        memory = self.memory
        memory.store.refresh()
        remarked = self.remarked(text, speaker, now)
        if remarked is not None:
            return remarked
        before = copy.deepcopy(memory.discourse.now)
        memory.discourse.next_report()
        reading = self._read(text, speaker, now)
        if reading.status != "ok":
            corrected = self._corrected(text, speaker, weak=True)
            if corrected is not None:
                return corrected
        taken = memory.believe(reading, Source("person", speaker or "", text), now)
        if taken.tx is not None:
            memory.last = LastReport(taken.tx, text, speaker, now, reading.events, before)
        elif taken.status == "ask":
            memory.last = None  # a correction is about what was just said
        conversation.save(memory.store, memory.discourse, memory.last)
        return taken

    def remarked(self, text: str, speaker: str | None, now: int) -> Told | None:
        """Take in an order to the memory, or a remark on the report before; None where a text is neither."""
        order = self.guard.commands(text)
        if order is not None:
            return Told("none", question=f"'{order}' is an order to the memory, not a report")
        if self.memory.last is not None and self.corrector.retracts(text):
            return self._take_back(text, speaker, now)
        return self._corrected(text, speaker, weak=False)

    def wanted(self, text: str, speaker: str | None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        memory = self.memory
        memory.store.refresh()
        order = self.guard.commands(text)
        if order is not None:
            return Wanted("ask", question=f"'{order}' is an order to the memory, not a task")
        wanted = Wanted("ask")
        if memory.settings.backend != "openai":
            wanted = self.requests.read(text, memory.store.facts, speaker)
        return memory.wanted_or_model(wanted, text, speaker)

    def _read(self, text: str, speaker: str | None, now: int) -> Reading:
        """Ask the front end what a report says: the rules, the model, or one after the other."""
        memory = self.memory
        if memory.settings.backend == "openai" and memory.modeled is not None:
            return memory.modeled.read(text, speaker, now)
        reading = self.reader.read(text, self._view(text, speaker), memory.discourse, speaker)
        return memory.or_model(reading, text, speaker, now)

    def _view(self, text: str, speaker: str | None) -> View:
        """Return the facts that the rules see: all, unless a way of retrieval is chosen."""
        memory = self.memory
        way = memory.settings.retrieval
        if way == "auto" or way == "none":
            return memory.store.facts
        most = memory.settings.max_tokens
        found = offline(memory.retriever, way, text, memory.discourse, speaker, most)
        return FactIndex(found.facts)

    # ---- taking back and putting right --------------------------------------------------------

    def _take_back(self, text: str, speaker: str | None, now: int) -> Told:
        """Take the last report back, and take in what the text says besides: what was meant, or is so."""
        memory = self.memory
        last = memory.last
        if last is None:
            return Told("ask", question="there is no report to take back")
        rest = self.corrector.beyond(text)
        told = bool(rest) and bool(named_in(rest, memory.retriever.calling))
        facts = memory.store.facts
        whole = told and self.reader.read(rest, facts, Discourse(), speaker).status == "ok"
        corrected = self._reread(rest, speaker) if told and not whole else None
        if corrected is not None:
            return corrected
        outcome = memory.store.undo(last.tx, Source("person", speaker or "", text))
        memory.last, memory.discourse.now = None, last.topic
        conversation.save(memory.store, memory.discourse, None)
        taken = memory.told((), outcome)
        return memory.tell(rest, speaker, now).after(outcome, memory.store.facts) if told else taken

    def _corrected(self, text: str, speaker: str | None, *, weak: bool) -> Told | None:
        """Read the last report again with what a correction says; None where it is none."""
        modeled = (
            self.memory.settings.backend == "openai"
        )  # shown the last report, it corrects by itself
        if modeled or not self.corrector.may_correct(text, weak=weak):
            return None
        return self._reread(text, speaker)

    def _reread(self, text: str, speaker: str | None) -> Told | None:
        """Read the last report again with what a text puts right in it; None where it puts nothing right."""
        memory = self.memory
        last = memory.last
        if last is None:
            return None
        linker = Linker(memory.names, memory.store.facts, Discourse(), speaker or last.speaker)
        try:
            meant = self.corrector.read(text, last.events, linker)
        except Unclear as unclear:
            return Told("ask", question=str(unclear))
        if not meant:
            return None
        source = Source("person", speaker or "", text)
        return memory.instead_of(last, source, lambda view: self._applied(meant, view))

    def _applied(self, events: Sequence[Event], view: View) -> Reading:
        """Return what events make so in the light of what is believed."""
        effects = Effects(self.memory.names, self.memory.store.groups, view)
        told = tuple(effects.apply_all(events))
        made, ended = tuple(effects.asserted), tuple(effects.retracted)
        return Reading("ok", made, ended, events=told, spoken=told)
