"""The report before, taken back or put right: believed no more, believed otherwise, or asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.knowledge.index import View
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs import conversation
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.interpretation.discourse import topic_of
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import Unclear

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


class PuttingRight:
    """Believes of the last report of a memory what a later one leaves of it."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def taken_back(self, last: LastReport, text: str, speaker: str | None) -> Told:
        """Take the last report back: nothing of it is believed, and what it spoke of is forgotten."""
        memory = self.memory
        outcome = memory.store.undo(last.tx, Source("person", speaker or "", text))
        memory.last, memory.discourse.now = None, last.topic
        conversation.save(memory.store, memory.discourse, None)
        return memory.believing.told(outcome, Reading("ok"))

    def by(self, utterance: Utterance, text: str = "", speaker: str | None = None) -> Told:
        """Believe what an utterance corrects of the last report, and what it adds, instead of that."""
        memory, last = self.memory, self.memory.last
        said = memory.said(utterance, speaker)
        if last is None or self._is_undone(last.tx):
            self._remember((), None)
            return Told("ask", question="there is no report before it that was taken in")
        if said.speaker is not None and last.speaker not in (None, said.speaker):
            who = memory.names.things[last.speaker or ""].name
            return Told("ask", question=f"the last report is that of {who}: which one is meant?")
        before = replace(said, told=last.events, speaker=said.speaker or last.speaker)
        source = Source("person", said.speaker or "", text)
        facts = memory.store.facts
        return self.or_ask(last, source, lambda view: memory.reports.put_right(before, facts, view))

    def or_ask(self, last: LastReport, source: Source, read: Callable[[View], Reading]) -> Told:
        """Believe instead of a report what was meant by it; where that cannot be, ask."""
        try:
            reading, taken = self.instead_of(last, source, read)
        except (Unclear, GroundingError) as problem:
            return Told("ask", question=str(problem))
        kept = replace(last, tx=taken.tx or 0, events=reading.events)
        self._remember(reading.spoken, None if taken.tx is None else kept)
        return taken

    def instead_of(
        self, last: LastReport, source: Source, read: Callable[[View], Reading]
    ) -> tuple[Reading, Told]:
        """Believe instead of a report what was meant by it; where that cannot be, raise and change nothing.

        ``read`` is given what is believed without the report.
        """
        memory = self.memory
        with memory.store.change(source) as change:
            change.undo(last.tx)
            reading = read(change.draft)
            if memory.settings.verify:
                memory.believing.verify(reading.facts)
        taken = Told("none", question=reading.question)
        if reading.status == "ok":
            taken = memory.believing.believe(reading, source, last.at_ns)
        return reading, taken.after(change.outcome, memory.store.facts)

    def _remember(self, spoken: Iterable[Event], last: LastReport | None) -> None:
        """Keep what the next report may refer to, and this one where it was taken in."""
        memory = self.memory
        memory.discourse.now, memory.last = topic_of(spoken), last
        conversation.save(memory.store, memory.discourse, memory.last)

    def _is_undone(self, tx: int) -> bool:
        """Return whether a change has been taken back since."""
        store = self.memory.store
        return any(change.undoes == tx for change in store.changes(store.tx - tx))
