"""The trained reader and the grammar together at one memory: all their ways to read a report are weighed.

The reader reads many voices and is unsure of much; the grammar reads few and is seldom unsure. What is
likeliest is believed if it is likely enough (`Weigher`), else it is asked about, and nothing is written.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.english.parts import is_report, mapped
from commonground.grounding.english.utterance import Clause, Mood
from commonground.grounding.english.weighing import SURE, WORTH, is_senseless
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs import conversation
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.checks.choice import HALF, Chooser, opposed_in, orders_somebody
from commonground.grounding.memory.checks.coverage import Speech
from commonground.grounding.memory.checks.exceptions import excepted_in
from commonground.grounding.memory.checks.goal_checks import facts_of, is_impossible, is_so, opposed
from commonground.grounding.memory.checks.presuppositions import Premises
from commonground.grounding.memory.checks.support import Grounds
from commonground.grounding.memory.checks.weighing import Sense, Way, Weigher, goal_of
from commonground.grounding.memory.english.retractions import beyond, retracts
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.memory.interpretation.discourse import Discourse, topic_of
from commonground.grounding.memory.interpretation.events import (
    Named,
    agent_of,
    place_of,
    themes_of,
)
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import WHAT
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.planning.assumptions import Doubts
from commonground.grounding.memory.readers.part_by_part import InParts, Understood, looks_back
from commonground.grounding.memory.readers.senses.remarks import correction_of_before
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.memory.rewriting.apposition import FORMERLY
from commonground.grounding.memory.rewriting.dating import without_before, without_stamp
from commonground.grounding.memory.rewriting.normalizing import Usual, without_arrows
from commonground.planning.pddl import And, Formula, symbols

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory
    from commonground.grounding.memory.readers.senses.trained_reader import Heard

UNLIKELY = 0.03
"""Nobody means what is less probable."""
MAYBE = 0.1
"""Who may mean with this probability what cannot be so is asked, whatever else is likelier."""
SURE_TASK = 0.65
"""So sure is what a task asks for: a plan is shown before it is carried out, and undone more easily."""


class Both:
    """Reads what is said to a memory by both."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.grammar = memory, memory.grammar
        self.weigher, self.usual, self.chooser = Weigher(memory), Usual(memory), Chooser(memory)
        self.parts = InParts(memory, self.chooser, self._read)

    def tell(self, text: str, speaker: str | None, now: int) -> Told:
        """Take in what somebody says at a time; believe it, keep it aside, or ask back."""
        memory = self.memory
        memory.store.refresh()
        line = without_arrows(text)
        mood: Mood | None = None if line == text else "tell"  # arrows are those of a log
        put_back = self._put_back(line, speaker, now)
        remarked = None if put_back else self.grammar.remarked(line, speaker, now)
        return remarked or self._take_in(put_back or line, speaker, now, mood)

    def _put_back(self, text: str, speaker: str | None, now: int) -> str:
        """Return what a text says where it only puts back what was moved last; empty where it does not.

        ``Never mind that: it is back where it was`` leaves who moved it where he went.
        """
        memory, last = self.memory, self.memory.last
        rest = beyond(text).removeprefix("that").lstrip(" ,:;.-")
        if last is None or not rest or not retracts(text):
            return ""
        report = self.usual.report(rest, speaker)
        if "back" not in words_of(report):
            return ""
        read = self._read(report, speaker, now).chosen
        moved = {thing for event in last.events for thing in themes_of(event)}
        things = {f.subject for f in read.facts if not memory.names.is_person(f.subject)}
        return rest if read.status == "ok" and things and things <= moved else ""

    def _heard(self, text: str, mood: Mood | None = None) -> list[Heard]:
        """Return what the trained reader hears, of one mood or any; nothing where none is installed."""
        memory = self.memory
        hints = memory.hints_of_tasks if mood == "do" else memory.hints
        try:
            heard = memory.weigh(text, hints, mood)
        except GroundingError:
            return []
        if FORMERLY not in text:
            return heard
        return [h._replace(utterance=mapped(h.utterance, _going_back)) for h in heard]

    def _take_in(self, said: str, speaker: str | None, now: int, mood: Mood | None) -> Told:
        memory, before = self.memory, copy.deepcopy(self.memory.discourse.now)
        line, stamped = without_stamp(said)
        text = self.usual.report(line, speaker)
        heard = self._heard(text, mood)
        understood = self._understood(text, heard, speaker, now)
        if understood.parsed.status != "ok" and _corrects(heard):
            return memory.putting_right.by(heard[0].utterance, text, speaker)
        senses, _, chosen, talk = self._surer(understood, text, speaker, now)
        chosen = self._founded(_stamped(chosen, stamped), said, now)
        model = memory.modeled
        read = chosen if model is None else model.unless_sure(chosen, said, speaker, now)
        taken = memory.believing.believe(read, Source("person", speaker or "", said), now)
        if taken.status == "ask":
            talk.forget()  # of what was not understood only the things that it names are known
            talk.now = topic_of(self._named(senses, heard, speaker))
            taken = replace(taken, may=self._may_change(senses))
        else:
            talk.now = topic_of(chosen.spoken)
        memory.discourse.now, memory.discourse.before = talk.now, talk.before
        told = LastReport(taken.tx or 0, text, speaker, now, read.events, before)
        return conversation.kept(memory, taken, told)

    def _consistent(self, understood: Understood, text: str) -> Reading:
        """Return what is chosen, or ask where a way to read a text tells of one instant what cannot be."""
        chosen = understood.chosen
        ways = (way for sense in understood.senses for way in sense.ways)
        told = (way.reading for way in ways if way.probability >= MAYBE)
        for reading in (understood.parsed, *told) if chosen.status == "ok" else ():
            try:
                self.memory.believing.check_at_once(reading, text)
            except GroundingError as clash:
                return Reading("ask", question=str(clash), at_once=reading.at_once)
        return chosen

    def asked(self, text: str, speaker: str | None, now: int) -> str:
        """Return what would be asked about a report; empty where it would not."""
        chosen = self.offline(text, speaker, now)
        return chosen.question if chosen.status == "ask" else ""

    def offline(self, text: str, speaker: str | None, now: int) -> Reading:
        """Return what a report is read to say; nothing of it is taken in."""
        text = self.usual.report(text, speaker)
        understood = self._read(text, speaker, now)
        chosen = self._surer(understood, text, speaker, now).chosen
        return replace(chosen, unreal=True) if understood.parsed.unreal else chosen

    def _surer(
        self, understood: Understood, text: str, speaker: str | None, now: int
    ) -> Understood:
        """Return what a report says, part by part where it would be asked about."""
        if understood.chosen.status == "ask" and not understood.chosen.unreal:
            understood = self.parts.apart(text, speaker, now) or understood
        understood = self._as_of_now(understood, text, speaker, now)
        return understood._replace(chosen=self._consistent(understood, text))

    def _read(self, text: str, speaker: str | None, now: int) -> Understood:
        return self._understood(text, self._heard(text), speaker, now)

    def _understood(
        self, text: str, heard: list[Heard], speaker: str | None, now: int
    ) -> Understood:
        """Return what may be meant by a report, and what is believed of that or asked."""
        memory = self.memory
        talk = Discourse(
            copy.deepcopy(memory.discourse.now),
            copy.deepcopy(memory.discourse.before),
            memory.discourse.previous,
        )
        talk.next_report()
        grounds = Grounds(text, memory, speaker)
        parsed = grounds.under(self.grammar.reader.read(text, memory.store.facts, talk, speaker))
        corrects = looks_back(text)
        heard = [h for h in heard if corrects or correction_of_before(h.utterance) is None]
        told = [h for h in heard if is_report(h.utterance)]
        ways = self.weigher.ways(told, speaker, parsed, grounds)
        senses = self.weigher.senses(text, ways, unreal=parsed.unreal)
        if parsed.status != "ok" and _is_senseless(ways):
            senses = [sense for sense in senses if sense.ways[0].reading.status != "ok"]
        chosen = self.chooser.dated(self.chooser.chosen(senses, parsed, text), text, now)
        other = self._no_report(text, heard)
        chosen = self.chooser.unless_no_report(chosen, parsed, senses, other)
        return Understood(senses, parsed, chosen, talk)

    def _no_report(self, text: str, heard: Sequence[Heard]) -> float:
        """Return how probable it is that a text asks or wants something instead of reporting it."""
        if orders_somebody(text, self.memory.names.is_named_person):
            return 1.0
        return sum(h.probability for h in heard if not is_report(h.utterance))

    def _as_of_now(
        self, understood: Understood, text: str, speaker: str | None, now: int
    ) -> Understood:
        """Return what a report says came about, where it also tells that it had been otherwise.

        ``She shut the fridge, it was open``.
        """
        plain, senses = without_before(text), understood.senses
        if plain == text or not senses:
            return understood
        rest = self._read(plain, speaker, now)
        otherwise = any(opposed_in(*both) for both in product(_likely(understood), _likely(rest)))
        return rest if rest.chosen.status in ("ok", "ask") and otherwise else understood

    def _may_change(self, senses: Sequence[Sense]) -> tuple[Fact, ...]:
        """Return what a report tells or ends in any likely way to read it; nothing where hardly any is."""
        told = [s for s in senses if s.ways[0].reading.status == "ok" and s.share >= UNLIKELY]
        if sum(sense.share for sense in told) < HALF:
            return ()
        changes = (self.memory.judge.change(sense.ways[0].reading) for sense in told)
        return tuple(dict.fromkeys(f for _, added, ended in changes for f in (*added, *ended)))

    def _named(
        self, senses: Sequence[Sense], heard: Sequence[Heard], speaker: str | None
    ) -> Iterator[Named]:
        """Yield whom and what a report that was not understood most likely speaks of."""
        told = next((s.ways[0].reading.events for s in senses if s.ways[0].reading.events), ())
        if told:
            things = tuple(dict.fromkeys(t for event in told for t in themes_of(event)))
            yield Named(things, next(filter(None, map(agent_of, told[::-1])), None))
        elif heard:
            yield from filter(None, [self.memory.named(heard[0].utterance, speaker)])

    def _founded(self, reading: Reading, text: str, now: int) -> Reading:
        """Return a reading, or ask where it rests on belief that a report in between may have ended."""
        memory = self.memory
        if reading.status != "ok":
            return reading
        premises = Premises(memory.store.facts, memory.names, Doubts(memory.store, now))
        _, added, removed = memory.judge.change(reading)
        spared = excepted_in(text, (*added, *removed), memory.retriever.calling)
        if spared:
            return Reading("ask", question=f"what of '{memory.names.things[spared[0]].name}'?")
        told = memory.discourse.now.events
        spoken = {thing for event in told for thing in themes_of(event)}
        places = {place for event in told if (place := place_of(event)) is not None}
        named = {*named_in(text, memory.retriever.calling)}
        why = premises.doubtful(reading.events, named | spoken, text)
        why = why or premises.elsewhere(reading.events, named | places, spoken, text)
        if not why:
            return reading
        return Reading(
            "ask",
            question=f"is this so: {self.chooser.said(reading)}? {why}",
            offers=(reading.offered(),),
        )

    def wanted(self, text: str, speaker: str | None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        text = self.usual.task(text)
        parsed = self._possible(self.grammar.wanted(text, speaker))
        heard = self._heard(text, "do")
        senses = self.weigher.senses(text, self.weigher.wishes(heard, speaker, parsed))
        told = [s for s in senses if s.share >= WORTH and goal_of(s) is not None]
        wishes = _goals(told)
        if not wishes:
            return replace(parsed, question=parsed.question or WHAT)
        if parsed.goal is not None and opposed(wishes[0], parsed.goal):
            return Wanted(
                "ask", question=self.chooser.which_goal([wishes[0], parsed.goal], told[0], text)
            )
        if self._is_sure(told[0], wishes, text) and not self._is_idle(wishes[0], text):
            return told[0].ways[0].wanted or parsed
        if len(wishes) == 1 and is_so(wishes[0], self.memory.names, self.memory.store.facts):
            said = self.memory.in_words.goal(wishes[0])
            return Wanted("ask", question=f"it is so already that {said}: what else is wanted?")
        return Wanted("ask", question=self.chooser.which_goal(wishes, told[0], text))

    def _possible(self, wanted: Wanted) -> Wanted:
        """Return what is wanted, if its facts do not exclude each other."""
        goal, groups = wanted.goal, self.memory.store.groups
        return Wanted("ask") if goal is not None and is_impossible(goal, groups) else wanted

    def _is_sure(self, sense: Sense, wishes: Sequence[Formula], text: str) -> bool:
        """Return whether the likeliest goal is likely enough, or no other may be meant."""
        return sense.share >= SURE_TASK or (len(wishes) == 1 and self._is_whole(sense, text))

    def _is_whole(self, sense: Sense, text: str) -> bool:
        """Return whether the one goal that a text may have is of all that it names, and of nothing else.

        Then no other goal could be meant, however unsure a reader is of the words around it.
        """
        speech, names, goal = Speech(text, self.memory), self.memory.names, goal_of(sense) or And()
        facts = [*facts_of(goal, names)]
        ends = {end for fact in facts for end in (fact.subject, fact.object)}
        stated = speech.says_what_became([fact for fact in facts if fact.relation])
        named = speech.named - {*names.robots}
        return stated and ends >= named >= symbols(goal) & names.things.keys()

    def _is_idle(self, goal: Formula, text: str) -> bool:
        """Return whether a goal is met, and a text has words for a state besides: ``without stains``."""
        met = is_so(goal, self.memory.names, self.memory.store.facts)
        return met and Speech(text, self.memory).wants_more(facts_of(goal, self.memory.names))


def _likely(understood: Understood) -> Iterator[Reading]:
    """Yield what a report most likely says by each of its readers, and by both together."""
    yield from (understood.chosen, understood.parsed)
    yield from (sense.ways[0].reading for sense in understood.senses[:1])


def _goals(senses: Sequence[Sense]) -> list[Formula]:
    return [goal for sense in senses if (goal := goal_of(sense)) is not None]


def _going_back(part: object) -> object:
    """Return a clause that says nowhere else as one that says where things were before."""
    if isinstance(part, Clause) and part.follows and part.goal is None and part.location is None:
        return replace(part, back=True)
    return part


def _stamped(reading: Reading, times: tuple[TimeWords, ...]) -> Reading:
    """Return a reading of a line of a log as of the time that it was written."""
    return replace(reading, times=(*times, *reading.times)) if times else reading


def _corrects(heard: Sequence[Heard]) -> bool:
    """Return whether the trained reader is sure that a text puts the report before it right."""
    sure = bool(heard) and heard[0].probability >= SURE
    return sure and correction_of_before(heard[0].utterance) is not None


def _is_senseless(ways: Sequence[Way]) -> bool:
    """Return whether the trained reader is sure of what cannot be understood here."""
    listed = (way for way in ways if way.utterance is not None)
    return is_senseless(
        (way.probability, way.reading.status == "ask" and not way.left_out) for way in listed
    )
