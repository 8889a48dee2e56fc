"""What is told to a memory, as it is usually written: what is left out put in, talk to the robot left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonground.grounding.memory.ontology.names import words_of
from commonground.grounding.memory.rewriting.apposition import in_usual_order
from commonground.grounding.memory.rewriting.directions import told_where
from commonground.grounding.memory.rewriting.ellipsis import (
    typed_out,
    with_subject,
    without_address,
)
from commonground.grounding.memory.rewriting.log_lines import written_out

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
        whole = written_out(whole, self._is_called, names.is_named_person, self._is_room)
        return told_where(whole, names.is_named_person)

    def task(self, text: str) -> str:
        """Return a task as it is best read."""
        return self.spelled(without_address(text, self.memory.names.is_only_robot))

    def _is_room(self, words: str) -> bool:
        """Return whether words name a room and nothing else as well."""
        return any(map(self.memory.names.is_room, self.memory.names.called(words_of(words))))

    def _is_called(self, word: str) -> bool:
        """Return whether a word names somebody or something."""
        names = self.memory.names
        return names.is_named_person(word) or bool(names.called(words_of(word)))
