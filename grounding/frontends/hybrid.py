"""The learned reader and the grammar together: what either understands, unless the other objects.

The reader reads nearly everybody and errs now and then; the grammar reads few and seldom errs. Where both
find goals that differ, somebody is wrong: that is asked. What the grammar alone understands is done only if
the reader saw it as one of the ways to read the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from commonground.grounding.answers import Grounding, clarification
from commonground.grounding.frontends.confidence import alike
from commonground.grounding.frontends.plain_text import one_line
from commonground.grounding.resolver.choice import Unclear

HowSure = Callable[[str, Grounding], float]
"""How probable it is that a text means what was made of it."""
POSSIBLE = 0.01
"""What the reader holds less probable than this it does not see as a way to read a text."""


class Offline(Protocol):
    """Grounds instructions without a server."""

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question."""
        ...


class HybridBackend:
    """Reads with both, and asks where they disagree."""

    def __init__(self, grammar: Offline, reading: Offline, how_sure: HowSure) -> None:
        self.grammar, self.reading, self.how_sure = grammar, reading, how_sure

    def ground(self, text: str) -> Grounding:
        """Return what the reader makes of a text, and what the grammar does where that one is unsure."""
        read, parsed = self.reading.ground(text), self.grammar.ground(text)
        if not parsed.understood or alike(read, parsed):
            return read
        if read.goals and parsed.goals:
            ways = " or ".join(_in_words(found) for found in (read, parsed))
            return clarification(
                Unclear(f"I can read that in two ways: {ways}. Please say it in other words."),
                understood=False,
            )
        if read.goals:
            return read
        return parsed if self.how_sure(text, parsed) >= POSSIBLE else read


def _in_words(found: Grounding) -> str:
    return ", ".join(
        f"{robot} {one_line(goal, 120)}" for robot, goal in (found.goals or {}).items()
    )
