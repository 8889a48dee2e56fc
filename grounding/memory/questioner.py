"""Questions to a memory, by the words of its domain: of what is so now, and of what was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonground.grounding.memory.domain.reader import DomainReader
from commonground.grounding.memory.domain.speaking import Speaking

if TYPE_CHECKING:
    from commonground.grounding.memory.known import Answered
    from commonground.grounding.memory.memory import Memory


class Questioner:
    """Answers what the words of a domain ask, whoever described what its predicates mean."""

    def __init__(self, memory: Memory) -> None:
        self.memory, hearing = memory, memory.hearing
        self.reader = hearing.reader if hearing else DomainReader(memory.names, memory.store.groups)
        self.speaking = hearing.speaking if hearing else Speaking(self.reader.calling)

    def asked(self, question: str, speaker: str | None, now: int) -> Answered | None:
        """Return what is believed of that; None where it is not understood."""
        from commonground.grounding.memory.domain.questions import Questions
        from commonground.grounding.memory.past import Past

        named = self.speaking.named(question, speaker)
        past = Past(self.memory, self.reader, named, now)
        if past.is_asked:
            return past.answer()
        return Questions(self.memory, self.reader, self.memory.store.facts, now).answer(named)

    def names_things(self, question: str) -> bool:
        """Return whether a question names anything of the world."""
        facts, talk = self.memory.store.facts, self.memory.discourse
        return self.reader.names_things(question.replace("?", "."), facts, talk)
