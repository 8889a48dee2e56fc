"""What is told to a memory, as it is usually written: what is left out put in, talk to the robot left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonground.grounding.memory.interpretation.events import themes_of
from commonground.grounding.memory.ontology.names import words_of
from commonground.grounding.memory.retrieval.query import mentions_in
from commonground.grounding.memory.rewriting.apposition import in_usual_order
from commonground.grounding.memory.rewriting.directions import told_where
from commonground.grounding.memory.rewriting.ellipsis import (
    typed_out,
    with_subject,
    without_address,
)
from commonground.grounding.memory.rewriting.gapping import repeated

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


class Usual:
    """Writes reports and tasks as both readers read them best."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def spelled(self, text: str) -> str:
        """Return a text as it is best read: words of this world written as usual, and in the usual order."""
        calling, is_person = self.memory.retriever.calling, self.memory.names.is_named_person
        typed = typed_out(calling.rejoined(text), is_person)
        return in_usual_order(typed, self._is_called)

    def report(self, text: str, speaker: str | None) -> str:
        """Return a report as it is best read, and as what it tells rather than how."""
        names = self.memory.names
        plain = without_address(text, names.is_only_robot)
        whole = self.spelled(plain if speaker is None else with_subject(plain))
        whole = repeated(whole, self._noun_in, self._may_own, self._lies_there)
        return told_where(whole, names.is_named_person)

    def task(self, text: str) -> str:
        """Return a task as it is best read."""
        return self.spelled(without_address(text, self.memory.names.is_only_robot))

    def _noun_in(self, text: str, owner: str) -> str:
        """Return the noun of what a text, or the report before it, names last that an owner may have.

        Rooms have what is fixed, and people what can be carried.
        """
        names, calling = self.memory.names, self.memory.retriever.calling
        called = {thing for mention in mentions_in(owner, calling) for thing in mention.things}
        is_room = any(map(names.is_room, called))

        def may_be_owned(thing: str) -> bool:
            return names.is_fixture(thing) if is_room else names.is_item(thing)

        for mention in reversed(mentions_in(text, calling)):
            if any(map(may_be_owned, mention.things)):
                return mention.words.split()[-1]
        told = (t for event in reversed(self.memory.discourse.now.events) for t in themes_of(event))
        return next((" ".join(names.names[t].head) for t in told if may_be_owned(t)), "")

    def _may_own(self, words: str) -> bool:
        """Return whether words name somebody, or a room, and nothing else as well."""
        return self.memory.names.is_named_person(words) or self._is_room(words)

    def _lies_there(self, words: str) -> bool:
        """Return whether words name a place for things and no room."""
        names, mentions = self.memory.names, mentions_in(words, self.memory.retriever.calling)
        things = {thing for mention in mentions[-1:] for thing in mention.things}
        return any(map(names.is_place, things)) and not any(map(names.is_room, things))

    def _is_room(self, words: str) -> bool:
        """Return whether words name a room and nothing else as well."""
        return any(map(self.memory.names.is_room, self.memory.names.called(words_of(words))))

    def _is_called(self, word: str) -> bool:
        """Return whether a word names somebody or something."""
        names = self.memory.names
        return names.is_named_person(word) or bool(names.called(words_of(word)))
