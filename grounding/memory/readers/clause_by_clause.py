"""A report read clause by clause where the whole of it is not sure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.memory.checks.choice import Chooser
from commonground.grounding.memory.checks.weighing import Sense
from commonground.grounding.memory.english.retractions import may_correct, retracts
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.memory.interpretation.discourse import Discourse, topic_of
from commonground.grounding.memory.interpretation.effects import Effects
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.ontology.names import words_of
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.memory.rewriting.clause_splitting import clauses_in, undated
from commonground.grounding.memory.rewriting.step_splitting import steps_in

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


_LIMITING = NEGATIONS | {"if", "unless", "wish", "almost", "nearly"}
_QUOTE = re.compile('["“”]')


class Understood(NamedTuple):
    """What a report may mean, and what comes of it."""

    senses: list[Sense]
    parsed: Reading
    """The grammar's."""
    chosen: Reading
    """What is believed, or asked."""
    talk: Discourse
    """What the next report may refer to."""


Understand: TypeAlias = Callable[[str, "str | None", int], Understood]
"""How a text that somebody says at a time is understood as a whole."""


class InParts:
    """Reads the parts of reports to one memory."""

    def __init__(self, memory: Memory, chooser: Chooser, understand: Understand) -> None:
        self.memory, self.chooser, self.understand = memory, chooser, understand

    def apart(self, text: str, speaker: str | None, now: int) -> Understood | None:
        """Return what the clauses of a report are believed to say one after the other, and not when that was.

        None where any of them is not sure.
        """
        dated = undated(text, self._names_any)
        is_person = self.memory.names.is_named_person
        clauses = clauses_in(dated.text, is_person, self._names_any)
        steps = steps_in(dated.text, is_person, self._names_any)
        if _QUOTE.search(text) or self._is_doubted(
            text
        ):  # who says it, or doubts it, stands beside it
            steps = clauses
        for parts in (clauses, steps) if steps != clauses else (clauses,):
            if parts == [text]:
                continue
            told = self._told(parts, speaker, now, steps=parts is steps)
            if told:
                chosen = self._together([one.chosen for one in told], dated.times)
                chosen = self.chooser.dated(chosen, text, now)
                if chosen.status == "ok":
                    return told[-1]._replace(chosen=chosen)
        return None

    def _told(
        self, parts: Sequence[str], speaker: str | None, now: int, *, steps: bool
    ) -> list[Understood]:
        """Return what clauses are believed to say one after the other; nothing where any is not sure.

        Single ``steps`` take up what any step before them spoke of.
        """
        memory = self.memory
        before, told, spoken = memory.discourse.now, list[Understood](), list[Event]()
        if any(map(looks_back, parts)):
            return []
        try:
            for part in parts:
                found = self.understand(part, speaker, now)
                unsure = found.parsed.unreal or found.parsed.aside
                if self._is_idle(part, found) and len(parts) > 1:
                    continue
                if found.chosen.status != "ok" or unsure:
                    return []
                told.append(found)
                spoken = spoken if steps else []
                spoken += found.chosen.spoken or found.chosen.events
                memory.discourse.now = topic_of(spoken)
        finally:
            memory.discourse.now = before
        return told

    def _is_idle(self, part: str, found: Understood) -> bool:
        """Return whether a clause names nothing and reports nothing: ``only I'm staying``."""
        silent = found.chosen.status == "none" and not found.chosen.question
        unreal = found.parsed.unreal or found.parsed.aside
        doubts = self._is_doubted(part) or not _LIMITING.isdisjoint(words_of(part))
        return silent and not unreal and not doubts and not self._names_any(part)

    def _together(self, told: Sequence[Reading], times: tuple[TimeWords, ...]) -> Reading:
        """Return what clauses say that were read one after the other."""
        effects = Effects(self.memory.names, self.memory.store.groups, self.memory.store.facts)
        events = effects.apply_all(event for one in told for event in one.events)
        asserted, retracted = tuple(effects.asserted), tuple(effects.retracted)
        spoken = tuple(event for one in told for event in one.spoken or one.events)
        dates = (*times, *(t for one in told for t in one.times))
        before = tuple(effects.before)
        at_once = tuple(fact for one in told for fact in one.at_once)
        return Reading(
            "ok", asserted, retracted, (*events,), dates, spoken, before=before, at_once=at_once
        )

    def _is_doubted(self, text: str) -> bool:
        return self.memory.grammar.reader.assertions.has_hedge(text)

    def _names_any(self, part: str) -> bool:
        return bool(named_in(part, self.memory.retriever.calling))


def looks_back(part: str) -> bool:
    """Return whether a clause puts another one right or takes it back."""
    return retracts(part) or may_correct(part, weak=True)
