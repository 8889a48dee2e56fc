"""A report read part by part where the whole of it is not sure: its sentences, then its clauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from commonground.grounding.english.asking_back import clauses_in, sentences_in
from commonground.grounding.memory.checks.choice import Chooser
from commonground.grounding.memory.checks.weighing import Sense
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.retractions import may_correct, retracts
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.memory.interpretation.discourse import Discourse, topic_of
from commonground.grounding.memory.interpretation.effects import Effects
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.memory.rewriting.dating import undated
from commonground.grounding.words.nouns import word_set

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_SUBJECTS = word_set("i he she they we")


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
        """Return what the parts of a report are believed to say in turn, without when that was.

        None where any of them is not sure. Who doubts it, or says who told it, may do so beside it.
        """
        plain, times = undated(text, self._names_any)
        sentences = [sentence.strip() for sentence in sentences_in(plain)]
        beside = '"' in text or self.memory.grammar.reader.assertions.has_hedge(text)
        clauses = [] if beside else self.clauses(plain)
        for parts in (sentences, clauses):
            told = (
                [] if parts == [text] else self._told(parts, speaker, now, deeds=parts is clauses)
            )
            if told:
                chosen = self._together([one.chosen for one in told], times)
                chosen = self.chooser.dated(chosen, text, now)
                if chosen.status == "ok":
                    return told[-1]._replace(chosen=chosen)
        return None

    def clauses(self, text: str) -> list[str]:
        """Return the clauses of a text, each with who did it: two for ``she took it and left``."""
        found, subject = list[str](), ""
        for said in clauses_in(text):
            first = said.split(maxsplit=1)[0]
            if first.lower() in _SUBJECTS or self.memory.names.is_named_person(first):
                subject = first
            elif subject and "past" in load_lexicon().forms_of(first.lower()):
                said = f"{subject} {said}"
            found.append(f"{said[:1].upper()}{said[1:]}.")
        return found

    def _told(
        self, parts: Sequence[str], speaker: str | None, now: int, *, deeds: bool
    ) -> list[Understood]:
        """Return what parts are believed to say one after the other; nothing where any is not sure.

        Single ``deeds`` take up what any before them spoke of.
        """
        before = self.memory.discourse.now
        told, spoken = list[Understood](), list[Event]()
        if any(map(looks_back, parts)):
            return []
        try:
            for part in parts:
                found = self.understand(part, speaker, now)
                if self._is_idle(part, found.chosen):
                    continue
                if found.chosen.status != "ok" or found.parsed.unreal or found.parsed.aside:
                    return []
                told.append(found)
                spoken = [*(spoken if deeds else ()), *(found.chosen.spoken or found.chosen.events)]
                self.memory.discourse.now = topic_of(spoken)
        finally:
            self.memory.discourse.now = before
        return told

    def _is_idle(self, part: str, chosen: Reading) -> bool:
        """Return whether a part names nothing, reports nothing and leaves nothing in doubt."""
        silent = chosen.status == "none" and not chosen.question and not self._names_any(part)
        return silent and not self.memory.grammar.reader.assertions.has_hedge(part)

    def _together(self, told: Sequence[Reading], times: tuple[TimeWords, ...]) -> Reading:
        """Return what parts say that were read one after the other."""
        effects = Effects(self.memory.names, self.memory.store.groups, self.memory.store.facts)
        events = tuple(effects.apply_all(event for one in told for event in one.events))
        return Reading(
            "ok",
            tuple(effects.asserted),
            tuple(effects.retracted),
            events,
            (*times, *(t for one in told for t in one.times)),
            tuple(event for one in told for event in one.spoken or one.events),
            before=tuple(effects.before),
            at_once=tuple(fact for one in told for fact in one.at_once),
        )

    def _names_any(self, part: str) -> bool:
        return bool(named_in(part, self.memory.retriever.calling))


def looks_back(part: str) -> bool:
    """Return whether a text puts another one right or takes it back."""
    return retracts(part) or may_correct(part, weak=True)
