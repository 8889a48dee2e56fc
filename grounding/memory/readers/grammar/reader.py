"""The hand-written reader of English at work on one memory: reports, corrections and tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.grounding.knowledge.index import View
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.retractions import beyond, may_correct, retracts
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.effects import Effects
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.readers.grammar.corrections import Corrector
from commonground.grounding.memory.readers.grammar.reports import ReportReader
from commonground.grounding.memory.readers.grammar.requests import RequestReader
from commonground.grounding.memory.retrieval.query import named_in

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


class Grammar:
    """Reads what is said to a memory by rules."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.reader = ReportReader(memory.reports, load_lexicon())
        self.requests = RequestReader(self.reader, memory.wishes)
        self.corrector = Corrector(self.reader)

    def remarked(self, text: str, speaker: str | None, now: int) -> Told | None:
        """Take in an order to the memory, or a remark on the report before; None where a text is neither."""
        order, last = self.memory.guard.commands(text), self.memory.last
        if order is not None:
            return Told("none", question=f"'{order}' is an order to the memory, not a report")
        if last is not None and retracts(text):
            return self._take_back(last, text, speaker, now)
        if last is None or self.memory.settings.backend == "openai":
            return None  # shown the last report, the model corrects by itself
        return self._reread(last, text, speaker) if may_correct(text, weak=False) else None

    def ordered(self, text: str) -> Wanted | None:
        """Return why a task is none: it is an order to the memory; None where it may be one."""
        order = self.memory.guard.commands(text)
        question = f"'{order}' is an order to the memory, not a task"
        return None if order is None else Wanted("ask", question=question)

    def wanted(self, text: str, speaker: str | None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        self.memory.store.refresh()
        return self.ordered(text) or self.requests.read(text, self.memory.store.facts, speaker)

    # ---- taking back and putting right --------------------------------------------------------

    def _take_back(self, last: LastReport, text: str, speaker: str | None, now: int) -> Told:
        """Take the last report back, and take in what the text says besides: what was meant, or is so."""
        memory, rest = self.memory, beyond(text)
        told = bool(rest) and bool(named_in(rest, memory.retriever.calling))
        whole = told and self._reads(rest, speaker)
        corrected = self._reread(last, rest, speaker) if told and not whole else None
        if corrected is not None:
            return corrected
        question = memory.both.asked(rest, speaker, now) if told else ""
        if question:  # what was meant instead is not known yet
            return Told("ask", question=question)
        taken = memory.putting_right.taken_back(last, text, speaker)
        return memory.tell(rest, speaker, now).after(taken, memory.store.facts) if told else taken

    def _reads(self, text: str, speaker: str | None) -> bool:
        facts = self.memory.store.facts
        return self.reader.read(text, facts, Discourse(), speaker).status == "ok"

    def _reread(self, last: LastReport, text: str, speaker: str | None) -> Told | None:
        """Read the last report again with what a text puts right in it; None where it puts nothing right."""
        memory = self.memory
        facts = memory.store.facts
        meant = self.corrector.read(text, last.events, facts, speaker or last.speaker)
        if not meant:
            return None
        source = Source("person", speaker or "", text)
        return memory.putting_right.or_ask(last, source, lambda view: self._applied(meant, view))

    def _applied(self, events: Sequence[Event], view: View) -> Reading:
        """Return what events make so in the light of what is believed."""
        effects = Effects(self.memory.names, self.memory.store.groups, view)
        told = tuple(effects.apply_all(events))
        made, ended = tuple(effects.asserted), tuple(effects.retracted)
        return Reading("ok", made, ended, events=told, spoken=told)
