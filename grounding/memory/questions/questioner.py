"""Questions to a memory, by the words of its domain: of what is so now, and of what was."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from commonground.grounding.memory.ontology.words import (
    DETERMINERS,
    FILLING,
    GENERAL,
    MODALS,
    PERSONAL,
    sentences_of,
)
from commonground.grounding.memory.questions.answers import Answered
from commonground.grounding.memory.readers.domain.reader import DomainReader
from commonground.grounding.memory.readers.domain.speakers import Speaking
from commonground.grounding.words.nouns import word_set
from commonground.reading import check_speech

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

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
        from commonground.grounding.memory.questions.past import Past

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
