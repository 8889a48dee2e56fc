"""What is believed of all ways to read a report, or what is asked back about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from commonground.grounding.english.asking_back import in_clause
from commonground.grounding.english.faithful import BACK
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.weighing import SURE, WORTH
from commonground.grounding.knowledge.facts import FALSE, atom_of
from commonground.grounding.memory.checks.coverage import Speech
from commonground.grounding.memory.checks.unknown_verbs import strange_verbs
from commonground.grounding.memory.checks.weighing import Sense, Way
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.time_phrases import times_in
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import CERTAIN, WHAT
from commonground.grounding.memory.retrieval.query import named_in
from commonground.planning.pddl import Atom, Formula, Not
from commonground.planning.pddl.logic import conjuncts

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_CALLED = re.compile(r"(?P<who>[^\W\d_]+)(?:,| to) (?:please )?(?P<verb>[^\W\d_]+)\b", re.I)
_WHERE = frozenset(["place", "holding", "whereabouts"])


class Chooser:
    """Chooses among what the readers make of a report to one memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def chosen(self, senses: Sequence[Sense], parsed: Reading, text: str) -> Reading:
        """Return what is believed of all ways to read a report, or the question which of them is meant."""
        reading = self._likeliest(self._heeding(senses, parsed, text), parsed, text)
        strange = strange_verbs(text, self.memory.names.is_named_person)
        if reading.status != "ok" or not strange:
            return reading
        return Reading("ask", question=f"what does '{strange[0]}' mean?")

    def _heeding(self, senses: Sequence[Sense], parsed: Reading, text: str) -> Sequence[Sense]:
        """Return senses without those that pass over a word for what became of a thing: ``she answered it``.

        They tell at most where it is now. The others have their shares.
        """
        told = self.memory.judge.change(parsed)[1] if parsed.status == "ok" else ()
        speech, relations = Speech(text, self.memory), self.memory.meanings.relations
        changed = {fact.subject for fact in told if fact.is_property}

        def heeds(read: Reading) -> bool:
            about = [relations[f.relation].means for f in read.facts if f.subject in changed]
            states = not _WHERE.issuperset(about)
            return read.status != "ok" or states or not speech.passes_over(told, read.facts)

        kept = [s for s in senses if heeds(s.ways[0].reading)]
        rest = sum(sense.share for sense in kept)
        if rest <= 0:
            return senses
        whole = sum(sense.share for sense in senses)
        return [s._replace(share=s.share * whole / rest) for s in kept]

    def _likeliest(self, senses: Sequence[Sense], parsed: Reading, text: str) -> Reading:
        """Return the likeliest way to read a report if it is sure.

        What the grammar knows to be uncertain is not believed, however it is read.
        """
        if not senses or self._is_doubted(senses, parsed) or self._is_talk(senses, parsed, text):
            return parsed
        best, read = senses[0], senses[0].ways[0].reading
        sure = self._is_sure(best, parsed, text)
        if not sure or read.status == "ask" or opposed_in(read, parsed):
            return self._asked_about(senses, parsed, text)
        if parsed.unreal and read.status == "ok":
            question = FANCY.format(self.said(read))
            return Reading("ask", question=question, unreal=True, offers=(read.offered(),))
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
        """Return whether the network alone hears what the words of a text do not tell."""
        alone = all(way.utterance is not None for way in sense.ways)
        speech, facts = Speech(text, self.memory), sense.ways[0].reading.facts
        unsaid = speech.tells_otherwise(facts) or speech.opens_more(facts)
        return alone and (unsaid or not speech.says_what_became(facts))

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
        return Reading("ask", question=CERTAIN, offers=(read.offered(),)) if hedged else read

    def unless_no_report(
        self, read: Reading, parsed: Reading, senses: Sequence[Sense], other: float
    ) -> Reading:
        """Return a reading, or ask whether that is so where the text more probably reports nothing.

        ``other`` is how probable it is that it asks or wants something: then none of its parts reports
        anything either. Where the grammar reads the same, the network has to be surer of that.
        """
        if read.status != "ok":
            return read
        listed = [way for s in senses for way in s.ways if way.utterance is not None]
        change = self.memory.judge.change(read)
        so = sum(w.probability for w in listed if self.memory.judge.change(w.reading) == change)
        idle = other + sum(w.probability for w in listed if w.reading.status == "none")
        agreed = parsed.status == "ok" and self.memory.judge.change(parsed) == change
        if idle <= max(so, SURELY if agreed else SURE):
            return read
        question = FANCY.format(self.said(read))
        return Reading("ask", question=question, unreal=other > so, offers=(read.offered(),))

    def dated(self, reading: Reading, text: str, now: int) -> Reading:
        """Return a reading, or ask when that was where the text names an earlier time that it passes over."""
        named = times_in(text)
        earlier = self.memory.days.observed_ns(named, now) < now
        if reading.status != "ok" or reading.times or not earlier or not self.memory.settings.dated:
            return reading
        return Reading("ask", question=f"when was that, '{named[0].words}' or now?")

    # ---- questions ------------------------------------------------------------------------------

    def _asked_about(self, senses: Sequence[Sense], parsed: Reading, text: str) -> Reading:
        """Return the question about a report of which no sense is sure, with what may be answered."""
        offers = tuple(reading.offered() for reading in told_in(senses)[:2])
        question = self._question_about(senses, parsed, text)
        asked = (parsed, *(way.reading for sense in senses for way in sense.ways))
        about = next((r.candidates for r in asked if r.question == question), None)
        return Reading(
            "ask", question=question, unreal=parsed.unreal, offers=offers, candidates=about
        )

    def _question_about(self, senses: Sequence[Sense], parsed: Reading, text: str) -> str:
        """Return what to ask where no sense of a report is sure: which of two, whether that, or what else."""
        told = told_in(senses)
        if len(told) > 1:
            return self.memory.asking_back.which([_literals(reading) for reading in told[:2]])
        if told:
            way = next(sense.ways[0] for sense in senses if sense.ways[0].reading is told[0])
            return f"{_passed_over(way, text)}is this what you mean: {self.said(way.reading)}?"
        asked = (
            sense.ways[0].reading.question
            for sense in senses
            if sense.ways[0].reading.status == "ask"
        )
        return parsed.question or next(filter(None, asked), WHAT)

    def which_goal(self, goals: Sequence[Formula], sense: Sense, text: str) -> str:
        """Return the question which of some goals is meant, the likeliest first."""
        wishes = [*dict.fromkeys(goals)]
        if len(wishes) > 1:
            return self.memory.asking_back.which([[*conjuncts(wish)] for wish in wishes[:2]])
        said = self.memory.in_words.goal(wishes[0])
        asked = f"{_passed_over(sense.ways[0], text)}shall this be done: {said}?"
        return f"{asked} Then say it in plainer words: who or what is to be where, or how"

    def said(self, reading: Reading) -> str:
        """Return in words what a reading makes so, and what it ends."""
        return self.memory.in_words.told(reading.facts, reading.retracted) or "nothing"


