"""The front end that reads: a trained reader of English, then the table of orders. No network needed."""

from __future__ import annotations

from typing import Protocol

from commonground.grounding.answers import Grounding, clarification
from commonground.grounding.english.reader import Domain, Reading
from commonground.grounding.orders.grounding import Orders
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World


class TextReader(Protocol):
    """Reads English."""

    def read(self, text: str, domain: Domain) -> Reading:
        """Return what a text says."""
        ...


class ReadBackend:
    """Reads what is said, and grounds it on one map for one team."""

    def __init__(self, world: World, settings: GroundingSettings, reader: TextReader) -> None:
        self.reader = reader
        self.orders = Orders(world, settings)

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question: what was not read for sure is never acted on."""
        reading = self.reader.read(text, "scene")
        if reading.utterance is None:
            problem = reading.problem or "I do not understand that."
            return clarification(Unclear(f"{problem} What should the robots do?"), understood=False)
        if not reading.sure:
            words = ", ".join(f"'{span.text}'" for span in reading.unsure)
            question = f"What does {words} mean?" if words else "Could that be said in other words?"
            return clarification(Unclear(f"I do not understand that. {question}"), understood=False)
        return self.orders.ground(reading.utterance, text)
