"""The trained reader and the grammar together at one memory: what either understands, unless they differ.

The reader reads many voices and is unsure of much; the grammar reads few and is seldom unsure. Where both
understand and would change other things, somebody is wrong: that is asked, and nothing is written, unless
the reader is quite sure.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.grounding.english.agreement import SETTLED
from commonground.grounding.english.faithful import BACK
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory import conversation
from commonground.grounding.memory.conversation import LastReport
from commonground.grounding.memory.discourse import Discourse, Topic
from commonground.grounding.memory.events import Event, agent_of, place_of, themes_of
from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.modeled.unsaid import untouched
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.memory.senses.remarks import correction_of_before
from commonground.grounding.memory.senses.times import times_in
from commonground.grounding.memory.told import Told
from commonground.grounding.memory.unclear import Unclear
from commonground.planning.pddl import to_pddl

if TYPE_CHECKING:
    from commonground.grounding.english.utterance import Utterance
    from commonground.grounding.memory.memory import Memory

POSSIBLE = 0.01
"""What the trained reader holds less probable than this it does not see as a way to read a report."""
WAYS = "I can read that in two ways: {} or {}. Which is meant?"


class Both:
    """Reads what is said to a memory by both."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.grammar = memory, memory.grammar

    def tell(self, text: str, speaker: str | None, now: int) -> Told:
        """Take in what somebody says at a time; believe it, keep it aside, or ask back."""
        memory = self.memory
        memory.store.refresh()
        if self._is_remark(text):
            return self.grammar.tell(text, speaker, now)
        heard: Utterance | str
        try:
            heard = memory.heard_as_report(text, speaker)
        except Unclear as unclear:
            heard = str(unclear)
        if not isinstance(heard, str) and correction_of_before(heard) is not None:
            return memory.hear(heard, text, speaker, now)
        return self._take_in(heard, text, speaker, now)

    def _is_remark(self, text: str) -> bool:
        """Return whether the grammar sees an order to the memory, or a remark on the report before."""
        if self.grammar.guard.commands(text) is not None:
            return True
        corrector = self.grammar.corrector
        told = self.memory.last is not None
        return told and (corrector.retracts(text) or corrector.may_correct(text, weak=False))

    def _take_in(self, heard: Utterance | str, text: str, speaker: str | None, now: int) -> Told:
        memory, before = self.memory, copy.deepcopy(self.memory.discourse.now)
        talk = Discourse(before, copy.deepcopy(memory.discourse.before), memory.discourse.previous)
        talk.next_report()
        parsed = self.grammar.reader.read(text, memory.store.facts, talk, speaker)
        read = (
            Reading("ask", question=heard)
            if isinstance(heard, str)
            else memory.read(heard, speaker)
        )
        chosen = self._chosen(read, parsed, text, speaker)
        if chosen is parsed and parsed.status == "ok":
            chosen = self._whole(parsed, text, speaker)
        chosen = self._dated(chosen, text, now)
        said = memory.or_model(chosen, text, speaker, now)
        taken = memory.believe(said, Source("person", speaker or "", text), now)
        if chosen is read:
            talk.now = topic_of(read.spoken)
        if taken.status == "ask":
            talk.forget()  # "it" may be what was not understood
        memory.discourse.now, memory.discourse.before = talk.now, talk.before
        if taken.tx is not None:
            memory.last = LastReport(taken.tx, text, speaker, now, said.events, before)
        conversation.save(memory.store, memory.discourse, memory.last)
        return taken

    def _chosen(self, read: Reading, parsed: Reading, text: str, speaker: str | None) -> Reading:
        """Return what is believed of two readings, or the question which of them is meant.

        What the grammar knows to be uncertain or imagined is not believed, however it is read. What it merely
        finds nothing in is asked about, unless the reader is sure that there is nothing to remember.
        """
        if parsed.status == "none" and not (parsed.question or parsed.aside):
            return self._found(read, parsed, text)
        if parsed.status != "ok":
            objects = parsed.aside or (parsed.status == "none" and parsed.question)
            if read.status != "ok" or objects:
                return parsed
            return self._certain(read, text)
        change = self.memory.judge.change
        if change(read) == change(parsed):
            return read if read.status == "ok" else parsed
        return self._likelier(read, parsed, text, speaker) if read.status == "ok" else parsed

    def _likelier(self, read: Reading, parsed: Reading, text: str, speaker: str | None) -> Reading:
        """Return which of two reports is believed, or the question which of them is meant."""
        sure = self.memory.judge.how_sure(text, speaker, read) or 0.0
        if sure >= SETTLED and not _opposed(read, parsed):
            return read
        if self._left_out(read, text) and not self._left_out(parsed, text):
            return parsed
        return Reading("ask", question=WAYS.format(_said(read), _said(parsed)))

    def _found(self, read: Reading, parsed: Reading, text: str) -> Reading:
        """Return what the trained reader makes of a text in which the grammar finds no report."""
        if not named_in(text, self.memory.retriever.calling):
            points_back = read.status == "ask" and not BACK.isdisjoint(
                t.text.lower() for t in tokens_of(text)
            )
            return read if points_back else parsed
        if not parsed.unreal:
            return self._certain(read, text)
        if read.unreal:
            return replace(read, status="none")
        if read.status == "ok":
            doubt = f"is that so, or only wished or imagined: {_said(read)}?"
            read = Reading("ask", question=doubt)
        return replace(read, unreal=True)

    def _certain(self, read: Reading, text: str) -> Reading:
        """Return what the trained reader makes of a text, or ask whether that is certain."""
        if read.status != "ok":
            return read
        hedged = self.grammar.reader.assertions.has_hedge(text) and not read.aside
        return Reading("ask", question="is that certain?") if hedged else read

    def _whole(self, parsed: Reading, text: str, speaker: str | None) -> Reading:
        """Return what the grammar alone read, or ask about what it left out that the trained reader heard."""
        left, judge = self._left_out(parsed, text), self.memory.judge
        if not left or (judge.how_sure(text, speaker, parsed) or 0.0) >= POSSIBLE:
            return parsed
        return Reading("ask", question=f"what about '{left[0]}'? understood: {_said(parsed)}")

    def _dated(self, reading: Reading, text: str, now: int) -> Reading:
        """Return a reading, or ask when that was where the text names an earlier time that it passes over."""
        named = times_in(text)
        earlier = self.memory.days.observed_ns(named, now) < now
        if reading.status != "ok" or reading.times or not earlier or not self.memory.settings.dated:
            return reading
        return Reading("ask", question=f"when was that, '{named[0].words}' or now?")

    def _left_out(self, reading: Reading, text: str) -> list[str]:
        """Return the phrases that name what a reading does not touch."""
        changed = (*reading.facts, *reading.retracted)
        return untouched(text, changed, self.memory.retriever, people=False)

    def wanted(self, text: str, speaker: str | None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        read, parsed = self.memory.wish_read(text, speaker), self.grammar.wanted(text, speaker)
        if parsed.goal is None or read.goal is None:
            return parsed if read.goal is None else read
        if to_pddl(read.goal) == to_pddl(parsed.goal):
            return read
        return Wanted("ask", question=WAYS.format(to_pddl(read.goal), to_pddl(parsed.goal)))


def _opposed(one: Reading, other: Reading) -> bool:
    """Return whether one says that something is so, and the other that it is not."""
    states = {(f.subject, f.relation): f.object for f in one.facts if f.is_property}
    return any(states.get((f.subject, f.relation), f.object) != f.object for f in other.facts)


def topic_of(events: tuple[Event, ...]) -> Topic:
    """Return what the next report may refer to after some events."""
    topic = Topic(events=[*events])
    for event in events:
        for theme in themes_of(event):
            topic.note("themes", theme)
        place, agent = place_of(event), agent_of(event)
        if place is not None:
            topic.note("places", place)
        if agent is not None:
            topic.note("subjects", agent)
            topic.note("people", agent)
    return topic


def _said(reading: Reading) -> str:
    facts = [*map(str, reading.facts), *(f"no longer {fact}" for fact in reading.retracted)]
    return "; ".join(facts) or "nothing"
