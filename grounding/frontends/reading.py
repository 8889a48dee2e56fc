"""The front end that reads: a trained reader of English, then the table of orders. No network needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from commonground.grounding.answers import Grounding, clarification
from commonground.grounding.english.agreement import agreed
from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import MAX_CHARACTERS, Domain, Reading
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Span, Utterance
from commonground.grounding.frontends.plain_text import one_line, readable
from commonground.grounding.linking import ALIKE
from commonground.grounding.orders.grounding import Orders
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World


class TextReader(Protocol):
    """Reads English."""

    def read(self, text: str, domain: Domain, names: Names) -> Reading:
        """Return what a text says about a world with these names."""
        ...


class ReadBackend:
    """Reads what is said, and grounds it on one map for one team."""

    def __init__(self, world: World, settings: GroundingSettings, reader: TextReader) -> None:
        self.reader, self.world = reader, world
        self.orders = Orders(world, settings)
        self.names = world.spoken_names
        self.robots = Names({"robot": list(world.team.robots)})

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question: what was not read for sure is never acted on."""
        if len(text) > MAX_CHARACTERS:
            return _not_understood(
                f"That is too long ({len(text)} characters). Please say it in parts."
            )
        text = readable(text, MAX_CHARACTERS)
        reading = self.reader.read(text, "scene", self.names)
        if reading.utterance is None:
            problem = reading.problem or "I do not understand that."
            return _not_understood(f"{problem} What should the robots do?")
        found = agreed(reading, lambda r: self.answer(r, text), _meaning, lambda a: a.understood)
        if found.sure or not found.answer.understood:
            return replace(found.answer, confidence=found.share)
        understood = one_line(said_back(found.reading.utterance or Utterance(())))
        return _not_understood(
            f"Is this meant: {understood}? I am not sure. Please say it in other words."
        )

    def _is_thing(self, word: str) -> bool:
        """Return whether the map has things that a word may name."""
        found = (
            self.world.linker.pool(word, layer)
            for layer in (self.world.objects, self.world.regions)
        )
        return any(pool is not None and pool.grade <= ALIKE for pool in found)

    def answer(self, reading: Reading, text: str, names: Names | None = None) -> Grounding:
        """Return the answer to what a reading says, however sure it is; no name may be left out of it."""
        utterance = reading.utterance or Utterance(())
        left_out = unheard(text, utterance, reading.chatter, names or self.names, self._is_thing)
        unclear = _once((*reading.unsure, *left_out))
        if not unclear:
            return self.orders.ground(utterance, text)
        words = " and ".join(f"'{one_line(span.text, 80)}'" for span in unclear[:3])
        understood = one_line(said_back(utterance))
        return _not_understood(f"What is {words} in that? I understood: {understood}.")


def _meaning(found: Grounding) -> str:
    """Return what tells answers apart: goals, or the question."""
    return str(found.goals) if found.goals else found.message


def _once(spans: tuple[Span, ...]) -> list[Span]:
    """Return spans in the order of the text, without those that lie in others."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not found or span.start >= found[-1].end:
            found.append(span)
    return found


def _not_understood(question: str) -> Grounding:
    return clarification(Unclear(question), understood=False)
