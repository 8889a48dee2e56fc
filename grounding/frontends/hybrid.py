"""The grammar first, the learned reader where the grammar does not understand the words."""

from __future__ import annotations

from typing import Protocol

from commonground.grounding.answers import Grounding


class Offline(Protocol):
    """Grounds instructions without a server."""

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question."""
        ...


class HybridBackend:
    """Reads what the grammar does not: that one reads every word or nothing, so what it says goes."""

    def __init__(self, grammar: Offline, reading: Offline) -> None:
        self.grammar, self.reading = grammar, reading

    def ground(self, text: str) -> Grounding:
        """Return what the grammar makes of a text, else what the reader does."""
        parsed = self.grammar.ground(text)
        return parsed if parsed.understood else self.reading.ground(text)
