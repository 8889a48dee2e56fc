"""Questions about what is believed, answered with source and age."""

from __future__ import annotations

import time

from commonground.errors import GroundingError
from commonground.grounding.memory.grammar_asking import asked
from commonground.grounding.memory.known import Answered
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.senses.questions import answer
from commonground.grounding.memory.unclear import Unclear
from commonground.reading import check_speech


def ask(
    memory: Memory, question: str, speaker: str | None = None, now_ns: int | None = None
) -> Answered:
    """Answer where something is, who has it, what is somewhere, or how a thing is."""
    check_speech(question)
    now = time.time_ns() if now_ns is None else now_ns
    memory.store.refresh()
    if memory.hearing is not None:
        told = memory.hearing.asked(question, speaker, now)
        if told is not None:
            return told
    found = asked(memory, memory.grammar, question, speaker, now)
    if found.status != "ask":
        return found
    try:
        return answer(memory, memory.understood(question, "ask"), speaker, now)
    except Unclear as unclear:
        return Answered("ask", str(unclear))
    except GroundingError:  # no network is installed
        return found
