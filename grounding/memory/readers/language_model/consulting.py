"""The language model beside the readers that need none: when it is asked, and what it is told then."""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.knowledge.files import read_text
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs import conversation
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.english.clock import said_at
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.readers.language_model.prompt import Heard, PromptWriter
from commonground.grounding.memory.readers.language_model.reader import ModelReader
from commonground.grounding.memory.readers.language_model.verification import HeldReport, HeldTask
from commonground.grounding.model.client import ChatModel

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory
import logging
from typing import TypeVar


class Consulting:
    """Asks a language model what is said to a memory."""

    def __init__(self, memory: Memory, model: ChatModel | None) -> None:
        if model is None:
            raise GroundingError("memory.backend names a language model, but none is set up")
        self.memory, self.model = memory, model
        settings, store = memory.settings, memory.store
        rules = None if settings.rules is None else read_text(Path(settings.rules))
        self.reader = ModelReader(
            store,
            memory.retriever,
            model,
            PromptWriter(store.vocabulary, store.kinds, rules),
            memory.believing.verify,
            settings.retrieval,
            settings.verify,
            settings.max_tokens,
        )

    def read(self, text: str, speaker: str | None, now: int) -> Reading:
        """Return what the model makes of a report."""
        memory = self.memory
        heard = in_context(memory, text, speaker, now)
        return self.reader.read(heard, memory.discourse, HeldReport(memory, text, speaker, now))

    def tell(self, text: str, speaker: str | None, now: int) -> Told:
        """Take in what the model makes of a report."""
        memory, before = self.memory, copy.deepcopy(self.memory.discourse.now)
        memory.discourse.next_report()
        reading = self.read(text, speaker, now)
        taken = memory.believing.believe(reading, Source("person", speaker or "", text), now)
        told = LastReport(taken.tx or 0, text, speaker, now, reading.events, before)
        return conversation.kept(memory, taken, told)

    def unless_sure(self, reading: Reading, text: str, speaker: str | None, now: int) -> Reading:
        """Return an offline reading, or what the model makes of a doubtful one, and why."""
        doubt = self.memory.judge.doubt(text, speaker, reading)
        if not doubt:
            return replace(reading, why="offline: the words were understood")
        found = self.read(text, speaker, now)
        if reading.status == "none":
            reading = Reading("ask", question=doubt)
        return unless_failed(replace(found, why=f"model: {doubt}"), reading)

    def goal(self, text: str, speaker: str | None) -> Wanted:
        """Return the goal that the model makes of a task."""
        memory = self.memory
        heard = in_context(memory, text, speaker)
        return self.reader.goal(heard, memory.discourse, HeldTask(memory, text, speaker))

    def unless_wanted(self, wanted: Wanted, text: str, speaker: str | None) -> Wanted:
        """Return an offline goal, or what the model makes of a task that has none."""
        if wanted.status != "ask":
            return replace(wanted, why="offline: the words were understood")
        found = self.goal(text, speaker)
        doubt = "the words were not understood offline"
        return unless_failed(replace(found, why=f"model: {doubt}"), wanted)


def in_context(memory: Memory, text: str, speaker: str | None, at_ns: int | None = None) -> Heard:
    """Return a report with its time, the one before and what that made so."""
    now = said_at(time.time_ns() if at_ns is None else at_ns, memory.days.offset_ns)
    last = memory.last
    if last is None:
        return Heard(text, speaker, now=now)
    changed = sorted(f for f in memory.store.changed_since(last.tx - 1) if f in memory.store.facts)
    return Heard(text, speaker, last.text, tuple(changed[:12]), now)


logger = logging.getLogger(__name__)
Understood = TypeVar("Understood", Reading, Wanted)


def unless_failed(found: Understood, instead: Understood) -> Understood:
    """Return what the model made of a text; where it failed, what was understood offline, and the failure."""
    if found.status != "failed":
        return found
    logger.warning("read offline, because the model failed: %s", found.question)
    question = f"{instead.question} ({found.question})".strip()
    why = f"offline: {found.question}"
    return replace(
        instead, question=question, tokens=found.tokens, estimated=found.estimated, why=why
    )
