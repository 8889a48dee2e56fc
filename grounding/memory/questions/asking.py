"""Questions about what is believed, answered with source and age."""

from __future__ import annotations

import time

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.questions.answers import Answered
from commonground.reading import check_speech


def ask(
    memory: Memory, question: str, speaker: str | None = None, now_ns: int | None = None
) -> Answered:
    """Answer where something is, who has it, what is somewhere, or how a thing is."""
    check_speech(question)
    now = time.time_ns() if now_ns is None else now_ns
    memory.store.refresh()
    return memory.questioner.asked(memory.typed.right(question).text, memory.known(speaker), now)
