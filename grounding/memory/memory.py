"""A memory that people and sensors keep up to date: the main path from a report to believed facts."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.english.names import Names as Hints
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.beliefs import conversation, pending
from commonground.grounding.memory.beliefs.believing import Believing
from commonground.grounding.memory.beliefs.lookup import person_named
from commonground.grounding.memory.beliefs.pending import Pending
from commonground.grounding.memory.beliefs.retraction import PuttingRight
from commonground.grounding.memory.beliefs.unanswered import leave_unsettled
from commonground.grounding.memory.checks.confidence import Judge
from commonground.grounding.memory.checks.guard import Guard, markup_in
from commonground.grounding.memory.checks.polarity import Polarity
from commonground.grounding.memory.english.clock import local_offset_ns, moment_ns
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.time_phrases import ahead_in
from commonground.grounding.memory.english.timing import HOUR_NS, MEALS, DayPlan
from commonground.grounding.memory.interpretation.events import Named
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.ontology.linking import Calling
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.ontology.stored_names import names_of
from commonground.grounding.memory.ontology.verbalizing import InWords
from commonground.grounding.memory.questions.clarification import AskingBack
from commonground.grounding.memory.readers.domain.attribution import without_why_not
from commonground.grounding.memory.readers.senses.event_table import Said
from commonground.grounding.memory.readers.senses.reports import Reports
from commonground.grounding.memory.readers.senses.trained_reader import hints_of, readings
from commonground.grounding.memory.readers.senses.wishes import Wishes
from commonground.grounding.memory.retrieval.query import meant_in
from commonground.grounding.memory.retrieval.retriever import Retriever
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.words.typed import Typed
from commonground.reading import check_speech

if TYPE_CHECKING:
    from commonground.grounding.memory.checks.open_choices import Undecided
    from commonground.grounding.memory.questions.questioner import Questioner
    from commonground.grounding.memory.readers.combined import Both
    from commonground.grounding.memory.readers.domain.hearing import Hearing
    from commonground.grounding.memory.readers.grammar.reader import Grammar
    from commonground.grounding.memory.readers.language_model.consulting import Consulting
    from commonground.grounding.model.client import ChatModel


class Memory:
    """A knowledge graph with ears: reports go in as they are said."""

    def __init__(
        self,
        store: KnowledgeStore,
        meanings: Meanings | None = None,
        settings: MemorySettings | None = None,
        model: ChatModel | None = None,
    ) -> None:
        self.store = store
        self.settings = settings or MemorySettings()
        self.weigh = readings
        self.meanings = meanings or Meanings.load(store.vocabulary)
        offset_h = self.settings.utc_offset_h
        self.days = DayPlan(
            {**MEALS, **self.settings.meals},
            local_offset_ns(time.time_ns()) if offset_h is None else round(offset_h * HOUR_NS),
        )
        self.discourse, self.last = conversation.load(store, self.meanings)
        self.believing = Believing(
            store, self.settings, self.days, self._clash_in, lambda fact: self.in_words.fact(fact)
        )
        self.modeled = self._consulting(model)

    def _consulting(self, model: ChatModel | None) -> Consulting | None:
        """Return what asks a language model, where the settings name one."""
        if self.settings.backend == "offline":
            return None
        from commonground.grounding.memory.readers.language_model.consulting import Consulting

        return Consulting(self, model)

    @cached_property
    def names(self) -> Names:
        """What everything is called; looked up when words are first read."""
        names = names_of(self.store, self.meanings)
        names.also_called(load_lexicon().nouns_like)
        return names

    @cached_property
    def typed(self) -> Typed:
        """What puts right how words are spelled."""
        names, lexicon = self.names, load_lexicon()
        nouns = (*names.nouns, *names.values, *names.attributes)
        words = lexicon.words().union(names.meanings.hands)
        return Typed(map(" ".join, nouns), map(" ".join, names.people), words)

    @cached_property
    def guard(self) -> Guard:
        """What keeps orders to the memory itself out of it."""
        return Guard(load_lexicon(), self.names.name_at)

    @cached_property
    def putting_right(self) -> PuttingRight:
        """What takes the report before back, or puts it right."""
        return PuttingRight(self)

    @cached_property
    def reports(self) -> Reports:
        """What utterances that report something say about this world."""
        return Reports(Calling(self.names), self.store.groups)

    @cached_property
    def wishes(self) -> Wishes:
        """What utterances that ask for something want of this world."""
        return Wishes(self.reports)

    @cached_property
    def retriever(self) -> Retriever:
        """What finds the part of the graph that a text is about."""
        return Retriever(self.reports.calling, self.store.facts)

    @cached_property
    def grammar(self) -> Grammar:
        """The hand-written reader of English."""
        from commonground.grounding.memory.readers.grammar.reader import Grammar

        return Grammar(self)

    @cached_property
    def hearing(self) -> Hearing | None:
        """What reads by the domain's own words; None where somebody said what all of them mean."""
        if self.meanings.are_given:
            return None
        from commonground.grounding.memory.readers.domain.hearing import Hearing

        return Hearing(self)

    @cached_property
    def undecided(self) -> Undecided:
        """What finds the choices that reports leave open."""
        from commonground.grounding.memory.checks.open_choices import Undecided

        return Undecided(self)

    @cached_property
    def questioner(self) -> Questioner:
        """What answers questions by the domain's own words."""
        from commonground.grounding.memory.questions.questioner import Questioner

        return Questioner(self)

    @cached_property
    def in_words(self) -> InWords:
        """What says facts and goals in words."""
        return InWords(self.names)

    @cached_property
    def asking_back(self) -> AskingBack:
        """What makes the questions that are asked back."""
        return AskingBack(self)

    @cached_property
    def judge(self) -> Judge:
        """What tells how sure a report's reading is."""
        return Judge(self)

    @cached_property
    def both(self) -> Both:
        """The trained reader and the grammar together."""
        from commonground.grounding.memory.readers.combined import Both

        return Both(self)

    @cached_property
    def hints(self) -> Hints:
        """What this world's things are called, for the learned reader of reports."""
        return hints_of(self.names, spoken_to=False)

    @cached_property
    def hints_of_tasks(self) -> Hints:
        """The same for tasks: robots are told them."""
        return hints_of(self.names, spoken_to=True)

    def things_changed(self) -> None:
        """Name everything anew: things came in, or are called otherwise.

        Whatever reads or answers by names is made again when it is next needed.
        """
        for made in _BY_NAMES:
            self.__dict__.pop(made, None)
        if self.modeled is not None:
            self.modeled = self._consulting(self.modeled.model)

    def _clash_in(self, text: str, facts: Sequence[Fact]) -> str:
        return self.undecided.clash_in(text, facts)

    # ---- the main path: what is told ----------------------------------------------------------

    def tell(self, text: str, speaker: str | None = None, at_ns: int | None = None) -> Told:
        """Take in what somebody says at a time; believe it, keep it aside, or ask back.

        What is asked back about stays on record: plans say so where they rest on what it names.
        """
        check_speech(text)
        text, unclear, _ = self.typed.right(text)
        if unclear:
            return Told("ask", question=unclear)
        now, speaker = moment_ns(at_ns), self.known(speaker)
        talk = copy.copy(self.discourse)
        asked = pending.pending(self.store)
        if asked is not None:
            pending.keep(self.store, None)
            answered = pending.answered(self, text, asked, speaker)
            if answered is not None:
                return answered
        read = partial(self._offline, speaker=speaker, now=now)
        taken = self.asking_back.doubted(text, talk, read) or self._take_in(text, speaker, now)
        if taken.status == "ask":
            if self.modeled is None:
                taken = self.asking_back.report(taken, text, talk, read)
            named = meant_in(text, self.retriever.calling)
            others = (thing for thing in named if not self.names.is_robot(thing))
            # a robot knows of itself
            leave_unsettled(self.store, text, now, others, taken.may)
            open_now = Pending(text, speaker, now, taken.question, taken.offers, taken.candidates)
            pending.keep(self.store, open_now)
        return taken

    def _take_in(self, text: str, speaker: str | None, now: int) -> Told:
        """Take in a report by what reads it here: a model, else the domain's own words, else English."""
        hearing = self.hearing
        ahead = ahead_in(text if hearing is None else hearing.reader.calling.without_names(text))
        if ahead:
            return Told("ask", question=f"'{ahead}' is still to come: what is so now?")
        choice = self.undecided.choice_in(text)
        if choice:
            self.discourse.forget()
            self.last = None  # a correction is about what was just said
            conversation.save(self.store, self.discourse, None)
            return Told("ask", question=f"'{choice}': which is it?")
        if self.modeled is not None and self.settings.backend == "openai":
            return self.grammar.remarked(text, speaker, now) or self.modeled.tell(
                text, speaker, now
            )
        heard = None if hearing is None else hearing.tell(text, speaker, now)
        return heard or self.both.tell(text, speaker, now)

    def _offline(self, text: str, speaker: str | None, now: int) -> Reading:
        """Return what a report is read to say; nothing of it is taken in."""
        if self.hearing is not None:
            return self.hearing.offline(text, speaker)
        return self.both.offline(text, speaker, now)

    # ---- the main path: what is wanted --------------------------------------------------------

    def wanted(self, text: str, speaker: str | None = None) -> Wanted:
        """Return the goal a task asks for, or what to ask back; never the contrary of what its words say."""
        check_speech(text)
        text = without_why_not(text)
        speaker = self.known(speaker)
        wanted = self._wanted(text, speaker)
        if wanted.goal is None:
            offline = wanted.status == "ask" and self.modeled is None
            read = partial(self._wanted, speaker=speaker)
            return self.asking_back.task(wanted, text, read) if offline else wanted
        denied = Polarity(text, self, wish=True).denied_in(wanted.goal)
        for question in () if denied else self.asking_back.unpromised(text):
            return replace(wanted, status="ask", goal=None, question=question)
        if not denied:
            return wanted
        goal = self.in_words.goal(wanted.goal)
        asked = f"is it wanted that {goal}? The words may say the contrary"
        return replace(wanted, status="ask", goal=None, question=asked)

    def _wanted(self, text: str, speaker: str | None) -> Wanted:
        """Return the goal by what reads a task here, as for reports."""
        text, unclear, _ = self.typed.right(text)
        if unclear:
            return Wanted("ask", question=unclear)
        if self.modeled is not None and self.settings.backend == "openai":
            return self.grammar.ordered(text) or self.modeled.goal(text, speaker)
        known = None if self.hearing is None else self.hearing.wanted(text, speaker)
        if known is not None:
            return known
        code = markup_in(text)
        if code is not None:
            return Wanted("ask", question=f"'{code}' is code, not a task")
        wanted = self.both.wanted(text, speaker)
        return wanted if self.modeled is None else self.modeled.unless_wanted(wanted, text, speaker)

    # ---- what utterances of the trained reader say ----------------------------------------------

    def wished(self, utterance: Utterance, speaker: str | None = None) -> Wanted:
        """Return the goal that an utterance asks for, or what to ask back."""
        self.store.refresh()
        said = Said(utterance, speaker, (), self.discourse.previous)
        return self.wishes.wanted(said, self.store.facts)

    def read(self, utterance: Utterance, speaker: str | None) -> Reading:
        """Return what an utterance makes so as a report; nothing is written."""
        return self.reports.read(self.said(utterance, speaker), self.store.facts)

    def named(self, utterance: Utterance, speaker: str | None) -> Named | None:
        """Return whom and what an utterance speaks of, whatever it says of them."""
        return self.reports.named(self.said(utterance, speaker), self.store.facts)

    def said(self, utterance: Utterance, speaker: str | None) -> Said:
        return Said(utterance, speaker, tuple(self.discourse.now.events), self.discourse.previous)

    def known(self, speaker: str | None) -> str | None:
        """Return the person who speaks, by id or name; GroundingError if there is none."""
        if speaker is None or speaker in self.store.things:
            return speaker
        return person_named(self, speaker)

    def newest_change(self) -> int:
        """Return the newest change that has not been taken back and takes back no other."""
        undone: set[int] = set()
        for change in self.store.changes(1000):
            if change.undoes is not None:
                undone.add(change.undoes)
            elif change.tx not in undone and change.tx > 1:
                return change.tx
        raise GroundingError("there is no change to take back")


_BY_NAMES = (
    "names", "hints", "hints_of_tasks", "typed", "guard", "reports", "wishes", "retriever",
    "grammar", "hearing", "undecided", "questioner", "judge", "both", "in_words", "asking_back",
)  # fmt: skip