def orders_somebody(text: str, is_person: Callable[[str], bool]) -> bool:
    """Return whether a text tells somebody what to do: ``Ivo, get that off the rack``, ``Ivo to get it``."""
    found = _CALLED.match(text)
    if found is None or not is_person(found["who"]):
        return False
    return "base" in load_lexicon().forms_of(found["verb"].lower())


def opposed_in(one: Reading, other: Reading) -> bool:
    """Return whether one says that something is so, and the other that it is not."""
    states = {(f.subject, f.relation): f.object for f in one.facts if f.is_property}
    return any(states.get((f.subject, f.relation), f.object) != f.object for f in other.facts)


FANCY = "is that so, or only asked, wished or imagined: {}?"
HALF = 0.5
SURELY = 0.9


def told_in(senses: Sequence[Sense]) -> list[Reading]:
    """Return the likely ways to read a report in which it tells something, the likeliest first."""
    likely = (sense.ways[0].reading for sense in senses if sense.share >= WORTH)
    return [reading for reading in likely if reading.status == "ok"]


def _literals(reading: Reading) -> list[Formula]:
    """Return what a reading makes so, and what it ends, as a goal would have it."""
    ended = (*(f for f in reading.facts if f.object == FALSE), *reading.retracted)
    made = (atom for fact in reading.facts if (atom := atom_of(fact)) is not None)
    atoms = (
        Atom(f.relation, (f.subject,) if f.is_property else (f.subject, f.object)) for f in ended
    )
    return [*made, *map(Not, atoms)]


def _passed_over(way: Way, text: str) -> str:
    """Return what to ask about the words that a way to read a text leaves out, if there are any."""
    return f"what about {in_clause(way.left_out[0], text)}? " if way.left_out else ""
