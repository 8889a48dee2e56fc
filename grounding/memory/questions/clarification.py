"""What is asked back about a text: what was understood of it, which words were not, and why.

Readers ask about a whole text. A person has to know which of its sentences to say again, so each is
read alone here; nothing is believed or done because of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.grounding.english.asking_back import Read, apart, asked_about, quoted
from commonground.grounding.english.faithful import BACK
from commonground.grounding.english.statements import in_two_ways, listing
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import CERTAIN, NOTHING, WHAT, WHAT_TO_DO
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.readers.senses.trained_reader import talk_in
from commonground.grounding.memory.retrieval.query import meant_in
from commonground.planning.pddl import And, Formula

if TYPE_CHECKING:
    from commonground.grounding.english.utterance import Mood
    from commonground.grounding.fidelity.tails import Tail
    from commonground.grounding.memory.memory import Memory

_ANYTHING = (NOTHING, WHAT, WHAT_TO_DO, "")
"""Questions that say of no word why it was not understood."""
_TELL = "what is so now", "you can tell me"
_ASK = "what is to be so", "I can change"
"""What a report and a task have to say, and what either may say of a thing."""
_MOST_TOLD_OF = 2
_PARTS = frozenset(["the", "its", "their"])
"""Before what belongs to a thing, whatever that is called; readers ask about what is none."""
_TIMES = frozenset(["later", "often"])
"""Kinds of tails that change nothing where they stand in talk; a doubt often does."""
_FEW = 2
"""A sentence with more words beside a tail that names nothing only tells: ``We are late tonight``."""


class AskingBack:
    """Makes the questions of one memory out of what its readers make of a text."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def report(
        self, taken: Told, text: str, talk: Discourse, reader: Callable[[str], Reading]
    ) -> Told:
        """Return a report that is asked about, with the question as people need it.

        ``talk``: what had been spoken of before it.
        """

        def read(part: str) -> tuple[str | None, str]:
            with self._again(talk):
                found = reader(part)
            news = found.status == "ok" and (found.facts or found.retracted)
            told = self.memory.in_words.told(*found.offered()) if news else None
            return told, "" if found.offers else found.question  # yes is no answer to a part

        if taken.question.endswith(CERTAIN) and taken.offers:
            told = self.memory.in_words.told(*taken.offers[0])
            doubt = self._doubt(text)
            return replace(taken, question=f"is it certain that {told}? You said {quoted(doubt)}")
        if taken.offers:
            return taken
        return replace(taken, question=self._question(taken.question, text, read, _TELL))

    def doubted(self, text: str, talk: Discourse, reader: Callable[[str], Reading]) -> Told | None:
        """Return the question about what changes a report that tells news: ``or so he says``."""
        from commonground.grounding.fidelity.tails import tails_of_reports

        found = tails_of_reports(text, self._names_any)
        tail = next((one for one in found if not self._is_talk(one, text)), None)
        if tail is None:
            return None
        with self._again(talk):
            read = reader(text)
        if read.status != "ok" or not (read.facts or read.retracted):
            return None
        told = self.memory.in_words.told(*read.offered())
        question = f"is it certain that now {told}? You said {quoted(tail.words)}"
        return Told("ask", question=question, offers=(read.offered(),))

    def unpromised(self, text: str) -> Iterator[str]:
        """Yield what to ask about a task that says when, how or on what terms it is to be done."""
        from commonground.grounding.fidelity.tails import around, asked_of_order, tails_of_orders

        names = self.memory.names

        def is_known(words: str) -> bool:
            named = self._named(words)
            return any(not (names.is_person(one) or names.is_room(one)) for one in named)

        for tail in tails_of_orders(text, is_known):
            rest = around(text, tail)
            if tail.kind == "joined" and not _PARTS.isdisjoint(words_of(tail.words)):
                continue  # shut the lid
            if self._is_talk(tail, text, "do"):
                continue
            if len(rest.split()) <= _FEW or self._named(rest):
                yield asked_of_order(tail)

    def _is_talk(self, tail: Tail, text: str, mood: Mood | None = None) -> bool:
        """Return whether a time stands in words that tell nothing here: ``we leave tomorrow``."""
        if tail.kind not in _TIMES:
            return False
        memory = self.memory
        talk = talk_in(text, memory.hints if mood is None else memory.hints_of_tasks, mood)
        return any(one.start <= tail.start and tail.end <= one.end for one in talk)

    def task(self, wanted: Wanted, text: str, reader: Callable[[str], Wanted]) -> Wanted:
        """Return a task that is asked about, with the question as people need it."""

        def read(part: str) -> tuple[str | None, str]:
            with self._again(self.memory.discourse):
                found = reader(part)
            goal = found.goal
            return None if goal is None else self.memory.in_words.goal(goal), found.question

        return replace(wanted, question=self._question(wanted.question, text, read, _ASK))

    def which(self, ways: Sequence[Sequence[Formula]]) -> str:
        """Return the question which of two ways is meant: what both say, and where they differ."""
        said = self.memory.in_words.goal
        return in_two_ways(ways[0], ways[1], lambda parts: said(And(tuple(parts))))

    def _question(self, why: str, text: str, read: Read[str], way: tuple[str, str]) -> str:
        """Return what to ask: what was understood, what was not, and what could be said instead."""
        found = apart(text, read, self._names_any)
        if why in _ANYTHING and not self._names_any(text) and BACK.isdisjoint(words_of(text)):
            return f"nothing that {quoted(text)} names is known here"
        what, may = way
        return asked_about(
            text, why, found, _ANYTHING, lambda part: f": {what}? {self._of(part, may)}"
        )

    def _of(self, text: str, may: str) -> str:
        """Return what may be told of what a text names."""
        words, alike = self.memory.in_words, dict[str, list[str]]()
        for thing in self._named(text):
            alike.setdefault(words.of(thing), []).append(words.name(thing))
        alike.pop("", None)
        told = (f"of {listing(names, more='others')} {may} {of}" for of, names in alike.items())
        known = "; ".join([*told][:_MOST_TOLD_OF])
        return f"{known[:1].upper()}{known[1:]}"

    def _named(self, text: str) -> list[str]:
        return meant_in(text, self.memory.retriever.calling)

    def _names_any(self, text: str) -> bool:
        """Return whether words name or describe anything of the world."""
        memory, hearing = self.memory, self.memory.hearing
        facts, talk = memory.store.facts, memory.discourse
        described = hearing is not None and bool(hearing.reader.named_in(text, facts, talk))
        return described or bool(self._named(text))

    def _doubt(self, text: str) -> str:
        """Return the first part of a text that has a word of doubt."""
        has_hedge = self.memory.grammar.reader.assertions.has_hedge
        found = apart(text, lambda part: (None if has_hedge(part) else part, ""), has_hedge)
        return found.left or text

    @contextmanager
    def _again(self, talk: Discourse) -> Iterator[None]:
        """Read as of what had been spoken of before a text."""
        talking, hearing = self.memory.discourse, self.memory.hearing
        now, before = talking.now, talking.before
        speaks = hearing.speaking.speaker if hearing is not None else None
        talking.now, talking.before = talk.now, talk.before
        try:
            yield
        finally:
            talking.now, talking.before = now, before
            if hearing is not None:
                hearing.speaking.speaker = speaks
