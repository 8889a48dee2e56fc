"""Questions to a memory, by the words of its domain: of what is so now, and of what was."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING

from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.english.clock import shown
from commonground.grounding.memory.english.time_phrases import date_in, times_in, without_times
from commonground.grounding.memory.english.timing import DAY_NS, MINUTE_NS, TimeWords
from commonground.grounding.memory.ontology.words import (
    DETERMINERS,
    FILLING,
    GENERAL,
    MODALS,
    PERSONAL,
    sentences_of,
)
from commonground.grounding.memory.questions.answers import Answered
from commonground.grounding.memory.questions.domain_questions import Questions
from commonground.grounding.memory.readers.domain.reader import DomainReader
from commonground.grounding.memory.readers.domain.speakers import Speaking
from commonground.grounding.memory.retrieval.query import meant_in
from commonground.grounding.words.nouns import word_set
from commonground.reading import check_speech

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


_TENSE = {"was": "is", "were": "are", "had": "has", "did": "does"}
_WAS = re.compile(rf"\b({'|'.join(_TENSE)})\b", re.IGNORECASE)
_BEFORE = re.compile(
    r"\s*\b(?:before(?: that| this| now)?|previously|earlier(?: on)?|(?:the )?last time|formerly)\b",
    re.IGNORECASE,
)
EPOCH = date(1970, 1, 1)
_CHANGES = 200
"""So many changes back a day is looked at for what changed in it."""


class Past:
    """Answers one question about the past, if it is one."""

    def __init__(self, memory: Memory, reader: DomainReader, question: str, now_ns: int) -> None:
        self.memory, self.reader, self.now_ns = memory, reader, now_ns
        question, self.day, self.minute = self._dated(question)
        unnamed = reader.calling.without_names(question)
        self.times = times_in(unnamed)
        past = _WAS.search(unnamed) is not None
        self.earlier = not self.times and past and _BEFORE.search(unnamed) is not None
        self.is_asked = (
            self.earlier
            or self.day is not None
            or (bool(self.times) and (past or self._has_been()))
        )
        plain = without_times(question) if self.times else _BEFORE.sub("", question)
        self.question = _WAS.sub(lambda found: _TENSE[found[0].lower()], plain)

    def _dated(self, question: str) -> tuple[str, int | None, int | None]:
        """Return a question without the day that it names, when that began, and the minute of it."""
        offset = self.memory.days.offset_ns
        today = EPOCH + timedelta(days=(self.now_ns + offset) // DAY_NS)
        plain, day, minute = date_in(question, today)
        if day is None:
            return question, None, None
        return plain, (day - EPOCH).days * DAY_NS - offset, minute

    def _has_been(self) -> bool:
        return any(self._at(one) < self.now_ns for one in self.times)

    def _at(self, time: TimeWords) -> int:
        return self.memory.days.observed_ns([time], self.now_ns)

    def answer(self) -> Answered:
        """Return what was so then, one answer after the other where it changed meanwhile."""
        found: dict[str, Answered] = {}
        for at in self._moments():
            view = self.memory.store.as_of(at)
            told = self._asked(view, at) if view else Answered("unknown", "")
            if told.status == "ask":
                return told
            if told.status == "ok" and self._is_told(told):
                found.setdefault(told.text, told.and_then(f" ({shown(at)})"))
                if self.earlier:
                    break
        if not found:
            return Answered("unknown", f"nothing is known of that time{self._begin()}")
        known = tuple(one for told in found.values() for one in told.known)
        brief = "; then ".join(told.brief or told.text for told in found.values())
        text = "; then ".join(told.text for told in found.values())
        return Answered("ok", text, known, brief if brief != text else "")

    def _is_told(self, told: Answered) -> bool:
        """Return whether anything was so: of a time before, it may be known only where a thing was not."""
        return bool(told.known) or not self.earlier

    def _asked(self, view: View, at_ns: int) -> Answered:
        told = Questions(self.memory, self.reader, view, self.now_ns, at_ns).answer(self.question)
        return told or Answered("ask", "what of the past is asked? Name one thing, and when")

    def _begin(self) -> str:
        first = self.memory.store.change_record(1)
        return f": the memory begins at {shown(first.observed_ns)}" if first is not None else ""

    def _moments(self) -> Iterator[int]:
        """Yield when to look: at the time that is named, all through a day, or before what is so now."""
        if self.earlier:
            yield from self._before()
            return
        if self.day is not None:
            if self.minute is None:
                yield from self._through(self.day)
            elif self.day + self.minute * MINUTE_NS < self.now_ns:
                yield self.day + self.minute * MINUTE_NS
            return
        for told in self.times:
            at = self._at(told)
            if told.day and at < self.now_ns:
                yield from self._through(at - (at + self.memory.days.offset_ns) % DAY_NS)
            elif at < self.now_ns:
                yield at

    def _before(self) -> Iterator[int]:
        """Yield before what is so now, and before each earlier change of what is asked about, last first."""
        memory = self.memory
        now = Questions(memory, self.reader, memory.store.facts, self.now_ns)
        told = now.answer(self.question)
        known = [k.record.valid_ns for k in told.known[:1]] if told is not None else []
        named = meant_in(self.question, memory.retriever.calling)
        records = [r for thing in named for r in memory.store.history(thing) if r.tx_end is None]
        times = {t for r in records for t in (r.valid_ns, r.ended_ns) if t is not None}
        until = min([*known, self.now_ns])
        yield from (t - 1 for t in sorted({*known, *times}, reverse=True)[:_CHANGES] if t <= until)

    def _through(self, start: int) -> Iterator[int]:
        """Yield the beginning of a day, and when something changed in it."""
        changes = self.memory.store.changes(_CHANGES)
        within = {c.observed_ns for c in changes if start < c.observed_ns < start + DAY_NS}
        yield from sorted({start, *within})


_QUESTIONING = word_set("where who whom whose what which how why when since many long know tell")
_NAMELESS = _QUESTIONING | FILLING | MODALS | GENERAL | PERSONAL | word_set("i you we me us not no")
"""The words of questions that name nothing."""


class Questioner:
    """Answers what the words of a domain ask, whoever described what its predicates mean."""

    def __init__(self, memory: Memory) -> None:
        self.memory, hearing = memory, memory.hearing
        self.reader = hearing.reader if hearing else DomainReader(memory.names, memory.store.groups)
        self.speaking = hearing.speaking if hearing else Speaking(self.reader.calling)

    def asked(self, question: str, speaker: str | None, now: int) -> Answered:
        """Return what is believed of that, or what to ask back."""
        from commonground.grounding.memory.questions.domain_questions import Questions
        from commonground.grounding.memory.questions.questioner import Past

        named = self.speaking.named(question, speaker)
        past = Past(self.memory, self.reader, named, now)
        if past.is_asked:
            return past.answer()
        told = Questions(self.memory, self.reader, self.memory.store.facts, now).answer(named)
        return told or self._not_understood(question)

    def _not_understood(self, question: str) -> Answered:
        """Return what is not known by the name that a question has, or what to ask it for."""
        plain, memory = question.replace("?", "."), self.memory
        if self.reader.named_in(plain, memory.store.facts, memory.discourse):
            such = "where is it, who has it, which are open"
            return Answered("ask", f"what is asked there? Such as: {such}")
        words = [word for sentence in sentences_of(plain) for word in sentence]
        name = [w.text for w in words if w.text.isalnum() and w.text not in _NAMELESS]
        if name and any(w.text == "where" or w.text in DETERMINERS for w in words):
            return Answered("unknown", f"nothing known here is called '{' '.join(name)}'")
        return Answered("ask", "about which thing? name one, as in 'where is the mug'")


def ask(
    memory: Memory, question: str, speaker: str | None = None, now_ns: int | None = None
) -> Answered:
    """Answer where something is, who has it, what is somewhere, or how a thing is."""
    check_speech(question)
    now = time.time_ns() if now_ns is None else now_ns
    memory.store.refresh()
    return memory.questioner.asked(memory.typed.right(question).text, memory.known(speaker), now)
