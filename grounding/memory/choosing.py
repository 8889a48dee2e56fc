"""What is believed of all ways to read a report, or what is asked back about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.grounding.english.faithful import BACK
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.weighing import SURE, WORTH
from commonground.grounding.memory.asked_back import is_real, question_about, unknown_name
from commonground.grounding.memory.names import words_of
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.memory.senses.times import times_in
from commonground.grounding.memory.speech import Speech
from commonground.grounding.memory.strange import strange_verbs
from commonground.grounding.memory.weighing import Sense

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


class Chooser:
    """Chooses among what the readers make of a report to one memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def chosen(self, senses: Sequence[Sense], parsed: Reading, text: str) -> Reading:
        """Return what is believed of all ways to read a report, or the question which of them is meant."""
        reading = self._likeliest(senses, parsed, text)
        strange = strange_verbs(text, self.memory.names.is_named_person)
        if reading.status != "ok" or not strange:
            return reading
        return Reading("ask", question=f"what does '{strange[0]}' mean?")

    def _likeliest(self, senses: Sequence[Sense], parsed: Reading, text: str) -> Reading:
        """Return the likeliest way to read a report if it is sure.

        What the grammar knows to be uncertain is not believed, however it is read.
        """
        if not senses or self._is_doubted(senses, parsed) or self._is_talk(senses, parsed, text):
            return parsed
        best, read = senses[0], senses[0].ways[0].reading
        sure = self._is_sure(best, parsed, text)
        unknown = unknown_name(senses) if self._is_partly_named(best, text) else ""
        if unknown or not sure or read.status == "ask" or _opposed(read, parsed):
            question = unknown or question_about(senses, parsed)
            return Reading("ask", question=question, unreal=parsed.unreal)
        if parsed.unreal and read.status == "ok":
            return Reading("ask", question=is_real(read), unreal=True)
        return read if parsed.status == "ok" else self._certain(read, text)

    def _is_sure(self, best: Sense, parsed: Reading, text: str) -> bool:
        """Return whether a sense is likely enough, or says only what is known."""
        read = best.ways[0].reading
        likely = best.share >= SURE or self._known(read, parsed)
        if not likely or self._is_misheard(best, text):
            return False
        told = self.memory.judge.change(parsed)[1] if parsed.status == "ok" else ()
        return not Speech(text, self.memory).passes_over(told, read.facts)

    def _is_misheard(self, sense: Sense, text: str) -> bool:
        """Return whether the network alone hears a state for which a text has no word, but for others."""
        alone = all(way.utterance is not None for way in sense.ways)
        return alone and Speech(text, self.memory).tells_otherwise(sense.ways[0].reading.facts)

    def _is_partly_named(self, sense: Sense, text: str) -> bool:
        """Return whether the grammar alone reads a sense, and takes a part of a name for the whole."""
        names, said = self.memory.names, frozenset(words_of(text))
        ends = {end for f in sense.ways[0].reading.facts for end in (f.subject, f.object)}
        things = (t for t in ends & names.things.keys() if not names.is_person(t))
        partly = any(not said.issuperset(words_of(names.things[t].name)) for t in things)
        return partly and all(way.utterance is None for way in sense.ways)

    def _known(self, read: Reading, parsed: Reading) -> bool:
        """Return whether both readers say only what is believed already: nothing can go wrong with that."""
        change = self.memory.judge.change(parsed)
        known = change == self.memory.judge.change(read) and not (change[1] or change[2])
        return parsed.status == "ok" and known

    def _is_doubted(self, senses: Sequence[Sense], parsed: Reading) -> bool:
        """Return whether the grammar knows why a report is not to be believed, or nothing to remember."""
        told = senses[0].share >= SURE and senses[0].ways[0].reading.status == "ok"
        nothing = parsed.status == "none" and bool(parsed.question) and not told
        return nothing or (parsed.status != "ok" and bool(parsed.aside))

    def _is_talk(self, senses: Sequence[Sense], parsed: Reading, text: str) -> bool:
        """Return whether a text names nothing of the world, nor may report of what was spoken of before.

        Or whether neither reader hears a report in it: ``good morning, robot``.
        """
        idle = (way.probability for way in senses[0].ways if way.reading.status == "none")
        if parsed.status == "none" and not parsed.question and sum(idle) >= SURE:
            return True
        if parsed.status != "none" or named_in(text, self.memory.retriever.calling):
            return False
        points_back = not BACK.isdisjoint(t.text.lower() for t in tokens_of(text))
        return not points_back or not any(
            s.ways[0].reading.speaks and s.share >= WORTH for s in senses
        )

    def _certain(self, read: Reading, text: str) -> Reading:
        """Return what the trained reader makes of a text, or ask whether that is certain."""
        if read.status != "ok":
            return read
        hedged = self.memory.grammar.reader.assertions.has_hedge(text) and not read.aside
        return Reading("ask", question="is that certain?") if hedged else read

    def dated(self, reading: Reading, text: str, now: int) -> Reading:
        """Return a reading, or ask when that was where the text names an earlier time that it passes over."""
        named = times_in(text)
        earlier = self.memory.days.observed_ns(named, now) < now
        if reading.status != "ok" or reading.times or not earlier or not self.memory.settings.dated:
            return reading
        return Reading("ask", question=f"when was that, '{named[0].words}' or now?")


def _opposed(one: Reading, other: Reading) -> bool:
    """Return whether one says that something is so, and the other that it is not."""
    states = {(f.subject, f.relation): f.object for f in one.facts if f.is_property}
    return any(states.get((f.subject, f.relation), f.object) != f.object for f in other.facts)
